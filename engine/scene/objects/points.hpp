// Points: particles and springs that the scene file lists one by one.
#pragma once

#include <array>
#include <glm/vec3.hpp>

#include "engine/scene/objects/object_type.hpp"

namespace limber {

struct PointDesc {
  glm::dvec3 position{0.0};  ///< m
  double mass = 1.0;         ///< kg; 0 in a file means fixed (inverse mass zero)
  glm::dvec3 velocity{0.0};  ///< m/s at the start, added to the velocity of the object
};
struct SpringDesc {
  std::array<Index, 2> points{};
  std::optional<double> rest_length;  ///< m; absent: the distance of the points at the start
};

struct PointsDesc {
  std::vector<PointDesc> list;
  std::vector<SpringDesc> springs;

  static constexpr std::array<std::string_view, 2> lists{"points", "springs"};
  static std::span<const Field> fields();
  static std::optional<long> vertex_count(const ObjectDesc& object);
  static Expected<void> check(const ObjectDesc& object);
  static Expected<void> build(const SceneDesc& scene, const ObjectDesc& object, ObjectGeometry& out);
};

/// Fails unless `spring` connects two different points of the object that are not at the same place.
Expected<void> check_spring(const ObjectDesc& object, const SpringDesc& spring);

}  // namespace limber
