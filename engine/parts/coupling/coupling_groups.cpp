// Groups of Coupling's rows: all of a body in one, so that a thread solves them in a fixed order, in colours
// of groups that share no movable particle.
#include <algorithm>
#include <limits>
#include <utility>

#include "engine/core/first_fit.hpp"
#include "engine/parts/coupling/coupling.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// The cluster that a particle belongs to, or -1.
std::int32_t cluster_of(const World& world, std::int32_t particle) {
  const ParticleMatter& matter = world.topology->matter;
  return matter.takes_part(particle) ? matter.phase[std::size_t(particle)] - 1 : -1;
}

}  // namespace

/// Chunks and groups of the pairs, which ascend by shape and with it by body, and of the ties.
void Coupling::group(const World& world) {
  const std::span<const CouplingPair> pairs = search_.pairs();
  chunks_.clear();
  unsorted_.clear();
  list_clusters(world);
  const auto body_of = [&](std::size_t p) { return search_.shape(world, pairs[p].shape).body; };
  constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
  std::size_t p = 0, t = 0;
  while (p < pairs.size() || t < world.user.ties.size()) {
    const std::int32_t by_pair = p < pairs.size() ? body_of(p) : none;
    const std::int32_t by_tie = t < world.user.ties.size() ? world.user.ties[t].body : none;
    Group next{std::min(by_pair, by_tie), std::int32_t(chunks_.size()), 0, std::int32_t(t), 0};
    std::size_t end = p;
    while (end < pairs.size() && body_of(end) == next.body) ++end;
    for (; p < end; p += std::size_t(chunks_.back().count))
      chunks_.push_back({std::int32_t(p), std::int32_t(std::min(end - p, std::size_t(chunk_pairs_))), 0});
    while (t < world.user.ties.size() && world.user.ties[t].body == next.body) ++t;
    next.end_chunk = std::int32_t(chunks_.size());
    next.end_tie = std::int32_t(t);
    unsorted_.push_back(next);
  }
  rows_.resize(2 * pairs.size());
  walls_.reserve(rows_.size());
  ties_.resize(world.user.ties.size());
  color(world);
  note_moved(world);
}

/// First fit over the movable particles that groups touch. Groups beyond 64 colours come last, in order.
void Coupling::color(const World& world) {
  const std::span<const CouplingPair> pairs = search_.pairs();
  const auto for_particles = [&](const Group& group, const auto& act) {
    for (std::int32_t c = group.first_chunk; c < group.end_chunk; ++c)
      for (std::int32_t k = 0; k < chunks_[std::size_t(c)].count; ++k)
        for (const std::int32_t i : pairs[std::size_t(chunks_[std::size_t(c)].first + k)].points) {
          act(used_[std::size_t(i)]);
          if (const std::int32_t s = cluster_of(world, i); s >= 0)
            act(used_[std::size_t(world.particles.padded() + s)]);
        }
    for (std::int32_t t = group.first_tie; t < group.end_tie; ++t)
      act(used_[std::size_t(world.user.ties[std::size_t(t)].particle)]);
  };
  color_of_.resize(unsorted_.size());
  for (std::size_t g = 0; g < unsorted_.size(); ++g)
    color_of_[g] = take_first_free_color([&](const auto& act) { for_particles(unsorted_[g], act); });
  for (const Group& group : unsorted_) for_particles(group, [](std::uint64_t& used) { used = 0; });
  sort_by_color(color_of_, order_, color_begin_);
  groups_.resize(unsorted_.size());
  for (std::size_t k = 0; k < order_.size(); ++k) groups_[k] = unsorted_[std::size_t(order_[k])];
}

/// Lists the clusters that have pairs. Serial.
void Coupling::list_clusters(const World& world) {
  clusters_.clear();
  if (world.topology->matter.solids.empty()) return;
  for (const CouplingPair& pair : search_.pairs())
    if (const std::int32_t s = cluster_of(world, pair.points[0]); s >= 0) clusters_.push_back(s);
  std::sort(clusters_.begin(), clusters_.end());
  clusters_.erase(std::unique(clusters_.begin(), clusters_.end()), clusters_.end());
}

/// Finds the particles that rows can move, beside those of the clusters listed. Serial.
void Coupling::note_moved(const World& world) {
  for (const std::int32_t i : may_move_) moved_[std::size_t(i)] = 0;
  may_move_.clear();
  const auto note = [&](std::int32_t i) {
    if (std::exchange(moved_[std::size_t(i)], std::uint8_t(1)) == 0) may_move_.push_back(i);
  };
  for (const CouplingPair& pair : search_.pairs()) std::ranges::for_each(pair.points, note);
  for (const BodyTie& tie : world.user.ties) note(tie.particle);
}

bool Coupling::moves(const World& world, std::int32_t particle) const {
  if (moved_[std::size_t(particle)]) return true;
  return !clusters_.empty() &&
         std::binary_search(clusters_.begin(), clusters_.end(), cluster_of(world, particle));
}

}}  // namespace limber::LIMBER_PRECISION
