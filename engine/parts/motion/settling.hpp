// Keeps errors that constraints repay after a change of settings from becoming velocities.
#pragma once

#include <vector>

#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Starts settling; call after a change of settings on which constraints or contacts depend.
void begin_settling(World& world);

/// Sweeps leave an error in hard constraints: a cloth at rest hangs lower by an error of the order of h^2,
/// which carries its weight. With more substeps or iterations, another method or another stiffness, the cloth
/// needs a smaller error. The rest is repaid within a few substeps, and as velocities (p - x) / h it would be
/// the energy of an explosion.
///
/// After such a change (World::settling), every group (one object or body) keeps an energy balance in each
/// substep:
///
///   K' <= K + W + (U - E)+ + what the other groups lost,   W = 1/h sum m dv . (p - x)
///
/// with dv the change of velocities by forces in the substep, E the elastic energy of the constraint forces,
/// and U the kinetic energy put into E since the change: constraints alone make no kinetic energy. If K' is
/// larger, the velocities of the group are scaled to the bound. Positions stay, so that the error is repaid
/// without speed. Methods other than xpbd give no elastic energy back meanwhile. Driven groups are not
/// bounded: objects in the user's hand or attached to anything that moves, bodies with a motor, and all
/// groups while a collider moves.
class SettlingBound {
 public:
  void reserve(const World& world);  ///< allocates; call between steps
  void reserve_bodies(const World& world);

  static bool enabled(const World& world) { return world.settling.left > 0.0; }

  /// Must be called before a frame, on one thread.
  void begin_frame(const World& world);

  /// note_start() must be called by every thread before forces act in a substep, note_predicted() after
  /// velocities are predicted. Both end at a barrier.
  void note_start(const World& world, Team& team);
  void note_predicted(const World& world, Team& team);

  /// Must be called by every thread, after the velocities of a substep of h s are final. Begins and ends at a
  /// barrier.
  void bound(World& world, real h, Team& team);

 private:
  /// Particles of one object within a block of particle_block.
  struct Piece {
    std::int32_t object, begin, end;
  };
  struct Energy {
    double mass = 0.0, before = 0.0, work = 0.0, after = 0.0;  ///< kg, J
    double due() const { return before + (work > 0.0 ? work : 0.0); }
    Energy& operator+=(const Energy& other);
  };
  struct BodyStart {
    glm::dvec3 place{0.0};  ///< m
    double energy = 0.0;    ///< J
  };
  Energy energy_of(const World& world, const Piece& piece, real h) const;
  Energy energy_of_body(const World& world, std::size_t body) const;
  void find_acting(const World& world);
  void give_back(World& world);
  void share_out(World& world, real h);

  std::vector<Piece> pieces_;         ///< object after object
  std::vector<Energy> piece_sums_;    ///< per piece
  AlignedVector<vec4> started_;       ///< m/s, per particle
  AlignedVector<vec4> predicted_;     ///< m/s, per particle
  std::vector<BodyStart> bodies_;     ///< per body
  std::vector<Energy> groups_;        ///< objects, then bodies
  std::vector<std::uint8_t> driven_;  ///< per group
  std::vector<real> scale_;           ///< per group: of velocities
  std::vector<double> acting_;        ///< J, per object
};

}}  // namespace limber::LIMBER_PRECISION
