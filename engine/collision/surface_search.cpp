#include "engine/collision/surface_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

namespace limber::inline LIMBER_PRECISION {
namespace {

using L1 = Lanes<real, 1>;

/// Normals face one way while no two differ by this chord of the unit sphere, 60 degrees: then one direction
/// is within 36 degrees of all of them (Jung), and the less they differ the nearer, faster than in
/// proportion.
constexpr real one_way_chord = real(1);
/// A triangle turns at most by the angle whose sine is the way its corners can part, wherever they are in
/// their tubes, as a share of its least height. It may turn by 78 degrees where all normals are the same and
/// by 44 where they differ as much as they may (and by more than in proportion in between: the sine is
/// concave): then they keep facing half of the sphere.
constexpr real widest_turn = real(0.98), turn_per_chord = real(0.28);
/// A piece keeps its shape, whatever its size, while no edge of it is stretched by more than this factor
/// beyond another: maps of a disc that distort lengths little are one to one (John 1968). How much is little
/// for a compact piece of triangles is our choice.
constexpr real most_distortion = real(1.65);
/// The tube around a path, as a share of half the shortest edge.
constexpr real tube_share = real(0.2);
/// Particles that go astray, a few at a pin or in the user's hand, get this many times that as room, but no
/// more than so many halves of the shortest edge.
constexpr real stray_room = real(1.5), widest_tube = real(0.3);
/// How far the mean particle may go on its path, and how far any may, in halves of the shortest edge there.
constexpr real mean_path = real(0.2), longest_path = real(4);

/// So many pairs of features a triangle may be looked at, and so many found, before the search is run again
/// with shorter paths and narrower tubes, down to this scale: where everything is wild, searching again is
/// cheaper than watching everything.
constexpr std::int64_t most_looked_at = 256, most_pairs = 64, few_triangles = 4096;
constexpr real least_scale = real(0.125);
constexpr real far_away = std::numeric_limits<real>::max();
constexpr real rounding = real(1e-3);  // of the time within a frame

/// Room for pairs per block of 256 triangles before its list has to grow.
constexpr std::size_t pairs_at_first = 512;

real rest_distance(PairKind kind, const std::array<vec3, 4>& x) {
  Vec3<L1> p[4];
  for (std::size_t j = 0; j < 4; ++j) p[j] = {x[j].x, x[j].y, x[j].z};
  if (kind == PairKind::vertex_triangle) {
    const Vec3<L1> triangle[3] = {p[1], p[2], p[3]};
    const TriangleWeights<L1> w = closest_on_triangle(p[0], triangle);
    return glm::length(x[0] - (w.b[0].v * x[1] + w.b[1].v * x[2] + w.b[2].v * x[3]));
  }
  const EdgeParameters<L1> e = closest_on_edges(p[0], p[1], p[2], p[3]);
  return glm::length((x[0] - x[2]) + e.s.v * (x[1] - x[0]) - e.t.v * (x[3] - x[2]));
}

bool has(const std::array<std::int32_t, 3>& t, std::int32_t v) { return t[0] == v || t[1] == v || t[2] == v; }

std::array<std::int32_t, 2> ends(const LeafFeatures<real>& leaf, int edge) {
  const auto& block = leaf.ends[edge / leaf_lanes];
  return {block[0][edge % leaf_lanes], block[1][edge % leaf_lanes]};
}

}  // namespace

void SurfaceSearch::reserve(const World& world) {
  const Topology& topology = *world.topology;
  const std::size_t particles = std::size_t(world.particles.padded()), triangles = topology.triangles.size();
  places_.assign(particles, vec4(0));
  reaches_.assign(particles, vec4(0));
  for (auto* rows : {&start_, &own_}) rows->assign(particles, vec3(0));
  for (auto* rows : {&until_, &margin_, &thickness_}) rows->assign(particles, real(0));
  group_.assign(particles / stray_group + 1, vec3(0));
  for (auto* sums : {&group_way_, &group_room_}) sums->assign(group_.size(), real(0));
  tree_.reserve(std::int32_t(triangles));
  leaves_.reserve(tree_, topology);
  facing_.assign(std::size_t(tree_.nodes()), {});
  flow_.assign(std::size_t(tree_.nodes()), Flow{tree_.box(1), tree_.box(1), real(0)});
  patches_.reserve(tree_, topology, block_height_);
  first_block_ = std::max(tree_.leaf_nodes() >> block_height_, 1);
  astray_.assign(particles, 0);
  has_stray_.assign(triangles, 0);
  strays_.reserve(most_strays(world));
  stray_triangles_.reserve(most_strays(world) * 8);
  for (auto& lists : found_) {
    lists.resize(std::size_t(first_block_ + stray_lists_));
    for (auto& list : lists) list.reserve(pairs_at_first);
  }
}

void SurfaceSearch::run(const World& world, const Motion& motion, Team& team) {
  while (!try_run(world, motion, team)) {
  }
}

/// On every rank the same answer; ends at a barrier.
bool SurfaceSearch::try_run(const World& world, const Motion& motion, Team& team) {
  if (team.rank() == 0) {
    if (crowded_.load(std::memory_order_relaxed)) scale_ /= 2;
    crowded_.store(false, std::memory_order_relaxed);
    looked_at_ = kept_ = 0;
    std::fill(astray_.begin(), astray_.end(), 0);
    for (auto& lists : found_)
      for (std::int32_t k = 0; k < stray_lists_; ++k) lists[std::size_t(first_block_ + k)].clear();
    next_block_.store(0, std::memory_order_relaxed);
    if (!world.topology->tears.empty()) leaves_.reserve(tree_, *world.topology);
  }
  place_groups(world, motion, team);
  team.barrier();
  if (team.rank() == 0) start(world, motion);
  team.barrier();
  place_tubes(world, motion, team);
  team.barrier();
  const Share blocks = team.share(first_block_);
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b) place_block(world, std::int32_t(b));
  team.barrier();
  if (team.rank() == 0)
    for (std::int32_t node = first_block_ - 1; node > 0; --node) unite(node);
  team.barrier();
  // whoever is free takes the next block: each has lists of its own, so the order does not matter
  for (std::int32_t b; (b = next_block_.fetch_add(1, std::memory_order_relaxed)) < first_block_;)
    if (!crowded_.load(std::memory_order_relaxed)) search_block(world, b);
  team.barrier();
  const bool found = !crowded_.load(std::memory_order_relaxed);
  team.barrier();
  return found;
}

