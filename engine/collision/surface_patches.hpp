// What the nodes of a tree over triangles are as pieces of the mesh.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/collision/surface_tree.hpp"
#include "engine/state/world.hpp"

namespace limber::inline LIMBER_PRECISION {

/// The mesh under a SurfaceTree; changes only with the mesh.
class SurfacePatches {
 public:
  /// For nodes up to `height` levels above the leaves. O(T log T); allocates.
  void reserve(const SurfaceTree& tree, const Topology& topology, int height);

  /// The triangles below `node` are connected across edges, without holes, and none touches the border of the
  /// mesh. Where such a piece faces one way everywhere and is not distorted much, it cannot meet itself
  /// (Volino and Magnenat-Thalmann 1994).
  bool is_disc(std::int32_t node) const { return discs_[std::size_t(node)] != 0; }

  /// Two discs of one height have an edge of the mesh in common.
  bool are_adjacent(std::int32_t a, std::int32_t b) const;

 private:
  void find_discs(const SurfaceTree& tree, const Topology& topology, std::int32_t first_node);
  void find_adjacent(const SurfaceTree& tree, const Topology& topology, std::int32_t first_node);

  std::vector<std::uint8_t> discs_;           ///< per node
  std::vector<std::int32_t> first_, beside_;  ///< discs beside node k: beside_[first_[k] ... first_[k + 1])
};

}  // namespace limber::inline LIMBER_PRECISION
