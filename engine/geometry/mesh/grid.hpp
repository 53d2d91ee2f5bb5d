// Generated cloth grids.
#pragma once

#include <string_view>
#include <vector>

#include "engine/core/expected.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// columns x rows vertices over width x height metres, centred at the origin, alternating diagonals,
/// vertex (c, r) at index r*columns + c with row 0 at the top. Upright: in the xy plane facing +z (top
/// at +height/2); else in the xz plane facing +y (row 0 at -z). uv in [0,1]^2, v = 1 at the top.
TriMesh make_grid(int columns, int rows, double width, double height, bool upright);

/// Vertices of a grid called "top_left", "top_right", "bottom_left", "bottom_right", "top", "bottom",
/// "left", "right", "all"; an unknown name is an Error with the nearest one.
Expected<std::vector<Index>> grid_vertices(std::string_view name, int columns, int rows);

}  // namespace limber
