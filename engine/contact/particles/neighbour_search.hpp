// Finds pairs of near particles: a hash grid, counting sort, and copies of the positions in the order of the
// cells.
#pragma once

#include <array>
#include <cstdint>
#include <glm/vector_relational.hpp>
#include <limits>
#include <span>
#include <vector>

#include "engine/core/aligned.hpp"
#include "engine/core/real.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

struct ParticlePair {
  std::int32_t a, b;  ///< a < b
  friend bool operator==(const ParticlePair&, const ParticlePair&) = default;
};

/// Particles that are searched together. No particle of another swarm can come near, so other swarms change
/// neither the pairs of this swarm nor their order.
struct Swarm {
  real reach;      ///< m, distance below which two particles are a pair
  vec3 low, high;  ///< m, a box that contains its points
  static Swarm everywhere(real reach) {
    constexpr real far = std::numeric_limits<real>::max();
    return {reach, vec3(-far), vec3(far)};
  }
};
/// Assignment of members to swarms; `of_member` is empty if there is only one swarm.
struct Swarms {
  std::span<const Swarm> all;
  std::span<const std::int32_t> of_member;
  std::int32_t number(std::size_t member) const { return of_member.empty() ? 0 : of_member[member]; }
};

/// Cells are as wide as the reach, so partners lie in the 27 cells around a cell, and half of these cells
/// give every pair once. Each swarm has its own cells, with coordinates so far apart that cells of two swarms
/// are never neighbours. 4 x 4 x 4 cells form a block, whose 64 buckets are consecutive: particles close in
/// space are close in memory. Blocks are hashed to slabs, sorted by shade: the parities of the block's three
/// coordinates (eight shades). Pairs of a block reach one cell beyond it, so slabs of one shade share no
/// particle. The result is a function of the points only.
class NeighbourSearch {
 public:
  /// Maximum number of partners of a particle that come later in the order of the cells. Without this limit,
  /// many particles at one place would need memory in proportion to the square of their number.
  static constexpr int most_partners = 48;
  static constexpr int shades = 8;
  static constexpr std::int32_t most_swarms = 256;

  /// The pairs [first, end) of list number `list` of pairs(). in_shade: index of the slab among those of its
  /// shade.
  struct Slab {
    std::int32_t list, first, end, in_shade;
  };

  /// Allocates storage for `members` particles, except for their pairs.
  void reserve(std::size_t members);

  /// Finds all pairs of `members` of one swarm that are nearer than its reach and can touch each other in
  /// `world`, except pairs whose `phase` (by particle) is equal and not 0. Must be called by every thread of
  /// the team with the same arguments. All threads may read the results below when it returns.
  void find(const World& world, std::span<const std::int32_t> members, const AlignedVector<vec4>& points,
            std::span<const std::int32_t> phase, const Swarms& swarms, Team& team);

  /// Makes cells and order like find(), without pairs, for callers that search neighbours themselves. Ends at
  /// a barrier.
  void arrange(std::span<const std::int32_t> members, const AlignedVector<vec4>& points,
               std::span<const std::int32_t> phase, const Swarms& swarms,
               Team& team);  ///< phase: empty: all 0

  /// The particles in the order of the cells.
  std::int32_t sorted_particle(std::int64_t at) const { return sorted_[std::size_t(at)].particle; }
  std::int64_t sorted_count() const { return std::int64_t(sorted_.size()); }
  /// m, coordinates of the sorted particles; a whole vector of lanes can be loaded from any of them.
  const real* sorted_x() const { return x_.data(); }
  const real* sorted_y() const { return y_.data(); }
  const real* sorted_z() const { return z_.data(); }

  /// Integer coordinates of a cell in the grid.
  struct Cell {
    std::int32_t x, y, z;
    friend bool operator==(const Cell&, const Cell&) = default;
    bool within(const Cell& low, const Cell& high) const {
      return low.x <= x && x <= high.x && low.y <= y && y <= high.y && low.z <= z && z <= high.z;
    }
  };
  const Cell& cell_of_sorted(std::int64_t at) const { return sorted_[std::size_t(at)].cell; }

