// Which pieces of a surface face one way and so cannot meet themselves (Volino and Magnenat-Thalmann 1994).
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

/// Of the nodes of a tree over triangles, on their way and in their tubes. A disc meets itself nowhere if two
/// things hold: the triangles around each of its vertices, of the disc or not, all face one way, so that
/// those with a corner in common do not meet; and all its triangles face one way, so that it cannot wrap
/// itself around anything.
class SurfaceFacing {
 public:
  /// For nodes up to `height` levels above the leaves. O(T log T); allocates.
  void reserve(const SurfaceTree& tree, const Topology& topology, int height);

  /// A leaf lies like that now; `inside`: no triangle of it is at a gap of the mesh.
  void place(const SurfaceTree& tree, std::int32_t leaf, const LeafShape<real>& shape, bool inside);
  /// A vertex, after place() of the leaves around it: where its triangles no longer face one way, that is
  /// noted of their leaves. By several threads at once.
  void place_fan(const SurfaceTree& tree, const Topology& topology, std::int32_t vertex);
  /// A node from its children.
  void unite(std::int32_t node);

  /// `node` does not meet itself.
  bool is_sheet(std::int32_t node) const;
  /// Nor do these two of one height meet each other.
  bool are_one_sheet(std::int32_t a, std::int32_t b) const;

 private:
  struct Facing {
    vec3 normal{0};   ///< mean of the unit normals, unit length
    real spread = 0;  ///< most that one of them differs from it, as a chord of the unit sphere
    real turn = 0;    ///< sine of the angle none can turn by, 1 if one may turn by any
    real least = std::numeric_limits<real>::max(), most = 0;  ///< edges now by edges at rest
    /// All face one way together with a piece beside this one while the cosine between their normals is more
    /// than `pair` of either; together with two such pieces while it is more than the `third` of those. Alone
    /// if `alone` is not more than 1.
    real alone = 2, pair = 2, third = 2;
    std::uint8_t open = 1;  ///< some are at a gap of the mesh, or around a vertex that has folded
  };
  /// A piece of surface that faces one way, all its normals within an angle b of one direction, can still
  /// wrap itself around a point beside it like paper around a cone: what takes up the angle a there when it
  /// is flat takes up a / cos b. It goes all the way round, and meets itself, from cos b = a / 360 degrees
  /// on.
  struct Widest {
    vec2 one, two, three;  ///< cosine and sine of that b, for so many nodes side by side
  };
  /// Of nodes so many levels above the leaves, which are two edges long and wide.
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
