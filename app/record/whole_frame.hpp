// All parts of a frame as one mesh, for formats that know no parts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/record/exported_frame.hpp"

namespace limber {

/// A field of the whole frame: not a number where a part has none of that name.
struct WholeField {
  std::string name, unit;
  std::vector<float> values;
};

/// Vertices of all parts in turn; indices count them.
struct WholeFrame {
  std::vector<glm::dvec3> positions, velocities;  ///< velocities: not a number where the engine has none
  std::vector<float> radii;                       ///< m, 0 of surfaces
  std::vector<int> parts;                         ///< of vertices
  std::vector<WholeField> fields;
  /// Cells, with the part of each: triangles unless the part has tetrahedra, tetrahedra, lines, points.
  std::vector<std::vector<Index>> lines;
  std::vector<Triangle> triangles;
  std::vector<Tet> tets;
  std::vector<Index> points;
  std::vector<int> line_parts, triangle_parts, tet_parts, point_parts;
};

/// `with_tets`: a part with tetrahedra has these as its cells and no triangles; else tetrahedra are left out,
/// and so are parts that consist of nothing else.
WholeFrame whole_frame(const ExportedFrame& frame, bool with_tets);

}  // namespace limber
