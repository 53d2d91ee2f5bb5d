// Bounds the ratio of the masses of neighbouring vertices.
#pragma once

#include <span>
#include <vector>

#include "engine/geometry/mesh/topology.hpp"

namespace limber {

/// A vertex lighter than this share of its neighbours' mean takes mass from them. In grids the lightest, a
/// corner with one triangle, has a third.
inline constexpr double least_mass_share = 0.3;

/// Moves mass to vertices that are much lighter than their neighbours. Vertices among slivers have hardly any
/// mass, and their neighbours have all of it. An impulse that moves the heavy vertices throws the light ones,
/// and Gauss-Seidel passes hardly any correction across such a pair. Mass is moved between neighbours, in a
/// few passes over the vertices in order, until nearly every vertex has least_mass_share of its neighbours'
/// mean. The total stays. Returns the number of vertices that gained mass.
int even_masses(std::vector<double>& masses, std::span<const Edge> edges);

}  // namespace limber
