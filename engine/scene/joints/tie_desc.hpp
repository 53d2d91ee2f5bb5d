// A tie of a scene, as a plain struct.
#pragma once

#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/scene/objects/object_desc.hpp"

namespace limber {

/// Points of an object that are held to another object, to a body or to a collider. With points of both they
/// go together one by one; else each point of a is held to the nearest place of b, of a body or collider to
/// the place where it is itself. With `within` in place of points, every copy of a is held to every copy of b
/// where the two are nearest to each other, if that is near enough: the knots of a net.
struct TieDesc {
  std::string name;
  std::string a, b;  ///< an object, or copy i of it as name[i]; b also a body (with copies) or a collider
  std::vector<VertexName> a_points, b_points;  ///< vertices
  std::optional<glm::dvec3>
      at;  ///< m, in the world at the start: in place of points of a, the place nearest to it
  double within = 0.0;       ///< m; 0: by points or by a place
  double compliance = 0.0;   ///< m/N, of each point
  double break_force = 0.0;  ///< N, of each point; 0: never
};
std::span<const Field> tie_fields();

}  // namespace limber