/// The mean velocity of each group, and how far its members stray from it in all.
void SurfaceSearch::place_groups(const World& world, const Motion& motion, const Team& team) {
  const std::vector<Index>& vertex = world.topology->internal_to_external;  // -1: in reserve
  const Share share = team.share(world.particles.count, particle_block);
  for (std::int64_t begin = share.begin; begin < share.end; begin += stray_group) {
    const std::size_t g = std::size_t(begin / stray_group),
                      end = std::size_t(std::min<std::int64_t>(begin + stray_group, share.end));
    vec3 sum(0);
    real members = 0;
    for (std::size_t i = std::size_t(begin); i < end; ++i)
      if (vertex[i] >= 0) sum += motion.speed(i), members += real(1);
    group_[g] = members > real(0) ? sum / members : vec3(0);
    group_way_[g] = group_room_[g] = 0;
    for (std::size_t i = std::size_t(begin); i < end; ++i) {
      if (vertex[i] < 0) continue;
      group_way_[g] += glm::length(motion.speed(i) - group_[g]);
      group_room_[g] += world.topology->surface.room[i];
    }
  }
}

/// The common velocity, and how far ahead to look: until the mean particle has gone the length of a path on
/// its own. Any values are right; these keep the paths short.
void SurfaceSearch::start(const World& world, const Motion& motion) {
  const std::size_t groups = std::size_t((world.particles.count + stray_group - 1) / stray_group);
  common_ = vec3(0);
  real way = 0, room = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    common_ += group_[g] / real(groups);
    way += group_way_[g];
    room += group_room_[g];
  }
  for (std::size_t g = 0; g < groups; ++g) group_[g] -= common_;
  const real wanted = way > real(0) ? scale_ * mean_path * room / way : motion.ahead;
  ahead_ = motion.ahead / std::max(std::ceil(motion.ahead / wanted), real(1));
}

