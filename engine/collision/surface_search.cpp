#include "engine/collision/surface_search.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

namespace limber::inline LIMBER_PRECISION {
namespace {

using L1 = Lanes<real, 1>;

/// Normals within this cosine, 60 degrees, face the same way.
constexpr real same_way = real(0.5);
/// A region whose normals all lie within 10 degrees of their mean is flat; two of them whose means differ by
/// less than 40 degrees face the same way everywhere.
constexpr real flat_region = real(0.985), same_way_regions = real(0.766);
/// A triangle whose area lies within this factor of that at rest is calm.
constexpr real calm_share = real(1.4);
/// ... if on the way ahead its corners do not part by more than this share of its longest edge: it could
/// fold.
constexpr real calm_way = real(0.25);
/// Calm triangles are where the rest shape has them while they are no nearer than this share of that.
constexpr real near_share = real(0.8);
/// The tube around a path, as a share of half the shortest edge.
constexpr real tube_share = real(0.3);
/// How far the mean particle may go on its path, and how far any may, in halves of the shortest edge there.
constexpr real mean_path = real(0.5), longest_path = real(4);

constexpr real rounding = real(1e-3);  // of the time within a frame

/// Room for pairs per block of 128 triangles before its list has to grow.
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

bool drawn_together(const vec3& now, const vec3& rest) {
  return glm::dot(now, now) < near_share * near_share * glm::dot(rest, rest);
}

bool has(const std::array<std::int32_t, 3>& t, std::int32_t v) { return t[0] == v || t[1] == v || t[2] == v; }

}  // namespace

void SurfaceSearch::reserve(const World& world) {
  const Topology& topology = *world.topology;
  const std::size_t particles = std::size_t(world.particles.padded()), triangles = topology.triangles.size();
  boxes_.resize(triangles);
  swept_.resize(triangles);
  places_.assign(particles, vec4(0));
  reaches_.assign(particles, vec4(0));
  for (auto* rows : {&start_, &relative_}) rows->assign(particles, vec3(0));
  for (auto* rows : {&until_, &margin_, &thickness_}) rows->assign(particles, real(0));
  normal_.assign(triangles, vec3(0));
  rest_center_.resize(triangles);
  rest_size_.resize(triangles);
  rest_area_.resize(triangles);
  center_.assign(triangles, vec3(0));
  calm_.assign(triangles, 0);
  for (std::size_t t = 0; t < triangles; ++t) {
    vec3 x[3];
    for (std::size_t j = 0; j < 3; ++j) x[j] = topology.surface.rest[std::size_t(topology.triangles[t][j])];
    rest_center_[t] = (x[0] + x[1] + x[2]) / real(3);
    rest_area_[t] = glm::length(glm::cross(x[1] - x[0], x[2] - x[0]));
    rest_size_[t] =
        std::max({glm::distance(x[0], x[1]), glm::distance(x[1], x[2]), glm::distance(x[2], x[0])});
  }
  tree_.reserve(std::int32_t(triangles));
  regions_.assign(std::size_t(tree_.leaves()), {});
  for (auto& lists : found_) {
    lists.resize(std::size_t((tree_.leaves() + block_leaves_ - 1) / block_leaves_));
    for (auto& list : lists) list.reserve(pairs_at_first);
  }
}

void SurfaceSearch::run(const World& world, const Motion& motion, Team& team) {
  if (team.rank() == 0) {
    start(world, motion);
    next_block_.store(0, std::memory_order_relaxed);
  }
  team.barrier();
  place_tubes(world, motion, team);
  team.barrier();
  place_triangles(world, team);
  team.barrier();
  place_regions(world, team);
  team.barrier();
  if (team.rank() == 0) tree_.refit();
  team.barrier();
  const std::int32_t blocks = std::int32_t(found_[0].size());
  // whoever is free takes the next block: each has lists of its own, so the order does not matter
  for (std::int32_t b; (b = next_block_.fetch_add(1, std::memory_order_relaxed)) < blocks;)
    search_block(world, b);
  team.barrier();
}

/// The common velocity, and how far ahead to look: until the mean particle has gone the length of a path.
/// Any values are right; these keep the paths short, and slow scenes are searched once a frame.
void SurfaceSearch::start(const World& world, const Motion& motion) {
  const std::size_t count = std::size_t(world.particles.count);
  const std::vector<Index>& vertex = world.topology->internal_to_external;  // -1: in reserve
  vec3 sum(0);
  for (std::size_t i = 0; i < count; ++i)
    if (vertex[i] >= 0) sum += motion.speed(i);
  common_ = sum / real(std::max<std::size_t>(world.topology->external_to_internal.size(), 1));
  real speed = 0, room = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (vertex[i] < 0) continue;
    speed += glm::length(motion.speed(i) - common_);
    room += world.topology->surface.room[i];
  }
  const real wanted = speed > real(0) ? mean_path * room / speed : motion.ahead;
  ahead_ = std::min(motion.ahead, wanted);
}

