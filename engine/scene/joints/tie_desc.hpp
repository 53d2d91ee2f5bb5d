// A tie of a scene, as a plain struct.
#pragma once

#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/scene/objects/object_desc.hpp"

namespace limber {

/// Ties points of an object to another object, a body or a collider. With `b_points` the points are tied in
/// pairs, or all of them to the only one of b. Without `b_points`, each point of a is tied to the nearest
/// place of object b. If b is a body or a collider, the point is tied to the place where the point itself is
/// at the start, which then moves with b. With `within`, each copy of a is tied to each copy of b at their
/// two closest vertices, if these are near enough, like the knots of a net.
struct TieDesc {
  std::string name;
  std::string a, b;  ///< an object, or copy i of it as name[i]; b: also a body (with copies) or a collider
  std::vector<VertexName> a_points, b_points;  ///< vertices
  /// m, world coordinates at the start; takes the place of a_points. Object a is tied at its place nearest to
  /// `at`.
  std::optional<glm::dvec3> at;
  double within = 0.0;       ///< m, largest distance of the vertices tied; 0: tie by points or by `at`
  double compliance = 0.0;   ///< m/N, of each point
  double break_force = 0.0;  ///< N, of each point; 0: never
};
std::span<const Field> tie_fields();

}  // namespace limber
