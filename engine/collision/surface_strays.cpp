// The part of SurfaceSearch that goes on from an earlier search: some particles have left their tubes.
#include <algorithm>
#include <atomic>
#include <utility>

#include "engine/collision/surface_search.hpp"

namespace limber::inline LIMBER_PRECISION {

std::int64_t SurfaceSearch::most_strays(const World& world) {
  constexpr std::int64_t share = 16;  // where more are astray, all of them soon will be
  return world.particles.count / share + 1;
}

bool SurfaceSearch::follow(const World& world, const Motion& motion, real elapsed, bool dropped, Team& team) {
  if (past_paths(elapsed)) return false;
  const Share share = team.share(world.particles.count, particle_block);
  strays_ += std::count(astray_.begin() + share.begin, astray_.begin() + share.end, std::uint8_t(1));
  team.barrier();
  const bool many = strays_ > most_strays(world);
  team.barrier();
  if (team.rank() == 0) strays_ = 0, following_ = true, dropping_ = dropped;
  if (many) return false;
  restart_strays(world, motion, elapsed, team);
  team.barrier();
  place_strays(world, team);
  search(world, team);
  return true;
}

void SurfaceSearch::forget_strays(const Team& team) {
  const Share share = team.share(std::int64_t(astray_.size()), particle_block),
              nodes = team.share(tree_.nodes());
  std::fill(astray_.begin() + share.begin, astray_.begin() + share.end, std::uint8_t(0));
  std::fill(with_strays_.begin() + nodes.begin, with_strays_.begin() + nodes.end, std::uint8_t(0));
}

/// Strays go on straight from where they are now, all others on their paths.
void SurfaceSearch::restart_strays(const World& world, const Motion& motion, real elapsed, const Team& team) {
  const Share share = team.share(world.particles.count, particle_block);
  for (std::size_t p = std::size_t(share.begin); p < std::size_t(share.end); ++p) {
    if (!astray_[p]) continue;
    set_own_way(world, p, motion.speed(p), elapsed);
    start_[p] = vec4(vec3(motion.to[p]) - elapsed * motion.speed(p), start_[p].w);
    place_rows(p, elapsed - motion.h);
    mark_leaves_at(world, std::int32_t(p), with_strays_, tree_.leaf_nodes());
  }
}

/// By several threads at once; marks[first + k] belongs to leaf k.
void SurfaceSearch::mark_leaves_at(const World& world, std::int32_t particle,
                                   std::vector<std::uint8_t>& marks, std::int32_t first) const {
  for (const std::int32_t t : world.topology->triangles_at(particle))
    std::atomic_ref(marks[std::size_t(first + t / SurfaceTree::leaf_triangles)])
        .store(1, std::memory_order_relaxed);
}

/// The leaves with strays, and the nodes above them. Where strays fold a leaf that could not meet itself,
/// pairs without a stray have been left out, too, in it and between those beside it: all of these are looked
/// for again. Ends at a barrier.
void SurfaceSearch::place_strays(const World& world, Team& team) {
  const Share leaves = team.share(tree_.leaves());
  const auto for_leaves = [&](auto&& act) {
    for (std::int64_t leaf = leaves.begin; leaf < leaves.end; ++leaf) act(std::int32_t(leaf));
    team.barrier();
  };
  const auto node = [&](std::int32_t leaf) { return tree_.leaf_nodes() + leaf; };
  const auto for_members = [&](std::int32_t leaf, auto&& act) {
    const LeafFeatures<real>& features = leaves_.features(leaf);
    for (std::int32_t k = 0; k < features.members; ++k) act(features.member[k]);
  };
  for_leaves([&](std::int32_t leaf) {
    sheet_[std::size_t(leaf)] = facing_.is_sheet(node(leaf));
    if (with_strays_[std::size_t(node(leaf))]) place_leaf(leaf);
  });
  for_leaves([&](std::int32_t leaf) {
    if (with_strays_[std::size_t(node(leaf))])
      for_members(leaf, [&](std::int32_t i) { facing_.place_fan(*world.topology, i); });
  });
  for_leaves([&](std::int32_t leaf) {
    if (sheet_[std::size_t(leaf)] && !facing_.is_sheet(node(leaf)))
      for_members(leaf, [&](std::int32_t i) { mark_leaves_at(world, i, opened_, 0); });
  });
  for_leaves([&](std::int32_t leaf) {
    if (!std::exchange(opened_[std::size_t(leaf)], std::uint8_t(0))) return;
    for_members(leaf, [&](std::int32_t i) {
      std::uint8_t none = 0;
      std::atomic_ref(astray_[std::size_t(i)]).compare_exchange_strong(none, 2, std::memory_order_relaxed);
      mark_leaves_at(world, i, with_strays_, tree_.leaf_nodes());
    });
  });
  unite_all(team);
}

void SurfaceSearch::drop_strays(std::int32_t list) {
  for (auto& lists : found_)
    std::erase_if(lists[std::size_t(list)], [&](const SurfacePair& pair) {
      return std::any_of(std::begin(pair.vertices), std::end(pair.vertices),
                         [&](std::int32_t i) { return astray_[std::size_t(i)] != 0; });
    });
}

}  // namespace limber::inline LIMBER_PRECISION
