#include "engine/contact/bodies/body_pairs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <numeric>

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr real large_cells = 3;      // a box that extends over more cells than this along an axis is large
constexpr real farthest_cell = 1e6;  // cells from the origin; all points beyond share the outermost cell
constexpr real margin_share = real(0.05);  // of the average size of boxes, by which boxes are widened
constexpr int frames_ahead = 4;            // frames whose motion a wide box contains, if it stays the same
constexpr int most_failures = 2;           // wide boxes in a row that serve one call only
constexpr int plain_calls = 8;             // calls without wide boxes after that many
constexpr std::int64_t box_block = 64;

bool overlap(const Bounds& a, const Bounds& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
         a.low.z <= b.high.z && b.low.z <= a.high.z;
}

/// Whether the deepest corner of `box` is below the plane.
bool reaches_below(const Bounds& box, const PairBox& plane) {
  const vec3& n = plane.box.low;
  real lowest = 0;
  for (int k = 0; k < 3; ++k) lowest += std::min(n[k] * box.low[k], n[k] * box.high[k]);
  return lowest <= plane.offset;
}

bool inside(const Bounds& a, const Bounds& b) {
  return b.low.x <= a.low.x && b.low.y <= a.low.y && b.low.z <= a.low.z && a.high.x <= b.high.x &&
         a.high.y <= b.high.y && a.high.z <= b.high.z;
}

/// Whether all pairs of `box` are pairs of `wide`.
bool fits(const PairBox& box, const PairBox& wide) {
  if (box.owner != wide.owner || box.movable != wide.movable || box.plane != wide.plane) return false;
  return box.plane ? box.box.low == wide.box.low && box.offset <= wide.offset : inside(box.box, wide.box);
}

/// Whether two boxes meet. `sleepers`: also if neither is active.
bool may_meet(const PairBox& a, const PairBox& b, bool sleepers = false) {
  if (a.owner == b.owner || !(a.movable || b.movable) || !(sleepers || a.active || b.active)) return false;
  if (a.plane || b.plane) return a.plane ? reaches_below(b.box, a) : reaches_below(a.box, b);
  return overlap(a.box, b.box);
}

/// m; infinite for the box of a body that is nowhere, in a frame that will be undone.
real longest_side(const Bounds& box) {
  const vec3 side = box.high - box.low;
  const bool somewhere = std::isfinite(side.x + side.y + side.z);
  return somewhere ? std::max({side.x, side.y, side.z}) : std::numeric_limits<real>::infinity();
}

}  // namespace

BodyPairs::Cell BodyPairs::cell_of(const vec3& p) const {
  const auto number = [&](real x) {
    return std::int32_t(std::floor(std::clamp(x / cell_, -farthest_cell, farthest_cell)));
  };
  return {number(p.x), number(p.y), number(p.z)};
}

std::size_t BodyPairs::bucket_of(const Cell& c) const {
  std::uint64_t h = std::uint64_t(std::uint32_t(c.x)) * 0x9e3779b97f4a7c15ull;
  h = (h ^ std::uint64_t(std::uint32_t(c.y))) * 0xbf58476d1ce4e5b9ull;
  h = (h ^ std::uint64_t(std::uint32_t(c.z))) * 0x94d049bb133111ebull;
  return std::size_t(h >> 32) & (bucket_begin_.size() - 2);
}

/// Chooses the size of cells: one and a half times the average size of boxes.
void BodyPairs::choose_cells(std::span<const PairBox> boxes) {
  double sum = 0.0;
  std::size_t count = 0;
  for (const PairBox& box : boxes)
    if (const real side = longest_side(box.box); box.movable && std::isfinite(side))
      sum += double(side), ++count;
  cell_ = std::max(real(1.5 * sum / double(std::max<std::size_t>(count, 1))), real(1e-6));
  large_.clear();
  is_large_.assign(boxes.size(), 0);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (!boxes[i].plane && longest_side(boxes[i].box) <= large_cells * cell_) continue;
    is_large_[i] = 1;
    large_.push_back(std::int32_t(i));
  }
}

