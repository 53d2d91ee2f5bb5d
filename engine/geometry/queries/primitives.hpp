// Signed distances of static primitives in their own frames.
#pragma once

#include <algorithm>
#include <cmath>
#include <glm/vec3.hpp>

namespace limber {

/// Distance to a surface, negative inside, and the outward direction in which it grows. Moving the query
/// point by -d n puts it on the surface. `n` is a finite unit vector for every finite point, also where the
/// gradient of the distance does not exist (centres, axes, edges): one of the nearest directions is taken.
template <class Real>
struct SurfaceDistance {
  Real d;               ///< m
  glm::vec<3, Real> n;  ///< unit length
};

namespace detail {

/// Scaled by the largest component first, so that squares of tiny numbers do not vanish.
template <class Real>
SurfaceDistance<Real> scaled_length_and_direction(const glm::vec<3, Real>& v,
                                                  const glm::vec<3, Real>& fallback) {
  const Real largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  if (!(largest > Real(0))) return {Real(0), fallback};
  const glm::vec<3, Real> scaled = v / largest;
  const Real length = std::sqrt(scaled.x * scaled.x + scaled.y * scaled.y + scaled.z * scaled.z);
  return {largest * length, scaled / length};
}

/// Length and direction of `v`; `fallback` is the direction of the zero vector.
template <class Real>
inline SurfaceDistance<Real> length_and_direction(const glm::vec<3, Real>& v,
                                                  const glm::vec<3, Real>& fallback) {
  const Real square = v.x * v.x + v.y * v.y + v.z * v.z;
  if (!(square > Real(1e-20) && square < Real(1e20))) return scaled_length_and_direction(v, fallback);
  const Real length = std::sqrt(square);
  return {length, v / length};
}

}  // namespace detail

/// The half space below y = 0.
template <class Real>
SurfaceDistance<Real> plane_distance(const glm::vec<3, Real>& p) {
  return {p.y, {Real(0), Real(1), Real(0)}};
}

/// A sphere of `radius` m about the origin. At the centre the way out is +y.
template <class Real>
SurfaceDistance<Real> sphere_distance(const glm::vec<3, Real>& p, Real radius) {
  SurfaceDistance<Real> out = detail::length_and_direction(p, {Real(0), Real(1), Real(0)});
  out.d -= radius;
  return out;
}

/// A capsule of `radius` m around the segment from (0, -half_length, 0) to (0, half_length, 0). On the
/// segment the way out is +x.
template <class Real>
SurfaceDistance<Real> capsule_distance(const glm::vec<3, Real>& p, Real radius, Real half_length) {
  const glm::vec<3, Real> from_axis{p.x, p.y - std::clamp(p.y, -half_length, half_length), p.z};
  SurfaceDistance<Real> out = detail::length_and_direction(from_axis, {Real(1), Real(0), Real(0)});
  out.d -= radius;
  return out;
}

/// A cylinder of `radius` m around the segment from (0, -half_length, 0) to (0, half_length, 0), with flat
/// caps. Inside, the way out is through the nearer of side and cap; on the axis the side is at +x.
template <class Real>
SurfaceDistance<Real> cylinder_distance(const glm::vec<3, Real>& p, Real radius, Real half_length) {
  using Vector = glm::vec<3, Real>;
  const Vector cap(Real(0), p.y < Real(0) ? Real(-1) : Real(1), Real(0));
  SurfaceDistance<Real> side =
      detail::length_and_direction(Vector(p.x, Real(0), p.z), Vector(Real(1), Real(0), Real(0)));
  side.d -= radius;
  const Real above = std::abs(p.y) - half_length;
  if (side.d > Real(0) && above > Real(0))
    return detail::length_and_direction(side.d * side.n + above * cap, cap);
  return side.d >= above ? side : SurfaceDistance<Real>{above, cap};
}

/// An axis-aligned box of `half_extents` m about the origin. Inside, the way out is through the nearest face:
/// of several equally near the first axis and the positive side win.
template <class Real>
SurfaceDistance<Real> box_distance(const glm::vec<3, Real>& p, const glm::vec<3, Real>& half_extents) {
  glm::vec<3, Real> outside(Real(0));  // from the nearest point of the box to p
  int nearest = 0;
  glm::vec<3, Real> depth;  // over the face on p's side of each axis, negative below it
  for (int k = 0; k < 3; ++k) {
    depth[k] = std::abs(p[k]) - half_extents[k];
    if (depth[k] > Real(0)) outside[k] = std::copysign(depth[k], p[k]);
    if (depth[k] > depth[nearest]) nearest = k;
  }
  glm::vec<3, Real> face(Real(0));
  face[nearest] = p[nearest] < Real(0) ? Real(-1) : Real(1);
  if (!(depth[nearest] > Real(0))) return {depth[nearest], face};
  return detail::length_and_direction(outside, face);
}

}  // namespace limber
