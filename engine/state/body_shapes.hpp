// The shapes of rigid bodies, which do not change.
#pragma once

#include <memory>

#include "engine/geometry/convex_shape.hpp"
#include "engine/state/bodies.hpp"

namespace limber::inline LIMBER_PRECISION {

/// A convex part of a body, placed in the body's own frame.
struct PlacedShape {
  std::int32_t body = 0;
  ConvexShape shape;
  Placed place;
  bool centered = true;  ///< the place is none: it stands as the body does
  real reach = 0;        ///< m, the farthest any of its points is from the body's centre of mass
  std::shared_ptr<const ConvexPolyhedron> hull;
};

/// Where a shape is when its body is at `position` with the rotation `turn`.
inline Placed placed(const PlacedShape& part, const vec3& position, const mat3& turn) {
  if (part.centered) return {position, turn};
  return {position + turn * part.place.position, turn * part.place.rotation};
}
inline Placed placed(const PlacedShape& part, const Bodies& bodies) {
  const std::size_t i = std::size_t(part.body);
  return placed(part, vec3(bodies.position[i]), rotation_of(bodies.orientation[i]));
}

}  // namespace limber::inline LIMBER_PRECISION
