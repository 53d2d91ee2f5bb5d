// Which particles are near each other: a hash grid, counting sort and copies in the order of the cells.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/aligned.hpp"
#include "engine/core/real.hpp"
#include "engine/parallel/pool.hpp"

namespace limber::inline LIMBER_PRECISION {

struct ParticlePair {
  std::int32_t a, b;  ///< a < b
  friend bool operator==(const ParticlePair&, const ParticlePair&) = default;
};

/// Cells are as wide as the reach, so partners lie in the 27 cells around. x is added to the hash of (y, z):
/// the three cells of a row lie beside each other, and half of the rows finds every pair once. The pairs are
/// a function of the points only.
class NeighbourSearch {
 public:
  /// At most this many partners behind a particle in the cells' order are kept: a heap of particles in one
  /// place needs memory in proportion to their number, not to its square.
  static constexpr int most_partners = 48;

  /// Room for `members` particles, without what their pairs need; allocates.
  void reserve(std::size_t members);

  /// All pairs of `members` nearer than `reach`, but for those of one `phase` other than 0 (by particle).
  /// Every thread of the team calls it with the same arguments. All may read pairs() when it returns.
  void find(std::span<const std::int32_t> members, const AlignedVector<vec4>& points,
            std::span<const std::int32_t> phase, real reach, Team& team);

  /// In the order of the cells, one list after the other; the concatenation does not depend on how many.
  std::span<const std::vector<ParticlePair>> pairs() const { return found_; }

 private:
  struct Cell {
    std::int32_t x, y, z;
  };
  struct Entry {
    Cell cell;
    std::int32_t particle, phase;
  };

  std::size_t row_of(std::int32_t y, std::int32_t z) const;
  std::size_t bucket_of(const Cell& cell) const {
    return (row_of(cell.y, cell.z) + std::size_t(cell.x)) & mask_;
  }
  void assign_cells(std::span<const std::int32_t> members, const AlignedVector<vec4>& points,
                    std::span<const std::int32_t> phase, real reach, const Team& team);
  void sort(std::span<const std::int32_t> members, const AlignedVector<vec4>& points, Team& team);
  void search(real reach, const Team& team, std::vector<ParticlePair>& out) const;
  class Partners;

  std::size_t mask_ = 0;  ///< buckets - 1
  std::vector<Entry> unsorted_, sorted_;
  AlignedVector<real> x_, y_, z_;                 ///< m, of sorted_
  std::vector<std::int32_t> begin_;               ///< per bucket, in sorted_; and an end
  std::vector<std::int32_t> counts_;              ///< per thread and bucket
  std::vector<std::vector<ParticlePair>> found_;  ///< per thread
};

}  // namespace limber::inline LIMBER_PRECISION