real SurfaceSearch::margin_of(const World& world, std::size_t particle) const {
  const real room = world.topology->surface.room[particle];
  const real wild =
      std::min(stray_room * world.particles.stray[particle / stray_group], widest_tube * scale_ * room);
  return std::max(room * tube_share, wild);
}

real SurfaceSearch::longest_way(const World& world, std::size_t particle) const {
  return scale_ * longest_path * world.topology->surface.room[particle];
}

void SurfaceSearch::place_tubes(const World& world, const Motion& motion, const Team& team) {
  const Share share = team.share(world.particles.count, particle_block);
  for (std::int64_t i = share.begin; i < share.end; ++i) {
    const std::size_t p = std::size_t(i);
    const real thickness = real(world.materials[std::size_t(world.particles.object[p])].thickness);
    thickness_[p] = std::min(thickness, world.topology->surface.room[p]) / 2;
    start_[p] = vec3(motion.to[p]);
    set_own_way(world, p, motion.speed(p), real(0));
    place_rows(p, -motion.h);
  }
}

/// The way of a particle of that velocity from `since` s after the last run on.
void SurfaceSearch::set_own_way(const World& world, std::size_t p, const vec3& speed, real since) {
  margin_[p] = margin_of(world, p);
  own_[p] = speed - common_ - group_[p / stray_group];
  const real own = glm::length(own_[p]), longest = longest_way(world, p);
  until_[p] = own * (ahead_ - since) > longest ? since + longest / own : ahead_;
}

/// Where a particle is so many seconds after the last run, seen from the common velocity.
vec3 SurfaceSearch::foretold(std::size_t p, real after) const {
  return start_[p] + after * group_[p / stray_group] + std::min(after, until_[p]) * own_[p];
}

/// What there is of a path from `since` s after the last run on.
void SurfaceSearch::place_rows(std::size_t p, real since) {
  const vec3 own = std::max(until_[p] - since, real(0)) * own_[p];
  places_[p] = vec4(foretold(p, since), margin_[p] + thickness_[p]);
  reaches_[p] =
      vec4((ahead_ - since) * group_[p / stray_group] + own, until_[p] < ahead_ ? glm::length(own) : real(0));
}

/// All tubes of a triangle.
Box SurfaceSearch::swept(const World& world, std::int32_t triangle) const {
  Box all;
  for (std::size_t j = 0; j < 3; ++j) {
    const std::size_t corner = std::size_t(world.topology->triangles[std::size_t(triangle)][j]);
    const Row<real> from = Row<real>::load(&places_[corner].x);
    const Row<real> to = from + Row<real>::load(&reaches_[corner].x);
    const Box tube = Box{min(from, to), max(from, to)}.grown(places_[corner].w);
    all = j == 0 ? tube : all.united(tube);
  }
  return all;
}

void SurfaceSearch::place_leaf(const World& world, std::int32_t leaf) {
  LeafState<real> state;
  leaves_.place(leaf, {&places_.data()->x, &reaches_.data()->x, margin_.data()}, state);
  const auto row = [](const real(&x)[3]) { return Row<real>(x[0], x[1], x[2], real(0)); };
  const std::size_t node = std::size_t(tree_.leaf_nodes() + leaf);
  tree_.box(std::int32_t(node)) = {row(state.swept_low), row(state.swept_high)};
  flow_[node] = {
      {row(state.low), row(state.high)}, {row(state.reach_low), row(state.reach_high)}, state.radius};
  Facing& facing = facing_[node];
  facing = {vec3(state.normal[0], state.normal[1], state.normal[2]),
            state.spread,
            state.turn,
            state.least,
            state.most,
            true};
  for (std::int32_t t = tree_.begin(leaf); t < tree_.end(leaf); ++t)
    facing.inside &= world.topology->surface.at_border[std::size_t(t)] == 0;
}

