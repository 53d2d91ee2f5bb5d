// The neighbours of all particles, in slices of lane_group particles for kernels over lanes.
#pragma once

#include "engine/constraints/density.hpp"
#include "engine/contact/particles/neighbour_search.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Lists with a fixed number of columns per slice (density.hpp: NeighbourSlices). Unused columns cost address
/// space, not memory. A particle is its own neighbour. Indices count particles in the order of the cells of
/// the grid, so neighbours are close in memory.
class NeighbourLists {
 public:
  /// Maximum number of neighbours of a particle, itself included; of more neighbours the first ones found are
  /// kept.
  static constexpr std::int32_t most_neighbours = 128;

  /// Allocates storage for `members` particles.
  void reserve(std::size_t members);

  /// Finds for each of `members`, at positions `points`, the others nearer than `reach` m that it can touch
  /// in `world`. Must be called by every thread of the team.
  void find(const World& world, std::span<const std::int32_t> members, const AlignedVector<vec4>& points,
            real reach, const FluidKernels<real>& kernels, Team& team);

  const NeighbourSearch& search() const { return search_; }
  std::int64_t count() const { return search_.sorted_count(); }
  std::int64_t slices() const { return (count() + lane_group - 1) / lane_group; }
  std::int32_t particle(std::int64_t at) const { return search_.sorted_particle(at); }
  /// The index that fills lists up to the length of the longest list of their slice.
  std::int32_t nobody() const { return std::int32_t(slices() * lane_group); }
  NeighbourSlices view() const {
    return {neighbours_.data(), columns_.data(), std::int64_t(most_neighbours) * lane_group};
  }

 private:
  class Lister;
  /// The particles in the cells around one cell, as arrays.
  struct Around {
    AlignedVector<real> x, y, z;          ///< m
    AlignedVector<std::int32_t> numbers;  ///< their indices in the order of the cells
    AlignedVector<std::int32_t> near;     ///< indices of the neighbours of one particle
    std::int32_t count = 0;

    void reserve(std::size_t members);
  };

  NeighbourSearch search_;
  AlignedVector<std::int32_t> neighbours_;
  std::vector<std::int32_t> columns_;  ///< per slice: number of columns used
  std::vector<Around> around_;         ///< per thread
};

}}  // namespace limber::LIMBER_PRECISION
