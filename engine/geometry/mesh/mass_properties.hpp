// Mass and inertia of solids of uniform density.
#pragma once

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <span>

#include "engine/geometry/convex/convex_kind.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"
#include "engine/geometry/rigid_motion.hpp"

namespace limber {

/// Properties for any density: mass = density * volume, and the inertia tensor is density * `second`.
struct MassProperties {
  double volume = 0.0;     ///< m^3
  glm::dvec3 center{0.0};  ///< m, of mass
  glm::dmat3 second{0.0};  ///< m^5: integral of (r.r 1 - r r^T) about the centre of mass
};

/// The inertia about the centre of mass as numbers along three axes: second = axes diag(moments) axes^T.
struct PrincipalInertia {
  glm::dvec3 moments{0.0};  ///< m^5
  glm::dmat3 axes{1.0};     ///< a rotation, columns in the solid's frame; 1 if the tensor is diagonal already
};

/// A sphere {radius}, a box of half extents, or a capsule or cylinder {radius, half length}: as ConvexShape.
/// A hull has none; take mesh_mass_properties(hull_mesh(hull)).
MassProperties solid_mass_properties(ConvexKind kind, const glm::dvec3& size);

/// Properties of the volume in a closed, outward-wound mesh: integrals over the tetrahedra from its mean to
/// each triangle.
MassProperties mesh_mass_properties(const TriMesh& mesh);

/// Properties of the same solid elsewhere: world = position + rotation * local.
MassProperties moved(const MassProperties& solid, const Placement& placement);

/// Several solids that are one body; where they overlap, that part counts twice (parallel axis theorem).
/// `densities` in any unit: volume, centre and second are weighted with them; empty: all 1.
MassProperties compound(std::span<const MassProperties> parts, std::span<const double> densities = {});

PrincipalInertia principal_inertia(const glm::dmat3& second);

}  // namespace limber
