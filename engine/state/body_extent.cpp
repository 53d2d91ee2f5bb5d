#include "engine/state/body_extent.hpp"

#include <glm/geometric.hpp>
#include <numbers>

#include "engine/geometry/mesh/mass_properties.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Volume and surface of a hull, from the pyramids over its faces.
BodyExtent extent_of_hull(const ConvexPolyhedron& hull) {
  BodyExtent out;
  for (std::size_t face = 0; face < hull.faces(); ++face) {
    const auto loop = hull.loop(Index(face));
    const glm::dvec3 first = hull.vertices[std::size_t(loop[0])];
    glm::dvec3 twice(0.0);
    for (std::size_t k = 1; k + 1 < loop.size(); ++k)
      twice += glm::cross(hull.vertices[std::size_t(loop[k])] - first,
                          hull.vertices[std::size_t(loop[k + 1])] - first);
    out.surface += 0.5 * glm::length(twice);
    out.volume += glm::dot(first, twice) / 6.0;
  }
  return out;
}

BodyExtent extent_of_shape(const ConvexShape& shape) {
  const glm::dvec3 s(shape.size);
  if (shape.kind == ConvexKind::hull) return extent_of_hull(*shape.hull);
  BodyExtent out;
  out.volume = solid_mass_properties(shape.kind, s).volume;
  switch (shape.kind) {
    case ConvexKind::sphere:
      out.surface = 4.0 * std::numbers::pi * s.x * s.x;
      break;
    case ConvexKind::box:
      out.surface = 8.0 * (s.x * s.y + s.y * s.z + s.z * s.x);
      break;
    case ConvexKind::capsule:
      out.surface = 4.0 * std::numbers::pi * s.x * (s.x + s.y);
      break;
    case ConvexKind::cylinder:
      out.surface = 2.0 * std::numbers::pi * s.x * (s.x + 2.0 * s.y);
      break;
    case ConvexKind::hull:
      break;
  }
  return out;
}

}  // namespace

BodyExtent extent_of_body(const World& world, std::size_t body) {
  BodyExtent out;
  for (const PlacedShape& shape : world.bodies.parts->shapes) {
    if (std::size_t(shape.body) != body) continue;
    const BodyExtent part = extent_of_shape(shape.shape);
    out.volume += part.volume, out.surface += part.surface;
  }
  return out;
}

}}  // namespace limber::LIMBER_PRECISION
