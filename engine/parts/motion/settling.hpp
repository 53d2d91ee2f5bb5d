// Keeps constraint errors that shrink after a change of settings from becoming velocities.
#pragma once

#include <vector>

#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Starts a period of settling; must be called after a change of settings that changes constraints or
/// contacts.
void begin_settling(World& world);

/// Sweeps leave an error in stiff constraints: a cloth at rest hangs lower by an error of the order of h^2,
/// which carries its weight. With more substeps or iterations, another method or another stiffness, the error
/// must become smaller. The difference is corrected within a few substeps; as velocities (p - x) / h this
/// displacement would have the energy of an explosion.
///
/// After such a change (World::settling), every group (one object or one body) keeps an energy balance in
/// each substep:
///
///   K' <= K + W + (U - E)+ + what the other groups lost,   W = 1/h sum m dv . (p - x)
///
/// with dv the change of velocities by forces in the substep, E the elastic energy of the constraint forces,
/// and U the kinetic energy that has gone into E since the change: constraints alone must not create kinetic
/// energy. If K' is larger, the velocities of the group are scaled to the bound. Positions stay, so that the
/// error is corrected without velocity. Under methods other than xpbd, E and U count as zero during this
/// period. Driven groups are not bounded: objects that the user drags or that are attached to anything that
/// moves, bodies with a motor, and all groups while a collider moves.
class SettlingBound {
 public:
  void reserve(const World& world);  ///< allocates; call between steps
  void reserve_bodies(const World& world);

  static bool enabled(const World& world) { return world.settling.left > 0.0; }

  /// Must be called before a frame. Serial.
  void begin_frame(const World& world);

  /// note_start() must be called by every thread before forces act in a substep, note_predicted() after
  /// velocities are predicted.
  void note_start(const World& world, const Team& team);
  void note_predicted(const World& world, const Team& team);

  /// Must be called by every thread, after the velocities of a substep of h s are final.
  void bound(World& world, real h, Team& team);

 private:
  /// Consecutive particles of one object within a block of particle_block.
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
  AlignedVector<vec4> started_;       ///< m/s, per particle: velocities before forces
  AlignedVector<vec4> predicted_;     ///< m/s, per particle: predicted velocities
  std::vector<BodyStart> bodies_;     ///< per body
  std::vector<Energy> groups_;        ///< one per object, then one per body
  std::vector<std::uint8_t> driven_;  ///< per group
  std::vector<real> scale_;           ///< per group: factor on velocities
  std::vector<double> acting_;        ///< J, per object: E
};

}}  // namespace limber::LIMBER_PRECISION
