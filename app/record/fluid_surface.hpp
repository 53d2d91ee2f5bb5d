// The surface of a fluid as a closed mesh.
#pragma once

#include <glm/vec3.hpp>
#include <span>

#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// Meshes a level set of the smoothed volume of the particles, f(x) = sum 8 r^3 W(|x - x_j|, 3 r), with the
/// kernel W = 315 / (64 pi h^3) (1 - q^2)^3; f is 1 in a fluid that fills space. The level set is united with
/// a ball of radius r about each particle, so that drops remain. The level is chosen such that the mesh
/// encloses the volume of the particles, 8 r^3 each. Uses surface nets on cubes of side r: the mesh is closed
/// (as many triangles on the left of every edge as on its right), wound outwards, and empty without
/// particles. `radius`: r, m.
TriMesh fluid_surface(std::span<const glm::dvec3> particles, double radius);

/// Volume, m^3, of a closed mesh that is wound outwards.
double enclosed_volume(const TriMesh& mesh);

}  // namespace limber
