// The momentum of what flies free: no force within it changes that, so what seems to is rounding.
#pragma once

#include <atomic>
#include <vector>

#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber::inline LIMBER_PRECISION {

/// In float a correction shorter than half the spacing of numbers at a point is lost there, and not at the
/// points of the same constraint that lie nearer to the origin: what is under tension pushes itself along.
/// Over a frame in which nothing outside has a part,
///
///   P = sum m v,   P <- k P + M h g   in each substep,
///
/// and by how much the frame's end differs from that is taken off the particles as one velocity. Objects are
/// looked at one by one, or all together if their surfaces can touch. Sums are taken per block of particles
/// in double and added in block order.
///
/// Only in float: double has no need of it, and there tests see what each projection does to momentum.
class FreeFlight {
 public:
  void reserve(const World& world);  ///< allocates; call between steps

  /// Whether momentum is in the velocities of particles alone and nothing outside acts on all of them: not
  /// with wind, bodies, grains or clusters, and in float only.
  static bool applies(const World& world);

  /// Called by every thread of the team before the substeps of a frame. Ends at a barrier.
  void begin_frame(const World& world, Team& team);

  /// The same after them. h: s, of a substep; keep: k, what damping leaves of a velocity.
  void end_frame(World& world, const StaticContacts& contacts, real h, real keep, Team& team);

  /// From any thread within a substep: something has moved particles without moving others back.
  void forbid() { forbidden_.store(true, std::memory_order_relaxed); }

 private:
  /// Particles of one object, within one block of particle_block.
  struct Piece {
    std::int32_t object, begin, end;
    bool spare;  ///< in reserve: only those that tears have used count
  };
  struct Sums {
    glm::dvec3 momentum{0.0};  ///< kg m/s
    double mass = 0.0;         ///< kg
    bool touched = false;      ///< something outside has a part: the others do not count
  };

  static std::int32_t end_of(const World& world, const Piece& piece);
  static Sums sum(const World& world, const Piece& piece);
  void find_drifts(const World& world, real h, real keep);
  void correct(World& world, const Piece& piece) const;

  std::vector<Piece> pieces_;
  std::vector<Sums> before_, after_;  ///< per piece
  std::vector<Sums> drifts_;          ///< per object
  std::atomic<bool> forbidden_{false};
};

}  // namespace limber::inline LIMBER_PRECISION
