// Cutting solids by hand: between tetrahedra, and particles out of clusters.
#pragma once

#include <string_view>
#include <vector>

#include "engine/parts/tearing/blade.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

struct CutResult {
  int made = 0;              ///< new vertices, and particles that left a cluster
  bool full = false;         ///< something stayed whole because the reserve was empty
  std::string_view refusal;  ///< why an object in the way of the blade cannot be cut
};

/// Opens the faces between tetrahedra whose centres lie on different sides of the blade. A vertex divides
/// when the faces that this cut has opened so far (kept in user.cut from piece to piece) separate the
/// tetrahedra around it. At the tip of a cut they do not. A held vertex is never divided. O(T log T).
void cut_solids(World& world, const Blade& blade, const std::vector<char>& carriers, CutResult& result);

/// Takes particles out of clusters whose centres lie on the other side of the blade, as long as another
/// cluster holds them. O(entries).
void cut_clusters(World& world, const Blade& blade, CutResult& result);

}}  // namespace limber::LIMBER_PRECISION
