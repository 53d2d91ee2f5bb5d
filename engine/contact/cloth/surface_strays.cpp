// The part of SurfaceSearch that updates an earlier search after some particles have left their safe bounds.
#include <algorithm>
#include <atomic>
#include <utility>

#include "engine/contact/cloth/surface_search.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Searches only the pairs of strays.
void SurfaceSearch::follow(const World& world, const Motion& motion, real elapsed, Team& team) {
  restart_strays(world, motion, elapsed, team);
  team.barrier();
  place_strays(world, team);
  team.barrier();
  search(world, team);
}

void SurfaceSearch::invalidate_split_particles(const World& world, Team& team) {
  const Share leaves = team.share(tree_.leaves());
  for (std::int32_t leaf = std::int32_t(leaves.begin); leaf < leaves.end; ++leaf)
    if (tree_.begin(leaf) < tree_.end(leaf)) leaves_.follow_tears(tree_, *world.topology, leaf, strays_);
}

void SurfaceSearch::forget_strays(const Team& team) {
  const Share share = team.share(std::int64_t(strays_.size()), particle_block),
              nodes = team.share(tree_.nodes());
  std::fill(strays_.begin() + share.begin, strays_.begin() + share.end, std::uint8_t(0));
  std::fill(with_strays_.begin() + nodes.begin, with_strays_.begin() + nodes.end, std::uint8_t(0));
}

/// Strays continue on straight paths from their present positions, all other particles on their former paths.
void SurfaceSearch::restart_strays(const World& world, const Motion& motion, real elapsed, const Team& team) {
  for_pieces(team, [&](std::size_t g, const Piece& piece) {
    const real since = elapsed - parts_[std::size_t(piece.part)].searched;
    for (std::size_t p = std::size_t(piece.first); p < std::size_t(piece.end); ++p) {
      if (!strays_[p]) continue;
      set_rest(world, p);  // a copy made by a tear has no rest position yet
      set_own_way(world, g, p, motion.speed(p), since);
      start_[p] = vec4(vec3(motion.to[p]) - since * motion.speed(p), start_[p].w);
      place_rows(g, p, since - motion.h);
      mark_leaves_at(world, std::int32_t(p));
    }
  });
}

/// Marks the leaves of the facets at a particle. Threads may call it at once.
void SurfaceSearch::mark_leaves_at(const World& world, std::int32_t particle) {
  const auto mark = [&](std::int32_t facet) {
    std::atomic_ref(with_strays_[std::size_t(tree_.leaf_node_of(facet))]).store(1, std::memory_order_relaxed);
  };
  for (const std::int32_t t : world.topology->triangles_at(particle)) mark(t);
  if (world.topology->surface.is_rod(std::size_t(particle)))
    for (const std::int32_t segment : world.topology->surface.segments_at[std::size_t(particle)])
      if (segment >= 0) mark(segment);
}

/// Updates the leaves with strays, and the nodes above them. Pairs without a stray stay valid: their features
/// cannot meet while they are within their safe bounds, whatever other particles do.
void SurfaceSearch::place_strays(const World& world, Team& team) {
  const Share leaves = team.share(tree_.leaves());
  const auto for_leaves = [&](auto&& act) {
    for (std::int64_t leaf = leaves.begin; leaf < leaves.end; ++leaf)
      if (with_strays_[std::size_t(tree_.leaf_nodes() + leaf)]) act(std::int32_t(leaf));
    team.barrier();
  };
  for_leaves([&](std::int32_t leaf) { place_leaf(leaf); });
  for_leaves([&](std::int32_t leaf) {
    const LeafFeatures<real>& features = leaves_.features(leaf);
    for (std::int32_t k = 0; k < features.members; ++k)
      facing_.place_fan(tree_, *world.topology, features.member[k]);
  });
  unite_all(team);
}

void SurfaceSearch::drop_strays(std::int32_t list) {
  for (auto& lists : found_)
    std::erase_if(lists[std::size_t(list)], [&](const SurfacePair& pair) {
      return std::any_of(std::begin(pair.vertices), std::end(pair.vertices),
                         [&](std::int32_t i) { return strays_[std::size_t(i)] != 0; });
    });
}

}}  // namespace limber::LIMBER_PRECISION
