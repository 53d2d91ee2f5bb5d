// Contacts of particles with colliders that nothing pushes back (line 8 of the paper), as half spaces found
// once per substep. They stand still or move as a function of time.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber::inline LIMBER_PRECISION {

/// C(p) = n.p - offset >= 0 for one particle: the tangent plane at the collider's nearest point, moved out by
/// the particle's thickness.
struct StaticContact {
  std::int32_t particle;
  real friction;
  vec3 normal;
  real offset;    ///< m
  vec3 slide;     ///< m, how far the surface here moves in the substep
  real approach;  ///< m, along the normal: how far the prediction moved away from the surface; negative
                  ///< towards it
  real restitution;
  bool touched;  ///< it had to push in this substep
};

/// Contacts per block of particles, so that threads fill and project them without talking to each other:
/// block b owns contacts [b * capacity, b * capacity + count[b]) and only its own particles.
///
/// Broad phase once a frame: the colliders within a particle's margin, the distance its speed takes it in the
/// frame and a bit. Narrow phase each substep over those; a particle that has left its margin since (pulled,
/// thrown) is tested against all colliders, so none is ever missed.
class StaticContacts {
 public:
  /// Room for all particle blocks of `world`; allocates, so call it between steps.
  void reserve(const World& world);

  /// Before the blocks' begin_frame(), on one thread: where moving colliders are at the end of each substep.
  /// They are put to where they are at world.time.
  void begin_step(World& world, double dt);

  /// Broad phase of one block for a frame of dt seconds.
  void begin_frame(const World& world, std::int32_t block, real dt);

  /// Finds the contacts of one block at the predicted positions and the colliders' places at the end of the
  /// substep, counted from 0. A particle within thickness + reach of a collider gets one, the reach being the
  /// distance it moves against the surface in this substep; at most `per_particle` of them, the deepest
  /// winning.
  void find(const World& world, std::int32_t block, int substep = 0);

  /// Projects the contacts of one block: out of the half space, then positional Coulomb friction, limited by
  /// the depth just removed (Macklin 2014, eq. 24; vectors friction_positional_*), against the moving
  /// surface.
  void project(World& world, std::int32_t block);

  /// Whether any collider gives speed back, so that restore() is needed.
  bool bouncy() const { return bouncy_; }

  /// Restitution of one block after a substep of h seconds, line (16): v_n <- -e v_n of the prediction,
  /// relative to the surface, unless that was slower than 2 g h (vectors
  /// velocity_filter_friction_restitution).
  void restore(World& world, std::int32_t block, real h) const;

  std::int64_t total() const;

 private:
  static constexpr std::int32_t per_particle_ = 4;

  struct Candidate {
    std::int32_t particle, collider;
  };
  struct Block {
    std::int32_t contacts = 0;
    std::int32_t candidates = 0;
    bool test_all = false;  ///< more candidates than there was room for
  };
  /// Where a particle was at the broad phase and how far from there its candidates are complete.
  struct Neighbourhood {
    vec3 center;
    real margin;
  };
  /// A moving collider at the end of a substep, and how its frame changed in it.
  struct Pose {
    vec3 position;
    mat3 rotation;
    vec3 shift;
    mat3 turn;
  };
  class Collector;

  /// The pose of collider `c` in `substep`, or null: it stands still.
  const Pose* pose(const World& world, int substep, std::size_t c) const {
    return poses_.empty() || !world.colliders[c].motion.moves()
               ? nullptr
               : &poses_[std::size_t(substep) * world.colliders.size() + c];
  }

  std::vector<StaticContact> contacts_;
  std::vector<Candidate> candidates_;  ///< per block, sorted by particle
  std::vector<Neighbourhood> neighbourhoods_;
  std::vector<Block> blocks_;
  std::vector<Pose> poses_;  ///< per substep, then collider; empty while none moves
  bool bouncy_ = false;
};

/// Positional friction for a displacement `moved` of the particle against the surface over this substep: the
/// correction to add. `depth` is the penetration that the normal projection removed.
vec3 friction_correction(vec3 moved, vec3 normal, real depth, real friction);

/// Signed distance (m, negative inside) and unit outward normal of a collider at a world point.
struct SurfacePoint {
  real distance;
  vec3 normal;
};
SurfacePoint closest(const Collider& collider, vec3 point);

}  // namespace limber::inline LIMBER_PRECISION