/// Seen from the common velocity, a path is straight: relative * (h + until) from `from` on.
void SurfaceSearch::place_tubes(const World& world, const Motion& motion, const Team& team) {
  const Share share = team.share(world.particles.count, particle_block);
  for (std::int64_t i = share.begin; i < share.end; ++i) {
    const std::size_t p = std::size_t(i);
    const real room = world.topology->surface.room[p];
    thickness_[p] =
        std::min(real(world.materials[std::size_t(world.particles.object[p])].thickness), room) / 2;
    margin_[p] = room * tube_share;
    start_[p] = vec3(motion.to[p]);
    relative_[p] = motion.speed(p) - common_;
    const real speed = glm::length(relative_[p]), longest = longest_path * room;
    const bool cut = speed * ahead_ > longest;  // it then stays there, and leaves its tube
    until_[p] = cut ? longest / speed : ahead_;
    const vec3 from(motion.from[p]), reach = (motion.h + until_[p]) * relative_[p];
    const real radius = margin_[p] + thickness_[p];
    places_[p] = vec4(from, radius);
    reaches_[p] = vec4(reach, cut ? glm::length(reach) : real(0));
  }
}

void SurfaceSearch::place_triangles(const World& world, const Team& team) {
  const auto& triangles = world.topology->triangles;
  const Share share = team.share(std::int64_t(triangles.size()), SurfaceTree::leaf_triangles);
  for (std::int64_t t = share.begin; t < share.end; ++t) {
    const auto& [i, j, k] = triangles[std::size_t(t)];
    const vec3 x(places_[std::size_t(i)]), y(places_[std::size_t(j)]), z(places_[std::size_t(k)]);
    const vec3 n = glm::cross(y - x, z - x);
    center_[std::size_t(t)] = (x + y + z) / real(3);
    Box& swept = swept_[std::size_t(t)];
    swept = {x, x};
    for (std::int32_t v : triangles[std::size_t(t)]) {
      const vec4 &place = places_[std::size_t(v)], &reach = reaches_[std::size_t(v)];
      const Box ends{glm::min(vec3(place), vec3(place + reach)), glm::max(vec3(place), vec3(place + reach))};
      swept = swept.united(ends.grown(place.w));
    }
    boxes_[std::size_t(t)] = {glm::min(x, glm::min(y, z)), glm::max(x, glm::max(y, z))};
    const real length = glm::length(n);
    normal_[std::size_t(t)] = length > real(0) ? n / length : vec3(0);
    const real rest = rest_area_[std::size_t(t)];
    const vec3 a(reaches_[std::size_t(i)]), b(reaches_[std::size_t(j)]), c(reaches_[std::size_t(k)]);
    const real turns = std::max({glm::distance(a, b), glm::distance(b, c), glm::distance(c, a)});
    calm_[std::size_t(t)] = length > rest / calm_share && length < rest * calm_share &&
                            turns < calm_way * rest_size_[std::size_t(t)];
  }
}

void SurfaceSearch::place_regions(const World& world, const Team& team) {
  const Share share = team.share(tree_.leaves());
  for (std::int64_t leaf = share.begin; leaf < share.end; ++leaf) {
    Region& region = regions_[std::size_t(leaf)];
    region = region_of(world, std::int32_t(leaf));
    Box& box = tree_.box(std::int32_t(leaf));
    box = swept_[std::size_t(tree_.begin(std::int32_t(leaf)))];
    for (std::int32_t t = tree_.begin(std::int32_t(leaf)); t < tree_.end(std::int32_t(leaf)); ++t)
      box = box.united(swept_[std::size_t(t)]);
  }
}

