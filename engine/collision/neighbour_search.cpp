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
  for (auto* row : {&x_, &y_, &z_}) row->resize(members);
  begin_.resize(buckets + 1);
}

void NeighbourSearch::assign_cells(std::span<const std::int32_t> members, const AlignedVector<vec4>& points,
                                   std::span<const std::int32_t> phase, real reach, const Team& team) {
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
    entry = {{number(x.x), number(x.y), number(x.z)}, particle, phase[std::size_t(particle)]};
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
    const vec4& x = points[std::size_t(entry.particle)];
    x_[to] = x.x, y_[to] = x.y, z_[to] = x.z;
  }
}

/// Those of one particle: distances first, a run of the sorted copies at a time and without branches.
class NeighbourSearch::Partners {
 public:
  Partners(const NeighbourSearch& search, real reach, std::vector<ParticlePair>& out)
      : search_(search), reach2_(reach * reach), out_(out) {}

  void find(std::size_t s) {
    self_ = search_.sorted_[s];
    x_ = search_.x_[s], y_ = search_.y_[s], z_ = search_.z_[s];
    count_ = 0;
    visit_row(self_.cell.x, 2, {0, 0}, std::int32_t(s) + 1);
    for (const RowStep& step : whole_rows) visit_row(self_.cell.x - 1, 3, step, 0);
  }

 private:
  /// `count` cells of a row from x on, but not before `from`: their buckets lie beside each other, except at
  /// the end of the table.
  void visit_row(std::int32_t x, std::size_t count, const RowStep& step, std::int32_t from) {
    const std::int32_t y = self_.cell.y + step.y, z = self_.cell.z + step.z;
    const std::size_t buckets = search_.mask_ + 1, first = search_.bucket_of({x, y, z});
    const auto& begin = search_.begin_;
    visit(std::max(begin[first], from), begin[std::min(first + count, buckets)], y, z);
    if (first + count > buckets) visit(0, begin[first + count - buckets], y, z);
  }

  void visit(std::int32_t from, std::int32_t to, std::int32_t y, std::int32_t z) {
    constexpr std::int32_t run = 64;
    real d2[run];
    for (; from < to; from += run) {
      const std::int32_t n = std::min(run, to - from);
      const real *px = &search_.x_[std::size_t(from)], *py = &search_.y_[std::size_t(from)],
                 *pz = &search_.z_[std::size_t(from)];
      for (std::int32_t k = 0; k < n; ++k) {
        const real dx = px[k] - x_, dy = py[k] - y_, dz = pz[k] - z_;
        d2[k] = dx * dx + dy * dy + dz * dz;
      }
      for (std::int32_t k = 0; k < n; ++k)
        if (d2[k] < reach2_) meet(search_.sorted_[std::size_t(from + k)], y, z);
    }
  }

  void meet(const Entry& other, std::int32_t y, std::int32_t z) {
    if (self_.phase != 0 && other.phase == self_.phase) return;
    if (other.cell.y != y || other.cell.z != z || std::abs(other.cell.x - self_.cell.x) > 1) return;
    if (count_++ >= most_partners) return;
    out_.push_back({std::min(self_.particle, other.particle), std::max(self_.particle, other.particle)});
  }

  const NeighbourSearch& search_;
  real reach2_;
  std::vector<ParticlePair>& out_;
  Entry self_{};
  real x_ = 0, y_ = 0, z_ = 0;
  int count_ = 0;
};

void NeighbourSearch::search(real reach, const Team& team, std::vector<ParticlePair>& out) const {
  out.clear();
  Partners partners(*this, reach, out);
  const Share mine = team.share(std::int64_t(sorted_.size()));
  for (std::int64_t s = mine.begin; s < mine.end; ++s) partners.find(std::size_t(s));
}

void NeighbourSearch::find(std::span<const std::int32_t> members, const AlignedVector<vec4>& points,
                           std::span<const std::int32_t> phase, real reach, Team& team) {
  if (team.rank() == 0) {
    counts_.resize(std::size_t(team.size()) * (mask_ + 1));
    found_.resize(std::size_t(team.size()));
  }
  team.barrier();
  assign_cells(members, points, phase, reach, team);
  team.barrier();
  sort(members, points, team);
  team.barrier();
  search(reach, team, found_[std::size_t(team.rank())]);
  team.barrier();
}

}  // namespace limber::inline LIMBER_PRECISION
