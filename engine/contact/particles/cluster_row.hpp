// Contact of a particle of a rigid cluster (shape matching with stiffness 1), solved as a contact of two
// rigid bodies.
//
// Shape matching distributes the displacement of one particle over all N particles, so a contact that only
// knows the particle's own mass needs of the order of N sweeps to stop the cluster. Here a row sees the
// cluster's mass:
//
//   C = n . (u_a - u_b) + s >= 0,   w = sum over sides 1/M + (r x n)^T I^-1 (r x n)
//
// with u the displacement of the contact point between the two particles since the substep began
// (particle_pair.hpp defines n, s and the kept multiplier). A particle that belongs to no rigid cluster
// counts with its own mass; a collider is immovable.
//
// An overlap is removed by separate displacements (lifts), which move x and p alike and give no velocity.
// Lifts have multipliers, so that many rows of one pair do not remove an overlap several times. Rows without
// an overlap take part, because lifting one pair apart must not push another pair together: otherwise
// overlaps would wander through a pile and unload contacts that hold it by friction, and the pile would never
// stop sliding.
#pragma once

#include <algorithm>
#include <cstdint>
#include <glm/geometric.hpp>
#include <utility>

#include "engine/contact/law.hpp"
#include "engine/contact/side.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Motion of a rigid cluster in a substep.
struct ClusterMotion {
  vec3 center{0};            ///< m, of mass, at p
  vec3 rotated{0};           ///< rad, rotation vector since the substep began
  vec4 frame[frame_rows]{};  ///< motion by the rows of this file, as in frame_rows.hpp
  vec4 lift[frame_rows]{};   ///< motion by lifts, which move x and p alike

  /// Sets mass and inertia of both frames and zero motion. `w`: 1/kg; `inverse`: 1/(kg m^2), in the world.
  void weigh(real w, const Symmetric& inverse) {
    for (vec4* rows : {frame, lift}) {
      rows[row_shift] = vec4(vec3(0), w);
      rows[row_turn] = vec4(0);
      set_inverse_inertia(rows, inverse);
    }
  }
  bool moves() const {
    const auto any = [](const vec4& row) { return vec3(row) != vec3(0); };
    return any(frame[row_shift]) || any(frame[row_turn]) || any(lift[row_shift]) || any(lift[row_turn]);
  }
  void clear() {
    for (vec4* rows : {frame, lift})
      rows[row_shift] = vec4(vec3(0), rows[row_shift].w), rows[row_turn] = vec4(0);
  }
};

/// A row; side A is the point of cluster_a at the contact point.
struct ClusterRow : ContactRow {
  std::int32_t a, b;  ///< particles, a of cluster_a; b < 0: the collider with index -1 - b
  /// Cluster_b negative: particle b belongs to no rigid cluster, or there is none.
  std::int32_t cluster_a, cluster_b;
  std::int32_t source;    ///< index of its pair, or of its contact among those of cluster_a with colliders
  vec3 point_a, point_b;  ///< m, from the particles to the contact point
  vec3 arm_a, arm_b;      ///< m, from the centres of mass to the contact point
  vec3 slide;             ///< m, displacement of a collider's surface in the substep
  real want;              ///< m, part of the overlap to remove in this substep; < 0: minus the free distance
  real lift_lambda = 0;               ///< kg m, multiplier of the lift
  real before = 0;                    ///< kg m, length of lambda() a substep earlier
  /// m, displacement of a relative to b that is not in the frames' rows (b's own, if b belongs to no
  /// cluster).
  vec3 moved{0};
};

/// Arrays of particles that belong to no rigid cluster; rows move them directly.
struct LooseParticles {
  vec4 *position, *previous, *velocity;
};

/// Side B: another rigid cluster, a particle that moves by itself, or a collider, which nothing moves.
struct OtherSide {
  vec4* frame;        ///< of the cluster, or null
  const vec3& arm;    ///< m, from its centre of mass
  vec4* particle;     ///< the particle's position or velocity, to which impulses are applied; or null
  const vec4* start;  ///< its position when the substep began; null: `particle` is a velocity
  real w;             ///< 1/kg, of the particle

  vec3 moved() const {
    if (frame) return displacement(frame, arm);
    if (!particle) return vec3(0);
    return start ? vec3(*particle - *start) : vec3(*particle);
  }
  real inverse_mass_along(const vec3& n) const {
    return frame ? limber::inverse_mass_along(static_cast<const vec4*>(frame), arm, n) : w;
  }
  void push(const vec3& impulse) const {
    if (frame)
      push_frame(frame, impulse, arm);
    else if (particle)
      *particle += vec4(w * impulse, real(0));
  }
};

using ClusterSides = Sides<CarriedPoint, OtherSide>;

inline ClusterSides sides_of(const ClusterRow& row, ClusterMotion* clusters, const LooseParticles& loose) {
  vec4* const frame = row.cluster_b >= 0 ? clusters[row.cluster_b].frame : nullptr;
  const bool alone = row.cluster_b < 0 && row.b >= 0;
  return {{{clusters[row.cluster_a].frame, row.arm_a}, row.moved},
          {frame, row.arm_b, alone ? loose.position + row.b : nullptr,
           alone ? loose.previous + row.b : nullptr, alone ? loose.position[row.b].w : real(0)}};
}

/// The sides of a row after velocities were taken, with the velocities of clusters (m/s, rad/s) in their
/// frames. `surface`: m/s, velocity of a collider.
inline ClusterSides velocity_sides_of(const ClusterRow& row, ClusterMotion* clusters,
                                      const LooseParticles& loose, const vec3& surface) {
  ClusterSides sides = sides_of(row, clusters, loose);
  sides.a.before = -surface;
  if (sides.b.particle) sides.b.particle = loose.velocity + row.b;
  sides.b.start = nullptr;
  return sides;
}

/// One step of the sweep that removes overlaps: n . (lift_a - lift_b) >= want.
inline void lift_overlap(ClusterRow& row, ClusterMotion* clusters, const LooseParticles& loose) {
  ClusterSides sides = sides_of(row, clusters, loose);
  sides.a.frame = clusters[row.cluster_a].lift;
  sides.a.before = vec3(0);
  if (row.cluster_b >= 0) sides.b.frame = clusters[row.cluster_b].lift;
  // The lift of particle b moves its x and p alike, so that only the row's multiplier records it.
  const bool alone = std::exchange(sides.b.particle, nullptr) != nullptr;
  const real before = row.lift_lambda;
  if (alone) sides.a.before = sides.b.w * before * row.normal;
  lift_contact(row, row.want, row.lift_lambda, sides);
  if (!alone) return;
  const vec4 lifted(sides.b.w * (row.lift_lambda - before) * row.normal, real(0));
  loose.position[row.b] -= lifted;
  loose.previous[row.b] -= lifted;
}

}}  // namespace limber::LIMBER_PRECISION
