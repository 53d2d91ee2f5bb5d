#include "engine/contact/particles/neighbour_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/geometric.hpp>

#include "engine/contact/particles/neighbour_runs.hpp"
#include "engine/simd/lanes.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Particles farther from the origin than this many cells share the outermost cells.
constexpr real outermost_cell = real(1 << 20);
/// Distance along x between the central cells of two swarms: more cells than either swarm has, and a multiple
/// of two blocks.
constexpr std::int32_t swarm_pitch = 1 << 22;
static_assert(std::int64_t(swarm_pitch) * NeighbourSearch::most_swarms < std::int64_t(1) << 31);

/// Lanes that every machine has. Results are the same bits as with one number at a time.
#if defined(__SSE2__) && !LIMBER_DOUBLE
using Few = Lanes<float, 4>;
#else
using Few = Lanes<real, 1>;
#endif

std::int32_t swarm_of(const NeighbourSearch::Cell& cell) {
  return (cell.x + swarm_pitch / 2) / swarm_pitch;  // never negative
}

}  // namespace

NeighbourSearch::Cell NeighbourSearch::cell_at(const vec3& x, std::int32_t swarm) const {
  const real per_metre = 1 / swarms_[std::size_t(swarm)].reach;
  const auto number = [&](real along) {
    const real cells = std::clamp(along * per_metre, -outermost_cell, outermost_cell);
    if (!(cells >= -outermost_cell)) return 0;  // NaN
    const std::int32_t whole = std::int32_t(cells);
    return whole - (real(whole) > cells);
  };
  return {number(x.x) + swarm_pitch * swarm, number(x.y), number(x.z)};
}

std::int32_t NeighbourSearch::slab_of(const Cell& block) const {
  std::uint64_t h = std::uint64_t(std::uint32_t(block.x >> 1)) * 0x9e3779b97f4a7c15ull;
  h = (h ^ std::uint64_t(std::uint32_t(block.y >> 1))) * 0xbf58476d1ce4e5b9ull;
  h = (h ^ (h >> 29) ^ std::uint64_t(std::uint32_t(block.z >> 1))) * 0x94d049bb133111ebull;
  const std::size_t per_shade = buckets_ / (std::size_t(block_buckets) * shades);
  const std::int32_t shade = (block.x & 1) | (block.y & 1) << 1 | (block.z & 1) << 2;
  return shade * std::int32_t(per_shade) + std::int32_t((h >> 32) & (per_shade - 1));
}

std::int32_t NeighbourSearch::bucket_of(const Cell& cell) const {
  return block_buckets * slab_of({cell.x >> 2, cell.y >> 2, cell.z >> 2}) + (cell.x & 3) + 4 * (cell.y & 3) +
         16 * (cell.z & 3);
}

void NeighbourSearch::reserve(std::size_t members) {
  buckets_ = std::bit_ceil(std::max<std::size_t>(2 * members, 4 * shades * block_buckets));
  unsorted_.resize(members);
  sorted_.resize(members);
  for (auto* row : {&x_, &y_, &z_}) row->resize(members + loaded_behind);
  begin_.resize(buckets_ + 1);
}

void NeighbourSearch::assign_cells(std::span<const std::int32_t> members, const AlignedVector<vec4>& points,
                                   std::span<const std::int32_t> phase, const Swarms& swarms,
                                   const Team& team) {
  std::int32_t* counts = counts_.data() + std::size_t(team.rank()) * buckets_;
  std::fill(counts, counts + buckets_, 0);
  const Share mine = team.share(std::int64_t(members.size()));
  for (std::int64_t i = mine.begin; i < mine.end; ++i) {
    const std::int32_t particle = members[std::size_t(i)];
    const vec4& x = points[std::size_t(particle)];
    const Cell cell = cell_at(vec3(x), swarms.number(std::size_t(i)));
    const std::int32_t bucket = bucket_of(cell);
    unsorted_[std::size_t(i)] = {cell, particle, phase.empty() ? 0 : phase[std::size_t(particle)], bucket};
    ++counts[bucket];
  }
}

/// Counting sort by bucket; within a bucket in the order of the members, for any number of threads.
void NeighbourSearch::sort(std::span<const std::int32_t> members, const AlignedVector<vec4>& points,
                           Team& team) {
  if (team.rank() == 0) {
    std::int32_t at = 0;
    for (std::size_t bucket = 0; bucket < buckets_; ++bucket) {
      begin_[bucket] = at;
      for (int t = 0; t < team.size(); ++t) {
        std::int32_t& count = counts_[std::size_t(t) * buckets_ + bucket];
        const std::int32_t mine = count;
        count = at;  // now the place of the thread's first particle
        at += mine;
      }
    }
    begin_[buckets_] = at;
    list_slabs(team);
  }
  team.barrier();
  std::int32_t* next = counts_.data() + std::size_t(team.rank()) * buckets_;
  const Share mine = team.share(std::int64_t(members.size()));
  for (std::int64_t i = mine.begin; i < mine.end; ++i) {
    const Entry& entry = unsorted_[std::size_t(i)];
    const std::size_t to = std::size_t(next[entry.bucket]++);
    sorted_[to] = entry;
    const vec4& x = points[std::size_t(entry.particle)];
    x_[to] = x.x, y_[to] = x.y, z_[to] = x.z;
  }
}

