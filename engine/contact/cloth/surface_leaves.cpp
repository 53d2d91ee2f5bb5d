#include "engine/contact/cloth/surface_leaves.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <glm/geometric.hpp>
#include <limits>
#include <numeric>

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

static_assert(surface_leaf <= leaf_lanes, "the triangles of a leaf are tested at once");

bool at_gap(const Topology& topology, std::int32_t begin, std::int32_t end) {
  const auto& gaps = topology.surface.at_gap;
  return std::any_of(gaps.begin() + begin, gaps.begin() + end, [](std::uint8_t at) { return at != 0; });
}

void set_triangles(const Topology& topology, std::int32_t begin, std::int32_t end, LeafFeatures<real>& leaf) {
  leaf.triangles = topology.is_segment(begin) ? 0 : end - begin;  // no vertex touches the face of a segment
  leaf.inside = !at_gap(topology, begin, end);
  for (int l = 0; l < leaf_lanes; ++l) {
    const auto corners = topology.facet(std::min(begin + l, end - 1));
    for (std::size_t j = 0; j < 3; ++j) {
      leaf.corners[j][l] = corners[j];
      const vec3 edge = topology.surface.rest[std::size_t(corners[(j + 1) % 3])] -
                        topology.surface.rest[std::size_t(corners[j])];
      leaf.rest[j][l] = real(1) / std::max(glm::dot(edge, edge), std::numeric_limits<real>::min());
    }
  }
}

using Corners = std::array<std::int32_t, 3>;

bool share_corner(const Corners& a, const Corners& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](std::int32_t i) { return std::find(b.begin(), b.end(), i) != b.end(); });
}

/// Numbers the pieces of a few triangles that have no corner in common. part[t] becomes the piece of triangle
/// t. Returns the number of pieces.
std::int32_t number_parts(std::span<const Corners> triangles, std::int32_t (&part)[surface_leaf]) {
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    part[t] = std::int32_t(t);
    for (std::size_t u = 0; u < t; ++u)
      if (part[u] != part[t] && share_corner(triangles[u], triangles[t])) {
        const auto [low, high] = std::minmax(part[u], part[t]);
        std::replace(part, part + t + 1, std::int32_t(high), std::int32_t(low));
      }
  }
  std::int32_t count = 0;
  for (std::size_t t = 0; t < triangles.size(); ++t)  // the first triangle of a piece has its own number
    part[t] = part[t] == std::int32_t(t) ? count++ : part[part[t]];
  return count;
}

}  // namespace

/// Lists the features owned by the triangles [begin, end).
SurfaceLeaves::Owned::Owned(const Topology& topology, std::int32_t begin, std::int32_t end) {
  Corners facets[surface_leaf];
  for (std::int32_t f = begin; f < end; ++f) facets[f - begin] = topology.facet(f);
  const std::span<const Corners> triangles(facets, std::size_t(end - begin));
  std::int32_t part[surface_leaf];
  parts = std::min(number_parts(triangles, part), most_parts);
  for (std::int32_t p = 0; p < parts; ++p) {
    std::int32_t* const first = member + members;
    for (std::size_t t = 0; t < triangles.size(); ++t)
      if (std::min(part[t], parts - 1) == p)
        for (const std::int32_t i : triangles[t]) member[members++] = i;
    std::sort(first, member + members);
    part_end[p] = members = std::int32_t(std::unique(first, member + members) - member);
  }
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const Corners& corners = triangles[t];
    bits[t] = topology.surface.owned[std::size_t(begin) + t];
    for (std::size_t j = 0; j < 3; ++j) {
      if (bits[t] >> j & 1u) vertex[vertices++] = corners[j];
      if (!(bits[t] >> (3 + j) & 1u)) continue;
      edge[0][edges] = corners[j], edge[1][edges] = corners[(j + 1) % 3];
      ++edges;
    }
  }
}

void SurfaceLeaves::reserve(const SurfaceTree& tree, const Topology& topology) {
  // Then every leaf gets storage for all features that it may come to own.
  const bool tears = !topology.tears.empty();
  features_.resize(std::size_t(tree.leaves()));
  parts_.resize(tears ? features_.size() : 0);
  part_flow_.resize(parts_.size() * std::size_t(most_parts));
  first_box_.clear();
  std::int32_t members = 0, vertices = 0, blocks = 0;
  const auto for_rooms = [&](auto&& act) {
    members = vertices = blocks = 0;
    for (std::int32_t leaf = 0; leaf < tree.leaves(); ++leaf) {
      const Owned owned(topology, tree.begin(leaf), tree.end(leaf));
      act(leaf, owned);
      members += tears ? most_features : owned.members;
      vertices += tears ? most_features : owned.vertices;
      blocks += tears ? most_features / leaf_lanes : owned.edge_blocks();
    }
  };
  for_rooms([&](std::int32_t leaf, const Owned&) { first_box_.push_back(leaf + blocks); });
  members_.resize(std::size_t(members));
  vertices_.resize(std::size_t(vertices));
  ends_.resize(std::size_t(blocks));
  boxes_.resize(std::size_t(tree.leaves() + blocks));
  // The arrays are not reallocated any more, so pointers stay valid.
  for_rooms([&](std::int32_t leaf, const Owned& owned) {
    LeafFeatures<real>& features = features_[std::size_t(leaf)];
    features.member = members_.data() + members;
    features.vertex = vertices_.data() + vertices;
    features.ends = &ends_.data()[blocks].particles;
    if (tree.begin(leaf) < tree.end(leaf))
      set_triangles(topology, tree.begin(leaf), tree.end(leaf), features);
    lay_out(leaf, owned);
  });
}

