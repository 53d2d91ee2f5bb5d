// Fills a solid with balls (Macklin et al. 2014, section 5.3).
#pragma once

#include <glm/vec3.hpp>
#include <vector>

#include "engine/geometry/field/signed_distance_field.hpp"

namespace limber {

/// Centre of a ball, and distance and direction of the field there.
struct InteriorParticle {
  glm::dvec3 position;
  glm::dvec3 outward;  ///< unit
  double distance;     ///< negative
};

/// Balls of `radius` whose centres are inside the surface of `field`, on a lattice of spacing 2 r. They fill
/// its volume evenly; balls at the surface extend beyond it. All in the field's unit. Empty if the solid is
/// so thin that the lattice misses it.
std::vector<InteriorParticle> lattice_inside(const SignedDistanceField& field, double radius);

/// Balls of `radius` on a lattice of spacing 2 r in the surface of `field`. Balls nearer to the surface than
/// r are moved inwards until they touch it from within, as far as the solid is thick enough. All in the
/// field's unit. Empty if the solid is so thin that the lattice misses it.
std::vector<InteriorParticle> interior_particles(const SignedDistanceField& field, double radius);

}  // namespace limber
