// Finds pieces of a surface whose triangles all face roughly one way, so that the pieces cannot intersect
// themselves (Volino and Magnenat-Thalmann 1994).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <vector>

#include "engine/contact/cloth/surface_leaves.hpp"
#include "engine/contact/cloth/surface_patches.hpp"
#include "engine/contact/cloth/surface_tree.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// For each node of a tree over triangles, the directions that its triangles can face while particles stay
/// within their safe bounds. A disc does not intersect itself if two conditions hold. First, the triangles
/// around each of its vertices (also those outside the disc) all face one way, so that triangles with a
/// common corner do not meet. Second, all its triangles face one way, so that it cannot wrap itself around
/// anything.
class SurfaceFacing {
 public:
  /// Allocates nodes up to `height` levels above the leaves. O(T log T) for T triangles.
  void reserve(const SurfaceTree& tree, const Topology& topology, int height);

  /// Sets a leaf's shape. `inside`: none of its triangles is at a border of the mesh or a gap.
  void place(const SurfaceTree& tree, std::int32_t leaf, const LeafShape<real>& shape, bool inside);
  /// Tests the triangles around a vertex, after place() of their leaves: if they do not face one way, the
  /// leaves are marked. Threads may call it at once for different vertices.
  void place_fan(const SurfaceTree& tree, const Topology& topology, std::int32_t vertex);
  /// Computes a node from its children.
  void unite(std::int32_t node);

  /// True if the sub-surface below `node` cannot intersect itself.
  bool is_sheet(std::int32_t node) const;
  /// True if the sub-surfaces below nodes a and b (same level) cannot intersect each other.
  bool are_one_sheet(std::int32_t a, std::int32_t b) const;

 private:
  struct Facing {
    vec3 normal{0};   ///< mean of the unit normals, unit length
    real spread = 0;  ///< largest deviation of a normal from the mean, as a chord of the unit sphere
    real turn = 0;    ///< sine of the largest angle by which a normal can rotate; 1: by any angle
    real least = std::numeric_limits<real>::max(), most = 0;  ///< ratios of edge lengths to rest lengths
    /// Limits of the cosine between normals of nodes. A single node faces one way if `alone` <= 1; two nodes
    /// do if the cosine between their normals exceeds the `pair` of both; three nodes in a row do if the
    /// cosine between each outer node and the middle one exceeds the outer node's `third`.
    real alone = 2, pair = 2, third = 2;
    /// A triangle is at a gap of the mesh, or at a vertex whose triangles do not face one way.
    std::uint8_t open = 1;
  };
  /// A piece of surface whose normals are all within an angle b of one direction can still wrap around a
  /// point beside it, as paper wraps around a cone. Seen from that point, the angle a of the flat piece
  /// becomes a / cos b. At cos b = a / 360 degrees the piece goes all the way round and meets itself.
  struct Widest {
    vec2 one, two, three;  ///< cosine and sine of b for one, two or three nodes side by side
  };
  /// The widest permitted angles for nodes `height` levels above the leaves. Assumes leaves that are two
  /// edges long and wide.
  static Widest widest_at(int height);
  void measure(std::int32_t node);
  bool stretched_alike(std::initializer_list<std::int32_t> nodes) const;

  SurfacePatches patches_;
  std::int32_t leaf_nodes_ = 1;
  std::vector<Widest> widest_;           ///< per level above the leaves
  std::vector<Facing> facing_;           ///< per node
  AlignedVector<vec4> tilt_;             ///< per triangle, see LeafShape
  std::vector<std::uint8_t> at_border_;  ///< per particle
};

}}  // namespace limber::LIMBER_PRECISION
