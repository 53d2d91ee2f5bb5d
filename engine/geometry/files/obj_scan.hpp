// Checks OBJ files before tinyobjloader reads them.
#pragma once

#include <glm/vec3.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/expected.hpp"

namespace limber {

/// Largest file and mesh that the reader accepts, so that it cannot exhaust the memory.
constexpr std::size_t obj_max_bytes = std::size_t{256} << 20;
constexpr long obj_max_vertices = 2'000'000;
constexpr long obj_max_triangles = 4'000'000;
constexpr long obj_max_corners = 1000;      ///< corners of one face
constexpr double obj_max_coordinate = 1e6;  ///< m

/// The statements of an OBJ that the reader uses.
struct PlainObj {
  std::string text;
  /// Per vertex: its colour, from six numbers (x y z r g b) or more. Empty unless every vertex has one.
  std::vector<glm::dvec3> colors;
  std::vector<int> face_lines;  ///< per face: its line in the file
  /// Line of the first face that names a uv or normal although the file has none at all; 0 if there is no
  /// such face.
  int without_uvs = 0, without_normals = 0;
};

/// Checks the vertices, texture coordinates and faces of an OBJ and repeats them, and nothing else, in the
/// plainest form: one statement a line, finite decimal numbers, indices absolute and within range (`v x y z`,
/// `vt u v`, `f v v v` or `f v/vt v/vt v/vt`; `vt` without any in the file may be anything). tinyobjloader
/// reads garbage as 0, does not check indices, knows no continued lines and allocates as much as a tag
/// statement asks for; no such statement reaches it. Fails at the first offending statement with its line;
/// `name` stands for the file.
Expected<PlainObj> scan_obj(std::string_view text, const std::string& name);

}  // namespace limber
