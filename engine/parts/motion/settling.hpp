// Keeps a change of settings from giving velocities to the errors that constraints then repay.
#pragma once

#include <vector>

#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Starts settling; call after a change of settings on which constraints or contacts depend.
void begin_settling(World& world);

/// Sweeps leave an error in hard constraints: a cloth at rest hangs lower by the error that carries its
/// weight, of the order of h^2. More substeps or iterations, another method or stiffness need less of it, and
/// repay the rest within a few substeps: as velocities (p - x) / h that is the energy of an explosion.
///
/// After such a change (World::settling) the energy balance of every group, one object or body, is kept in
/// each substep:
///
///   K' <= K + W + (U - E)+ + what the other groups lost,   W = 1/h sum m dv . (p - x)
///
/// with dv the change of velocities by forces in the substep: constraints alone make no kinetic energy. E is
/// the elastic energy of the forces that constraints exert, U the kinetic energy put into E since the change.
/// Velocities of a group with a larger K' are scaled to the bound; positions stay, so that the error is
/// repaid without speed. Methods other than xpbd give no elastic energy back meanwhile. Driven groups are
/// left alone: objects in the user's hand or attached to a path or to something that moves, bodies with a
/// motor, and all groups while a collider moves.
class SettlingBound {
 public:
  void reserve(const World& world);  ///< allocates; call between steps
  void reserve_bodies(const World& world);

  static bool enabled(const World& world) { return world.settling.left > 0.0; }

  /// Must be called before a frame, on one thread.
  void begin_frame(const World& world);

  /// Must be called by every thread, before forces act in a substep, and after velocities are predicted. End
  /// at a barrier.
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
