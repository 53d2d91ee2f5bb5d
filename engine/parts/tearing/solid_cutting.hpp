// Cutting solids by hand: between tetrahedra, and particles from clusters.
#pragma once

#include <string_view>
#include <vector>

#include "engine/parts/tearing/blade.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

struct CutResult {
  int made = 0;              ///< new vertices, and particles that left a cluster
  bool full = false;         ///< an element stayed whole because the reserve of particles or slots was empty
  std::string_view refusal;  ///< reason why an object that the blade crosses cannot be cut
};

/// Opens the faces between tetrahedra whose centres lie on different sides of the blade. A vertex is split if
/// the faces that this cut has opened so far (stored in user.cut from piece to piece) separate the tetrahedra
/// around it; at the tip of a cut they do not. A fixed vertex is never split. O(T log T) for T tetrahedra.
void cut_solids(World& world, const Blade& blade, const std::vector<char>& carriers, CutResult& result);

/// Removes particles from clusters whose centres lie on the other side of the blade, as long as the particle
/// stays in another cluster. O(entries).
void cut_clusters(World& world, const Blade& blade, CutResult& result);

}}  // namespace limber::LIMBER_PRECISION
