#include "engine/contact/cloth/surface_tree.hpp"

#include <limits>

namespace limber::inline LIMBER_PRECISION {

void SurfaceTree::reserve(std::int32_t triangles) {
  constexpr real far_away = std::numeric_limits<real>::max();
  triangles_ = triangles;
  leaf_nodes_ = 1;
  while (leaf_nodes_ < leaves()) leaf_nodes_ *= 2;
  nodes_.assign(std::size_t(2 * leaf_nodes_), Box{Row<real>(far_away), Row<real>(-far_away)});
}

}  // namespace limber::inline LIMBER_PRECISION
