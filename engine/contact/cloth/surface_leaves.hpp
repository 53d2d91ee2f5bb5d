// The features of a surface, sorted by the leaves of its tree, and the boxes of the features.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/contact/cloth/surface_leaf.hpp"
#include "engine/contact/cloth/surface_tree.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Motion of a set of particles: box of their start positions, box of their displacements, and the largest
/// radius of their safe bounds. Two flows are compared by their relative displacement, which is small for
/// neighbours.
struct Flow {
  Box from, reach;
  real radius = 0;

  /// Box of the shifts of b relative to this flow. The flows can meet only if b's start box, extended by
  /// these shifts, overlaps this flow's start box.
  Box way_of(const Flow& b) const {
    const Row<real> zero(real(0)), near(radius + b.radius);
    return {min(zero, b.reach.low - reach.high) - near, max(zero, b.reach.high - reach.low) + near};
  }
  bool meets(const Flow& b) const {
    const Box way = way_of(b);
    return both(below(b.from.low + way.low, from.high), below(from.low, b.from.high + way.high));
  }
  Flow united(const Flow& o) const {
    return {from.united(o.from), reach.united(o.reach), std::max(radius, o.radius)};
  }
};

class SurfaceLeaves {
 public:
  explicit SurfaceLeaves(const SurfaceLeafKernels<real>& kernels) : kernels_(kernels) {}

  /// Sets up the leaves of `tree` over the triangles of `topology`. O(T) for T triangles; allocates.
  void reserve(const SurfaceTree& tree, const Topology& topology);
  /// Updates a leaf if a tear has changed it. If `split` is not empty, flags in it the old and new particles
  /// of corners that a tear has moved from one particle to another. Threads may call it at once, for
  /// different leaves.
  void follow_tears(const SurfaceTree& tree, const Topology& topology, std::int32_t leaf,
                    std::span<std::uint8_t> split);

  /// Box of a leaf's corners at the start, and box of their displacements.
  Flow flow(std::int32_t leaf, const real* places, const real* reaches);
  void shape(std::int32_t leaf, const LeafRows<real>& rows, LeafShape<real>& shape) const {
    kernels_.shape(features_[std::size_t(leaf)], rows, shape);
  }

  /// Flows of the pieces of a leaf that have no corner in common. `whole`: the result of flow() for this
  /// leaf.
  std::span<const Flow> parts(std::int32_t leaf, const Flow& whole) const;
  /// True if pieces of two leaves can meet, after flow(). A tear can divide a leaf into pieces far apart.
  bool parts_meet(std::int32_t a, const Flow& flow_a, std::int32_t b, const Flow& flow_b) const;

  /// Computes the boxes of a leaf's features; must precede find_near().
  void place_boxes(std::int32_t leaf, const real* places) {
    kernels_.boxes(features_[std::size_t(leaf)], places, boxes_.data() + first_box_[std::size_t(leaf)]);
  }

  /// Finds the features of leaf b that overlap features of leaf a for any shift of b within `way`.
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

  static constexpr std::int32_t most_features = 3 * surface_leaf;  ///< of a leaf, of each kind
  /// Pieces per leaf; all further pieces count to the last one.
  static constexpr std::int32_t most_parts = 4;

  /// Features that the triangles of a leaf own, and the pieces into which its corners are connected.
  struct Owned {
    std::int32_t members = 0, vertices = 0, edges = 0, parts = 0;
    std::int32_t member[most_features], vertex[most_features], edge[2][most_features];
    std::int32_t part_end[most_parts];  ///< end of each piece in `member`
    std::uint8_t bits[surface_leaf] = {};

    Owned(const Topology& topology, std::int32_t begin, std::int32_t end);
    std::int32_t edge_blocks() const { return (edges + leaf_lanes - 1) / leaf_lanes; }
  };
  struct Ends {
    std::int32_t particles[2][leaf_lanes];
  };
  /// State of a leaf that may tear: its pieces without a common corner, and the bits that follow_tears()
  /// compares.
  struct Parts {
    std::int32_t count = 1, end[most_parts];  ///< end of each piece in the members
    std::uint8_t owned[surface_leaf];
  };

  void lay_out(std::int32_t leaf, const Owned& owned);
  Flow flow_of(std::span<const std::int32_t> members, const real* places, const real* reaches) const;

  const SurfaceLeafKernels<real>& kernels_;
  AlignedVector<LeafFeatures<real>> features_;    ///< per leaf
  AlignedVector<FeatureBoxes<real>> boxes_;       ///< per leaf: of its triangles, then of its edges
  std::vector<std::int32_t> first_box_;           ///< per leaf
  std::vector<std::int32_t> members_, vertices_;  ///< particles, leaf after leaf
  AlignedVector<Ends> ends_;                      ///< of edges, leaf after leaf
  std::vector<Parts> parts_;                      ///< per leaf, if something can tear; else empty
  AlignedVector<Flow> part_flow_;                 ///< most_parts per leaf, if something can tear
};

}}  // namespace limber::LIMBER_PRECISION