/// The leaves of a block and the nodes above them.
void SurfaceSearch::place_block(const World& world, std::int32_t block) {
  std::int32_t first = tree_.leaf_nodes(), count = first / first_block_;
  first += block * count;
  for (std::int32_t node = first; node < first + count && tree_.leaf(node) < tree_.leaves(); ++node)
    place_leaf(world, tree_.leaf(node));
  while (count > 1) {
    first /= 2, count /= 2;
    for (std::int32_t node = first; node < first + count; ++node) {
      unite(node);
    }
  }
}

/// A node from its children; of facings, chords of a sphere obey the triangle inequality.
void SurfaceSearch::unite(std::int32_t node) {
  tree_.unite(node);
  flow_[std::size_t(node)] = flow_[std::size_t(2 * node)].united(flow_[std::size_t(2 * node + 1)]);
  const Facing &a = facing_[std::size_t(2 * node)], &b = facing_[std::size_t(2 * node + 1)];
  Facing& both = facing_[std::size_t(node)];
  const vec3 sum = a.normal + b.normal;
  const real length = glm::length(sum);
  both.normal = length > real(0) ? sum / length : vec3(0);
  both.spread = std::max(a.spread + glm::distance(a.normal, both.normal),
                         b.spread + glm::distance(b.normal, both.normal));
  both.least = std::min(a.least, b.least), both.most = std::max(a.most, b.most);
  both.inside = a.inside && b.inside;
  both.turn = std::max(a.turn, b.turn);
}

void SurfaceSearch::search_block(const World& world, std::int32_t block) {
  Met met{block};
  const std::int32_t node = first_block_ + block;
  for (auto& lists : found_) lists[std::size_t(block)].clear();
  meet_within(world, node, met);
  const auto meets = [&](std::int32_t other) {
    return flow_[std::size_t(node)].meets(flow_[std::size_t(other)]);
  };
  tree_.visit_later(node, meets, [&](std::int32_t other) { meet_nodes(world, node, other, met); });
  for (int k = 0; k < pair_kinds; ++k) flush(world, PairKind(k), met);
}

/// No two triangles below the nodes differ by 60 degrees or more, wherever they turn, nor much in how they
/// are stretched.
bool SurfaceSearch::face_one_way(std::int32_t node_a, std::int32_t node_b) const {
  const Facing &a = facing_[std::size_t(node_a)], &b = facing_[std::size_t(node_b)];
  const real chord = a.spread + b.spread + glm::distance(a.normal, b.normal);
  return chord < one_way_chord && std::max(a.turn, b.turn) + turn_per_chord * chord < widest_turn &&
         std::max(a.most, b.most) < most_distortion * std::min(a.least, b.least);
}

/// Two discs side by side that face one way are one that does, and so are two with a third beside both.
bool SurfaceSearch::are_one_sheet(std::int32_t a, std::int32_t b) const {
  const auto inside = [&](std::int32_t node) { return facing_[std::size_t(node)].inside; };
  if (!inside(a) || !inside(b) || !face_one_way(a, b)) return false;
  const std::int32_t link = patches_.link(a, b);
  if (link == SurfacePatches::by_edge) return true;
  return link != SurfacePatches::apart && inside(link) && face_one_way(a, link) && face_one_way(link, b);
}

/// All pairs of leaves below `node`. A disc that faces one way does not meet itself.
void SurfaceSearch::meet_within(const World& world, std::int32_t node, Met& met) {
  if (patches_.is_disc(node) && facing_[std::size_t(node)].inside && face_one_way(node, node)) return;
  if (tree_.is_leaf(node)) {
    if (tree_.leaf(node) < tree_.leaves()) meet_leaves(world, tree_.leaf(node), tree_.leaf(node), met);
    return;
  }
  meet_within(world, 2 * node, met);
  meet_within(world, 2 * node + 1, met);
  meet_nodes(world, 2 * node, 2 * node + 1, met);
}