/// Enters every box into all cells that it overlaps, sorted by bucket.
void BodyPairs::fill(std::span<const PairBox> boxes) {
  unsorted_.clear();
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (is_large_[i]) continue;
    const Cell low = cell_of(boxes[i].box.low), high = cell_of(boxes[i].box.high);
    for (std::int32_t z = low.z; z <= high.z; ++z)
      for (std::int32_t y = low.y; y <= high.y; ++y)
        for (std::int32_t x = low.x; x <= high.x; ++x) unsorted_.push_back({{x, y, z}, std::int32_t(i)});
  }
  // A power of two plus one: bucket_of() needs the power of two, the last number is the end.
  bucket_begin_.assign(std::bit_ceil(unsorted_.size() + 1) + 1, 0);
  for (const Entry& entry : unsorted_) ++bucket_begin_[bucket_of(entry.cell) + 1];
  std::partial_sum(bucket_begin_.begin(), bucket_begin_.end(), bucket_begin_.begin());
  next_.assign(bucket_begin_.begin(), bucket_begin_.end() - 1);
  entries_.resize(unsorted_.size());
  for (const Entry& entry : unsorted_) entries_[std::size_t(next_[bucket_of(entry.cell)]++)] = entry;
}

/// Finds the pairs of this thread's buckets, each only in the cell of the lower corner of the boxes'
/// intersection, and the pairs of its share of the boxes with large boxes.
void BodyPairs::search(std::span<const PairBox> boxes, const Team& team, std::vector<BoxPair>& out) const {
  out.clear();
  const Share buckets = team.share(std::int64_t(bucket_begin_.size()) - 1);
  for (std::int64_t bucket = buckets.begin; bucket < buckets.end; ++bucket) {
    const std::int32_t begin = bucket_begin_[std::size_t(bucket)],
                       end = bucket_begin_[std::size_t(bucket) + 1];
    for (std::int32_t i = begin; i < end; ++i)
      for (std::int32_t j = begin; j < i; ++j) {
        const Entry &a = entries_[std::size_t(j)], &b = entries_[std::size_t(i)];
        const PairBox &box_a = boxes[std::size_t(a.box)], &box_b = boxes[std::size_t(b.box)];
        if (!may_meet(box_a, box_b, !plain_) || !(a.cell == b.cell)) continue;
        if (cell_of(glm::max(box_a.box.low, box_b.box.low)) == a.cell)
          out.push_back({std::min(a.box, b.box), std::max(a.box, b.box)});
      }
  }
  const Share mine = team.share(std::int64_t(boxes.size()));
  for (const std::int32_t large : large_)
    for (std::int64_t i = mine.begin; i < mine.end; ++i) {
      const std::int32_t box = std::int32_t(i);
      if (is_large_[std::size_t(i)] && box <= large) continue;  // `box` finds this pair
      if (may_meet(boxes[std::size_t(large)], boxes[std::size_t(i)], !plain_))
        out.push_back({std::min(large, box), std::max(large, box)});
    }
}

/// Concatenates the pairs of all threads, sorted by a (counting sort), then by b.
void BodyPairs::merge(std::size_t boxes) {
  std::vector<BoxPair>& out = plain_ ? pairs_ : candidates_;
  next_.assign(boxes + 1, 0);
  std::size_t count = 0;
  for (const auto& list : found_) {
    count += list.size();
    for (const BoxPair& pair : list) ++next_[std::size_t(pair.a) + 1];
  }
  std::partial_sum(next_.begin(), next_.end(), next_.begin());
  out.resize(count);
  for (const auto& list : found_)
    for (const BoxPair& pair : list) out[std::size_t(next_[std::size_t(pair.a)]++)] = pair;
  for (std::size_t begin = 0; begin < count;) {  // next_[a] is now the end of a's pairs
    const std::size_t end = std::size_t(next_[std::size_t(out[begin].a)]);
    std::sort(out.begin() + std::ptrdiff_t(begin), out.begin() + std::ptrdiff_t(end),
              [](const BoxPair& x, const BoxPair& y) { return x.b < y.b; });
    begin = end;
  }
}

/// Whether this thread's boxes are inside their wide boxes.
bool BodyPairs::is_kept(std::span<const PairBox> boxes, const Team& team) {
  if (plain_ || wide_.size() != boxes.size()) return false;
  const Share mine = team.share(std::int64_t(boxes.size()), box_block);
  for (std::int64_t i = mine.begin; i < mine.end; ++i)
    if (!fits(boxes[std::size_t(i)], wide_[std::size_t(i)])) return false;
  return true;
}

