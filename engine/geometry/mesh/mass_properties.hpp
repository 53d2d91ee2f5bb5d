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

/// The principal moments and axes of inertia about the centre of mass: second = axes diag(moments) axes^T.
struct PrincipalInertia {
  glm::dvec3 moments{0.0};  ///< m^5
  glm::dmat3 axes{1.0};     ///< a rotation, columns in the solid's frame; 1 if the tensor is diagonal already
};

/// Properties of a sphere, box, capsule or cylinder; `size` as in ConvexSolid. For a hull take
/// mesh_mass_properties(hull_mesh(hull)) instead.
MassProperties solid_mass_properties(ConvexKind kind, const glm::dvec3& size);

/// Properties of the volume in a closed, outward-wound mesh: integrals over the tetrahedra from its mean to
/// each triangle.
MassProperties mesh_mass_properties(const TriMesh& mesh);

/// Properties of the solid after a rigid motion, world = position + rotation * local.
MassProperties moved(const MassProperties& solid, const Placement& placement);

/// Properties of one body made of several solids (parallel axis theorem); where solids overlap, the common
/// volume counts twice. `densities` in any unit weight volume, centre and `second`; empty: all 1.
MassProperties compound(std::span<const MassProperties> parts, std::span<const double> densities = {});

PrincipalInertia principal_inertia(const glm::dmat3& second);

}  // namespace limber
