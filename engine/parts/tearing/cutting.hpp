// Cutting by hand: along the edges and faces nearest to where a blade swept through matter.
#pragma once

#include <array>
#include <glm/vec3.hpp>
#include <vector>

#include "engine/parts/tearing/solid_cutting.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Cuts along the quad that a segment sweeps from {near, far}[0] to [1] (m, double). Surfaces: every edge
/// that the quad crosses gives its nearer end; within a triangle the ends of the two edges it crosses are
/// joined by a side, along which the surface opens. Solids: cut_solids(), cut_clusters(); rods: cut_rods().
/// `begins`: this is a new cut, else it goes on where the last one ended, also within a triangle, and
/// wherever that is now: the front end takes the place of {near, far}[0]. Objects that cannot be cut are
/// passed over. `carriers`, per object: it carries a mesh in its tetrahedra. `world` has a TearRoom. O(T).
/// Serial, between steps.
CutResult cut(World& world, const std::array<glm::dvec3, 2>& near, const std::array<glm::dvec3, 2>& far,
              bool begins, const std::vector<char>& carriers = {});

}}  // namespace limber::LIMBER_PRECISION
