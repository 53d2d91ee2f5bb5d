// Topology of the nodes of a tree over triangles, as pieces of the mesh.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/contact/cloth/surface_tree.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Discs of the mesh under a SurfaceTree; they change only with the mesh.
class SurfacePatches {
 public:
  /// Analyses nodes up to `height` levels above the leaves. O(T log T); allocates.
  void reserve(const SurfaceTree& tree, const Topology& topology, int height);

  /// True if the triangles below `node` are connected across edges, without holes, with none at a gap, and
  /// are no long strip.
  bool is_disc(std::int32_t node) const { return most_distortion(node) > real(0); }
  /// Largest factor by which some edges of a disc may be stretched more than others.
  real most_distortion(std::int32_t node) const { return distortion_[std::size_t(node)]; }

  static constexpr std::int32_t by_edge = 0, apart = -1;
  /// Connection of two discs of one height: by_edge if they have an edge of the mesh in common; otherwise the
  /// number of a disc that has edges in common with both; `apart` if there is none.
  std::int32_t link(std::int32_t a, std::int32_t b) const;

 private:
  void find_discs(const SurfaceTree& tree, const Topology& topology, std::int32_t first_node);
  void find_adjacent(const SurfaceTree& tree, const Topology& topology, std::int32_t first_node);

  struct Beside {
    std::int32_t node, link;
  };
  std::vector<real> distortion_;     ///< per node, 0: no disc
  std::vector<std::int32_t> first_;  ///< discs beside node k: beside_[first_[k] ... first_[k + 1])
  std::vector<Beside> beside_;
};

}}  // namespace limber::LIMBER_PRECISION
