#include "engine/contact/cloth/surface_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>

#include "engine/contact/mix.hpp"
#include "engine/core/settings/material.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// If more pairs of features than these per triangle are examined or found, the search is repeated with
/// shorter paths and narrower bounds, down to least_scale: where everything moves irregularly, further
/// searches are cheaper than watching all pairs.
constexpr std::int64_t most_looked_at = 256, most_pairs = 64, few_triangles = 4096;
constexpr real least_scale = real(0.125);
/// Largest number of pairs of one kind that a block of 512 triangles may find. With the shortest paths the
/// search stops there, so that a frame always ends: only a collapsed mesh has more, and that crosses itself
/// everywhere already.
constexpr std::size_t most_in_block = 512 * 512;

/// Features of one object are kept apart by no more than this share of their rest distance: neighbours across
/// one edge can fold freely and are no pairs before they do.
constexpr real share_of_rest = real(0.25);

/// Number of pairs per leaf for which the list of a block is reserved.
constexpr std::size_t pairs_at_first = 8;

/// Calls act(k) for each bit k that is set.
template <class Act>
void for_bits(unsigned bits, Act&& act) {
  for (; bits != 0; bits &= bits - 1) act(std::countr_zero(bits));
}

std::array<std::int32_t, 2> ends(const LeafFeatures<real>& leaf, int edge) {
  const auto& block = leaf.ends[edge / leaf_lanes];
  return {block[0][edge % leaf_lanes], block[1][edge % leaf_lanes]};
}

}  // namespace

void SurfaceSearch::reserve(const World& world) {
  const Topology& topology = *world.topology;
  const std::size_t particles = std::size_t(world.particles.padded());
  places_.assign(particles, vec4(0));
  reaches_.assign(particles, vec4(0));
  for (auto* rows : {&start_, &own_, &bend_, &rest_}) rows->assign(particles, vec4(0));
  group_.assign(particles / stray_group + 1, vec4(0));
  for (auto* sums : {&group_way_, &group_room_}) sums->assign(group_.size(), real(0));
  tree_.reserve(facet_ends(world));
  leaves_.reserve(tree_, topology);
  flow_.assign(std::size_t(tree_.nodes()), Flow{tree_.box(1), tree_.box(1), real(0)});
  facing_.reserve(tree_, topology, tree_.block_height());
  strays_.assign(particles, 0);
  compared_.assign(std::size_t(tree_.leaves()), 0);
  with_strays_.assign(std::size_t(tree_.nodes()), 0);
  list_parts(world);
  const std::size_t blocks = std::size_t(tree_.blocks());
  listed_.resize(blocks);
  for (auto& lists : found_) lists.resize(2 * blocks);
  for (std::size_t b = 0; b < 2 * blocks; ++b) {
    const std::int32_t node = tree_.first_block() + std::int32_t(b % blocks);
    const std::size_t room = pairs_at_first *
                             std::size_t(tree_.last_triangle(node) - tree_.first_triangle(node)) /
                             SurfaceTree::leaf_triangles;
    if (b < blocks) listed_[b].reserve(room);
    for (auto& lists : found_) lists[b].reserve(room);
  }
}

/// Must follow prepare(). Full searches come first, so that strays then meet the new paths of all others.
void SurfaceSearch::run(const World& world, const Motion& motion, real elapsed, Team& team) {
  const auto begin = [&](Due due) {
    team.barrier();  // no thread reads the former `working` any more
    if (team.rank() == 0) {
      following_ = due == Due::follow;
      for (Part& part : parts_) part.working = part.due == due;
    }
    team.barrier();
  };
  begin(Due::search);
  while (any_working()) {
    try_run(world, motion, elapsed, team);
    team.barrier();
  }
  begin(Due::follow);
  if (any_working()) follow(world, motion, elapsed, team);
}

bool SurfaceSearch::any_working() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.working; });
}

