// Cuts a mesh into patches: vertices that lie together get consecutive numbers, so that a thread works
// through all colours of one patch while its points stay in the first level cache.
#pragma once

#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// Vertices per patch of an object of `vertex_count`. Large enough that few constraints cross a border, small
/// enough that every thread of a large machine finds several. A function of the mesh only, never of the
/// number of threads.
Index patch_vertices(Index vertex_count);

/// new_to_old by recursive bisection across the longest side of the bounding box. Vertices
/// [k n, (k + 1) n) with n = `patch_vertices` are compact patches, and so are the halves of each patch.
/// Deterministic: equal coordinates are ordered by index. O(N log N).
std::vector<Index> bisection_order(std::span<const glm::dvec3> positions, Index patch_vertices);

/// Orders the triangles of a mesh like bisection_order(), as leaves of a complete binary tree over runs of
/// `leaf_size` in a longer list, in which they start at `first`: every node of the tree within them is a
/// compact piece, and small ones are discs where a straight cut can make them so. `corners`: positions of the
/// vertices.
std::vector<Index> tree_order(std::span<const glm::dvec3> corners, std::span<const Triangle> triangles,
                              Index first, Index leaf_size);

}  // namespace limber
