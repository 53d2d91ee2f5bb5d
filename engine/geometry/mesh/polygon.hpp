// Polygons as triangles.
#pragma once

#include <array>
#include <functional>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

namespace limber {

/// Splits a polygon into triangles and appends them to `triangles`, as numbers of corners in the polygon's
/// winding. The n >= 3 corners are given in order; the polygon may be concave or slightly bent. Always cuts
/// the ear with the shortest diagonal, so a convex quad is split along its shorter diagonal (the first one if
/// equal). The number of triangles is n - 2 even if the polygon crosses itself; some of them then overlap.
///
/// `allowed(i, j)`, if not empty, says whether the diagonal between the corners i and j may be cut. An
/// allowed diagonal outside the polygon is preferred to an ear whose diagonal is not allowed. Returns false
/// if a diagonal that is not allowed had to be cut.
bool triangulate_polygon(std::span<const glm::dvec3> corners, std::vector<std::array<int, 3>>& triangles,
                         const std::function<bool(int, int)>& allowed = {});

}  // namespace limber
