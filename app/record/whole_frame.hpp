// All parts of a frame as one mesh, for formats without parts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/record/exported_frame.hpp"

namespace limber {

/// A field of the whole frame. NaN for the vertices of parts without this field.
struct WholeField {
  std::string name, unit;
  std::vector<float> values;
};

/// Vertices of all parts in order. Indices of cells count them.
struct WholeFrame {
  std::vector<glm::dvec3> positions, velocities;  ///< velocities: NaN where the engine has none
  std::vector<float> radii;                       ///< m; 0 for surfaces
  std::vector<int> parts;                         ///< part of each vertex
  std::vector<WholeField> fields;
  /// Cells, with the part of each: triangles (unless the part has tetrahedra), tetrahedra, lines, points.
  std::vector<std::vector<Index>> lines;
  std::vector<Triangle> triangles;
  std::vector<Tet> tets;
  std::vector<Index> points;
  std::vector<int> line_parts, triangle_parts, tet_parts, point_parts;
};

/// `with_tets`: the cells of a part with tetrahedra are these, without its triangles. Otherwise tetrahedra
/// are left out, and so are parts that consist of nothing else.
WholeFrame whole_frame(const ExportedFrame& frame, bool with_tets);

}  // namespace limber
