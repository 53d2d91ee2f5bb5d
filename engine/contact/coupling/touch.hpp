// Contact and attachment of deformables with rigid bodies, both ways: the rows and their projection.
//
// A spot of a deformable is sum b_j p_j, up to three particles with weights that add up to one: a vertex, a
// point of an edge, a point of a triangle. A point of a body is at the arm r from its centre of mass. With
// the unknowns of contact/bodies/body_contact.hpp (dx and dt of the body, u = dx + dt x r) and what they were
// at the substep's start,
//
//   C = n . (sum b_j (p_j - x_j) - u) + gap >= 0
//   w = sum b_j^2 w_j + 1/m + (r x n)^T I^-1 (r x n)
//
// generalised inverse masses on both sides (vectors particle_rigid_contact; the reaction on the body is
// impulse_to_rigid_body). The arm ends where the spot is at the substep's start, not at the surface below it:
// both sides are pushed at one point, so that every row keeps linear and angular momentum. An attachment is
// the same on three axes, as an equality with a compliance.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/contact/bodies/body_contact.hpp"
#include "engine/contact/law.hpp"
#include "engine/state/bodies.hpp"

namespace limber::inline LIMBER_PRECISION {

inline constexpr int touch_points = 3;

/// A contact; multipliers start at zero in every substep. A is the point of the deformable, B the body.
struct TouchRow : ContactRow {
  std::int32_t points[touch_points];  ///< particles; what is not used has no weight
  real weight[touch_points];
  std::int32_t body;
  vec3 arm;              ///< m, from the body's centre of mass to the spot, at the substep's start
  real restitution = 0;  ///< e
  real approach = 0;     ///< m, along the normal: how far the spot was predicted to come nearer; negative
};

/// A vertex that is tied to a point of a body.
struct TieRow {
  std::int32_t particle;
  std::int32_t body;
  vec3 arm;        ///< m, from the body's centre of mass to the vertex at the substep's start
  vec3 gap;        ///< m, from the body's point to the vertex at the substep's start
  real softness;   ///< s^2 m/(N s^2) = 1/kg, compliance / h^2
  vec3 pulled{0};  ///< kg m, multipliers
};

/// How rows see a body: its rows of BodySolver.
inline Symmetric inverse_inertia_of(const vec4* body) {
  const vec4 &d = body[row_diagonal], &m = body[row_mixed];
  return {d.x, d.y, d.z, m.x, m.y, m.z};
}
inline vec3 displacement(const vec4* body, const vec3& arm) {
  return vec3(body[row_shift]) + glm::cross(vec3(body[row_turn]), arm);
}
/// An impulse (kg m) on the body, at `arm`.
inline void push_body(vec4* body, const vec3& impulse, const vec3& arm) {
  body[row_shift] += vec4(body[row_shift].w * impulse, real(0));
  body[row_turn] += vec4(inverse_inertia_of(body) * glm::cross(arm, impulse), real(0));
}
/// How a point of the body at `arm` answers an impulse (kg m) on it: w 1 - [r] I^-1 [r], 1/kg. In double:
/// along a long arm of a light body it is the body's w, across it can be 1e15 times that, which a float's
/// inverse loses or makes infinite.
inline glm::dmat3 response_at(const vec4* body, const vec3& arm) {
  const vec4 &d = body[row_diagonal], &m = body[row_mixed];
  const glm::dmat3 inverse(d.x, m.x, m.y, m.x, d.y, m.z, m.y, m.z, d.z);
  const glm::dvec3 r(arm);
  glm::dmat3 k(double(body[row_shift].w));
  for (int axis = 0; axis < 3; ++axis) {
    glm::dvec3 e(0.0);
    e[axis] = 1.0;
    k[axis] += glm::cross(inverse * glm::cross(r, e), r);
  }
  return k;
}

/// 1/m + (r x n)^T I^-1 (r x n), 1/kg
inline real inverse_mass_along(const vec4* body, const vec3& arm, const vec3& n) {
  const vec3 lever = glm::cross(arm, n);
  return body[row_shift].w + glm::dot(lever, inverse_inertia_of(body) * lever);
}

/// Of both sides of a row along n, 1/kg.
inline real inverse_mass_along(const TouchRow& row, const vec4* position, const vec4* body, const vec3& n) {
  real w = 0;
  for (int j = 0; j < touch_points; ++j) w += row.weight[j] * row.weight[j] * position[row.points[j]].w;
  return w + inverse_mass_along(body, row.arm, n);
}

/// The two sides of a TouchRow in positions.
struct TouchSides {
  const TouchRow& row;
  vec4* position;
  const vec4* previous;
  vec4* body;

  vec3 moved() const {
    vec3 moved = -displacement(body, row.arm);
    for (int j = 0; j < touch_points; ++j)
      moved += row.weight[j] * (vec3(position[row.points[j]]) - vec3(previous[row.points[j]]));
    return moved;
  }
  real inverse_mass_along(const vec3& n) const { return limber::inverse_mass_along(row, position, body, n); }
  void push(const vec3& impulse) const {
    for (int j = 0; j < touch_points; ++j) {
      vec4& p = position[row.points[j]];
      p += vec4(p.w * row.weight[j] * impulse, real(0));
    }
    push_body(body, -impulse, row.arm);
  }
};

/// The same in velocities, after these were taken. `spin`: rad/s, the body's angular velocity.
struct TouchVelocities : TouchSides {
  vec4* velocities;
  Bodies& bodies;
  vec3 spin;

  vec3 velocity() const {
    vec3 apart = -(vec3(bodies.velocity[std::size_t(row.body)]) + glm::cross(spin, row.arm));
    for (int j = 0; j < touch_points; ++j) apart += row.weight[j] * vec3(velocities[row.points[j]]);
    return apart;
  }
  void kick(const vec3& impulse) const {
    const std::size_t i = std::size_t(row.body);
    for (int j = 0; j < touch_points; ++j)
      velocities[row.points[j]] += vec4(position[row.points[j]].w * row.weight[j] * impulse, real(0));
    bodies.velocity[i] -= vec4(body[row_shift].w * impulse, real(0));
    if (body[row_shift].w > real(0))
      bodies.angular_momentum[i] -= vec4(glm::cross(row.arm, impulse), real(0));
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
  push_body(body, -change, row.arm);
}

}  // namespace limber::inline LIMBER_PRECISION
