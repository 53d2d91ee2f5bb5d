// Contact and attachment of deformables with rigid bodies, both ways: the rows and their projection.
//
// A contact point of a deformable is sum b_j p_j, up to three particles with weights that add up to one: a
// vertex, a point of an edge, a point of a triangle. A point of a body is at the arm r from its centre of
// mass. With the unknowns dx and theta of the body since the substep's start
// (contact/bodies/body_contact.hpp; u = dx + theta x r),
//
//   C = n . (sum b_j (p_j - x_j) - u) + gap >= 0
//   w = sum b_j^2 w_j + 1/m + (r x n)^T I^-1 (r x n)
//
// with generalised inverse masses on both sides (vectors particle_rigid_contact, impulse_to_rigid_body). The
// arm ends at the contact point of the deformable at the substep's start, not at the body's surface below it:
// both sides are pushed at one point, so that every row keeps linear and angular momentum. An attachment is
// an equality with a compliance on three axes.
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

/// A contact; multipliers start at zero in every substep. A is the point of the deformable, B the body.
struct CouplingRow : ContactRow {
  std::int32_t points[3];  ///< particles; unused ones have no weight
  vec3 weight;
  StaticContact* support[3] = {};  ///< colliders that hold the particles against the body, or null
  std::int32_t body;
  real surface = 0;  ///< m, distance of the contact point from the body at the substep's start
  vec3 arm;          ///< m, from the body's centre of mass to the contact point, at the substep's start
  // of a fluid
  real filled = 1;            ///< share of the half space behind the contact that the body fills
  real share = 0;             ///< of the particle's support that the body fills now
  real slope = 0;             ///< 1/m, of that over the distance
  real pressure = 0;          ///< kg m, push of the pressure along the normal in this substep
  std::int32_t cluster = -1;  ///< rigid cluster to which the particle belongs, or -1
  vec3 cluster_arm{0};        ///< m, from its centre of mass to the particle
};

/// m, present distance of the row's vertex from its body. `body`: its rows of BodySolver.
inline real distance_now(const CouplingRow& row, const Particles& particles, const vec4* body) {
  const std::size_t i = std::size_t(row.points[0]);
  const vec3 moved = vec3(particles.position[i]) - vec3(particles.previous[i]) - displacement(body, row.arm);
  return row.surface + glm::dot(row.normal, moved);
}

/// A vertex that is tied to a point of a body.
struct TieRow {
  std::int32_t particle;
  std::int32_t body;
  vec3 arm;        ///< m, from the body's centre of mass to the vertex at the substep's start
  vec3 gap;        ///< m, from the body's point to the vertex at the substep's start
  real softness;   ///< s^2 m/(N s^2) = 1/kg, compliance / h^2
  vec3 pulled{0};  ///< kg m, multipliers
};

/// A weighted point of a deformable if colliders hold some of its particles. A held particle does not move
/// along the normal m of its contact: its inverse mass is w (1 - m m^T), and the impulse along m becomes a
/// load on that contact. Otherwise a body a hundred times as heavy as the cloth below it would press the
/// cloth into the floor, because a sweep would move the body by only w_body / (w_body + w) of the error, and
/// the floor would undo the rest.
struct SupportedPoint : WeightedPoint {
  StaticContact* const (&support)[3];

  real inverse_mass_along(const vec3& n) const {
    real w = 0;
    for (int j = 0; j < 3; ++j) {
      const real along = support[j] ? glm::dot(n, support[j]->normal) : real(0);
      w += weight[j] * weight[j] * position[points[j]].w * std::max(1 - along * along, real(0));
    }
    return w;
  }
  void push(const vec3& impulse) const {
    for (int j = 0; j < 3; ++j) {
      vec4& p = position[points[j]];
      vec3 moved = p.w * weight[j] * impulse;
      if (StaticContact* const held = support[j]) {
        const real along = glm::dot(moved, held->normal);
        moved -= along * held->normal;
        held->load -= along;
      }
      p += vec4(moved, real(0));
    }
  }
};

/// The two sides of a row. `body`: its rows of BodySolver.
inline auto sides_of(const CouplingRow& row, Particles& particles, vec4* body) {
  return Sides{SupportedPoint{{row.points, row.weight, particles.position.data(), particles.previous.data()},
                              row.support},
               FramePoint{body, row.arm}};
}

/// The two sides of a row whose particle belongs to a rigid cluster, which moves as a whole.
inline auto sides_of(const CouplingRow& row, const Particles& particles, ClusterMotion& cluster, vec4* body) {
  const std::size_t i = std::size_t(row.points[0]);
  return Sides{CarriedPoint{{cluster.frame, row.cluster_arm},
                            vec3(particles.position[i]) - vec3(particles.previous[i])},
               FramePoint{body, row.arm}};
}

/// A body's side in velocities, after velocities were taken. `body`: its rows of BodySolver. Velocity and
/// angular velocity are read from and written to `bodies`.
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

/// XPBD on all three axes at once: K = (w + 1/m + a~) 1 - [r] I^-1 [r].
inline void project(TieRow& row, vec4* position, const vec4* previous, vec4* body) {
  vec4& p = position[row.particle];
  if (!(p.w + body[row_shift].w > real(0))) return;
  const glm::dmat3 k = response_at(body, row.arm) + glm::dmat3(double(p.w + row.softness));
  const vec3 C = row.gap + vec3(p) - vec3(previous[row.particle]) - displacement(body, row.arm);
  const vec3 change(glm::inverse(k) * -glm::dvec3(C + row.softness * row.pulled));
  row.pulled += change;
  p += vec4(p.w * change, real(0));
  push_frame(body, -change, row.arm);
}

}}  // namespace limber::LIMBER_PRECISION
