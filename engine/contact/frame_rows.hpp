// A frame is the contact data of an object that rotates: a rigid body or a rigid cluster.
//
// A frame consists of four consecutive rows of four numbers: row_shift (displacement dx in m, inverse mass),
// row_turn (rotation vector in rad), row_diagonal and row_mixed (inverse inertia in the world). The stepper
// fills them before a substep's contacts and reads row_shift and row_turn afterwards. The first two rows can
// hold velocities (m/s, rad/s) instead.
#pragma once

#include <glm/geometric.hpp>

#include "engine/contact/bodies/body_contact.hpp"
#include "engine/core/real.hpp"
#include "engine/state/bodies.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The rows of a frame that contacts read and write.
inline constexpr int frame_rows = row_mixed + 1;

inline Symmetric inverse_inertia_of(const vec4* frame) {
  const vec4 &d = frame[row_diagonal], &m = frame[row_mixed];
  return {d.x, d.y, d.z, m.x, m.y, m.z};
}

inline void set_inverse_inertia(vec4* frame, const Symmetric& inverse) {
  frame[row_diagonal] = vec4(inverse.xx, inverse.yy, inverse.zz, real(0));
  frame[row_mixed] = vec4(inverse.xy, inverse.xz, inverse.yz, real(0));
}

/// Displacement (or velocity) of the point at `arm` from the centre of mass: dx + theta x r with theta the rotation
/// vector, m (or m/s).
inline vec3 displacement(const vec4* frame, const vec3& arm) {
  return vec3(frame[row_shift]) + glm::cross(vec3(frame[row_turn]), arm);
}

/// Applies an impulse (kg m, or kg m/s for velocities) at `arm`.
inline void push_frame(vec4* frame, const vec3& impulse, const vec3& arm) {
  frame[row_shift] += vec4(frame[row_shift].w * impulse, real(0));
  frame[row_turn] += vec4(inverse_inertia_of(frame) * glm::cross(arm, impulse), real(0));
}

/// Inverse mass of the point at `arm` along the unit vector n: 1/m + (r x n)^T I^-1 (r x n), 1/kg.
inline real inverse_mass_along(const vec4* frame, const vec3& arm, const vec3& n) {
  const vec3 lever = glm::cross(arm, n);
  return frame[row_shift].w + glm::dot(lever, inverse_inertia_of(frame) * lever);
}

/// Matrix that maps an impulse at `arm` to the displacement of that point: w 1 - [r] I^-1 [r] with [r] the
/// cross product matrix, 1/kg. In double: along a long arm of a light body the response is the body's w;
/// across the arm it can be 1e15 times as large, so that the inverse of a float matrix would lose w or become
/// infinite.
inline glm::dmat3 response_at(const vec4* frame, const vec3& arm) {
  const vec4 &d = frame[row_diagonal], &m = frame[row_mixed];
  const glm::dmat3 inverse(d.x, m.x, m.y, m.x, d.y, m.z, m.y, m.z, d.z);
  const glm::dvec3 r(arm);
  glm::dmat3 k(double(frame[row_shift].w));
  for (int axis = 0; axis < 3; ++axis) {
    glm::dvec3 e(0.0);
    e[axis] = 1.0;
    k[axis] += glm::cross(inverse * glm::cross(r, e), r);
  }
  return k;
}

}}  // namespace limber::LIMBER_PRECISION
