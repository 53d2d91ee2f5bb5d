// A chain: particles on a line, each joined to the next. The first particle is fixed.
#pragma once

#include <glm/vec3.hpp>

#include "engine/scene/objects/object_type.hpp"

namespace limber {

struct ChainDesc {
  int links = 20;                        ///< springs; particles = links + 1, the first is fixed
  double link_length = 0.1;              ///< m
  glm::dvec3 direction{0.0, -1.0, 0.0};  ///< normalised by the builder

  static std::span<const Field> fields();
  static std::optional<long> vertex_count(const ObjectDesc& object);
  static Expected<void> check(const ObjectDesc& object);
  static Expected<void> build(const SceneDesc& scene, const ObjectDesc& object, ObjectGeometry& out);
};

}  // namespace limber
