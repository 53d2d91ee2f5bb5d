#include "engine/collision/neighbour_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/geometric.hpp>

namespace limber::inline LIMBER_PRECISION {
namespace {

/// Beyond this many cells from the origin all particles share the outermost ones.
constexpr real outermost_cell = real(1 << 20);

/// The five half rows: behind a particle in its own, and four whole ones.
struct RowStep {
  std::int32_t y, z;
};
constexpr RowStep whole_rows[] = {{1, 0}, {-1, 1}, {0, 1}, {1, 1}};

}  // namespace

std::size_t NeighbourSearch::row_of(std::int32_t y, std::int32_t z) const {
  std::uint64_t h = std::uint64_t(std::uint32_t(y)) * 0x9e3779b97f4a7c15ull;
  h = (h ^ std::uint64_t(std::uint32_t(z))) * 0xbf58476d1ce4e5b9ull;
  return std::size_t(h >> 32);
}

void NeighbourSearch::reserve(std::size_t members) {
  const std::size_t buckets = std::bit_ceil(std::max<std::size_t>(2 * members, 16));
  mask_ = buckets - 1;
  unsorted_.resize(members);
  sorted_.resize(members);
  places_.resize(members);
  begin_.resize(buckets + 1);
}

void NeighbourSearch::assign_cells(std::span<const std::int32_t> members, const AlignedVector<vec4>& points,
                                   real reach, const Team& team) {
  const real per_metre = 1 / reach;
  const auto number = [&](real x) {
    const real cells = std::clamp(x * per_metre, -outermost_cell, outermost_cell);
    return cells >= real(-outermost_cell) ? std::int32_t(std::floor(cells)) : 0;  // 0 for a NaN
  };
  std::int32_t* counts = counts_.data() + std::size_t(team.rank()) * (mask_ + 1);
  std::fill(counts, counts + mask_ + 1, 0);
  const Share mine = team.share(std::int64_t(members.size()));
  for (std::int64_t i = mine.begin; i < mine.end; ++i) {
    const std::int32_t particle = members[std::size_t(i)];
    const vec4& x = points[std::size_t(particle)];
    Entry& entry = unsorted_[std::size_t(i)];
    entry = {{number(x.x), number(x.y), number(x.z)}, particle};
    ++counts[bucket_of(entry.cell)];
  }
}

/// Stable: within a bucket in the order of the members, for any number of threads.
void NeighbourSearch::sort(std::span<const std::int32_t> members, const AlignedVector<vec4>& points,
                           Team& team) {
  const std::size_t buckets = mask_ + 1;
  if (team.rank() == 0) {
    std::int32_t at = 0;
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
      begin_[bucket] = at;
      for (int t = 0; t < team.size(); ++t) {
        std::int32_t& count = counts_[std::size_t(t) * buckets + bucket];
        const std::int32_t mine = count;
        count = at;  // now where the thread's first goes
        at += mine;
      }
    }
    begin_[buckets] = at;
  }
  team.barrier();
  std::int32_t* next = counts_.data() + std::size_t(team.rank()) * buckets;
  const Share mine = team.share(std::int64_t(members.size()));
  for (std::int64_t i = mine.begin; i < mine.end; ++i) {
    const Entry& entry = unsorted_[std::size_t(i)];
    const std::size_t to = std::size_t(next[bucket_of(entry.cell)]++);
    sorted_[to] = entry;
    places_[to] = points[std::size_t(entry.particle)];
  }
}

void NeighbourSearch::search(std::span<const std::int32_t> phase, real reach, const Team& team,
                             std::vector<ParticlePair>& out) const {
  out.clear();
  const Share mine = team.share(std::int64_t(sorted_.size()));
  for (std::int64_t s = mine.begin; s < mine.end; ++s) {
    const Entry& self = sorted_[std::size_t(s)];
    const vec3 x(places_[std::size_t(s)]);
    const std::int32_t own_phase = phase[std::size_t(self.particle)];
    int partners = 0;
    const auto visit = [&](std::size_t bucket, std::int32_t from, std::int32_t y, std::int32_t z) {
      for (std::int32_t k = std::max(begin_[bucket], from); k < begin_[bucket + 1]; ++k) {
        const Entry& other = sorted_[std::size_t(k)];
        const vec3 d = vec3(places_[std::size_t(k)]) - x;
        if (!(glm::dot(d, d) < reach * reach) || other.cell.y != y || other.cell.z != z) continue;
        if (std::abs(other.cell.x - self.cell.x) > 1) continue;
        if (own_phase != 0 && phase[std::size_t(other.particle)] == own_phase) continue;
        if (partners++ >= most_partners) return;
        out.push_back({std::min(self.particle, other.particle), std::max(self.particle, other.particle)});
      }
    };
    const Cell& c = self.cell;
    const std::size_t own = row_of(c.y, c.z);
    visit((own + std::size_t(c.x)) & mask_, std::int32_t(s) + 1, c.y, c.z);
    visit((own + std::size_t(c.x + 1)) & mask_, 0, c.y, c.z);
    for (const RowStep& step : whole_rows) {
      const std::size_t row = row_of(c.y + step.y, c.z + step.z);
      for (std::int32_t x_step = -1; x_step <= 1; ++x_step)
        visit((row + std::size_t(c.x + x_step)) & mask_, 0, c.y + step.y, c.z + step.z);
    }
  }
}

void NeighbourSearch::find(std::span<const std::int32_t> members, const AlignedVector<vec4>& points,
                           std::span<const std::int32_t> phase, real reach, Team& team) {
  if (team.rank() == 0) {
    counts_.resize(std::size_t(team.size()) * (mask_ + 1));
    found_.resize(std::size_t(team.size()));
  }
  team.barrier();
  assign_cells(members, points, reach, team);
  team.barrier();
  sort(members, points, team);
  team.barrier();
  search(phase, reach, team, found_[std::size_t(team.rank())]);
  team.barrier();
}

}  // namespace limber::inline LIMBER_PRECISION
