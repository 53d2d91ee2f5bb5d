// All neighbours of all particles, in slices of lane_group particles for kernels over lanes.
#pragma once

#include "engine/constraints/density.hpp"
#include "engine/contact/particles/neighbour_search.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Lists with a fixed number of columns per slice (density.hpp: NeighbourSlices). Unused columns cost address
/// space, not memory. A particle is among its own neighbours. Indices count particles in the order of the
/// cells, so neighbours are near each other in memory.
class NeighbourLists {
 public:
  /// Most neighbours of a particle, itself included; the first ones found are kept.
  static constexpr std::int32_t most_neighbours = 128;

  /// Room for `members` particles; allocates.
  void reserve(std::size_t members);

  /// Finds the neighbours among `members` at `points` within `reach` m that touch each other in `world`. Must
  /// be called by every thread of the team. Ends at a barrier.
  void find(const World& world, std::span<const std::int32_t> members, const AlignedVector<vec4>& points,
            real reach, const FluidKernels<real>& kernels, Team& team);

  const NeighbourSearch& search() const { return search_; }
  std::int64_t count() const { return search_.sorted_count(); }
  std::int64_t slices() const { return (count() + lane_group - 1) / lane_group; }
  std::int32_t particle(std::int64_t at) const { return search_.sorted_particle(at); }
  /// The index that fills up lists shorter than the longest of their slice.
  std::int32_t nobody() const { return std::int32_t(slices() * lane_group); }
  NeighbourSlices view() const {
    return {neighbours_.data(), columns_.data(), std::int64_t(most_neighbours) * lane_group};
  }

 private:
  class Lister;
  /// Particles in the cells around one cell, in columns.
  struct Around {
    AlignedVector<real> x, y, z;          ///< m
    AlignedVector<std::int32_t> numbers;  ///< among the sorted
    AlignedVector<std::int32_t> near;     ///< those of them that one particle has as neighbours
    std::int32_t count = 0;

    void reserve(std::size_t members);
  };

  NeighbourSearch search_;
  AlignedVector<std::int32_t> neighbours_;
  std::vector<std::int32_t> columns_;  ///< per slice
  std::vector<Around> around_;         ///< per thread
};

}}  // namespace limber::LIMBER_PRECISION
