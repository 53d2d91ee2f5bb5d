// Polygons as triangles.
#pragma once

#include <array>
#include <functional>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

namespace limber {

/// Splits a polygon of n >= 3 corners, given in order and possibly concave or slightly bent, into n - 2
/// triangles of corner numbers with the polygon's winding, appended to `triangles`. Always cuts the ear with
/// the shortest diagonal, so a convex quad is split along its shorter diagonal (the first one if equal).
/// A polygon that crosses itself still gives n - 2 triangles, some of which overlap.
///
/// `allowed(i, j)`, if not empty, says whether the diagonal between the corners i and j may be cut. An
/// allowed diagonal outside the polygon is preferred to an ear whose diagonal is not allowed. Returns false
/// if a diagonal that is not allowed had to be cut.
bool triangulate_polygon(std::span<const glm::dvec3> corners, std::vector<std::array<int, 3>>& triangles,
                         const std::function<bool(int, int)>& allowed = {});

}  // namespace limber
