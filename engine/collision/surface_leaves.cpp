#include "engine/collision/surface_leaves.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <limits>

namespace limber::inline LIMBER_PRECISION {
namespace {

static_assert(surface_leaf <= leaf_lanes, "the triangles of a leaf are tested at once");

void set_triangles(const Topology& topology, std::int32_t begin, std::int32_t end, LeafFeatures<real>& leaf) {
  leaf.triangles = end - begin;
  leaf.inside = std::none_of(topology.surface.at_gap.begin() + begin, topology.surface.at_gap.begin() + end,
                             [](std::uint8_t at) { return at != 0; });
  for (int l = 0; l < leaf_lanes; ++l) {
    const auto& corners = topology.triangles[std::size_t(std::min(begin + l, end - 1))];
    for (std::size_t j = 0; j < 3; ++j) {
      leaf.corners[j][l] = corners[j];
      const vec3 edge = topology.surface.rest[std::size_t(corners[(j + 1) % 3])] -
                        topology.surface.rest[std::size_t(corners[j])];
      leaf.rest[j][l] = real(1) / std::max(glm::dot(edge, edge), std::numeric_limits<real>::min());
    }
  }
}

}  // namespace

/// The features owned by the triangles [begin, end).
void SurfaceLeaves::Owned::collect(const Topology& topology, std::int32_t begin, std::int32_t end) {
  members.clear(), vertices.clear(), edges.clear();
  for (std::int32_t t = begin; t < end; ++t) {
    const auto& corners = topology.triangles[std::size_t(t)];
    const unsigned owned = topology.surface.owned[std::size_t(t)];
    members.insert(members.end(), corners.begin(), corners.end());
    for (std::size_t j = 0; j < 3; ++j) {
      if (owned >> j & 1u) vertices.push_back(corners[j]);
      if (owned >> (3 + j) & 1u) edges.push_back({corners[j], corners[(j + 1) % 3]});
    }
  }
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
}

void SurfaceLeaves::reserve(const SurfaceTree& tree, const Topology& topology) {
  features_.resize(std::size_t(tree.leaves()));
  first_box_.clear(), members_.clear(), vertices_.clear(), ends_.clear();
  Owned& owned = owned_;
  std::int32_t boxes = 0;
  for (std::int32_t leaf = 0; leaf < tree.leaves(); ++leaf) {
    LeafFeatures<real>& features = features_[std::size_t(leaf)];
    set_triangles(topology, tree.begin(leaf), tree.end(leaf), features);
    owned.collect(topology, tree.begin(leaf), tree.end(leaf));
    features.members = std::int32_t(owned.members.size());
    features.vertices = std::int32_t(owned.vertices.size());
    features.edges = std::int32_t(owned.edges.size());
    members_.insert(members_.end(), owned.members.begin(), owned.members.end());
    vertices_.insert(vertices_.end(), owned.vertices.begin(), owned.vertices.end());
    for (std::size_t block = 0; block < owned.edge_blocks(); ++block) {
      Ends& ends = ends_.emplace_back();
      for (std::size_t l = 0; l < leaf_lanes; ++l)
        for (std::size_t j = 0; j < 2; ++j)
          ends.particles[j][l] = owned.edges[std::min(block * leaf_lanes + l, owned.edges.size() - 1)][j];
    }
    first_box_.push_back(boxes);
    boxes += std::int32_t(1 + owned.edge_blocks());
  }
  boxes_.resize(std::size_t(boxes));
  std::size_t member = 0, vertex = 0, block = 0;
  for (LeafFeatures<real>& features : features_) {  // now that nothing moves any more
    features.member = members_.data() + member;
    features.vertex = vertices_.data() + vertex;
    features.ends = &ends_.data()[block].particles;
    member += std::size_t(features.members);
    vertex += std::size_t(features.vertices);
    block += std::size_t((features.edges + leaf_lanes - 1) / leaf_lanes);
  }
}

Flow SurfaceLeaves::flow(std::int32_t leaf, const real* places, const real* reaches) const {
  const LeafFeatures<real>& features = features_[std::size_t(leaf)];
  Row<real> low, high, reach_low, reach_high, radius;
  for (std::int32_t k = 0; k < features.members; ++k) {
    const Row<real> x = Row<real>::load(places + 4 * std::int64_t(features.member[k]));
    const Row<real> reach = Row<real>::load(reaches + 4 * std::int64_t(features.member[k]));
    low = k == 0 ? x : min(low, x), high = k == 0 ? x : max(high, x);
    reach_low = k == 0 ? reach : min(reach_low, reach), reach_high = k == 0 ? reach : max(reach_high, reach);
    radius = k == 0 ? x + reach : max(radius, x + reach);
  }
  return {{low, high}, {reach_low, reach_high}, radius.last()};
}

}  // namespace limber::inline LIMBER_PRECISION
