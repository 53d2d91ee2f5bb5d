// Triangle meshes of primitive shapes.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <vector>

namespace limber {

struct SolidVertex {
  glm::vec3 position;  ///< on the unit shape
  glm::vec3 normal;
  float half;  ///< -1 or +1: end cap of a capsule's vertex; else 0
};

struct PrimitiveMesh {
  std::vector<SolidVertex> vertices;
  std::vector<std::uint32_t> indices;  ///< counter-clockwise from outside
};

/// Sphere of radius 1 with `slices` facets about the y axis and half as many rings. Facets lie inside the
/// true sphere by 1 - cos(pi / slices) of the radius: 0.12 % with 64.
PrimitiveMesh make_sphere_mesh(int slices);
/// Cylinder of radius 1 about the y axis from y = -1 to 1, with flat caps.
PrimitiveMesh make_cylinder_mesh(int slices);
/// Box of half extent 1 with flat faces.
PrimitiveMesh make_box_mesh();
/// Two unit half spheres, both centred at the origin, and the wall between them. The shader moves the halves
/// apart along y.
PrimitiveMesh make_capsule_mesh(int slices);

}  // namespace limber