/// Lists the slabs that have particles, and distributes them over the threads, with about equal numbers of
/// particles.
void NeighbourSearch::list_slabs(const Team& team) {
  slab_number_.clear();
  const std::size_t slabs = buckets_ / block_buckets, per_shade = slabs / shades;
  share_.assign(std::size_t(team.size()) + 1, 0);
  const auto begin = [&](std::size_t slab) { return begin_[slab * block_buckets]; };
  int rank = 0;
  for (std::size_t slab = 0; slab < slabs; ++slab) {
    if (slab % per_shade == 0) shade_begin_[slab / per_shade] = std::int32_t(slab_number_.size());
    if (begin(slab) == begin(slab + 1)) continue;
    while (rank < team.size() &&
           std::int64_t(begin(slab)) * team.size() >= std::int64_t(sorted_.size()) * rank)
      share_[std::size_t(rank++)] = std::int32_t(slab_number_.size());
    slab_number_.push_back(std::int32_t(slab));
  }
  const std::int32_t all = std::int32_t(slab_number_.size());
  for (; rank <= team.size(); ++rank) share_[std::size_t(rank)] = all;
  shade_begin_[shades] = all;
  slabs_.resize(std::size_t(all));
}

/// Finds the pairs of one particle after the other.
class NeighbourSearch::Partners {
 public:
  Partners(const World& world, const NeighbourSearch& search, std::vector<ParticlePair>& out)
      : world_(world), search_(search), around_(search), out_(out) {}

  void find(std::int32_t s) {
    const Entry& self = search_.sorted_[std::size_t(s)];
    if (around_.runs().empty() || !(self.cell == around_.cell())) {
      around_.look_at_half(self.cell);
      const real reach = search_.swarms_[std::size_t(swarm_of(self.cell))].reach;
      reach2_ = reach * reach;
    }
    self_ = &self;
    x_ = search_.x_[std::size_t(s)], y_ = search_.y_[std::size_t(s)], z_ = search_.z_[std::size_t(s)];
    count_ = 0;
    visit(s + 1, around_.runs().front().end);
    for (const Run& run : around_.runs().subspan(1)) visit(run.begin, run.end);
    meet_near();
  }

 private:
  static constexpr int most_near = 64;  // near particles that are stored before they become pairs

  /// Stores the near particles of the run [from, to) without branches.
  void visit(std::int32_t from, std::int32_t to) {
    const Few x(x_), y(y_), z(z_), reach2(reach2_);
    for (; from < to; from += Few::width) {
      const Few dx = Few::load(search_.x_.data() + from) - x, dy = Few::load(search_.y_.data() + from) - y,
                dz = Few::load(search_.z_.data() + from) - z;
      const unsigned hits = bits(dx * dx + dy * dy + dz * dz < reach2) &
                            (to - from < Few::width ? (1u << (to - from)) - 1 : ~0u);
      for (int l = 0; l < Few::width; ++l) {
        near_[std::size_t(near_count_)] = from + l;
        near_count_ += int(hits >> l & 1u);
      }
      if (near_count_ > most_near - Few::width) meet_near();
    }
  }

  void meet_near() {
    for (int k = 0; k < near_count_; ++k) meet(search_.sorted_[std::size_t(near_[std::size_t(k)])]);
    near_count_ = 0;
  }

  void meet(const Entry& other) {
    if (self_->phase != 0 && other.phase == self_->phase) return;
    if (!particles_touch(world_, self_->particle, other.particle)) return;
    if (count_++ >= most_partners) return;
    out_.push_back({std::min(self_->particle, other.particle), std::max(self_->particle, other.particle)});
  }

  const World& world_;
  const NeighbourSearch& search_;
  Around around_;
  real reach2_ = 0;
  std::vector<ParticlePair>& out_;
  const Entry* self_ = nullptr;
  real x_ = 0, y_ = 0, z_ = 0;
  int count_ = 0;
  std::array<std::int32_t, most_near> near_;  ///< indices in sorted_
  int near_count_ = 0;
};

void NeighbourSearch::search(const World& world, const Team& team) {
  std::vector<ParticlePair>& out = found_[std::size_t(team.rank())];
  out.clear();
  Partners partners(world, *this, out);
  const Share mine = slabs_of(team.rank());
  for (std::int64_t n = mine.begin; n < mine.end; ++n) {
    const std::size_t bucket = std::size_t(slab_number_[std::size_t(n)]) * block_buckets;
    Slab& slab = slabs_[std::size_t(n)];
    const std::int32_t shade_first =
        *(std::upper_bound(shade_begin_.begin(), shade_begin_.end(), std::int32_t(n)) - 1);
    slab = {team.rank(), std::int32_t(out.size()), 0, std::int32_t(n) - shade_first};
    for (std::int32_t s = begin_[bucket]; s < begin_[bucket + block_buckets]; ++s) partners.find(s);
    slab.end = std::int32_t(out.size());
  }
}

void NeighbourSearch::arrange(std::span<const std::int32_t> members, const AlignedVector<vec4>& points,
                              std::span<const std::int32_t> phase, const Swarms& swarms, Team& team) {
  if (team.rank() == 0) {
    swarms_.assign(swarms.all.begin(), swarms.all.end());
    counts_.resize(std::size_t(team.size()) * buckets_);
    list_per_thread(found_, team);
    unsorted_.resize(members.size());  // at most the number given to reserve()
    sorted_.resize(members.size());
  }
  team.barrier();
  assign_cells(members, points, phase, swarms, team);
  team.barrier();
  sort(members, points, team);
}

void NeighbourSearch::find(const World& world, std::span<const std::int32_t> members,
                           const AlignedVector<vec4>& points, std::span<const std::int32_t> phase,
                           const Swarms& swarms, Team& team) {
  arrange(members, points, phase, swarms, team);
  team.barrier();
  search(world, team);
}

}}  // namespace limber::LIMBER_PRECISION
