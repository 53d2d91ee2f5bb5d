// TetGen's .node and .ele files as one tetrahedral mesh.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/expected.hpp"
#include "engine/geometry/tets/tet_mesh.hpp"

namespace limber {

/// A mesh and its changes by the reader.
struct TetGenMesh {
  TetMesh mesh;
  long first = 0;                    ///< number of the first point in the files: 0 or 1
  int turned = 0;                    ///< tetrahedra that were inside out and have been reversed
  int unused = 0;                    ///< points dropped because no tetrahedron uses them
  std::vector<Index> file_vertices;  ///< per vertex: its place in the file, counted from 0
  std::vector<int> tet_lines;        ///< per tetrahedron: its line in the .ele file
  std::vector<std::string> notes;    ///< the above in words, for the user; empty if nothing happened

  TetNames names() const { return {first, file_vertices, tet_lines}; }
};

/// Whether `path` ends in .node or .ele.
bool is_tetgen(std::string_view path);

/// Reads a pair of files, of which `path` is either one. Points and tetrahedra are numbered from 0 or from 1;
/// attributes, boundary markers, comments (#) and blank lines are allowed, and of tetrahedra with ten points
/// the corners are taken. Inverted tetrahedra are reversed. Fails with file and line where the partner is
/// missing, on a garbled or non-finite number, a wrong or missing number of a point, an index out of range,
/// less or more lines than the first one says, on what check_tet_mesh() refuses, on more than most_tets
/// tetrahedra, and on coordinates over 1e6 m. Never crashes on any bytes.
Expected<TetGenMesh> read_tetgen(const std::string& path);

/// Like read_tetgen(), from the two texts; the names stand for the files in errors.
Expected<TetGenMesh> parse_tetgen(std::string_view nodes, const std::string& node_name,
                                  std::string_view elements, const std::string& element_name);

/// Writes `stem`.node and `stem`.ele, numbered from 0, with all digits. Each file appears whole or not at
/// all. Refuses non-finite positions.
Expected<void> write_tetgen(const TetMesh& mesh, const std::string& stem);

}  // namespace limber
