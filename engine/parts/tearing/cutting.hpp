// Cutting by hand: along the edges and faces nearest to the quad that a blade sweeps through matter.
#pragma once

#include <array>
#include <glm/vec3.hpp>
#include <vector>

#include "engine/parts/tearing/solid_cutting.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Cuts along the quad that a segment sweeps from {near, far}[0] to {near, far}[1] (m, double).
/// Surfaces: for every edge that the quad crosses, the end nearer to the crossing is chosen. A triangle with
/// two crossed edges opens along the side that joins the two chosen ends. Solids: cut_solids(),
/// cut_clusters(). Rods: cut_rods(). `begins`: this is a new cut. Otherwise the cut continues at the present
/// position of the last cut's front end, which may be within a triangle, instead of {near, far}[0]. Objects
/// that cannot be cut are skipped. `carriers`: per object, whether its tetrahedra carry a mesh. `world` must
/// have a TearRoom. O(T) for T triangles. Serial, between steps.
CutResult cut(World& world, const std::array<glm::dvec3, 2>& near, const std::array<glm::dvec3, 2>& far,
              bool begins, const std::vector<char>& carriers = {});

}}  // namespace limber::LIMBER_PRECISION
