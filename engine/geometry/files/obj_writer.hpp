// A triangle mesh as Wavefront OBJ.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "engine/core/expected.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// The triangles from `first_triangle` up to the next group's are called `name`.
struct ObjGroup {
  std::string name;
  std::size_t first_triangle = 0;
};

/// The vertices [first, first + count), which belong to no triangle, are called `name`. They are single
/// points, or the points of a line; a closed line leads back to the first point.
struct ObjPoints {
  enum class Joined { apart, line, closed };
  std::string name;
  std::size_t first = 0, count = 0;
  Joined joined = Joined::apart;
  std::vector<std::size_t> points;  ///< of a line whose points are no such range: their numbers; else empty
};

/// Writes positions, texture coordinates (if any) and triangles with all their digits. The file appears
/// whole or not at all: it is written beside `path` and renamed. Refuses non-finite numbers.
Expected<void> write_obj(const TriMesh& mesh, const std::string& path);

/// Writes groups too, which are sorted by their first triangle, and behind them a group of point elements
/// ("p") or a line ("l") for each of `points`.
Expected<void> write_obj(const TriMesh& mesh, std::span<const ObjGroup> groups, const std::string& path,
                         std::span<const ObjPoints> points = {});

}  // namespace limber
