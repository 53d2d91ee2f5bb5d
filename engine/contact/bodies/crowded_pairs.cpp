#include "engine/contact/bodies/crowded_pairs.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <numeric>

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr real deep_share = real(0.1);  // share of the smaller ball's radius

/// Hash of the pair (a, b): equal in every frame, uncorrelated for neighbouring numbers.
std::uint32_t scrambled(std::int32_t a, std::int32_t b) {
  std::uint64_t h = (std::uint64_t(std::uint32_t(a)) << 32 | std::uint32_t(b)) * 0x9e3779b97f4a7c15ull;
  h = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9ull;
  return std::uint32_t(h >> 32);
}

}  // namespace

void CrowdedPairs::reserve(const World& world) {
  balls_.clear();
  for (const PlacedShape& part : world.bodies.parts->shapes) {
    const Bounds box = bounds(part.shape, {});
    const vec3 middle = real(0.5) * (box.low + box.high);
    balls_.push_back({middle, std::max(-surface_distance(part.shape, middle).d, real(0))});
  }
  count_.reserve(std::size_t(world.bodies.count()));
  first_.reserve(std::size_t(world.bodies.count()) + 1);
}

/// Overlap of the balls inscribed in the pair's shapes, in radii of the smaller ball; negative if the balls
/// are apart.
real CrowdedPairs::depth(const BoxPair& pair, std::span<const Placed> places) const {
  const std::size_t a = std::size_t(pair.a), b = std::size_t(pair.b);
  const auto center = [&](std::size_t shape) {
    return places[shape].position + places[shape].rotation * balls_[shape].center;
  };
  const real smaller = std::min(balls_[a].radius, balls_[b].radius);
  const real overlap = balls_[a].radius + balls_[b].radius - glm::length(center(a) - center(b));
  return smaller > real(0) ? overlap / smaller : real(-1);
}

/// Counts the pairs of each body with other bodies. Returns whether a body has enough pairs to be crowded.
bool CrowdedPairs::count_pairs(const World& world, std::span<const BoxPair> pairs) {
  const auto& shapes = world.bodies.parts->shapes;
  count_.assign(std::size_t(world.bodies.count()), 0);
  std::int32_t most = 0;
  for (const BoxPair& pair : pairs) {
    if (std::size_t(pair.b) >= shapes.size()) continue;  // a collider
    for (const std::int32_t shape : {pair.a, pair.b})
      most = std::max(most, ++count_[std::size_t(shapes[std::size_t(shape)].body)]);
  }
  return most > most_deep;
}

/// Lists the pairs whose two bodies are both crowded.
void CrowdedPairs::find_candidates(const World& world, std::span<const BoxPair> pairs,
                                   std::span<const Placed> places) {
  const auto& shapes = world.bodies.parts->shapes;
  candidates_.clear();
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (std::size_t(pairs[p].b) >= shapes.size()) continue;
    const std::int32_t one = shapes[std::size_t(pairs[p].a)].body,
                       other = shapes[std::size_t(pairs[p].b)].body;
    if (std::min(count_[std::size_t(one)], count_[std::size_t(other)]) <= most_deep) continue;
    if (joined(world, one, other)) continue;
    candidates_.push_back(
        {std::int32_t(p), {one, other}, depth(pairs[p], places), scrambled(pairs[p].a, pairs[p].b)});
  }
  std::fill(count_.begin(), count_.end(), 0);
  for (const Candidate& pair : candidates_)
    for (const std::int32_t body : pair.body) count_[std::size_t(body)] += pair.depth > deep_share;
  std::erase_if(candidates_, [&](const Candidate& pair) {
    return std::min(count_[std::size_t(pair.body[0])], count_[std::size_t(pair.body[1])]) <= most_deep;
  });
}

/// Restores, for each body, the deepest of its pairs that were left out.
void CrowdedPairs::keep_deepest() {
  first_.assign(count_.size() + 1, 0);
  for (const Candidate& pair : candidates_)
    for (const std::int32_t body : pair.body) ++first_[std::size_t(body) + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  of_body_.resize(2 * candidates_.size());
  std::copy(first_.begin(), first_.end() - 1, count_.begin());
  for (std::size_t k = 0; k < candidates_.size(); ++k)
    for (const std::int32_t body : candidates_[k].body)
      of_body_[std::size_t(count_[std::size_t(body)]++)] = std::int32_t(k);
  const auto deeper = [&](std::int32_t x, std::int32_t y) {
    const Candidate &a = candidates_[std::size_t(x)], &b = candidates_[std::size_t(y)];
    if (a.depth != b.depth) return a.depth > b.depth;
    return a.tie_break != b.tie_break ? a.tie_break < b.tie_break : x < y;
  };
  for (std::size_t body = 0; body + 1 < first_.size(); ++body) {
    const auto begin = of_body_.begin() + first_[body], end = of_body_.begin() + first_[body + 1];
    const auto last = begin + std::min<std::ptrdiff_t>(most_deep, end - begin);
    if (last != end) std::nth_element(begin, last, end, deeper);
    for (auto k = begin; k != last; ++k) left_out_[std::size_t(candidates_[std::size_t(*k)].pair)] = 0;
  }
}

std::span<const BoxPair> CrowdedPairs::thin(const World& world, std::span<const BoxPair> pairs,
                                            std::span<const Placed> places) {
  if (!count_pairs(world, pairs)) return pairs;
  find_candidates(world, pairs, places);
  if (candidates_.empty()) return pairs;
  left_out_.assign(pairs.size(), 0);
  for (const Candidate& pair : candidates_) left_out_[std::size_t(pair.pair)] = 1;
  keep_deepest();
  kept_.clear();
  for (std::size_t p = 0; p < pairs.size(); ++p)
    if (!left_out_[p]) kept_.push_back(pairs[p]);
  return kept_;
}

}}  // namespace limber::LIMBER_PRECISION
