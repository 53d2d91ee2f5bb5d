#include "engine/contact/cloth/piercing_search.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

glm::dvec3 place(const Particles& particles, std::int32_t i) {
  return glm::dvec3(particles.position[std::size_t(i)]);
}

/// Heights over a triangle below this share of its size plus the edge's are rounding errors: a flat sheet
/// does not pierce itself.
constexpr double flat_share = 1e-12;

/// Six times the signed volume of the tetrahedron of a and the triangle, whose corners are sorted by number.
double volume_over(const Particles& x, std::array<std::int32_t, 3> t, std::int32_t a) {
  std::sort(t.begin(), t.end());
  const glm::dvec3 o = place(x, t[0]);
  return glm::dot(place(x, t[1]) - o, glm::cross(place(x, t[2]) - o, place(x, a) - o));
}

bool is_flat(const Particles& x, const std::array<std::int32_t, 3>& t, std::int32_t a, std::int32_t b,
             double volume) {
  double size = 0.0;
  for (const std::int32_t i : {t[1], t[2], a, b})
    size = std::max(size, glm::distance(place(x, i), place(x, t[0])));
  return volume <= flat_share * size * size * size;
}

/// Side on which the line through a and b, a < b, passes the edge from c to d.
bool passes(const Particles& x, std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) {
  const std::int32_t low = std::min(c, d), high = std::max(c, d);
  const glm::dvec3 o = place(x, a);
  const bool side = glm::dot(place(x, b) - o, glm::cross(place(x, low) - o, place(x, high) - o)) >= 0.0;
  return side == (c < d);
}

bool is_corner(const std::array<std::int32_t, 3>& t, std::int32_t v) {
  return t[0] == v || t[1] == v || t[2] == v;
}

Box edge_box(const Particles& particles, std::int32_t a, std::int32_t b) {
  const Row<real> x = Row<real>::load(&particles.position[std::size_t(a)].x),
                  y = Row<real>::load(&particles.position[std::size_t(b)].x);
  return {min(x, y), max(x, y)};
}

/// True if vertex v lies exactly at a corner of t. That happens to copies of a torn vertex that another
/// object has pushed together again.
bool lies_at_corner(const Particles& x, const std::array<std::int32_t, 3>& t, std::int32_t v) {
  return std::any_of(t.begin(), t.end(),
                     [&](std::int32_t corner) { return place(x, corner) == place(x, v); });
}

}  // namespace

bool pierces(const Particles& particles, std::int32_t a, std::int32_t b,
             const std::array<std::int32_t, 3>& t) {
  const double va = volume_over(particles, t, a), vb = volume_over(particles, t, b);
  if ((va >= 0.0) == (vb >= 0.0)) return false;
  if (is_flat(particles, t, a, b, std::max(std::abs(va), std::abs(vb)))) return false;
  if (a > b) std::swap(a, b);
  const bool u = passes(particles, a, b, t[0], t[1]);
  return u == passes(particles, a, b, t[1], t[2]) && u == passes(particles, a, b, t[2], t[0]);
}

void PiercingSearch::reserve(const World& world) {
  tree_.reserve(triangle_ends(world));
  boxes_.resize(world.topology->triangles.size());
  found_.resize(std::size_t(tree_.blocks()));
}

void PiercingSearch::run(const World& world, Team& team) {
  if (team.rank() == 0) next_block_.store(0, std::memory_order_relaxed);
  const Share blocks = team.share(tree_.blocks());
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b) place_block(world, std::int32_t(b));
  team.barrier();
  if (team.rank() == 0)
    for (std::int32_t node = tree_.first_block() - 1; node > 0; --node) tree_.unite(node);
  team.barrier();
  // A free thread takes the next block. Each block has a list of its own, so the order does not matter.
  for (std::int32_t b; (b = next_block_.fetch_add(1, std::memory_order_relaxed)) < tree_.blocks();)
    search_block(world, b);
}

