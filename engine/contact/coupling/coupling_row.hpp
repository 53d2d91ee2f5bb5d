// Contact and attachment of deformables with rigid bodies, both ways: the rows and their projection.
//
// A contact point of a deformable is sum b_j p_j, up to three particles with weights that add up to one: a
// vertex, a point of an edge, a point of a triangle. A point of a body is at the arm r from its centre of
// mass. With dx and theta the body's displacement and rotation vector since the substep's start and u = dx +
// theta x r (contact/bodies/body_contact.hpp),
//
//   C = n . (sum b_j (p_j - x_j) - u) + gap >= 0
//   w = sum b_j^2 w_j + 1/m + (r x n)^T I^-1 (r x n)
//
// with generalised inverse masses on both sides (test vectors particle_rigid_contact, impulse_to_rigid_body).
// The arm ends at the contact point of the deformable at the substep's start, not at the body's surface below
// it: both sides get their impulses at one point, so that every row conserves linear and angular momentum. A
// tie of a vertex to a body is an equality on three axes, with a compliance.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/contact/law.hpp"
#include "engine/contact/particles/cluster_row.hpp"
#include "engine/contact/side.hpp"
#include "engine/state/bodies.hpp"
#include "engine/state/particles.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// A contact row; multipliers start at zero in every substep. Side A is the point of the deformable, side B
/// the body.
struct CouplingRow : ContactRow {
  std::int32_t points[3];  ///< particles; an unused entry has weight 0
  vec3 weight;
  /// Per particle: contact with a collider that supports it against the body, or null.
  StaticContact* support[3] = {};
  std::int32_t body;
  /// kg m, for a row of a directly solved rod (`grips`): friction of the substep, decided at the end of the
  /// substep before (Coupling::keep_grips()), and the running mean of the load.
  vec3 friction_kept{0};
  real load_kept = 0;
  bool grips = false, gripped = false;  ///< gripped: friction_kept was applied in this substep
  real surface = 0;  ///< m, distance from the body to the contact point at the substep's start
  vec3 arm;          ///< m, from the body's centre of mass to the contact point, at the substep's start
  // The members down to `pressure` are used for fluids.
  real filled = 1;            ///< share of the half space behind the contact that the body fills
  real share = 0;             ///< share of the particle's kernel support that the body fills now
  real slope = 0;             ///< 1/m, decrease of `share` per metre of distance
  real pressure = 0;          ///< kg m, impulse of the pressure along the normal in this substep
  std::int32_t cluster = -1;  ///< rigid cluster to which the particle belongs, or -1
  vec3 cluster_arm{0};        ///< m, from the cluster's centre of mass to the particle
};

/// m, present distance of the row's vertex from its body. `body`: the body's rows in BodySolver.
inline real distance_now(const CouplingRow& row, const Particles& particles, const vec4* body) {
  const std::size_t i = std::size_t(row.points[0]);
  return row.surface + glm::dot(row.normal, way_of(particles, i) - displacement(body, row.arm));
}

/// A vertex that is tied to a point of a body.
struct TieRow {
  std::int32_t particle;
  std::int32_t body;
  vec3 arm;        ///< m, from the body's centre of mass to the vertex at the substep's start
  vec3 gap;        ///< m, from the body's point to the vertex at the substep's start
  real softness;   ///< 1/kg, compliance / h^2
  vec3 pulled{0};  ///< kg m, multipliers along x, y, z
};

/// A weighted point of a deformable some of whose particles are supported by colliders. A supported particle
/// does not move along the normal q of its contact: its inverse mass is w (1 - q q^T), and the impulse along
/// q is added to the load of that contact. Otherwise a body a hundred times as heavy as the cloth below it
/// would press the cloth into the floor, because a sweep would move the body by only w_body / (w_body + w) of
/// the error, and the floor would undo the rest. All rows of a particle have the same q, even rows that push
/// away from it: with different inverse masses of one particle the sweeps over its rows need not converge.
struct SupportedPoint : WeightedPoint {
  StaticContact* const (&support)[3];

  real inverse_mass_along(const vec3& n) const {
    real w = 0;
    for (int j = 0; j < 3; ++j) {
      const real along = support[j] ? glm::dot(n, support[j]->normal) : real(0);
      w += weight[j] * weight[j] * inverse_mass(j) * std::max(1 - along * along, real(0));
    }
    return w;
  }
  void push(const vec3& impulse) const {
    for (int j = 0; j < 3; ++j) {
      const real share = inverse_mass(j) * weight[j];
      if (share == real(0)) continue;
      vec3 moved = share * impulse;
      if (StaticContact* const held = support[j]) {
        const real along = glm::dot(moved, held->normal);
        moved -= along * held->normal;
        held->load -= along;
      }
      move_particle(particles, std::size_t(points[j]), moved);
    }
  }
};

/// The two sides of a row. `body`: the body's rows in BodySolver.
inline auto sides_of(const CouplingRow& row, Particles& particles, vec4* body) {
  return Sides{SupportedPoint{{row.points, row.weight, particles}, row.support}, FramePoint{body, row.arm}};
}

/// The two sides of a row whose particle belongs to a rigid cluster; the whole cluster moves.
inline auto sides_of(const CouplingRow& row, const Particles& particles, ClusterMotion& cluster, vec4* body) {
  const std::size_t i = std::size_t(row.points[0]);
  return Sides{CarriedPoint{{cluster.frame, row.cluster_arm}, way_of(particles, i)},
               FramePoint{body, row.arm}};
}

/// Side of a row that is a point of a body, in velocities; used after velocities were computed. `body`: the
/// body's rows in BodySolver. Reads and changes velocity and angular momentum in `bodies`.
struct BodyVelocity {
  Bodies& bodies;
  std::size_t i;
  const vec4* body;
  vec3 spin;  ///< rad/s
  const vec3& arm;

  vec3 moved() const { return vec3(bodies.velocity[i]) + glm::cross(spin, arm); }
  real inverse_mass_along(const vec3& n) const { return limber::inverse_mass_along(body, arm, n); }
  void push(const vec3& impulse) const {
    bodies.velocity[i] += vec4(body[row_shift].w * impulse, real(0));
    if (body[row_shift].w > real(0)) bodies.angular_momentum[i] += vec4(glm::cross(arm, impulse), real(0));
  }
};

/// XPBD on all three axes at once, with K = (w + 1/m + softness) 1 - [r] I^-1 [r] and [r] the cross product
/// matrix of the arm.
inline void project(TieRow& row, Particles& particles, vec4* body) {
  const std::size_t i = std::size_t(row.particle);
  const real w = particles.position[i].w;
  if (!(w + body[row_shift].w > real(0))) return;
  const glm::dmat3 k = response_at(body, row.arm) + glm::dmat3(double(w + row.softness));
  const vec3 C = row.gap + way_of(particles, i) - displacement(body, row.arm);
  const vec3 change(glm::inverse(k) * -glm::dvec3(C + row.softness * row.pulled));
  row.pulled += change;
  if (w > real(0)) move_particle(particles, i, w * change);
  push_frame(body, -change, row.arm);
}

}}  // namespace limber::LIMBER_PRECISION
