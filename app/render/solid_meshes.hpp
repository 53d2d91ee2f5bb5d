// Triangle meshes of the primitive solids.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <vector>

namespace limber {

struct SolidVertex {
  glm::vec3 position;  ///< on the unit shape
  glm::vec3 normal;
  float half;  ///< -1 or +1: the end cap a capsule's vertex belongs to; else 0
};

struct SolidMesh {
  std::vector<SolidVertex> vertices;
  std::vector<std::uint32_t> indices;  ///< counter-clockwise from outside
};

/// Radius 1, `slices` facets about the y axis and half as many rings. The facets lie inside the true
/// sphere by 1 - cos(pi / slices) of the radius: 0.12 % with 64.
SolidMesh make_sphere_mesh(int slices);
/// Radius 1 about the y axis from y = -1 to 1, with flat caps.
SolidMesh make_cylinder_mesh(int slices);
/// Half extent 1, flat faces.
SolidMesh make_box_mesh();
/// Two unit half spheres, both about the origin, and the wall between them; the shader moves the halves
/// apart along y.
SolidMesh make_capsule_mesh(int slices);

}  // namespace limber
