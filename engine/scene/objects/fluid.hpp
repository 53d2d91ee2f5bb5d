// A fluid: particles 2 solver.particle_radius apart that fill a block or a closed mesh, or come out of a
// mouth.
#pragma once

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <vector>

#include "engine/scene/objects/object_type.hpp"

namespace limber {

struct FluidDesc {
  double rest_density = 1000.0;  ///< kg/m^3
  double frozen_density = 0.0;   ///< kg/m^3, of what starts frozen; 0: the same
  glm::dvec3 extent{0.5};        ///< m, of a block, centred
  int emit_count = 0;            ///< particles that an emitter brings in; 0: it is none
  double emit_radius = 0.1;      ///< m, of its mouth
  double emit_start = 0.0;       ///< s
  double emit_seconds = 1000.0;  ///< s
  double emit_share = 1.0;       ///< of the places in the mouth that a particle leaves from
  double opacity = 0.0;          ///< of its picture: 0 clear, 1 like paint

  /// m, where in the mouth the particles of a layer are, about its middle: the nearest points of a square
  /// lattice, no fewer than the area of the mouth over `spacing`^2. Layers are then at most at rest density:
  /// a jet that is denser by a hundredth bursts.
  std::vector<glm::dvec2> mouth_places(double spacing) const;

  static std::span<const Field> fields();
  static bool uses(const ObjectDesc& object, const Field& field);
  static std::optional<long> vertex_count(const ObjectDesc& object);
  static Expected<void> check(const ObjectDesc& object);
  /// Fails on an open mesh, and where there would be too many particles.
  static Expected<void> build(const SceneDesc& scene, const ObjectDesc& object, ObjectGeometry& out);
};

}  // namespace limber
