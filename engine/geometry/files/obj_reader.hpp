// Any Wavefront OBJ as one welded triangle mesh.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/expected.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// A mesh and its changes by the reader.
struct ObjMesh {
  TriMesh mesh;
  int welded = 0;                    ///< duplicate positions merged
  int unused = 0;                    ///< vertices dropped because no triangle uses them
  int degenerate = 0;                ///< zero-area or repeated-vertex triangles dropped (also after welding)
  int coincident = 0;                ///< triangles dropped because another one has the same three vertices
  std::vector<Index> file_vertices;  ///< per mesh vertex: its number in the file, counted from 0
  std::vector<int> triangle_lines;   ///< per triangle: the line of its face in the file
  std::vector<std::string> notes;    ///< the above in words, for the user; empty if nothing happened

  MeshNames names() const { return {file_vertices, triangle_lines}; }
};

/// Reads any OBJ: polygons triangulated (see triangulate_faces), triangles with the same three vertices
/// reduced to one or none (see coincident_triangles), negative indices, several shapes joined, no normals
/// needed, positions within 1e-6 of the bounding box diagonal welded. UVs are kept when the file has one per
/// vertex, otherwise projected from the two longest axes. Colours (v x y z r g b) are kept if every vertex
/// has one; a welded vertex has that of the first. Faces may name normals or texture coordinates of
/// which the file has none (a note says so). Fails with file and line on a garbled number, an index out of
/// range, a face with under 3 vertices, or where no face has an area; on no faces; on coordinates that are
/// not finite or over 1e6 m; on more than 2 million vertices. Never crashes on any bytes.
Expected<ObjMesh> read_obj(const std::string& path);

/// Whether the file could be an OBJ at all: fails if it is a mesh of another format or begins with bytes that
/// no text has. Reads little.
Expected<void> check_obj_text(const std::string& path);

/// Like read_obj(), from text; `name` stands for the file in errors.
Expected<ObjMesh> parse_obj(std::string_view text, const std::string& name);

}  // namespace limber
