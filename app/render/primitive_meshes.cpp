#include "app/render/primitive_meshes.hpp"

#include <cmath>
#include <glm/gtc/constants.hpp>

namespace limber {
namespace {

/// Adds one ring of `slices + 1` vertices on the unit sphere. `polar`: angle from +y.
void add_ring(PrimitiveMesh& mesh, int slices, float polar, float half) {
  for (int i = 0; i <= slices; ++i) {
    const float turn = glm::two_pi<float>() * float(i % slices) / float(slices);
    const glm::vec3 n(std::sin(polar) * std::sin(turn), std::cos(polar), std::sin(polar) * std::cos(turn));
    mesh.vertices.push_back({n, n, half});
  }
}

/// Joins neighbouring rings, which run from +y to -y, by triangles.
void join_rings(PrimitiveMesh& mesh, int slices) {
  const auto row = std::uint32_t(slices) + 1;
  for (std::uint32_t a = 0; a + row < mesh.vertices.size(); ++a) {
    if (a % row == row - 1) continue;  // the last vertex of a ring repeats the first
    const std::uint32_t b = a + row;
    mesh.indices.insert(mesh.indices.end(), {a, b, a + 1, a + 1, b, b + 1});
  }
}

}  // namespace

PrimitiveMesh make_sphere_mesh(int slices) {
  const int rings = slices / 2;
  PrimitiveMesh mesh;
  for (int r = 0; r <= rings; ++r) add_ring(mesh, slices, glm::pi<float>() * float(r) / float(rings), 0.0f);
  join_rings(mesh, slices);
  return mesh;
}

PrimitiveMesh make_capsule_mesh(int slices) {
  const int rings = slices / 4;  // from a pole to the equator, which both halves contain
  PrimitiveMesh mesh;
  for (const int half : {0, 1}) {
    for (int r = 0; r <= rings; ++r) {
      const float polar = glm::half_pi<float>() * (float(half) + float(r) / float(rings));
      add_ring(mesh, slices, polar, half == 0 ? 1.0f : -1.0f);
    }
  }
  join_rings(mesh, slices);
  return mesh;
}

PrimitiveMesh make_cylinder_mesh(int slices) {
  PrimitiveMesh mesh;
  for (int ring = 0; ring < 2; ++ring) add_ring(mesh, slices, glm::half_pi<float>(), 0.0f);
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    mesh.vertices[i].position.y = i <= std::size_t(slices) ? 1.0f : -1.0f;
  join_rings(mesh, slices);
  for (const float y : {1.0f, -1.0f}) {
    const auto center = std::uint32_t(mesh.vertices.size());
    const glm::vec3 n(0.0f, y, 0.0f);
    mesh.vertices.push_back({n, n, 0.0f});
    add_ring(mesh, slices, glm::half_pi<float>(), 0.0f);
    for (std::uint32_t i = center + 1; i < mesh.vertices.size(); ++i) {
      mesh.vertices[i].position.y = y;
      mesh.vertices[i].normal = n;
    }
    for (std::uint32_t i = center + 1; i + 1 < mesh.vertices.size(); ++i)
      mesh.indices.insert(mesh.indices.end(), {center, y > 0.0f ? i : i + 1, y > 0.0f ? i + 1 : i});
  }
  return mesh;
}

PrimitiveMesh make_box_mesh() {
  PrimitiveMesh mesh;
  for (int axis = 0; axis < 3; ++axis) {
    for (const float side : {-1.0f, 1.0f}) {
      glm::vec3 n(0.0f), u(0.0f), v(0.0f);
      n[axis] = side;
      u[(axis + 1) % 3] = side;  // follows the side, so that u x v = n
      v[(axis + 2) % 3] = 1.0f;
      const auto first = std::uint32_t(mesh.vertices.size());
      for (const glm::vec3 corner : {n - u - v, n + u - v, n + u + v, n - u + v}) {
        mesh.vertices.push_back({corner, n, 0.0f});
      }
      mesh.indices.insert(mesh.indices.end(), {first, first + 1, first + 2, first, first + 2, first + 3});
    }
  }
  return mesh;
}

}  // namespace limber
