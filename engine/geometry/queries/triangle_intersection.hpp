// Intersections of triangles: an independent check of the contacts that keep surfaces apart.
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

namespace limber {

using TrianglePoints = std::array<glm::dvec3, 3>;

/// Whether the open segment a-b pierces the inside of the triangle. Touching and coplanar do not count.
bool pierces(const glm::dvec3& a, const glm::dvec3& b, const TrianglePoints& triangle);

/// Whether an edge of one pierces the other: two triangles in general position intersect exactly then.
bool intersect(const TrianglePoints& a, const TrianglePoints& b);

using TrianglePair = std::array<std::int32_t, 2>;

/// All intersecting pairs of triangles without a common vertex, in ascending order. Triangles over
/// `positions`; those with a non-finite corner are passed over. O(N) for triangles of one size.
std::vector<TrianglePair> find_intersections(std::span<const std::array<std::int32_t, 3>> triangles,
                                             std::span<const glm::dvec3> positions);

}  // namespace limber
