// A tie of a scene, as a plain struct.
#pragma once

#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/scene/objects/object_desc.hpp"

namespace limber {

/// Ties points of an object to another object, a body or a collider. If both ends list points, the points are
/// tied one by one. Otherwise each point of a is tied to the nearest point of object b, or to the place where
/// it is now on body or collider b. With `within` instead of points, each copy of a is tied to each copy of b
/// at their two closest vertices, if these are near enough, like the knots of a net.
struct TieDesc {
  std::string name;
  std::string a, b;  ///< an object, or copy i of it as name[i]; b: also a body (with copies) or a collider
  std::vector<VertexName> a_points, b_points;  ///< vertices
  std::optional<glm::dvec3>
      at;  ///< m, world coordinates at the start, instead of a_points: the point of a nearest to it is tied
  double within = 0.0;       ///< m, largest distance of the vertices tied; 0: tie by points or by `at`
  double compliance = 0.0;   ///< m/N, of each point
  double break_force = 0.0;  ///< N, of each point; 0: never
};
std::span<const Field> tie_fields();

}  // namespace limber
