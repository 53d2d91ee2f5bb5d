#include "engine/contact/cloth/surface_facing.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Share of 360 degrees that the triangles around a border vertex fill if the border is straight or convex.
constexpr real share_of_border = real(0.5);

constexpr real no_cosine = 2;  // larger than any cosine

}  // namespace

/// The largest angles under which nodes are seen from a point beside them. The triangles around every vertex
/// face one way, so the point is at least an edge away. From there a rectangle fills the angle of its long
/// side; two rectangles may lie in a row, and three in an L around the point.
SurfaceFacing::Widest SurfaceFacing::widest_at(int height) {
  const real side = real(2 << (height + 1) / 2), turn = 2 * std::numbers::pi_v<real>;
  const auto widest = [](real share) { return vec2(share, std::sqrt(1 - share * share)); };
  return {widest(2 * std::atan(side / 2) / turn), widest(2 * std::atan(side) / turn),
          widest(real(0.25) + 2 * std::atan(side - 1) / turn)};
}

void SurfaceFacing::reserve(const SurfaceTree& tree, const Topology& topology, int height) {
  patches_.reserve(tree, topology, height);
  leaf_nodes_ = tree.leaf_nodes();
  widest_.clear();
  for (int above = 0; above <= tree.height(1); ++above) widest_.push_back(widest_at(above));
  facing_.assign(std::size_t(tree.nodes()), {});
  tilt_.assign(std::size_t(topology.facets()), vec4(0));
  at_border_.assign(topology.surface.rest.size(), 0);
  for (std::size_t t = 0; t < topology.triangles.size(); ++t)
    for (std::size_t j = 0; j < 3; ++j)
      if (topology.surface.neighbors[t][j] < 0)
        for (const std::size_t end : {j, (j + 1) % 3})
          at_border_[std::size_t(topology.triangles[t][end])] = 1;
}

void SurfaceFacing::place(const SurfaceTree& tree, std::int32_t leaf, const LeafShape<real>& shape,
                          bool inside) {
  Facing& facing = facing_[std::size_t(leaf_nodes_ + leaf)];
  facing.normal = vec3(shape.normal[0], shape.normal[1], shape.normal[2]);
  facing.spread = shape.spread, facing.turn = shape.turn;
  facing.least = shape.least, facing.most = shape.most;
  facing.open = !inside;
  measure(leaf_nodes_ + leaf);
  for (std::int32_t t = tree.begin(leaf); t < tree.end(leaf); ++t)
    Row<real>::load(shape.tilt[t - tree.begin(leaf)]).store(&tilt_[std::size_t(t)].x);
}

void SurfaceFacing::place_fan(const SurfaceTree& tree, const Topology& topology, std::int32_t vertex) {
  const auto triangles = topology.triangles_at(vertex);
  const auto tilt = [&](std::int32_t t) { return Row<real>::load(&tilt_[std::size_t(t)].x); };
  Row<real> all(real(0)), most(real(0));
  for (const std::int32_t t : triangles) all = all + tilt(t), most = max(most, tilt(t));
  const real least = at_border_[std::size_t(vertex)] ? share_of_border : real(0);
  const real length = std::sqrt(all.square());
  // A normal that differs by an angle a from the mean shortens the sum of unit normals by at least 1 - cos a.
  if (length > real(triangles.size()) - 1 + most.last() + least) return;
  vec4 sum;
  all.store(&sum.x);
  const bool folds = std::any_of(triangles.begin(), triangles.end(), [&](std::int32_t t) {
    const vec4& own = tilt_[std::size_t(t)];
    return !(glm::dot(vec3(own), vec3(sum)) > (own.w + least) * length);
  });
  if (!folds) return;
  for (const std::int32_t t : triangles)  // other threads may mark the same leaf
    std::atomic_ref(facing_[std::size_t(tree.leaf_node_of(t))].open).store(1, std::memory_order_relaxed);
}

/// Chords of a sphere obey the triangle inequality, which bounds the spread of the union.
void SurfaceFacing::unite(std::int32_t node) {
  const Facing &a = facing_[std::size_t(2 * node)], &b = facing_[std::size_t(2 * node + 1)];
  Facing& both = facing_[std::size_t(node)];
  const vec3 sum = a.normal + b.normal;
  const real length = glm::length(sum);
  both.normal = length > real(0) ? sum / length : vec3(0);
  both.spread = std::max(a.spread + glm::distance(a.normal, both.normal),
                         b.spread + glm::distance(b.normal, both.normal));
  both.least = std::min(a.least, b.least), both.most = std::max(a.most, b.most);
  both.open = a.open | b.open;
  both.turn = std::max(a.turn, b.turn);
  measure(node);
}

/// Computes the cosines above which a node and its neighbours face one way. A triangle below the node may
/// differ from the mean normal by the angle of the spread plus the angle by which normals rotate; the rest of
/// the permitted angle remains for the difference between normals of several pieces. It is measured from the
/// middle of two pieces, and from the middle piece of three.
void SurfaceFacing::measure(std::int32_t node) {
  Facing& facing = facing_[std::size_t(node)];
  facing.alone = facing.pair = facing.third = no_cosine;
  const real r = facing.spread, t = facing.turn;
  if (!(r < real(1)) || !(t < real(1)) || !(glm::dot(facing.normal, facing.normal) > real(0))) return;
  const real c = 1 - r * r / 2, s = r * std::sqrt(1 - r * r / 4), turned = std::sqrt(1 - t * t);
  const real cosine = c * turned - s * t, sine = s * turned + c * t;
  const Widest& widest = widest_[std::size_t(SurfaceTree::levels_between(node, leaf_nodes_))];
  const auto left = [&](const vec2& b) {
    return b.y * cosine > b.x * sine ? b.x * cosine + b.y * sine : no_cosine;
  };
  facing.alone = left(widest.one);
  if (const real half = left(widest.two); half < no_cosine) facing.pair = 2 * half * half - 1;
  facing.third = left(widest.three);
}

bool SurfaceFacing::stretched_alike(std::initializer_list<std::int32_t> nodes) const {
  real least = std::numeric_limits<real>::max(), most = 0, distortion = least;
  for (std::int32_t node : nodes) {
    const Facing& facing = facing_[std::size_t(node)];
    least = std::min(least, facing.least), most = std::max(most, facing.most);
    distortion = std::min(distortion, patches_.most_distortion(node));
  }
  return most < distortion * least;
}

bool SurfaceFacing::is_sheet(std::int32_t node) const {
  const Facing& facing = facing_[std::size_t(node)];
  return !facing.open && facing.alone < no_cosine && stretched_alike({node});
}

/// Two adjacent discs that face one way form a disc that faces one way; the same holds for two discs with a
/// third disc adjacent to both.
bool SurfaceFacing::are_one_sheet(std::int32_t node_a, std::int32_t node_b) const {
  const Facing &a = facing_[std::size_t(node_a)], &b = facing_[std::size_t(node_b)];
  if (a.open || b.open) return false;
  const std::int32_t link = patches_.link(node_a, node_b);
  if (link == SurfacePatches::apart) return false;
  if (link == SurfacePatches::by_edge)
    return glm::dot(a.normal, b.normal) > std::max(a.pair, b.pair) && stretched_alike({node_a, node_b});
  const Facing& between = facing_[std::size_t(link)];
  return !between.open && between.third < no_cosine && glm::dot(a.normal, between.normal) > a.third &&
         glm::dot(b.normal, between.normal) > b.third && stretched_alike({node_a, node_b, link});
}

}}  // namespace limber::LIMBER_PRECISION
