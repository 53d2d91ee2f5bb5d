#include "engine/geometry/mesh/shapes.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <map>
#include <numbers>

namespace limber {
namespace {

/// Two triangles over the quad a, b, c, d.
void add_quad(TriMesh& mesh, Index a, Index b, Index c, Index d) {
  mesh.triangles.push_back({a, b, c});
  mesh.triangles.push_back({a, c, d});
}

TriMesh icosahedron() {
  const double g = std::numbers::phi;
  TriMesh mesh;
  mesh.positions = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                    {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  mesh.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                    {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                    {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  return mesh;
}

/// Splits every triangle into four at the midpoints of its edges.
void split(TriMesh& mesh) {
  std::map<std::array<Index, 2>, Index> midpoints;
  const auto midpoint = [&](Index a, Index b) {
    const auto [entry, added] =
        midpoints.try_emplace({std::min(a, b), std::max(a, b)}, static_cast<Index>(mesh.positions.size()));
    if (added) mesh.positions.push_back(0.5 * (mesh.positions[a] + mesh.positions[b]));
    return entry->second;
  };
  std::vector<Triangle> parts;
  parts.reserve(4 * mesh.triangles.size());
  for (const auto& [a, b, c] : mesh.triangles) {
    const Index ab = midpoint(a, b), bc = midpoint(b, c), ca = midpoint(c, a);
    parts.insert(parts.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
  }
  mesh.triangles = std::move(parts);
}

}  // namespace

TriMesh make_icosphere(int subdivisions, double radius) {
  assert(subdivisions >= 0);
  TriMesh mesh = icosahedron();
  for (int s = 0; s < subdivisions; ++s) {
    split(mesh);
    for (glm::dvec3& p : mesh.positions) p = glm::normalize(p);
  }
  for (glm::dvec3& p : mesh.positions) p = radius * glm::normalize(p);
  return mesh;
}

TriMesh make_box(const glm::dvec3& half_extents, int divisions) {
  assert(divisions >= 1);
  TriMesh mesh;
  std::map<std::array<int, 3>, Index> corners;
  const auto vertex = [&](const std::array<int, 3>& at) {
    const auto [entry, added] = corners.try_emplace(at, static_cast<Index>(mesh.positions.size()));
    if (added) {
      const glm::dvec3 fraction = glm::dvec3(at[0], at[1], at[2]) / double(divisions);
      mesh.positions.push_back(half_extents * (2.0 * fraction - 1.0));
    }
    return entry->second;
  };
  for (int axis = 0; axis < 3; ++axis) {
    const int across = (axis + 1) % 3, up = (axis + 2) % 3;
    for (int side : {0, divisions}) {
      for (int i = 0; i < divisions; ++i) {
        for (int j = 0; j < divisions; ++j) {
          const auto at = [&](int di, int dj) {
            std::array<int, 3> cell{};
            cell[axis] = side;
            cell[across] = i + di;
            cell[up] = j + dj;
            return vertex(cell);
          };
          const Index a = at(0, 0), b = at(1, 0), c = at(1, 1), d = at(0, 1);
          side == 0 ? add_quad(mesh, a, d, c, b) : add_quad(mesh, a, b, c, d);
        }
      }
    }
  }
  return mesh;
}

TriMesh make_capsule(double radius, double half_length, int segments, int rings) {
  assert(segments >= 3 && rings >= 1);
  const double row_height = 0.5 * std::numbers::pi * radius / rings;
  const int rows = half_length > 0.0 ? std::max(1, int(std::lround(2.0 * half_length / row_height))) : 0;
  std::vector<glm::dvec2> profile;  // (distance from the axis, height), upwards without the poles
  for (int i = 1; i <= rings; ++i) {
    const double angle = 0.5 * std::numbers::pi * i / rings;
    profile.push_back({radius * std::sin(angle), -half_length - radius * std::cos(angle)});
  }
  for (int i = 1; i < rows; ++i) profile.push_back({radius, half_length * (2.0 * i / rows - 1.0)});
  for (int i = rows > 0 ? rings : rings - 1; i >= 1; --i) {
    const double angle = 0.5 * std::numbers::pi * i / rings;
    profile.push_back({radius * std::sin(angle), half_length + radius * std::cos(angle)});
  }

  TriMesh mesh;
  for (const glm::dvec2& point : profile) {
    for (int s = 0; s < segments; ++s) {
      const double turn = 2.0 * std::numbers::pi * s / segments;
      mesh.positions.push_back({point.x * std::cos(turn), point.y, point.x * std::sin(turn)});
    }
  }
  const Index bottom = static_cast<Index>(mesh.positions.size()), top = bottom + 1;
  mesh.positions.push_back({0.0, -half_length - radius, 0.0});
  mesh.positions.push_back({0.0, half_length + radius, 0.0});
  const Index last_row = bottom - segments;
  for (Index s = 0; s < segments; ++s) {
    const Index next = (s + 1) % segments;
    mesh.triangles.push_back({bottom, s, next});
    for (Index row = 0; row < last_row; row += segments)
      add_quad(mesh, row + s, row + segments + s, row + segments + next, row + next);
    mesh.triangles.push_back({top, last_row + next, last_row + s});
  }
  return mesh;
}

TriMesh make_cylinder(double radius, double half_length, int segments) {
  assert(segments >= 3);
  TriMesh mesh;
  for (const double y : {-half_length, half_length})
    for (int s = 0; s < segments; ++s) {
      const double turn = 2.0 * std::numbers::pi * s / segments;
      mesh.positions.push_back({radius * std::cos(turn), y, radius * std::sin(turn)});
    }
  const Index bottom = static_cast<Index>(mesh.positions.size()), top = bottom + 1;
  mesh.positions.push_back({0.0, -half_length, 0.0});
  mesh.positions.push_back({0.0, half_length, 0.0});
  for (Index s = 0; s < segments; ++s) {
    const Index next = (s + 1) % segments;
    mesh.triangles.push_back({bottom, s, next});
    add_quad(mesh, s, segments + s, segments + next, next);
    mesh.triangles.push_back({top, segments + next, segments + s});
  }
  return mesh;
}

}  // namespace limber
