// Cuts a mesh into patches: vertices near each other get consecutive numbers, so that a thread can process
// all colours of one patch while its points stay in the first level cache.
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

/// Order of vertices by recursive bisection across the longest side of the bounding box: for each new number
/// the old one. Vertices [k n, (k + 1) n) with n = `patch_vertices` are compact patches, and so are the
/// halves of each patch. Deterministic: equal coordinates are ordered by index. O(N log N).
std::vector<Index> bisection_order(std::span<const glm::dvec3> positions, Index patch_vertices);

/// Orders the triangles of a mesh by recursive bisection, for a complete binary tree whose leaves are runs of
/// `leaf_size` triangles of a longer list, in which this mesh starts at `first`: every node of the tree that
/// lies within the mesh is a compact piece, and small pieces are discs where a straight cut allows it.
/// `corners`: positions of the vertices.
std::vector<Index> tree_order(std::span<const glm::dvec3> corners, std::span<const Triangle> triangles,
                              Index first, Index leaf_size);

}  // namespace limber
