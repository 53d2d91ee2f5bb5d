// A cloud: particles on a lattice that no constraint connects and that do not collide with each other.
#pragma once

#include "engine/scene/objects/object_type.hpp"

namespace limber {

struct CloudDesc {
  static std::span<const Field> fields();
  static std::optional<long> vertex_count(const ObjectDesc& object);
  static Expected<void> build(const SceneDesc& scene, const ObjectDesc& object, ObjectGeometry& out);
};

}  // namespace limber
