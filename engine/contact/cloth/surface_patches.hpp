// Connectivity of the pieces of a mesh that lie below the nodes of a tree over its triangles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/contact/cloth/surface_tree.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Finds the nodes of a SurfaceTree whose triangles form a disc; the result changes only with the mesh.
class SurfacePatches {
 public:
  /// Analyses nodes up to `height` levels above the leaves. O(T log T) for T triangles; allocates.
  void reserve(const SurfaceTree& tree, const Topology& topology, int height);

  /// True if the triangles below `node` are connected across edges, have no hole, touch no gap of the mesh
  /// and do not form a long strip.
  bool is_disc(std::int32_t node) const { return most_distortion(node) > real(0); }
  /// Largest ratio of the stretches of two edges up to which a disc cannot meet itself; 0: no disc.
  real most_distortion(std::int32_t node) const { return distortion_[std::size_t(node)]; }

  static constexpr std::int32_t by_edge = 0, apart = -1;
  /// Connection of two discs of the same level: by_edge if they have an edge of the mesh in common; otherwise
  /// the node of a disc that has edges in common with both; `apart` if there is none.
  std::int32_t link(std::int32_t a, std::int32_t b) const;

 private:
  void find_discs(const SurfaceTree& tree, const Topology& topology, std::int32_t first_node);
  void find_adjacent(const SurfaceTree& tree, const Topology& topology, std::int32_t first_node);

  struct Beside {
    std::int32_t node, link;
  };
  std::vector<real> distortion_;     ///< per node; 0: no disc
  std::vector<std::int32_t> first_;  ///< discs next to node k: beside_[first_[k] ... first_[k + 1])
  std::vector<Beside> beside_;
};

}}  // namespace limber::LIMBER_PRECISION
