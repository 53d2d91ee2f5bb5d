// A solid: a closed mesh filled with balls of solver.particle_radius that keep its shape (shape matching).
#pragma once

#include "engine/scene/objects/object_type.hpp"

namespace limber {

struct SolidDesc {
  double stiffness = 1.0;  ///< k of shape matching; 1: rigid

  static std::span<const Field> fields();
  static std::optional<long> vertex_count(const ObjectDesc& object);
  static Expected<void> check(const ObjectDesc& object);
  /// Fails on an open mesh and on one thinner than a particle.
  static Expected<void> build(const SceneDesc& scene, const ObjectDesc& object, ObjectGeometry& out);
};

}  // namespace limber
