// A hierarchy of subsets of the particles of a World, with distance limits between them (Mueller 2008,
// "Hierarchical position based dynamics").
#pragma once

#include <vector>

#include "engine/state/constraint_set.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// A level of the hierarchy: a subset of the particles of the next finer level.
struct HierarchyLevel {
  /// A particle of the next finer level that is not on this level; it follows its neighbours on this level
  /// (parents).
  struct Follower {
    std::int32_t particle, first_parent, end_parent;  ///< range in `parents`
  };
  struct Parent {
    std::int32_t particle;
    real weight;  ///< the weights of a follower add up to 1
  };
  StencilBatch<Rope> limits;     ///< in slots, colour after colour
  StencilState<Rope> state;      ///< stiffness 1
  std::vector<ColorRun> colors;  ///< of `limits`
  std::vector<std::int32_t> members;
  /// 1/kg, by member: inverse of its own mass plus its share of the masses of all its followers, M_k = m_k +
  /// sum_f w_fk M_f, so that projections conserve momentum.
  std::vector<real> inverse_mass;
  std::vector<Follower> followers;
  std::vector<Parent> parents;
};

/// Builds the levels above the particles themselves, the coarsest last. A level contains the particles that
/// are fixed at present, and as few others as possible, such that every particle of the next finer level has
/// two neighbours on it. Neighbours are particles joined by distance constraints. A particle that is not on
/// the level is merged into its nearest parent; the merged edges are the edges of the level. The limit of an
/// edge is the length of the shortest path over the surface, along edges and straight across hinges: never
/// less than the true distance, and little more. O(N log N) for N particles, serial, allocates.
std::vector<HierarchyLevel> build_hierarchy(const World& world);

}}  // namespace limber::LIMBER_PRECISION
