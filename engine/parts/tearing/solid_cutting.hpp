// Cutting solids by hand: between tetrahedra, and particles out of clusters.
#pragma once

#include <string_view>
#include <vector>

#include "engine/parts/tearing/blade.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

struct CutResult {
  int made = 0;              ///< new vertices, and particles that left a cluster
  bool full = false;         ///< something stayed whole because nothing was left in reserve
  std::string_view refusal;  ///< of an object that was met and that cannot be cut
};

/// Opens the faces between tetrahedra whose centres the blade parts. A vertex divides where the faces opened
/// by this cut so far, which user.cut keeps from piece to piece, part the tetrahedra around it: at the tip of
/// a cut they do not. A held vertex stays whole. O(T log T).
void cut_solids(World& world, const Blade& blade, const std::vector<char>& carriers, CutResult& result);

/// Takes particles out of the clusters whose centres the blade parts from them, as long as another one holds
/// them. O(entries).
void cut_clusters(World& world, const Blade& blade, CutResult& result);

}}  // namespace limber::LIMBER_PRECISION
