// Grains: balls of solver.particle_radius on a lattice, at least 2 radii apart, that collide with each other.
#pragma once

#include "engine/scene/objects/object_type.hpp"

namespace limber {

struct GrainsDesc {
  static std::span<const Field> fields();
  static std::optional<long> vertex_count(const ObjectDesc& object);
  static Expected<void> build(const SceneDesc& scene, const ObjectDesc& object, ObjectGeometry& out);
};

}  // namespace limber