/// Searches the parts that are marked as working; only parts of crowded swarms stay marked.
void SurfaceSearch::try_run(const World& world, const Motion& motion, real elapsed, Team& team) {
  if (team.rank() == 0) {
    tied_.note(world);
    for (Part& part : parts_)
      if (part.working && counts_of(part).crowded) part.scale /= 2;
    for (Counts& counts : counts_) counts.crowded = false, counts.looked_at = counts.kept = 0;
  }
  place_groups(world, motion, team);
  team.barrier();
  if (team.rank() == 0) start(motion, elapsed);
  team.barrier();
  place_bounds(world, motion, team);
  team.barrier();
  place_nodes(world, team);
  team.barrier();
  search(world, team);
  team.barrier();
  if (team.rank() == 0)
    for (Part& part : parts_) part.working &= counts_of(part).crowded.load(std::memory_order_relaxed);
}

void SurfaceSearch::place_nodes(const World& world, Team& team) {
  const Share leaves = team.share(tree_.leaves());
  const bool tears = !world.topology->tears.empty();
  for (std::int64_t leaf = leaves.begin; leaf < leaves.end; ++leaf) {
    if (!is_at_work(std::int32_t(leaf))) continue;
    if (tears) leaves_.follow_tears(tree_, *world.topology, std::int32_t(leaf), {});
    place_leaf(std::int32_t(leaf));
  }
  team.barrier();
  for_pieces(team, [&](std::size_t, const Piece& piece) {
    for (std::int32_t i = piece.first; i < piece.end; ++i) facing_.place_fan(tree_, *world.topology, i);
  });
  team.barrier();
  unite_all(team);
}

/// True if the leaf has triangles of a part in the current search.
bool SurfaceSearch::is_at_work(std::int32_t leaf) const {
  return part_of(leaf / tree_.block_leaves()).working && tree_.begin(leaf) < tree_.end(leaf);
}

void SurfaceSearch::unite_all(Team& team) {
  const Share blocks = team.share(tree_.blocks());
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b) unite_block(std::int32_t(b));
  if (team.rank() == 0) next_to_list_ = next_to_meet_ = 0;
  team.barrier();
  if (team.rank() == 0)
    for (std::int32_t node = tree_.first_block() - 1; node > 0; --node) unite(node);
}

/// A free thread takes the next block. Each block has lists of its own, so the order does not matter. Boxes
/// of features are computed only for leaves to be compared, which are few.
void SurfaceSearch::search(const World& world, Team& team) {
  const auto next = [&](std::atomic<std::int32_t>& block) {
    return block.fetch_add(1, std::memory_order_relaxed);
  };
  for (std::int32_t b; (b = next(next_to_list_)) < tree_.blocks();)
    if (part_of(b).working) list_leaves(b);
  team.barrier();
  const Share leaves = team.share(tree_.leaves());
  for (std::int64_t leaf = leaves.begin; leaf < leaves.end; ++leaf)
    if (std::exchange(compared_[std::size_t(leaf)], std::uint8_t(0)))
      leaves_.place_boxes(std::int32_t(leaf), &places_.data()->x);
  team.barrier();
  for (std::int32_t b; (b = next(next_to_meet_)) < tree_.blocks();)
    if (part_of(b).working && !counts_of(part_of(b)).crowded.load(std::memory_order_relaxed))
      meet_listed(world, b);
}

void SurfaceSearch::place_leaf(std::int32_t leaf) {
  const std::size_t node = std::size_t(tree_.leaf_nodes() + leaf);
  const LeafFeatures<real>& features = leaves_.features(leaf);
  real margin = 0;
  for (std::int32_t k = 0; k < features.members; ++k)
    margin = std::max(margin, start_[std::size_t(features.member[k])].w);
  flow_[node] = leaves_.flow(leaf, &places_.data()->x, &reaches_.data()->x);
  LeafShape<real> shape;
  leaves_.shape(leaf, {&places_.data()->x, &reaches_.data()->x, margin}, shape);
  facing_.place(tree_, leaf, shape, features.inside);
}

