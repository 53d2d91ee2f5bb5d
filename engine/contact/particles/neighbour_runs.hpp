// Candidates for the neighbours of a cell's particles, as runs of the particles sorted by cell.
#pragma once

#include "engine/contact/particles/neighbour_search.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The cells around a cell as runs of sorted particles: cells of one row (along x) and one block are
/// consecutive in that order. Different blocks that hash to the same slab need no test: neighbouring blocks
/// have different shades, hence different slabs, and other blocks are farther away than the reach.
class NeighbourSearch::Around {
 public:
  explicit Around(const NeighbourSearch& search) : search_(search) {}

  const Cell& cell() const { return cell_; }
  std::span<const Run> runs() const { return {run_.data(), std::size_t(count_)}; }

  /// Lists the runs of all 27 cells.
  void look_at_all(const Cell& cell) {
    cell_ = cell;
    count_ = 0;
    for (std::int32_t z = cell.z - 1; z <= cell.z + 1; ++z)
      for (std::int32_t y = cell.y - 1; y <= cell.y + 1; ++y) add_row(cell.x - 1, cell.x + 1, y, z);
  }

  /// Lists the runs of half of the cells, so that every pair of cells is visited once: the cell's own row
  /// from the cell on, and four other rows. The first run begins with the cell itself and stays in its block.
  void look_at_half(const Cell& cell) {
    struct Step {
      std::int32_t y, z;
    };
    constexpr Step whole_rows[] = {{1, 0}, {-1, 1}, {0, 1}, {1, 1}};
    cell_ = cell;
    count_ = 0;
    // Last cell of the row in this block, at most the next one.
    const std::int32_t inside = std::min(cell.x | 3, cell.x + 1);
    const std::size_t bucket = std::size_t(bucket_of(cell));
    run_[std::size_t(count_++)] = {search_.begin_[bucket],
                                   search_.begin_[bucket + std::size_t(inside - cell.x) + 1]};
    if (inside == cell.x) add(cell.x + 1, cell.x + 1, cell.y, cell.z);
    for (const Step& step : whole_rows) add_row(cell.x - 1, cell.x + 1, cell.y + step.y, cell.z + step.z);
  }

 private:
  struct Known {
    Cell block{0, 0, 0};
    std::int32_t slab = -1;
  };

  void add_row(std::int32_t first, std::int32_t last, std::int32_t y, std::int32_t z) {
    const std::int32_t edge = std::min(first | 3, last);
    add(first, edge, y, z);
    if (edge < last) add(edge + 1, last, y, z);
  }

  /// Adds the cells [first, last] of one row of one block.
  void add(std::int32_t first, std::int32_t last, std::int32_t y, std::int32_t z) {
    const std::size_t bucket = std::size_t(bucket_of({first, y, z}));
    const Run run{search_.begin_[bucket], search_.begin_[bucket + std::size_t(last - first) + 1]};
    if (run.begin < run.end) run_[std::size_t(count_++)] = run;
  }

  /// Like NeighbourSearch::bucket_of(), with a cache of recent blocks.
  std::int32_t bucket_of(const Cell& cell) {
    const Cell block{cell.x >> 2, cell.y >> 2, cell.z >> 2};
    Known& known = blocks_[std::size_t((block.x & 3) | (block.y & 3) << 2 | (block.z & 3) << 4)];
    if (known.slab < 0 || !(known.block == block)) known = {block, search_.slab_of(block)};
    return block_buckets * known.slab + (cell.x & 3) + 4 * (cell.y & 3) + 16 * (cell.z & 3);
  }

  const NeighbourSearch& search_;
  std::array<Known, 64> blocks_{};
  Cell cell_{0, 0, 0};
  std::array<Run, 18> run_{};
  int count_ = 0;
};

}}  // namespace limber::LIMBER_PRECISION
