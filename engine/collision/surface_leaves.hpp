// The features of a surface by the leaves of its tree, and their boxes.
#pragma once

#include <array>
#include <vector>

#include "engine/collision/surface_tree.hpp"
#include "engine/constraints/surface_leaf.hpp"
#include "engine/state/world.hpp"

namespace limber::inline LIMBER_PRECISION {

class SurfaceLeaves {
 public:
  explicit SurfaceLeaves(const SurfaceLeafKernels<real>& kernels) : kernels_(kernels) {}

  /// The leaves of `tree` over the triangles of `topology`; again where a tear may have changed them. O(T);
  /// allocates where it has to grow.
  void reserve(const SurfaceTree& tree, const Topology& topology);

  /// The boxes of a leaf's features, and how it lies.
  void place(std::int32_t leaf, const LeafRows<real>& rows, LeafState<real>& state) {
    kernels_.place(features_[std::size_t(leaf)], rows, boxes_.data() + first_box_[std::size_t(leaf)], state);
  }

  /// Which features of leaf b, moved by anything in `way`, overlap which of leaf a.
  void find_near(std::int32_t a, std::int32_t b, const Box& way, const real* places,
                 NearFeatures& near) const {
    real low[4], high[4];
    way.low.store(low), way.high.store(high);
    kernels_.find_near(side(a), side(b), low, high, places, near);
  }

  const LeafFeatures<real>& features(std::int32_t leaf) const { return features_[std::size_t(leaf)]; }

 private:
  LeafSide<real> side(std::int32_t leaf) const {
    const FeatureBoxes<real>* boxes = boxes_.data() + first_box_[std::size_t(leaf)];
    return {&features_[std::size_t(leaf)], boxes, boxes + 1};
  }

  struct Ends {
    std::int32_t particles[2][leaf_lanes];
  };
  struct Owned {
    std::vector<std::int32_t> vertices;
    std::vector<std::array<std::int32_t, 2>> edges;

    void collect(const Topology& topology, std::int32_t begin, std::int32_t end);
    std::size_t edge_blocks() const { return (edges.size() + leaf_lanes - 1) / leaf_lanes; }
  };

  const SurfaceLeafKernels<real>& kernels_;
  AlignedVector<LeafFeatures<real>> features_;  ///< per leaf
  AlignedVector<FeatureBoxes<real>> boxes_;     ///< per leaf: of its triangles, then of its edges
  std::vector<std::int32_t> first_box_;         ///< per leaf
  std::vector<std::int32_t> vertices_;          ///< particles, leaf after leaf
  AlignedVector<Ends> ends_;                    ///< of edges, leaf after leaf
  Owned owned_;                                 ///< of the leaf at hand
};

}  // namespace limber::inline LIMBER_PRECISION
