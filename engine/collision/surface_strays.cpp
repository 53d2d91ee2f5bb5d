// The part of SurfaceSearch that goes on from an earlier search: a few particles have left their tubes.
#include <algorithm>
#include <glm/geometric.hpp>
#include <utility>

#include "engine/collision/surface_search.hpp"

namespace limber::inline LIMBER_PRECISION {

std::size_t SurfaceSearch::most_strays(const World& world) {
  constexpr std::int32_t share = 64;  // where more are astray, all of them soon will be
  return std::size_t(world.particles.count / share) + 1;
}

bool SurfaceSearch::follow(const World& world, const Motion& motion, real elapsed, Team& team) {
  if (past_paths(elapsed)) return false;
  if (team.rank() == 0) list_strays(world, motion, elapsed);
  team.barrier();
  if (strays_.size() > most_strays(world)) return false;
  const Share share = team.share(world.particles.count, particle_block);
  for (std::int64_t i = share.begin; i < share.end; ++i) place_rows(std::size_t(i), elapsed - motion.h);
  team.barrier();
  if (team.rank() == 0) {
    place_strays(world);
    next_block_.store(0, std::memory_order_relaxed);
  }
  const Share blocks = team.share(first_block_);
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b) drop_strays(std::int32_t(b));
  team.barrier();
  for (std::int32_t k; (k = next_block_.fetch_add(1, std::memory_order_relaxed)) < stray_lists_;)
    search_strays(world, k);
  team.barrier();
  if (team.rank() == 0) {
    for (std::int32_t i : strays_) astray_[std::size_t(i)] = 0;
    for (std::int32_t t : stray_triangles_) has_stray_[std::size_t(t)] = 0;
  }
  team.barrier();
  return true;
}

/// The strays and the triangles at them; each goes on straight from where it is now. Not if there are many.
void SurfaceSearch::list_strays(const World& world, const Motion& motion, real elapsed) {
  strays_.clear();
  for (std::size_t i = 0; i < std::size_t(world.particles.count); ++i)
    if (astray_[i]) {
      if (strays_.push_back(std::int32_t(i)); strays_.size() > most_strays(world)) return;
    }
  stray_triangles_.clear();
  for (std::int32_t stray : strays_) {
    const std::size_t p = std::size_t(stray);
    set_own_way(world, p, motion.speed(p), elapsed);
    start_[p] = vec3(motion.to[p]) - elapsed * motion.speed(p);
    for (std::int32_t t : world.topology->triangles_at(stray))
      if (!std::exchange(has_stray_[std::size_t(t)], std::uint8_t(1))) stray_triangles_.push_back(t);
  }
  std::sort(stray_triangles_.begin(), stray_triangles_.end());
}

/// Their triangles, and the boxes above them; all others stay within the boxes they have.
void SurfaceSearch::place_strays(const World& world) {
  for (std::int32_t t : stray_triangles_) {
    const std::int32_t leaf = t / SurfaceTree::leaf_triangles;
    Box& box = tree_.box(tree_.leaf_nodes() + leaf);
    box = box.united(swept(world, t));
    for (std::int32_t node = (tree_.leaf_nodes() + leaf) / 2; node > 0; node /= 2) tree_.unite(node);
  }
}

void SurfaceSearch::drop_strays(std::int32_t list) {
  for (auto& lists : found_)
    std::erase_if(lists[std::size_t(list)], [&](const SurfacePair& pair) {
      return std::any_of(std::begin(pair.vertices), std::end(pair.vertices),
                         [&](std::int32_t i) { return astray_[std::size_t(i)] != 0; });
    });
}

/// Every stray_lists_-th of the triangles at strays against all: what they find goes to the list of that
/// number, whoever looks.
void SurfaceSearch::search_strays(const World& world, std::int32_t list) {
  Met met{first_block_ + list, true};
  drop_strays(met.list);
  for (std::size_t k = std::size_t(list); k < stray_triangles_.size(); k += stray_lists_) {
    const std::int32_t s = stray_triangles_[k];
    const Box own = swept(world, s);
    tree_.visit_leaves(own, [&](std::int32_t leaf) {
      for (std::int32_t t = tree_.begin(leaf); t < tree_.end(leaf); ++t) {
        if (t == s || (t < s && has_stray_[std::size_t(t)])) continue;  // met from there
        if (own.overlaps(swept(world, t))) meet_triangles(world, s, t, met);
      }
    });
  }
  for (int k = 0; k < pair_kinds; ++k) flush(world, PairKind(k), met);
}

}  // namespace limber::inline LIMBER_PRECISION
