// A fluid: particles 2 solver.particle_radius apart that fill a block or a closed mesh, or leave the mouth of
// an emitter, or that tetrahedra release when they melt.
#pragma once

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <string>
#include <vector>

#include "engine/scene/objects/object_type.hpp"

namespace limber {

struct FluidDesc {
  double rest_density = 1000.0;  ///< kg/m^3
  double frozen_density = 0.0;   ///< kg/m^3 of a fluid that starts frozen; 0: rest_density
  glm::dvec3 extent{0.5};        ///< m, size of a block, which is centred
  int emit_count = 0;            ///< number of particles that the emitter adds; 0: no emitter
  double emit_radius = 0.1;      ///< m, radius of the emitter's mouth
  double emit_start = 0.0;       ///< s, time of the first particle
  double emit_seconds = 1000.0;  ///< s, duration
  double emit_share = 1.0;       ///< share of the places in the mouth that emit a particle
  std::string melt_of;           ///< an object of tetrahedra, into whose melt the particles go; "": none
  double opacity = 0.0;          ///< opacity when drawn: 0 clear, 1 like paint

  /// m, places of the particles of one layer in the mouth, relative to its middle: the points of a square
  /// lattice nearest to the middle, at least as many as the area of the mouth over `spacing`^2. Layers are
  /// then at most at rest density; a jet that is one per cent denser bursts.
  std::vector<glm::dvec2> mouth_places(double spacing) const;

  static std::span<const Field> fields();
  static bool uses(const ObjectDesc& object, const Field& field);
  static std::optional<long> vertex_count(const ObjectDesc& object);
  static Expected<void> check(const ObjectDesc& object);
  /// Fails on an open mesh, and if there would be too many particles.
  static Expected<void> build(const SceneDesc& scene, const ObjectDesc& object, ObjectGeometry& out);
};

}  // namespace limber