SurfaceSearch::Region SurfaceSearch::region_of(const World& world, std::int32_t leaf) const {
  const Topology& topology = *world.topology;
  const std::size_t first = std::size_t(tree_.begin(leaf)), last = std::size_t(tree_.end(leaf));
  const real share = real(1) / real(last - first);
  Region region{boxes_[first]};
  region.object = world.particles.object[std::size_t(topology.triangles[first][0])];
  for (std::size_t t = first; t < last; ++t) {
    region.box = region.box.united(boxes_[t]);
    region.normal += normal_[t];
    region.center += share * center_[t];
    region.rest_center += share * rest_center_[t];
    region.at_border |= topology.surface.at_border[t] != 0;
    for (std::int32_t i : topology.triangles[t])
      region.reach += share / real(3) * vec3(reaches_[std::size_t(i)]);
    if (world.particles.object[std::size_t(topology.triangles[t][0])] != region.object) region.object = -1;
  }
  const real length = glm::length(region.normal);
  region.normal = length > real(0) ? region.normal / length : vec3(0);
  region.flat = region.object >= 0;
  for (std::size_t t = first; t < last; ++t) {
    region.flat &= calm_[t] && glm::dot(region.normal, normal_[t]) > flat_region;
    region.rest_radius =
        std::max(region.rest_radius, glm::distance(region.rest_center, rest_center_[t]) + rest_size_[t]);
    for (std::int32_t i : topology.triangles[t]) {
      const vec4& reach = reaches_[std::size_t(i)];
      region.spread = std::max(region.spread, glm::distance(region.reach, vec3(reach)) + reach.w);
      region.radius = std::max(region.radius, places_[std::size_t(i)].w);
    }
  }
  return region;
}

void SurfaceSearch::search_block(const World& world, std::int32_t block) {
  Met met;
  for (auto& lists : found_) lists[std::size_t(block)].clear();
  const std::int32_t end = std::min((block + 1) * block_leaves_, tree_.leaves());
  for (std::int32_t leaf = block * block_leaves_; leaf < end; ++leaf)
    tree_.visit_overlaps(leaf, [&](std::int32_t other) { meet_leaves(world, leaf, other, block, met); });
  for (int k = 0; k < pair_kinds; ++k) flush(world, PairKind(k), block, met);
}

/// All pairs of triangles of two leaves that can come near: in their own frame neighbours hardly move, so the
/// boxes at the start are compared, grown by what the leaves can approach each other.
void SurfaceSearch::meet_leaves(const World& world, std::int32_t a, std::int32_t b, std::int32_t block,
                                Met& met) {
  const Region &ra = regions_[std::size_t(a)], &rb = regions_[std::size_t(b)];
  if (same_side(ra, rb)) return;
  const real within = ra.radius + rb.radius + glm::distance(ra.reach, rb.reach) + ra.spread + rb.spread;
  const Box near_b = rb.box.grown(within);
  if (!ra.box.overlaps(near_b)) return;
  for (std::int32_t s = tree_.begin(a); s < tree_.end(a); ++s) {
    if (!boxes_[std::size_t(s)].overlaps(near_b)) continue;
    const Box near_s = boxes_[std::size_t(s)].grown(within);
    for (std::int32_t t = a == b ? s + 1 : tree_.begin(b); t < tree_.end(b); ++t)
      if (near_s.overlaps(boxes_[std::size_t(t)]) && swept_[std::size_t(s)].overlaps(swept_[std::size_t(t)]))
        meet(world, s, t, within, block, met);
  }
}

bool SurfaceSearch::same_side(const Region& a, const Region& b) const {
  if (!a.flat || !b.flat || a.object != b.object || (a.at_border && b.at_border)) return false;
  if (glm::dot(a.normal, b.normal) < same_way_regions) return false;
  const vec3 d = a.rest_center - b.rest_center;
  const real near = a.rest_radius + b.rest_radius;
  return glm::dot(d, d) < near * near && !drawn_together(a.center - b.center, d);
}

/// Triangles that lie together in the rest shape, face the same way now, have about their size and distance
/// at rest and belong to the inside of the mesh: to touch, the surface between them would have to fold over,
/// and then a triangle that faces the other way lies between them and is met by both.
bool SurfaceSearch::same_side(const World& world, std::int32_t a, std::int32_t b) const {
  const Topology& topology = *world.topology;
  if (!calm_[std::size_t(a)] || !calm_[std::size_t(b)]) return false;
  if (glm::dot(normal_[std::size_t(a)], normal_[std::size_t(b)]) < same_way) return false;
  const auto& ta = topology.triangles[std::size_t(a)];
  const auto& tb = topology.triangles[std::size_t(b)];
  if (world.particles.object[std::size_t(ta[0])] != world.particles.object[std::size_t(tb[0])]) return false;
  const vec3 d = rest_center_[std::size_t(a)] - rest_center_[std::size_t(b)];
  const real near = real(1.5) * (rest_size_[std::size_t(a)] + rest_size_[std::size_t(b)]);
  if (glm::dot(d, d) > near * near) return false;
  if (drawn_together(center_[std::size_t(a)] - center_[std::size_t(b)], d)) return false;
  if (!topology.surface.at_border[std::size_t(a)] || !topology.surface.at_border[std::size_t(b)]) return true;
  // two of one vertex only may be the two ends of its triangles, with a tear between them
  return has(tb, ta[0]) + has(tb, ta[1]) + has(tb, ta[2]) >= 2;
}