/// All pairs of a leaf below `a` and one below `b`, different nodes of one height.
void SurfaceSearch::meet_nodes(const World& world, std::int32_t a, std::int32_t b, Met& met) {
  if (!flow_[std::size_t(a)].meets(flow_[std::size_t(b)])) return;
  if (are_one_sheet(a, b)) return;
  if (tree_.is_leaf(a)) return meet_leaves(world, tree_.leaf(a), tree_.leaf(b), met);
  for (std::int32_t i : {2 * a, 2 * a + 1})
    for (std::int32_t j : {2 * b, 2 * b + 1}) meet_nodes(world, i, j, met);
}

/// All pairs of features of two leaves that can come near: in their own frame neighbours hardly move, so the
/// boxes at the start are compared, grown by how the leaves can approach each other.
void SurfaceSearch::meet_leaves(const World& world, std::int32_t a, std::int32_t b, Met& met) {
  if (met.crowded) return;
  const auto flow = [&](std::int32_t leaf) -> const Flow& {
    return flow_[std::size_t(tree_.leaf_nodes() + leaf)];
  };
  NearFeatures near;
  leaves_.find_near(a, b, flow(a).way_of(flow(b)), &places_.data()->x, near);
  const std::int32_t leaf[2] = {a, b};
  for (int side = 0; side < (a == b ? 1 : 2); ++side) {
    const LeafFeatures<real>& own = leaves_.features(leaf[side]);
    const auto* triangles = world.topology->triangles.data() + tree_.begin(leaf[1 - side]);
    for (std::int32_t k = 0; k < own.vertices; ++k)
      for (unsigned found = near.triangles_at[side][k]; found != 0; found &= found - 1) {
        const auto& t = triangles[std::countr_zero(found)];
        if (!has(t, own.vertex[k]))
          add(world, PairKind::vertex_triangle, {own.vertex[k], t[0], t[1], t[2]}, met);
      }
  }
  const LeafFeatures<real>&fa = leaves_.features(a), &fb = leaves_.features(b);
  for (std::int32_t k = 0; k < fa.edges; ++k)
    for (unsigned found = near.edges_at[k]; found != 0; found &= found - 1)
      meet_edges(world, ends(fa, k), ends(fb, std::countr_zero(found)), met);
}

void SurfaceSearch::meet_edges(const World& world, const std::array<std::int32_t, 2>& a,
                               const std::array<std::int32_t, 2>& b, Met& met) {
  if (a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1]) return;
  add(world, PairKind::edge_edge, {a[0], a[1], b[0], b[1]}, met);
}

/// All pairs of features that two triangles own.
void SurfaceSearch::meet_triangles(const World& world, std::int32_t a, std::int32_t b, Met& met) {
  const Topology& topology = *world.topology;
  const auto& ta = topology.triangles[std::size_t(a)];
  const auto& tb = topology.triangles[std::size_t(b)];
  const unsigned oa = topology.surface.owned[std::size_t(a)], ob = topology.surface.owned[std::size_t(b)];
  const auto meet_vertex = [&](std::int32_t v, const std::array<std::int32_t, 3>& t) {
    if (!has(t, v)) add(world, PairKind::vertex_triangle, {v, t[0], t[1], t[2]}, met);
  };
  for (unsigned j = 0; j < 3; ++j) {
    if (oa >> j & 1u) meet_vertex(ta[j], tb);
    if (ob >> j & 1u) meet_vertex(tb[j], ta);
  }
  for (unsigned j = 0; j < 3; ++j)
    for (unsigned k = 0; k < 3 && (oa >> (3 + j) & 1u); ++k)
      if (ob >> (3 + k) & 1u) meet_edges(world, {ta[j], ta[(j + 1) % 3]}, {tb[k], tb[(k + 1) % 3]}, met);
}

void SurfaceSearch::add(const World& world, PairKind kind, const std::array<std::int32_t, 4>& vertices,
                        Met& met) {
  const auto astray = [&](std::int32_t i) { return astray_[std::size_t(i)] != 0; };
  if (met.strays_only && std::none_of(vertices.begin(), vertices.end(), astray)) return;
  MetPairs& pairs = met.pairs[int(kind)];
  for (std::size_t j = 0; j < 4; ++j) pairs.vertices[j][pairs.count] = vertices[j];
  if (++pairs.count == MetPairs::capacity) flush(world, kind, met);
}

