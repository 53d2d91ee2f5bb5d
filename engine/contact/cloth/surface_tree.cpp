#include "engine/contact/cloth/surface_tree.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace limber { inline namespace LIMBER_PRECISION {

namespace {

/// Per object, the end of its facets among the first `count` facets.
std::vector<std::int32_t> ends_of_objects(const World& world, std::int32_t count) {
  const auto object_of = [&](std::int32_t f) {
    return world.particles.object[std::size_t(world.topology->facet(f)[0])];
  };
  std::vector<std::int32_t> ends;
  for (std::int32_t f = 1; f <= count; ++f)
    if (f == count || object_of(f) != object_of(f - 1)) ends.push_back(f);
  return ends;
}

}  // namespace

std::vector<std::int32_t> triangle_ends(const World& world) {
  return ends_of_objects(world, std::int32_t(world.topology->triangles.size()));
}
std::vector<std::int32_t> facet_ends(const World& world) {
  return ends_of_objects(world, world.topology->facets());
}

void SurfaceTree::reserve(std::span<const std::int32_t> ends) {
  constexpr real far_away = std::numeric_limits<real>::max();
  begin_.clear(), leaf_node_of_.clear();
  leaves_ = block_height_ = 0;
  std::int32_t first = 0, most = 1;  // most leaves of one object
  for (const std::int32_t end : ends) {
    most = std::max(most, (end - first + leaf_triangles - 1) / leaf_triangles);
    first = end;
  }
  block_height_ = std::min(int(std::bit_width(unsigned(most - 1))), most_block_height);
  first = 0;
  for (const std::int32_t end : ends) {
    const std::size_t block = std::size_t(block_leaves());
    begin_.resize((begin_.size() + block - 1) / block * block, first);
    for (; first < end; first = std::min(first + leaf_triangles, end)) {
      leaf_node_of_.resize(std::size_t(std::min(first + leaf_triangles, end)), std::int32_t(begin_.size()));
      begin_.push_back(first);
    }
    leaves_ = std::int32_t(begin_.size());
  }
  leaf_nodes_ = std::int32_t(std::bit_ceil(unsigned(std::max(blocks(), 1)))) * block_leaves();
  for (std::int32_t& leaf : leaf_node_of_) leaf += leaf_nodes_;
  begin_.resize(std::size_t(leaf_nodes_) + 1, first);
  nodes_.assign(std::size_t(2 * leaf_nodes_), Box{Row<real>(far_away), Row<real>(-far_away)});
}

}}  // namespace limber::LIMBER_PRECISION
