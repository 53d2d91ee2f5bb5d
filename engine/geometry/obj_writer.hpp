// A triangle mesh as Wavefront OBJ.
#pragma once

#include <string>

#include "engine/core/expected.hpp"
#include "engine/geometry/tri_mesh.hpp"

namespace limber {

/// Writes positions, texture coordinates (if any) and triangles with all their digits. The file appears
/// whole or not at all: it is written beside `path` and renamed. Refuses non-finite numbers.
Expected<void> write_obj(const TriMesh& mesh, const std::string& path);

}  // namespace limber