/// Updates the nodes above the leaves of a block; while strays are followed, only in blocks with strays.
void SurfaceSearch::unite_block(std::int32_t block) {
  std::int32_t count = tree_.block_leaves(), first = tree_.leaf_nodes() + block * count;
  if (!part_of(block).working) return;
  if (following_ && std::none_of(with_strays_.begin() + first, with_strays_.begin() + first + count,
                                 [](std::uint8_t with) { return with != 0; }))
    return;
  while (count > 1) {
    first /= 2, count /= 2;
    for (std::int32_t node = first; node < first + count && !tree_.is_empty(node); ++node) unite(node);
  }
}

/// Updates a node from its children.
void SurfaceSearch::unite(std::int32_t node) {
  with_strays_[std::size_t(node)] =
      with_strays_[std::size_t(2 * node)] | with_strays_[std::size_t(2 * node + 1)];
  flow_[std::size_t(node)] = flow_[std::size_t(2 * node)].united(flow_[std::size_t(2 * node + 1)]);
  facing_.unite(node);
}

void SurfaceSearch::list_leaves(std::int32_t block) {
  const std::int32_t node = tree_.first_block() + block, swarm = part_of(block).swarm;
  listed_[std::size_t(block)].clear();
  meet_within(node, block);
  const auto is_known = [&](std::int32_t other) {
    return following_ && !with_strays_[std::size_t(node)] && !with_strays_[std::size_t(other)];
  };
  const auto meets = [&](std::int32_t other) {
    return !is_known(other) && flow_[std::size_t(node)].meets(flow_[std::size_t(other)]);
  };
  tree_.visit_later(node, meets, [&](std::int32_t other) {
    if (part_of(other - tree_.first_block()).swarm == swarm) meet_nodes(node, other, block);
  });
}

void SurfaceSearch::meet_listed(const World& world, std::int32_t block) {
  for (const std::int32_t list : {block, tree_.blocks() + block}) {
    if (following_ && (part_of(block).dropping || list >= tree_.blocks())) drop_strays(list);
    for (auto& lists : found_)
      if (!following_) lists[std::size_t(list)].clear();
  }
  Met met{following_ ? tree_.blocks() + block : block, &counts_of(part_of(block))};
  met.triangles = parts_[std::size_t(part_of(block).swarm)].swarm_triangles;
  met.shortest = part_of(block).scale <= least_scale;
  for (const auto& [a, b] : listed_[std::size_t(block)])
    if (!met.crowded) meet_leaves(world, a, b, met);
  for (int k = 0; k < pair_kinds; ++k) flush(world, PairKind(k), met);
}

/// Lists all pairs of leaves below `node`.
void SurfaceSearch::meet_within(std::int32_t node, std::int32_t list) {
  if (following_ && !with_strays_[std::size_t(node)]) return;
  if (tree_.is_empty(node) || facing_.is_sheet(node)) return;
  if (tree_.is_leaf(node)) return list_pair(tree_.leaf(node), tree_.leaf(node), list);
  meet_within(2 * node, list);
  meet_within(2 * node + 1, list);
  meet_nodes(2 * node, 2 * node + 1, list);
}

/// Lists all pairs of a leaf below `a` and a leaf below `b`, different nodes of one level.
void SurfaceSearch::meet_nodes(std::int32_t a, std::int32_t b, std::int32_t list) {
  if (following_ && !with_strays_[std::size_t(a)] && !with_strays_[std::size_t(b)]) return;
  if (!flow_[std::size_t(a)].meets(flow_[std::size_t(b)])) return;
  if (facing_.are_one_sheet(a, b)) return;
  if (tree_.is_leaf(a)) {
    const std::int32_t leaf_a = tree_.leaf(a), leaf_b = tree_.leaf(b);
    if (leaves_.parts_meet(leaf_a, flow_[std::size_t(a)], leaf_b, flow_[std::size_t(b)]))
      list_pair(leaf_a, leaf_b, list);
    return;
  }
  for (std::int32_t i : {2 * a, 2 * a + 1})
    for (std::int32_t j : {2 * b, 2 * b + 1}) meet_nodes(i, j, list);
}

