// Adds rods as constraints between points and turns, the orientations of segments.
#pragma once

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <span>
#include <vector>

#include "engine/coloring/schedule_builder.hpp"
#include "engine/scene/objects/object_geometry.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Adds rods and numbers their turns. In the particle arrays, turns come behind the particles of all objects,
/// so their rows are known only in finish().
class RodBuilder {
 public:
  /// Adds one copy of a rod, rotated by `rotation`, as the next object of the topology. `to_particle` has the
  /// particle of each point of the rod.
  void add(const ObjectDesc& object, const RodGeometry& rod, const glm::dmat3& rotation,
           std::span<const Index> to_particle, RawConstraintSet& raw, Topology& topology);

  /// Appends the rows of all turns and writes their numbers into the constraints. Call once, after all add().
  void finish(RawConstraintSet& raw, RodMatter& rods, Particles& particles) const;

 private:
  struct Turn {
    glm::dvec4 orientation;  ///< unit quaternion {x, y, z, w}
    double inertia;          ///< kg m^2; 0: fixed
    glm::dvec3 spin;         ///< rad/s
    std::int32_t object;
    bool rolls;  ///< friction rolls its segment: not that of a rope
  };
  std::vector<Turn> turns_;
};

}}  // namespace limber::LIMBER_PRECISION
