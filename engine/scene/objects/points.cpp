#include "engine/scene/objects/points.hpp"

#include <glm/geometric.hpp>

#include "engine/core/tunable.hpp"
#include "engine/scene/objects/object_check.hpp"
#include "engine/scene/objects/object_geometry.hpp"

namespace limber {

std::span<const Field> PointsDesc::fields() { return {}; }

std::optional<long> PointsDesc::vertex_count(const ObjectDesc& object) {
  return static_cast<long>(object.points->list.size());
}

Expected<void> check_spring(const ObjectDesc& object, const SpringDesc& spring) {
  const std::vector<PointDesc>& points = object.points->list;
  for (const Index point : spring.points)
    if (const Expected<void> known = check_index(point, static_cast<long>(points.size())); !known)
      return known;
  const auto [a, b] = spring.points;
  if (a == b) return Error{"a spring needs two different points", "", 0, ""};
  const auto place = [&](Index point) { return points[static_cast<std::size_t>(point)].position; };
  if (!spring.rest_length && glm::distance(place(a), place(b)) < 1e-6)
    return Error{"the spring has no length, because its points start at the same place", "", 0,
                 "give a 'rest_length'"};
  return {};
}

Expected<void> PointsDesc::check(const ObjectDesc& object) {
  if (object.points->list.empty())
    return Error{"an object of type 'points' needs 'points'", "", 0,
                 R"("points": [{"position": [0, 1, 0]}])"};
  for (const SpringDesc& spring : object.points->springs)
    if (const Expected<void> known = check_spring(object, spring); !known) return known;
  return {};
}

Expected<void> PointsDesc::build(const SceneDesc&, const ObjectDesc& object, ObjectGeometry& out) {
  for (const PointDesc& point : object.points->list) {
    out.positions.push_back(point.position);
    out.masses.push_back(point.mass);
    out.velocities.push_back(point.velocity);
  }
  for (const SpringDesc& spring : object.points->springs) {
    const double length = glm::distance(out.positions[std::size_t(spring.points[0])],
                                        out.positions[std::size_t(spring.points[1])]);
    out.springs.push_back({{spring.points[0], spring.points[1]}, spring.rest_length.value_or(length)});
  }
  return {};
}

}  // namespace limber
