#include "engine/geometry/mesh/grid.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "engine/core/tunable.hpp"

namespace limber {
namespace {

/// The two triangles of a cell, the diagonal alternating like a chess board so that the cloth has no
/// preferred shear direction. Counter-clockwise in the picture:
///
///     a --- b        a --- b
///     |  \  |   or   |  /  |
///     d --- e        d --- e
void add_cell(int column, int row, int columns, std::vector<Triangle>& triangles) {
  const Index a = row * columns + column, b = a + 1, d = a + columns, e = d + 1;
  if ((column + row) % 2 == 0) {
    triangles.push_back({a, d, e});
    triangles.push_back({a, e, b});
  } else {
    triangles.push_back({a, d, b});
    triangles.push_back({b, d, e});
  }
}

}  // namespace

TriMesh make_grid(int columns, int rows, double width, double height, bool upright) {
  assert(columns >= 2 && rows >= 2);
  TriMesh mesh;
  const auto vertex_count = static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows);
  mesh.positions.reserve(vertex_count);
  mesh.uvs.reserve(vertex_count);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      const double u = double(c) / (columns - 1), v = 1.0 - double(r) / (rows - 1);
      const double x = (u - 0.5) * width, y = (v - 0.5) * height;
      mesh.positions.push_back(upright ? glm::dvec3(x, y, 0.0) : glm::dvec3(x, 0.0, -y));
      mesh.uvs.push_back({u, v});
    }
  }
  mesh.triangles.reserve(2 * vertex_count);
  for (int r = 0; r + 1 < rows; ++r) {
    for (int c = 0; c + 1 < columns; ++c) add_cell(c, r, columns, mesh.triangles);
  }
  return mesh;
}

Expected<std::vector<Index>> grid_vertices(std::string_view name, int columns, int rows) {
  struct Region {
    std::string_view name;
    int first_column, last_column, first_row, last_row;
  };
  const int right = columns - 1, bottom = rows - 1;
  const std::array<Region, 9> regions{{{"top_left", 0, 0, 0, 0},
                                       {"top_right", right, right, 0, 0},
                                       {"bottom_left", 0, 0, bottom, bottom},
                                       {"bottom_right", right, right, bottom, bottom},
                                       {"top", 0, right, 0, 0},
                                       {"bottom", 0, right, bottom, bottom},
                                       {"left", 0, 0, 0, bottom},
                                       {"right", right, right, 0, bottom},
                                       {"all", 0, right, 0, bottom}}};
  const auto region =
      std::find_if(regions.begin(), regions.end(), [&](const Region& r) { return r.name == name; });
  if (region == regions.end()) {
    std::array<std::string_view, regions.size()> names;
    std::transform(regions.begin(), regions.end(), names.begin(), [](const Region& r) { return r.name; });
    return Error{"a grid has no vertices called '" + std::string(name) + "'", {}, 0, suggest(name, names)};
  }
  std::vector<Index> vertices;
  for (int r = region->first_row; r <= region->last_row; ++r) {
    for (int c = region->first_column; c <= region->last_column; ++c) vertices.push_back(r * columns + c);
  }
  return vertices;
}

}  // namespace limber
