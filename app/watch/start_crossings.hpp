// Meshes that begin with triangles through or on each other.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/simulation/simulation.hpp"

namespace limber {

/// Pairs of triangles in one plane whose insides share a part of it, as the coincident faces of parts in a
/// CAD model do. Those that share a corner count if they cover each other. m
std::int64_t count_coincident(std::span<const Triangle> triangles, std::span<const glm::dvec3> positions);

/// Notes on objects with a mesh of their own that start so: "bracket: 12 pairs of its triangles lie on each
/// other, 3 cross each other at the start ..."; "" if nothing does. Objects whose shape is taken from them at
/// the start are left out, and pairs of triangles of two objects.
std::string crossing_note(const Simulation& simulation);

}  // namespace limber
