// Coarser and coarser subsets of the particles of a World, with distance limits between them (Mueller 2008,
// "Hierarchical position based dynamics").
#pragma once

#include <vector>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// A level of the hierarchy: a subset of the particles of the next finer level.
struct HierarchyLevel {
  /// A particle of the next finer level that is not on this level; it follows its neighbours on this level.
  struct Follower {
    std::int32_t particle, first_parent, end_parent;  ///< in `parents`
  };
  struct Parent {
    std::int32_t particle;
    real weight;  ///< the weights of a follower add up to 1
  };
  StencilBatch<Rope> limits;     ///< in slots, colour after colour
  StencilState<Rope> state;      ///< stiffness 1
  std::vector<ColorRun> colors;  ///< of `limits`
  std::vector<std::int32_t> members;
  /// 1/kg, by member: inverse of its mass and its share of the masses of all its followers, M_k = m_k + sum_f
  /// w_fk M_f, so that pulls keep momentum
  std::vector<real> inverse_mass;
  std::vector<Follower> followers;
  std::vector<Parent> parents;
};

/// The levels above the particles themselves, the coarsest last. Each contains the particles that are held
/// fixed now, and as few others as leave every particle of the next finer level two neighbours on it.
/// Neighbours are joined by distance constraints; each particle that is left out is merged into its nearest
/// parent, so that the edges of the coarser level remain. A limit is the shortest way over the surface: along
/// edges and, at hinges, straight across them, so a little more than the true distance, never less. O(N log
/// N), serial, allocates.
std::vector<HierarchyLevel> build_hierarchy(const World& world);

}}  // namespace limber::LIMBER_PRECISION