  /// A run of the sorted particles.
  struct Run {
    std::int32_t begin, end;
  };
  class Around;

  /// Calls act(particle) for all particles in the cells that a box (m) overlaps; that includes all particles
  /// inside the box at the last find().
  template <class Act>
  void for_box(const vec3& low, const vec3& high, const Act& act) const {
    for (std::int32_t w = 0; w < std::int32_t(swarms_.size()); ++w)
      if (const Swarm& swarm = swarms_[std::size_t(w)];
          glm::all(glm::lessThanEqual(low, swarm.high)) && glm::all(glm::lessThanEqual(swarm.low, high)))
        for_cells(cell_at(low, w), cell_at(high, w), act);
  }

  /// A list per share of the slabs, in the order of the slabs; the concatenation does not depend on the
  /// number of lists.
  std::span<const std::vector<ParticlePair>> pairs() const { return found_; }
  /// Slabs with particles, shade after shade.
  std::span<const Slab> slabs() const { return slabs_; }
  /// Indices into slabs() at which each shade begins, and the end of the last.
  const std::array<std::int32_t, shades + 1>& shade_begin() const { return shade_begin_; }
  /// The slabs of list `list`.
  Share slabs_of(int list) const { return {share_[std::size_t(list)], share_[std::size_t(list) + 1]}; }

 private:
  struct Entry {
    Cell cell;
    std::int32_t particle, phase, bucket;
  };
  static constexpr std::int32_t block_buckets = 64;

  template <class Act>
  void for_cells(const Cell& from, const Cell& to, const Act& act) const {
    const double cells = (1.0 + to.x - from.x) * (1.0 + to.y - from.y) * (1.0 + to.z - from.z);
    if (cells > double(sorted_.size())) {  // the box has more cells than there are particles
      for (const Entry& entry : sorted_)
        if (entry.cell.within(from, to)) act(entry.particle);
      return;
    }
    for (std::int32_t z = from.z; z <= to.z; ++z)
      for (std::int32_t y = from.y; y <= to.y; ++y)
        for (std::int32_t x = from.x; x <= to.x; ++x) {
          const std::size_t bucket = std::size_t(bucket_of({x, y, z}));
          for (std::int32_t k = begin_[bucket]; k < begin_[bucket + 1]; ++k)
            if (const Entry& entry = sorted_[std::size_t(k)]; entry.cell == Cell{x, y, z})
              act(entry.particle);
        }
  }

  Cell cell_at(const vec3& x, std::int32_t swarm) const;
  std::int32_t slab_of(const Cell& block) const;
  std::int32_t bucket_of(const Cell& cell) const;
  void assign_cells(std::span<const std::int32_t> members, const AlignedVector<vec4>& points,
                    std::span<const std::int32_t> phase, const Swarms& swarms, const Team& team);
  void sort(std::span<const std::int32_t> members, const AlignedVector<vec4>& points, Team& team);
  void list_slabs(const Team& team);
  void search(const World& world, const Team& team);
  class Partners;
  /// Numbers behind the last particle that kernels may load.
  static constexpr std::size_t loaded_behind = 16;

  std::size_t buckets_ = 0;
  std::vector<Swarm> swarms_;  ///< of the last search
  std::vector<Entry> unsorted_, sorted_;
  AlignedVector<real> x_, y_, z_;          ///< m, of sorted_
  std::vector<std::int32_t> begin_;  ///< per bucket: its first index in sorted_; and one more for the end
  std::vector<std::int32_t> counts_;       ///< per thread and bucket
  std::vector<std::int32_t> slab_number_;  ///< per slab of slabs_: its number in the hash table
  std::vector<Slab> slabs_;
  std::array<std::int32_t, shades + 1> shade_begin_{};
  std::vector<std::int32_t> share_;               ///< per thread: its first slab; and one more for the end
  std::vector<std::vector<ParticlePair>> found_;  ///< per thread
};

}}  // namespace limber::LIMBER_PRECISION
