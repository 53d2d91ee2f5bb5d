#include "app/view/spray_slots.hpp"

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>

namespace limber {
namespace {

constexpr std::size_t most_gone = 48;   // drops that vanish together, between two that stay
constexpr float sure_match = 0.25f;     // in reaches: no other drop is nearer to the expected place
constexpr float farthest_match = 4.0f;  // in reaches, from the expected place

std::uint64_t drop_key(const glm::ivec3& cell) {
  const auto part = [](int c) { return std::uint64_t(std::clamp(c + (1 << 20), 0, (1 << 21) - 1)); };
  return part(cell.z) << 42 | part(cell.y) << 21 | part(cell.x);
}

}  // namespace

void SpraySlots::update(std::span<const glm::vec3> points, float reach) {
  if (!std::equal(points.begin(), points.end(), positions_.begin(), positions_.end())) match(points, reach);
  find_crowds(points, reach);
}

/// Finds each drop among those of the last call that are not yet taken: the one whose expected place is
/// nearest.
void SpraySlots::match(std::span<const glm::vec3> points, float reach) {
  next_slots_.assign(points.size(), no_slot);
  next_steps_.assign(points.size(), glm::vec3(0.0f));
  std::size_t from = 0;
  for (std::size_t i = 0; i < points.size() && from < positions_.size(); ++i) {
    const std::size_t end = std::min(from + most_gone, positions_.size());
    std::size_t nearest = end;
    float least = farthest_match * reach;
    for (std::size_t j = from; j < end; ++j) {
      const float away = glm::distance(points[i], positions_[j] + steps_[j]);
      if (away < least) least = away, nearest = j;
      if (least < sure_match * reach) break;
    }
    if (nearest == end) continue;
    next_slots_[i] = slots_[nearest];
    next_steps_[i] = points[i] - positions_[nearest];
    from = nearest + 1;
  }
  std::fill(used_.begin(), used_.end(), char(0));
  for (const std::uint32_t slot : next_slots_)
    if (slot != no_slot) used_[slot] = 1;
  std::size_t free = 0;
  for (std::uint32_t& slot : next_slots_) {
    if (slot != no_slot) continue;
    while (free < used_.size() && used_[free]) ++free;
    if (free == used_.size()) used_.push_back(0);
    used_[free] = 1;
    slot = std::uint32_t(free);
  }
  while (!used_.empty() && !used_.back()) used_.pop_back();
  positions_.assign(points.begin(), points.end());
  slots_.swap(next_slots_);
  steps_.swap(next_steps_);
}

void SpraySlots::find_crowds(std::span<const glm::vec3> points, float reach) {
  const auto cell_of = [&](const glm::vec3& x) { return glm::ivec3(glm::floor(x / reach)); };
  crowds_.assign(points.size(), 0.0f);
  cells_.clear();
  for (std::size_t i = 0; i < points.size(); ++i)
    cells_.emplace_back(drop_key(cell_of(points[i])), std::uint32_t(i));
  std::sort(cells_.begin(), cells_.end());
  for (std::size_t i = 0; i < points.size(); ++i)
    for (int row = 0; row < 9; ++row) {
      const glm::ivec3 cell = cell_of(points[i]) + glm::ivec3(0, row % 3 - 1, row / 3 - 1);
      const std::uint64_t last = drop_key(cell + glm::ivec3(1, 0, 0));
      auto at = std::lower_bound(cells_.begin(), cells_.end(),
                                 std::pair(drop_key(cell - glm::ivec3(1, 0, 0)), std::uint32_t(0)));
      for (; at != cells_.end() && at->first <= last; ++at) {
        const glm::vec3 way = points[at->second] - points[i];
        const float left = 1.0f - glm::dot(way, way) / (reach * reach);
        if (at->second != i && left > 0.0f) crowds_[i] += left * left;
      }
    }
}

}  // namespace limber