void SurfaceSearch::list_pair(std::int32_t a, std::int32_t b, std::int32_t list) {
  listed_[std::size_t(list)].push_back({a, b});
  for (const std::int32_t leaf : {a, b})  // other threads may mark the same leaf
    std::atomic_ref(compared_[std::size_t(leaf)]).store(1, std::memory_order_relaxed);
}

/// Collects all pairs of features of two leaves that can come near each other. Relative to their common
/// motion neighbours hardly move, so their boxes at the start are compared, extended by the possible approach
/// of the leaves.
void SurfaceSearch::meet_leaves(const World& world, std::int32_t a, std::int32_t b, Met& met) {
  const auto flow = [&](std::int32_t leaf) -> const Flow& {
    return flow_[std::size_t(tree_.leaf_nodes() + leaf)];
  };
  NearFeatures near;
  leaves_.find_near(a, b, flow(a).way_of(flow(b)), &places_.data()->x, near);
  const std::int32_t leaf[2] = {a, b};
  for (int side = 0; side < (a == b ? 1 : 2); ++side) {
    const LeafFeatures<real>&own = leaves_.features(leaf[side]), &other = leaves_.features(leaf[1 - side]);
    for_bits(near.vertices[side],
             [&](int k) { meet_triangles(world, own.vertex[k], other, near.triangles_at[side][k], met); });
  }
  const LeafFeatures<real>&fa = leaves_.features(a), &fb = leaves_.features(b);
  for_bits(near.edges, [&](int k) { meet_edges(world, ends(fa, k), fb, near.edges_at[k], met); });
}

/// Works without a branch per pair: every pair is written, and counts unless its features have a corner in
/// common.
void SurfaceSearch::meet_triangles(const World& world, std::int32_t vertex, const LeafFeatures<real>& leaf,
                                   std::uint32_t found, Met& met) {
  MetPairs<real>& pairs = met.pairs[int(PairKind::vertex_triangle)];
  make_room(world, PairKind::vertex_triangle, met);
  std::int32_t count = pairs.count;
  for_bits(found, [&](int k) {
    const std::int32_t b = leaf.corners[0][k], c = leaf.corners[1][k], d = leaf.corners[2][k];
    pairs.vertices[0][count] = vertex, pairs.vertices[1][count] = b;
    pairs.vertices[2][count] = c, pairs.vertices[3][count] = d;
    count += int(vertex != b) & int(vertex != c) & int(vertex != d);
  });
  keep_strays(pairs, count);
}

void SurfaceSearch::meet_edges(const World& world, const std::array<std::int32_t, 2>& edge,
                               const LeafFeatures<real>& leaf, std::uint32_t found, Met& met) {
  MetPairs<real>& pairs = met.pairs[int(PairKind::edge_edge)];
  make_room(world, PairKind::edge_edge, met);
  const std::int32_t a = edge[0], b = edge[1];
  std::int32_t count = pairs.count;
  for_bits(found, [&](int k) {
    const auto [c, d] = ends(leaf, k);
    pairs.vertices[0][count] = a, pairs.vertices[1][count] = b;
    pairs.vertices[2][count] = c, pairs.vertices[3][count] = d;
    count += int(a != c) & int(a != d) & int(b != c) & int(b != d);
  });
  keep_strays(pairs, count);
}

/// Flushes the pairs if there is no space for those of one more row of find_near().
void SurfaceSearch::make_room(const World& world, PairKind kind, Met& met) {
  if (met.pairs[int(kind)].count + NearFeatures::most > MetPairs<real>::capacity) flush(world, kind, met);
}

/// Sets the number of pairs to `end`; while strays are followed, only pairs with a stray are kept.
void SurfaceSearch::keep_strays(MetPairs<real>& pairs, std::int32_t end) const {
  if (!following_) {
    pairs.count = end;
    return;
  }
  for (std::int32_t i = pairs.count; i < end; ++i) {
    unsigned any = 0;
    for (auto& row : pairs.vertices) any |= strays_[std::size_t(row[i])], row[pairs.count] = row[i];
    pairs.count += any != 0;
  }
}

