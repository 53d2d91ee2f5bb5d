// The features of a surface by the leaves of its tree, and their boxes.
#pragma once

#include <array>
#include <vector>

#include "engine/collision/surface_tree.hpp"
#include "engine/constraints/surface_leaf.hpp"
#include "engine/state/world.hpp"

namespace limber::inline LIMBER_PRECISION {

/// Where particles are at the start, how far they go from there, and the largest tube. Two flows are compared
/// by how they move against each other: neighbours hardly do.
struct Flow {
  Box from, reach;
  real radius = 0;

  /// What b's box has to be grown by to reach that of this one where they can meet.
  Box way_of(const Flow& b) const {
    const Row<real> zero(real(0)), near(radius + b.radius);
    return {min(zero, b.reach.low - reach.high) - near, max(zero, b.reach.high - reach.low) + near};
  }
  bool meets(const Flow& b) const {
    const Box way = way_of(b);
    return below(b.from.low + way.low, from.high) & below(from.low, b.from.high + way.high);
  }
  Flow united(const Flow& o) const {
    return {from.united(o.from), reach.united(o.reach), std::max(radius, o.radius)};
  }
};

class SurfaceLeaves {
 public:
  explicit SurfaceLeaves(const SurfaceLeafKernels<real>& kernels) : kernels_(kernels) {}

  /// The leaves of `tree` over the triangles of `topology`; again where a tear may have changed them. O(T);
  /// allocates where it has to grow.
  void reserve(const SurfaceTree& tree, const Topology& topology);

  /// Where the corners of a leaf are, and how far they go; how its triangles lie.
  Flow flow(std::int32_t leaf, const real* places, const real* reaches) const;
  void shape(std::int32_t leaf, const LeafRows<real>& rows, LeafShape<real>& shape) const {
    kernels_.shape(features_[std::size_t(leaf)], rows, shape);
  }

  /// The boxes of a leaf's features, before find_near.
  void place_boxes(std::int32_t leaf, const real* places) {
    kernels_.boxes(features_[std::size_t(leaf)], places, boxes_.data() + first_box_[std::size_t(leaf)]);
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
    std::vector<std::int32_t> members, vertices;
    std::vector<std::array<std::int32_t, 2>> edges;

    void collect(const Topology& topology, std::int32_t begin, std::int32_t end);
    std::size_t edge_blocks() const { return (edges.size() + leaf_lanes - 1) / leaf_lanes; }
  };

  const SurfaceLeafKernels<real>& kernels_;
  AlignedVector<LeafFeatures<real>> features_;    ///< per leaf
  AlignedVector<FeatureBoxes<real>> boxes_;       ///< per leaf: of its triangles, then of its edges
  std::vector<std::int32_t> first_box_;           ///< per leaf
  std::vector<std::int32_t> members_, vertices_;  ///< particles, leaf after leaf
  AlignedVector<Ends> ends_;                      ///< of edges, leaf after leaf
  Owned owned_;                                   ///< of the leaf at hand
};

}  // namespace limber::inline LIMBER_PRECISION
