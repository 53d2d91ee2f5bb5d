// Restores the momenta that line (13) takes from parts that nothing outside touches.
#pragma once

#include <vector>

#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/contact/touched_parts.hpp"
#include "engine/kernels/kernels.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/parts/motion/connected_parts.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// J, kinetic energy of body i.
double kinetic_energy(const Bodies& bodies, std::size_t i);

/// Constraints push along the line between two predicted positions p, so sum m p x dp = 0. The velocities v =
/// (p - x) / h apply the impulse at x instead, and the new angular momentum
///
///   L' = L - 1/h sum m (p - x) x dp
///
/// is smaller by the share 1 - 1 / sqrt(1 + (h w)^2) in a substep of a part that rotates at w. For every
/// connected part (parts that pushed each other count as one), the momenta P and L about the centre of mass
/// are computed from the predicted velocities, after forces, wind and damping, and P' and L' from the new
/// velocities. The difference is added as a rigid motion,
///
///   v_i += (P - P') / M + I^-1 (L - L') x (p_i - c),
///
/// which is the smallest change of velocities, in the norm of masses, that restores the momenta. P' differs
/// from P by rounding, and also if the shares that particles get of an impulse are not weighted by their
/// masses (averaged Jacobi iterations, the first steps of BDF2).
///
/// The impulse of a collider without friction acts along a known line (that of a sphere goes through its
/// centre), so it is treated as a force in the prediction. Without this, cloth stretched over a sphere would
/// rotate faster and faster, because elements pull it one after the other and contacts push it back in every
/// substep.
///
/// A part with any other impulse from outside in the substep is not corrected: attached or dragged vertices,
/// other colliders, bodies or grains that belong to no part, fluids, the bound on speed.
///
/// Sums are taken per piece of a part in its order, the same for any number of threads.
class SpinKeeper {
 public:
  explicit SpinKeeper(const MomentumKernels<real>& kernels) : kernels_(kernels) {}

  void reserve(const World& world);  ///< allocates; call between steps

  /// Must be called before a frame. Serial.
  void begin_step(const World& world, int threads);

  /// Whether some part may need its momenta restored in this frame.
  bool any_free() const { return parts_.any_free(); }

  /// Stores the predicted velocities of a substep, before any body has moved. Each thread handles its own
  /// particles.
  void note(const World& world, const Team& team);

  /// Receives the parts that contacts pushed, between note() and give_back().
  TouchedParts& touched() { return touched_; }

  /// Restores lost momenta. Must be called after the velocities of a substep of h s are final and all other
  /// impulses were reported to touched(). `colliders` (may be null) supplies the known impulses, which are
  /// not reported.
  void give_back(World& world, const StaticContacts* colliders, real h, Team& team);

  /// note_pushes() and balance_pushes() conserve the momenta of every part under pressure, also of parts in
  /// contact (see balance_pushes() in spin_keeper.cpp). They must be called before and after constraints and
  /// pressure are projected in an iteration. note_pushes() must be followed by a barrier; balance_pushes()
  /// begins and ends at one.
  void note_pushes(const World& world, const Team& team);
  void balance_pushes(World& world, Team& team);

  /// Updates the parts after a tear.
  void follow_tears(const World& world, const Team& team);

 private:
  /// The sums of MomentumSum in double. Angular momentum is about the origin of the positions.
  struct Sums {
    double mass = 0.0;
    glm::dvec3 place{0.0}, slip{0.0}, after{0.0}, lost{0.0}, turn{0.0}, spread{0.0}, mixed{0.0};
    glm::dmat3 inertia{0.0};                   ///< kg m^2, inertia of bodies about their own centres
    glm::dvec3 spin{0.0};                      ///< kg m^2/s, angular momentum of bodies after the substep
    double energy_before = 0.0, energy = 0.0;  ///< J, kinetic energy of bodies
    void add(const real* sums);
    void add(const Sums& other, const glm::dvec3& shift);
  };
  /// The correction of a part. If several parts are corrected as one, the first of them stores it.
  struct Whole {
    std::int32_t first = 0;
    bool out = false, bounded = false, deforms = false;
    glm::dvec3 origin{0.0};
    Sums sums;
    glm::dvec3 shift{0.0}, turn{0.0}, center{0.0};
  };
  /// State of a body before the substep moved it.
  struct BodyStart {
    glm::dvec3 place{0.0}, velocity{0.0}, angular_momentum{0.0};
    double energy = 0.0;  ///< J
  };

  std::int32_t whole_of(std::int32_t part);
  void forget(int threads);
  bool takes_part(std::int32_t part) const;
  void sum_piece(const World& world, const StaticContacts* colliders, std::size_t piece, real h);
  void add_known_pushes(const World& world, const StaticContacts& colliders, std::size_t piece, real h);
  Sums sums_of_body(const World& world, std::int32_t body, real h) const;
  void join_touching();
  void add_up(const World& world, real h);
  static void solve(Whole& whole, double h);
  static double share_within_energy(const Whole& whole, const glm::dmat3& inertia);
  void correct_piece(const World& world, std::size_t piece, const Whole& whole, AlignedVector<vec4>& rows,
                     const AlignedVector<vec4>& places) const;
  template <class Act>
  void for_turns(const World& world, const Act& act);
  bool is_balanced(const World& world, std::int32_t part) const;
  void correct_body(World& world, std::int32_t body, const Whole& whole) const;

  const MomentumKernels<real>& kernels_;
  ConnectedParts parts_;
  TouchedParts touched_;
  AlignedVector<vec4> before_;          ///< m/s, predicted velocities in blocks with free parts
  std::vector<std::uint8_t> wanted_;    ///< per block of particles: it has particles of free parts
  std::vector<BodyStart> body_starts_;  ///< per body
  std::vector<real> piece_sums_;        ///< per piece: momentum_sums numbers
  std::vector<Whole> wholes_;           ///< per part
  AlignedVector<vec4> pushed_from_;     ///< m, `moved` before an iteration, for balanced parts
  std::vector<Whole> balances_;         ///< per part
};

}}  // namespace limber::LIMBER_PRECISION
