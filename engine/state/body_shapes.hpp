// Convex shapes of rigid bodies.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/geometry/convex/airfoil_shape.hpp"
#include "engine/geometry/convex/convex_shape.hpp"
#include "engine/state/bodies.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// A convex part of a body, placed in the body's own frame.
struct PlacedShape {
  std::int32_t body = 0;
  ConvexShape shape;
  Placed place;
  bool centered = true;  ///< the frame of the shape is the frame of the body
  real reach = 0;        ///< m, distance of its farthest point from the body's centre of mass
  std::shared_ptr<const ConvexPolyhedron> hull;
  std::shared_ptr<const AirfoilShape> airfoil;  ///< in the body's frame; null: no airfoil
};

/// The shapes of all bodies. Worlds share one object; adding or removing a body makes another.
struct BodyParts {
  std::vector<PlacedShape> shapes;   ///< ascending by body; a removed body has none
  std::vector<std::int32_t> source;  ///< per body: index of its material; copies share one
  std::int32_t built = 0;  ///< number of bodies in the scene file; later bodies were added while running

  static constexpr auto all_members = std::tuple(&BodyParts::shapes, &BodyParts::source, &BodyParts::built);
};

/// The placement of a shape whose body is at `position` with the rotation `turn`.
inline Placed placed(const PlacedShape& part, const vec3& position, const mat3& turn) {
  if (part.centered) return {position, turn};
  return {position + turn * part.place.position, turn * part.place.rotation};
}
/// The placement of a shape relative to the centre of mass of its body.
inline Placed placed_about_center(const PlacedShape& part, const Bodies& bodies) {
  return placed(part, vec3(0), rotation_of(bodies.orientation[std::size_t(part.body)]));
}
inline Placed placed(const PlacedShape& part, const Bodies& bodies) {
  const std::size_t i = std::size_t(part.body);
  return placed(part, vec3(bodies.position[i]), rotation_of(bodies.orientation[i]));
}

}}  // namespace limber::LIMBER_PRECISION