void SurfaceLeaves::lay_out(std::int32_t leaf, const Owned& owned) {
  LeafFeatures<real>& features = features_[std::size_t(leaf)];
  features.members = owned.members, features.vertices = owned.vertices, features.edges = owned.edges;
  std::copy_n(owned.member, owned.members, members_.data() + (features.member - members_.data()));
  std::copy_n(owned.vertex, owned.vertices, vertices_.data() + (features.vertex - vertices_.data()));
  const std::int32_t first_block = first_box_[std::size_t(leaf)] - leaf;
  for (std::int32_t k = 0; k < owned.edge_blocks() * leaf_lanes; ++k)
    for (int j = 0; j < 2; ++j)
      ends_[std::size_t(first_block + k / leaf_lanes)].particles[j][k % leaf_lanes] =
          owned.edge[j][std::min(k, owned.edges - 1)];
  if (parts_.empty()) return;
  Parts& parts = parts_[std::size_t(leaf)];
  parts.count = owned.parts;
  std::copy_n(owned.part_end, owned.parts, parts.end);
  std::copy_n(owned.bits, surface_leaf, parts.owned);
}

void SurfaceLeaves::follow_tears(const SurfaceTree& tree, const Topology& topology, std::int32_t leaf,
                                 std::span<std::uint8_t> split) {
  const std::int32_t begin = tree.begin(leaf), end = tree.end(leaf);
  LeafFeatures<real>& features = features_[std::size_t(leaf)];
  bool same = features.inside == !at_gap(topology, begin, end);
  const auto note = [&](std::int32_t particle) {  // other threads may flag the same particle
    if (!split.empty()) std::atomic_ref(split[std::size_t(particle)]).store(1, std::memory_order_relaxed);
  };
  for (std::int32_t t = begin; t < end; ++t) {
    const Corners corners = topology.facet(t);
    for (std::size_t j = 0; j < 3; ++j) {
      const std::int32_t was = features.corners[j][t - begin];
      if (was == corners[j]) continue;
      same = false;
      note(was), note(corners[j]);
    }
    same &= parts_[std::size_t(leaf)].owned[t - begin] == topology.surface.owned[std::size_t(t)];
  }
  if (same) return;
  set_triangles(topology, begin, end, features);
  lay_out(leaf, Owned(topology, begin, end));
}

Flow SurfaceLeaves::flow(std::int32_t leaf, const real* places, const real* reaches) {
  const LeafFeatures<real>& features = features_[std::size_t(leaf)];
  const std::span<const std::int32_t> members(features.member, std::size_t(features.members));
  if (parts_.empty() || parts_[std::size_t(leaf)].count == 1) return flow_of(members, places, reaches);
  const Parts& parts = parts_[std::size_t(leaf)];
  Flow* const own = part_flow_.data() + leaf * most_parts;
  for (std::int32_t p = 0, from = 0; p < parts.count; from = parts.end[p++])
    own[p] = flow_of(members.subspan(std::size_t(from), std::size_t(parts.end[p] - from)), places, reaches);
  return std::accumulate(own + 1, own + parts.count, own[0],
                         [](const Flow& a, const Flow& b) { return a.united(b); });
}

std::span<const Flow> SurfaceLeaves::parts(std::int32_t leaf, const Flow& whole) const {
  if (parts_.empty() || parts_[std::size_t(leaf)].count == 1) return {&whole, 1};
  return {part_flow_.data() + leaf * most_parts, std::size_t(parts_[std::size_t(leaf)].count)};
}

bool SurfaceLeaves::parts_meet(std::int32_t a, const Flow& flow_a, std::int32_t b, const Flow& flow_b) const {
  const std::span<const Flow> of_a = parts(a, flow_a), of_b = parts(b, flow_b);
  // Each leaf is one piece, and these flows have been compared already.
  if (of_a.size() == 1 && of_b.size() == 1) return true;
  return std::any_of(of_a.begin(), of_a.end(), [&](const Flow& x) {
    return std::any_of(of_b.begin(), of_b.end(), [&](const Flow& y) { return x.meets(y); });
  });
}

Flow SurfaceLeaves::flow_of(std::span<const std::int32_t> members, const real* places,
                            const real* reaches) const {
  Row<real> low, high, reach_low, reach_high, radius;
  for (std::size_t k = 0; k < members.size(); ++k) {
    const Row<real> x = Row<real>::load(places + 4 * std::int64_t(members[k]));
    const Row<real> reach = Row<real>::load(reaches + 4 * std::int64_t(members[k]));
    low = k == 0 ? x : min(low, x), high = k == 0 ? x : max(high, x);
    reach_low = k == 0 ? reach : min(reach_low, reach), reach_high = k == 0 ? reach : max(reach_high, reach);
    radius = k == 0 ? x + reach : max(radius, x + reach);
  }
  return {{low, high}, {reach_low, reach_high}, radius.last()};
}

}}  // namespace limber::LIMBER_PRECISION