/// Decides whether boxes are widened this time. Serial.
void BodyPairs::choose_lifetime() {
  if (plain_) {
    plain_ = --plain_left_ > 0;
    return;
  }
  failed_ = lived_ > 1 || wide_.empty() ? 0 : failed_ + 1;
  if (failed_ < most_failures) return;
  failed_ = 0, plain_ = true, plain_left_ = plain_calls;
}

/// Extends this thread's boxes along the way since the last call, and by the margin.
void BodyPairs::widen(std::span<const PairBox> boxes, const Team& team) {
  const Share mine = team.share(std::int64_t(boxes.size()), box_block);
  const vec3 margin(margin_);
  for (std::int64_t k = mine.begin; k < mine.end; ++k) {
    const std::size_t i = std::size_t(k);
    PairBox& wide = wide_[i];
    wide = boxes[i];
    if (wide.plane) {
      wide.offset += margin_;
      continue;
    }
    vec3 low = real(frames_ahead) * (boxes[i].box.low - last_[i].low),
         high = real(frames_ahead) * (boxes[i].box.high - last_[i].high);
    if (!std::isfinite(glm::dot(low, low) + glm::dot(high, high)))
      low = high = vec3(0);  // after an undone frame
    wide.box = {boxes[i].box.low + glm::min(low, vec3(0)) - margin,
                boxes[i].box.high + glm::max(high, vec3(0)) + margin};
  }
}

/// Fills pairs_, or candidates_ with the pairs of wide boxes.
void BodyPairs::search_anew(std::span<const PairBox> boxes, Team& team) {
  if (team.rank() == 0) {
    choose_lifetime();
    lived_ = 0;
    choose_cells(boxes);
    margin_ = margin_share * cell_;
    if (last_.size() != boxes.size()) {
      last_.resize(boxes.size());
      for (std::size_t i = 0; i < boxes.size(); ++i) last_[i] = boxes[i].box;
    }
    wide_.resize(plain_ ? 0 : boxes.size());
  }
  team.barrier();
  if (!plain_) widen(boxes, team);
  team.barrier();
  const std::span<const PairBox> searched = plain_ ? boxes : std::span<const PairBox>(wide_);
  if (team.rank() == 0) {
    choose_cells(searched);
    fill(searched);
  }
  team.barrier();
  search(searched, team, found_[std::size_t(team.rank())]);
  team.barrier();
  if (team.rank() == 0) merge(boxes.size());
}

/// Fills pairs_ with the candidates that meet.
void BodyPairs::test_again(std::span<const PairBox> boxes, Team& team) {
  const Share mine = team.share(std::int64_t(candidates_.size()), box_block);
  std::vector<BoxPair>& own = found_[std::size_t(team.rank())];
  own.clear();
  for (std::int64_t k = mine.begin; k < mine.end; ++k) {
    const BoxPair& pair = candidates_[std::size_t(k)];
    if (may_meet(boxes[std::size_t(pair.a)], boxes[std::size_t(pair.b)])) own.push_back(pair);
  }
  team.barrier();
  if (team.rank() == 0) {
    std::size_t count = 0;
    for (const auto& list : found_) count += list.size();
    pairs_.resize(count);
  }
  team.barrier();
  std::ptrdiff_t begin = 0;
  for (int rank = 0; rank < team.rank(); ++rank) begin += std::ptrdiff_t(found_[std::size_t(rank)].size());
  std::copy(own.begin(), own.end(), pairs_.begin() + begin);
}

void BodyPairs::find(std::span<const PairBox> boxes, Team& team) {
  if (team.rank() == 0) {
    list_per_thread(found_, team);
    left_.assign(std::size_t(team.size()), 0);
  }
  team.barrier();
  left_[std::size_t(team.rank())] = !is_kept(boxes, team);
  team.barrier();
  if (std::find(left_.begin(), left_.end(), 1) != left_.end()) {
    search_anew(boxes, team);
    team.barrier();
  }
  if (!plain_) test_again(boxes, team);
  const Share mine = team.share(std::int64_t(last_.size()), box_block);
  for (std::int64_t i = mine.begin; i < mine.end; ++i) last_[std::size_t(i)] = boxes[std::size_t(i)].box;
  if (team.rank() == 0) ++lived_;
}

}}  // namespace limber::LIMBER_PRECISION