/// Places the leaves of a block and the nodes above them.
void PiercingSearch::place_block(const World& world, std::int32_t block) {
  std::int32_t count = tree_.block_leaves(), first = tree_.leaf_nodes() + block * count;
  for (std::int32_t node = first; node < first + count && tree_.leaf(node) < tree_.leaves(); ++node) {
    const std::int32_t leaf = tree_.leaf(node), begin = tree_.begin(leaf);
    for (std::int32_t t = begin; t < tree_.end(leaf); ++t) {
      Row<real> corner[3];
      for (std::size_t j = 0; j < 3; ++j) {
        const std::int32_t i = world.topology->triangles[std::size_t(t)][j];
        corner[j] = Row<real>::load(&world.particles.position[std::size_t(i)].x);
      }
      const Box box{min(corner[0], min(corner[1], corner[2])), max(corner[0], max(corner[1], corner[2]))};
      boxes_[std::size_t(t)] = box;
      tree_.box(node) = t == begin ? box : tree_.box(node).united(box);
    }
  }
  while (count > 1) {
    first /= 2, count /= 2;
    for (std::int32_t node = first; node < first + count; ++node) tree_.unite(node);
  }
}

void PiercingSearch::search_block(const World& world, std::int32_t block) {
  std::vector<Piercing>& out = found_[std::size_t(block)];
  out.clear();
  const std::int32_t node = tree_.first_block() + block;
  meet_within(world, node, out);
  const auto meets = [&](std::int32_t other) { return tree_.overlap(node, other); };
  tree_.visit_later(node, meets, [&](std::int32_t other) { meet_nodes(world, node, other, out); });
}

void PiercingSearch::meet_within(const World& world, std::int32_t node, std::vector<Piercing>& out) {
  if (tree_.is_empty(node)) return;
  if (tree_.is_leaf(node)) return meet_leaves(world, tree_.leaf(node), tree_.leaf(node), out);
  meet_within(world, 2 * node, out);
  meet_within(world, 2 * node + 1, out);
  meet_nodes(world, 2 * node, 2 * node + 1, out);
}

void PiercingSearch::meet_nodes(const World& world, std::int32_t a, std::int32_t b,
                                std::vector<Piercing>& out) {
  if (!tree_.overlap(a, b)) return;
  if (tree_.is_leaf(a)) return meet_leaves(world, tree_.leaf(a), tree_.leaf(b), out);
  for (std::int32_t i : {2 * a, 2 * a + 1})
    for (std::int32_t j : {2 * b, 2 * b + 1}) meet_nodes(world, i, j, out);
}

void PiercingSearch::meet_leaves(const World& world, std::int32_t a, std::int32_t b,
                                 std::vector<Piercing>& out) {
  const Topology& topology = *world.topology;
  const auto look = [&](std::int32_t owner, std::int32_t other) {
    const auto &s = topology.triangles[std::size_t(owner)], &t = topology.triangles[std::size_t(other)];
    if (!particles_touch(world, s[0], t[0])) return;
    for (std::size_t j = 0; j < 3; ++j) {
      const std::int32_t from = s[j], to = s[(j + 1) % 3];
      if (!(topology.surface.owned[std::size_t(owner)] >> (3 + j) & 1) || is_corner(t, from) ||
          is_corner(t, to))
        continue;
      if (edge_box(world.particles, from, to).overlaps(boxes_[std::size_t(other)]) &&
          pierces(world.particles, from, to, t) && !lies_at_corner(world.particles, t, from) &&
          !lies_at_corner(world.particles, t, to))
        out.push_back({owner, std::int32_t(j), other});
    }
  };
  const Box& around_b = tree_.box(tree_.leaf_nodes() + b);
  for (std::int32_t s = tree_.begin(a); s < tree_.end(a); ++s) {
    if (!boxes_[std::size_t(s)].overlaps(around_b)) continue;
    for (std::int32_t t = a == b ? s + 1 : tree_.begin(b); t < tree_.end(b); ++t)
      if (boxes_[std::size_t(s)].overlaps(boxes_[std::size_t(t)])) look(s, t), look(t, s);
  }
}

}}  // namespace limber::LIMBER_PRECISION
