// Warns of meshes with triangles that cross or coincide at the start.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/simulation/simulation.hpp"

namespace limber {

/// Number of pairs of coplanar triangles that overlap, like coincident faces of parts in a CAD model. Two
/// triangles with a common corner count if they overlap. Positions in m.
std::int64_t count_coincident(std::span<const Triangle> triangles, std::span<const glm::dvec3> positions);

/// A sentence about objects whose meshes cross themselves at the start: "bracket: 12 pairs of its triangles
/// lie on each other and 3 pairs of its triangles cross at the start ..."; "" if there are none. Leaves out
/// objects whose shape is destroyed at the start, and pairs of triangles of two objects.
std::string crossing_note(const Simulation& simulation);

}  // namespace limber
