// Cutting by hand: along the edges nearest to where a blade swept through the surface.
#pragma once

#include <array>
#include <glm/vec3.hpp>
#include <string_view>

#include "engine/state/world.hpp"

namespace limber::inline LIMBER_PRECISION {

/// Cuts all surfaces along the quad that a segment sweeps from {near, far}[0] to [1] (m, double). Every edge
/// that the quad crosses gives its nearer end; within a triangle the ends of the two edges it crosses are
/// joined by a side, along which the surface opens. `begins`: this is a new cut, else it goes on where the
/// last one ended, also within a triangle, and wherever that is now: the front end takes the place of {near,
/// far}[0]. Returns the number of new vertices; -1, and nothing has changed,
/// if there was no room for any. Objects that cannot be cut are passed over; `refusal`, if not null, gets the
/// sentence of one that was met, or nothing. `world` has a TearRoom. O(T). Serial, between steps.
int cut(World& world, const std::array<glm::dvec3, 2>& near, const std::array<glm::dvec3, 2>& far,
        bool begins, std::string_view* refusal = nullptr);

}  // namespace limber::inline LIMBER_PRECISION