/// Keeps those of the met pairs that can come within their distance while all are in their tubes.
void SurfaceSearch::flush(const World& world, PairKind kind, Met& met) {
  MetPairs& pairs = met.pairs[int(kind)];
  const std::int32_t count = pairs.count;
  for (; pairs.count % lane_group != 0; ++pairs.count)
    for (auto& row : pairs.vertices) row[pairs.count] = world.particles.count;  // padding
  kernels_.filter[int(kind)](pairs, &places_.data()->x, &reaches_.data()->x);
  std::int64_t kept = 0;
  for (std::int32_t i = 0; i < count; ++i)
    if (pairs.near[i] & 1u && ++kept)
      found_[std::size_t(kind)][std::size_t(met.list)].push_back(
          make_pair(world, kind,
                    {pairs.vertices[0][i], pairs.vertices[1][i], pairs.vertices[2][i], pairs.vertices[3][i]},
                    pairs.near[i] & 2u));
  pairs.count = 0;
  if (met.strays_only || scale_ <= least_scale) return;
  // sums that only grow: whether they pass the limit depends on no order of the blocks
  const std::int64_t triangles = std::max(std::int64_t(world.topology->triangles.size()), few_triangles);
  const bool crowded =
      (looked_at_ += count) > most_looked_at * triangles || (kept_ += kept) > most_pairs * triangles;
  if (crowded) met.crowded = true, crowded_.store(true, std::memory_order_relaxed);
}

SurfacePair SurfaceSearch::make_pair(const World& world, PairKind kind, const std::array<std::int32_t, 4>& v,
                                     bool inside) const {
  const std::size_t split = kind == PairKind::vertex_triangle ? 1 : 2;
  const auto thinnest = [&](std::size_t from, std::size_t to) {
    real least = thickness_[std::size_t(v[from])];
    for (std::size_t j = from + 1; j < to; ++j) least = std::min(least, thickness_[std::size_t(v[j])]);
    return least;
  };
  real h = thinnest(0, split) + thinnest(split, 4);
  const std::int32_t object[2] = {world.particles.object[std::size_t(v[0])],
                                  world.particles.object[std::size_t(v[split])]};
  if (object[0] == object[1]) {  // never pushed farther apart than the rest shape holds them
    std::array<vec3, 4> rest;
    for (std::size_t j = 0; j < 4; ++j) rest[j] = world.topology->surface.rest[std::size_t(v[j])];
    const real far = h + glm::distance(rest[0], rest[split - 1]) +
                     std::max(glm::distance(rest[split], rest[3]), glm::distance(rest[split], rest[2]));
    if (glm::distance(rest[0], rest[split]) < far) {
      const real torn = tear_gap * world.topology->surface.room[std::size_t(v[0])];  // 0 at rest, yet apart
      h = std::min(h, std::max(rest_distance(kind, rest), torn));
    }
  }
  const real friction = real(std::sqrt(world.materials[std::size_t(object[0])].friction *
                                       world.materials[std::size_t(object[1])].friction));
  return {{v[0], v[1], v[2], v[3]}, h, friction, kind == PairKind::vertex_triangle || inside};
}

bool SurfaceSearch::past_paths(real elapsed) const { return elapsed > ahead_ * (1 + rounding); }

bool SurfaceSearch::covers(Particles& particles, std::int64_t begin, std::int64_t end, real elapsed) {
  bool covered = !past_paths(elapsed);
  const vec3 common = common_ * elapsed;
  for (std::size_t i = std::size_t(begin); i < std::size_t(end); ++i) {
    const vec3 off = vec3(particles.position[i]) - (foretold(i, elapsed) + common);
    const real square = glm::dot(off, off);
    if (square <= margin_[i] * margin_[i] || margin_[i] == real(0)) continue;
    covered = false;
    astray_[i] = 1;
    real& stray = particles.stray[i / stray_group];
    if (elapsed <= until_[i]) stray = std::max(stray, std::sqrt(square));
  }
  return covered;
}

}  // namespace limber::inline LIMBER_PRECISION
