// Numbers of heat maps: one per vertex or body of a World.
#pragma once

#include <span>

#include "engine/state/world.hpp"
#include "engine/verify/heat_map_id.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Writes the numbers of `map` by external vertex id; `out` has one entry per vertex. Only reads the World,
/// allocates nothing (but for stress), touches every constraint once.
///
///   strain    largest |len/rest - 1| of the distance constraints at the vertex; of tetrahedra, of their
///             principal stretches
///   stress    Pa: von Mises, of tetrahedra (tet_heat.hpp)
///   volume    largest |V/V0 - 1| of the tetrahedra at the vertex
///   residual  m: longest correction |w grad C dlambda| that one more projection (stencil.hpp) would make
///   phase     number of the last phase of a sweep that moves the vertex, from 0; a small object, which one
///             task works through, counts its own segments. `constraints` are what `schedule` visits
///   velocity  m/s: |v|
///   none, force  0
void write_heat(const World& world, const ConstraintSet& constraints, const Schedule& schedule, HeatMap map,
                std::span<float> out);

/// Writes the numbers of `map` per rigid body, in the order of the World:
///   velocity  m/s: |v| of the centre of mass
///   force     N: sum of the normal forces on it in the last substep
///   others    0
void write_body_heat(const World& world, HeatMap map, std::span<float> out);

}}  // namespace limber::LIMBER_PRECISION
