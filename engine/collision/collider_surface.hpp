// The surface of a collider: how far a point is from it, and where a path enters it.
#pragma once

#include "engine/geometry/sweeps.hpp"
#include "engine/state/collider.hpp"

namespace limber::inline LIMBER_PRECISION {

/// Signed distance (m, negative inside) and unit outward normal at a point of the collider's own frame.
SurfaceDistance<real> local_distance(const Collider& collider, const vec3& local);

/// When a straight path in the collider's own frame enters it, inflated by `radius` m: see sweeps.hpp.
real local_entry(const Collider& collider, const vec3& from, const vec3& step, real radius);

/// Signed distance (m, negative inside) and unit outward normal of a collider at a world point.
struct SurfacePoint {
  real distance;
  vec3 normal;
};
SurfacePoint closest(const Collider& collider, vec3 point);

}  // namespace limber::inline LIMBER_PRECISION