void SurfaceSearch::meet(const World& world, std::int32_t a, std::int32_t b, real within, std::int32_t block,
                         Met& met) {
  if (same_side(world, a, b)) return;
  const Topology& topology = *world.topology;
  const auto& ta = topology.triangles[std::size_t(a)];
  const auto& tb = topology.triangles[std::size_t(b)];
  const unsigned oa = topology.surface.owned[std::size_t(a)], ob = topology.surface.owned[std::size_t(b)];
  const Box near_a = boxes_[std::size_t(a)].grown(within), near_b = boxes_[std::size_t(b)].grown(within);
  const auto place = [&](std::int32_t i) { return vec3(places_[std::size_t(i)]); };
  const auto vertex = [&](std::int32_t v, const std::array<std::int32_t, 3>& t, const Box& near) {
    if (!has(t, v) && near.holds(place(v)))
      add(world, PairKind::vertex_triangle, {v, t[0], t[1], t[2]}, block, met);
  };
  const auto edge_box = [&](std::int32_t i, std::int32_t j) {
    return Box{glm::min(place(i), place(j)), glm::max(place(i), place(j))};
  };
  for (unsigned j = 0; j < 3; ++j) {
    if (oa >> j & 1u) vertex(ta[j], tb, near_b);
    if (ob >> j & 1u) vertex(tb[j], ta, near_a);
  }
  for (unsigned j = 0; j < 3; ++j) {
    if (!(oa >> (3 + j) & 1u)) continue;
    const std::int32_t a0 = ta[j], a1 = ta[(j + 1) % 3];
    const Box box = edge_box(a0, a1);
    if (!box.overlaps(near_b)) continue;
    const Box near = box.grown(within);
    for (unsigned k = 0; k < 3; ++k) {
      const std::int32_t b0 = tb[k], b1 = tb[(k + 1) % 3];
      if (!(ob >> (3 + k) & 1u) || a0 == b0 || a0 == b1 || a1 == b0 || a1 == b1) continue;
      if (near.overlaps(edge_box(b0, b1))) add(world, PairKind::edge_edge, {a0, a1, b0, b1}, block, met);
    }
  }
}

void SurfaceSearch::add(const World& world, PairKind kind, const std::array<std::int32_t, 4>& vertices,
                        std::int32_t block, Met& met) {
  MetPairs& pairs = met.pairs[int(kind)];
  for (std::size_t j = 0; j < 4; ++j) pairs.vertices[j][pairs.count] = vertices[j];
  if (++pairs.count == MetPairs::capacity) flush(world, kind, block, met);
}

/// Keeps those of the met pairs that can come within their distance while all are in their tubes.
void SurfaceSearch::flush(const World& world, PairKind kind, std::int32_t block, Met& met) {
  MetPairs& pairs = met.pairs[int(kind)];
  const std::int32_t count = pairs.count;
  for (; pairs.count % lane_group != 0; ++pairs.count)
    for (auto& row : pairs.vertices) row[pairs.count] = world.particles.count;  // padding
  kernels_.filter[int(kind)](pairs, &places_.data()->x, &reaches_.data()->x);
  for (std::int32_t i = 0; i < count; ++i)
    if (pairs.near[i] & 1u)
      found_[std::size_t(kind)][std::size_t(block)].push_back(
          make_pair(world, kind,
                    {pairs.vertices[0][i], pairs.vertices[1][i], pairs.vertices[2][i], pairs.vertices[3][i]},
                    pairs.near[i] & 2u));
  pairs.count = 0;
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

bool SurfaceSearch::covers(const AlignedVector<vec4>& position, std::int64_t begin, std::int64_t end,
                           real elapsed) const {
  if (elapsed > ahead_ * (1 + rounding)) return false;
  const vec3 common = common_ * elapsed;
  for (std::size_t i = std::size_t(begin); i < std::size_t(end); ++i) {
    const vec3 off = vec3(position[i]) - (start_[i] + common + std::min(elapsed, until_[i]) * relative_[i]);
    if (margin_[i] > real(0) && !(glm::dot(off, off) <= margin_[i] * margin_[i])) return false;
  }
  return true;
}

}  // namespace limber::inline LIMBER_PRECISION