/// Tests the collected pairs and keeps those that can come within their distance while all particles are
/// within their safe bounds.
void SurfaceSearch::flush(const World& world, PairKind kind, Met& met) {
  MetPairs<real>& pairs = met.pairs[int(kind)];
  const std::int32_t looked_at = pairs.count;
  const auto pad = [&] {
    for (; pairs.count % lane_group != 0; ++pairs.count)
      for (auto& row : pairs.vertices) row[pairs.count] = world.particles.count;
  };
  pad();
  kernels_.filter[int(kind)](pairs, &places_.data()->x, &reaches_.data()->x);
  std::int32_t close = 0;
  for (std::int32_t i = 0; i < looked_at; ++i) {
    for (auto& row : pairs.vertices) row[close] = row[i];
    pairs.inside[close] = pairs.inside[i];
    const real over = pairs.over[close] = pairs.over[i];
    close += over > real(0);
  }
  pairs.count = close;
  pad();
  kernels_.measure_rest[int(kind)](pairs, &rest_.data()->x);
  const std::int64_t kept = keep_near(world, kind, close, met);
  pairs.count = 0;
  if (following_) return;
  const bool full = found_[std::size_t(kind)][std::size_t(met.list)].size() > most_in_block;
  if (full) met.crowded = true;
  if (met.shortest) return;
  // The sums only grow, so whether they pass the limit does not depend on the order of the blocks.
  const std::int64_t triangles = std::max<std::int64_t>(met.triangles, few_triangles);
  const bool crowded = (met.counts->looked_at += looked_at) > most_looked_at * triangles ||
                       (met.counts->kept += kept) > most_pairs * triangles || full;
  if (crowded) met.crowded = true, met.counts->crowded.store(true, std::memory_order_relaxed);
}

/// Keeps those of the first `count` pairs that come within their contact distance, which for pairs of one
/// object is at most a share of their rest distance. Returns their number.
std::int64_t SurfaceSearch::keep_near(const World& world, PairKind kind, std::int32_t count, Met& met) {
  const MetPairs<real>& pairs = met.pairs[int(kind)];
  const int split = kind == PairKind::vertex_triangle ? 1 : 2;
  const auto object_of = [&](std::int32_t particle) { return world.particles.object[std::size_t(particle)]; };
  const auto friction_of = [&](std::int32_t k) { return world.settings.materials[std::size_t(k)].friction; };
  const Surface& surface = world.topology->surface;
  auto& found = found_[std::size_t(kind)][std::size_t(met.list)];
  const std::size_t before = found.size();
  for (std::int32_t i = 0; i < count; ++i) {
    const auto corner = [&](int j) { return pairs.vertices[j][i]; };
    const std::int32_t corners[4] = {corner(0), corner(1), corner(2), corner(3)};
    const std::span<const std::int32_t> all(corners);
    if (!particles_touch(world, corner(0), corner(split)) ||
        tied_.are_sewn(world, all.first(std::size_t(split)), all.subspan(std::size_t(split))))
      continue;
    const std::int32_t a = object_of(corner(0)), b = object_of(corner(split));
    real distance = pairs.apart[i];
    if (a == b) {
      // Torn features: rest distance 0.
      const real least = std::max(share_of_rest * pairs.at_rest[i], tear_gap * distance);
      distance = std::min(distance, least);
      if (pairs.over[i] <= pairs.apart[i] - distance) continue;
    }
    const double friction = mixed_friction(friction_of(a), friction_of(b));
    found.push_back({{corner(0), corner(1), corner(2), corner(3)},
                     distance,
                     real(friction),
                     kind == PairKind::vertex_triangle || pairs.inside[i] != 0 ||
                         surface.is_rod(std::size_t(corner(0))) ||
                         surface.is_rod(std::size_t(corner(split)))});
  }
  return std::int64_t(found.size() - before);
}

}}  // namespace limber::LIMBER_PRECISION
