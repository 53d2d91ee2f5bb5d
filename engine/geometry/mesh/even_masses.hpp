// Bounds the ratio of the masses of neighbouring vertices.
#pragma once

#include <span>
#include <vector>

#include "engine/geometry/mesh/topology.hpp"

namespace limber {

/// A vertex takes mass from its neighbours if it is lighter than this share of their mean. In a grid the
/// lightest vertex, a corner with one triangle, has a third of that mean.
inline constexpr double least_mass_share = 0.3;

/// Moves mass to vertices that are much lighter than their neighbours. A vertex among slivers has hardly any
/// mass compared with its neighbours: an impulse that moves them throws it far, and Gauss-Seidel carries
/// hardly any correction past it. A few passes over the vertices in order move mass between neighbours, until
/// nearly every vertex has least_mass_share of its neighbours' mean. The total mass stays. Returns the number
/// of vertices that gained mass.
int even_masses(std::vector<double>& masses, std::span<const Edge> edges);

}  // namespace limber
