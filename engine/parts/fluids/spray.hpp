// Spray, foam and bubbles: diffuse particles that a fluid carries along.
#pragma once

#include <vector>

#include "engine/contact/particles/neighbour_lists.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/state/body_shapes.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Diffuse particles after Ihmsen, Akinci, Akinci and Teschner, "Unified Spray, Foam and Bubbles for
/// Particle-Based Fluids", 2012. A particle i of a fluid makes
///
///   n_i = spray dt Phi(sum_j |v_ij| (1 - v_ij . u_ij / (|v_ij| |u_ij|)) (1 - |u_ij| / H)) Phi(|v_i|^2 / 2)
///
/// diffuse particles in a frame: where fast fluid traps air or breaks up. A diffuse particle with few fluid
/// neighbours is spray, which flies; with more neighbours it is foam, which follows the fluid and fades;
/// inside the fluid it is a bubble, which rises. Diffuse particles stay outside bodies and vanish at
/// colliders. They have no mass and act on nothing. There are at most most_spray of them. They are a function
/// of the fluid's state alone, and state_hash() leaves them out.
class Spray {
 public:
  static bool enabled(const World& world);

  /// Advances all diffuse particles by a frame of dt s, with the neighbour lists of the frame's last substep.
  /// Must be called by every thread of the team.
  void advance(World& world, const NeighbourLists& lists, real dt, Team& team);

 private:
  void count_born(const World& world, const NeighbourLists& lists, real dt, Team& team);
  void bear(World& world, const NeighbourLists& lists);
  void move(const World& world, const NeighbourLists& lists, SprayPoint& point, real dt) const;

  /// A shape of a body, with its pose and motion at the end of the frame.
  struct Obstacle {
    const ConvexShape* shape;
    Placed place;
    vec3 center, velocity, spin;  ///< m, m/s, rad/s: motion of the body
    real reach;                   ///< m, largest distance of the shape's points from the body's centre
  };
  void place_bodies(const World& world);
  void keep_out(SprayPoint& point) const;

  std::vector<std::int32_t> born_;  ///< per sorted particle of the lists
  std::vector<Obstacle> obstacles_;
  real most_reach_ = 0;  ///< m
};

}}  // namespace limber::LIMBER_PRECISION
