// Bounds the ratio of the masses of neighbouring vertices.
#pragma once

#include <span>
#include <vector>

#include "engine/geometry/mesh/topology.hpp"

namespace limber {

/// A vertex lighter than this share of its neighbours' mean takes mass from them. In grids the lightest, a
/// corner with one triangle, has a third.
inline constexpr double least_mass_share = 0.3;

/// Vertices among slivers have next to no mass, beside neighbours that carry all of it: impulses that move
/// the heavy ones throw the light ones, and a sweep of Gauss-Seidel hardly passes anything on across such a
/// pair. Mass goes from neighbour to neighbour, in few passes over the vertices in order, until every vertex
/// has least_mass_share of its neighbours' mean or nearly; the sum stays. Returns how many vertices took
/// some.
int even_masses(std::vector<double>& masses, std::span<const Edge> edges);

}  // namespace limber
