// The values of heat maps: one per vertex or body of a World.
#pragma once

#include <span>

#include "engine/state/world.hpp"
#include "engine/verify/heat_map_id.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Writes the values of `map` by external vertex id; `out` has one entry per vertex. Only reads the World,
/// and visits every constraint once. Allocates nothing, except for stress.
///
///   strain    largest |len/rest - 1| of the distance constraints and rod segments at the vertex; for
///             tetrahedra, of their principal stretches
///   stress    Pa: von Mises, of tetrahedra (tet_heat.hpp)
///   volume    largest |V/V0 - 1| of the tetrahedra at the vertex
///   residual  m: longest correction |w grad C dlambda| that one more projection (stencil.hpp) would make
///   phase     number of the last phase of a sweep that moves the vertex, from 0; the segments of a small
///             object, which one task processes, are numbered within that task. `constraints` must be the
///             ones that `schedule` visits
///   velocity  m/s: |v|
///   density   max(0, density / rest density - 1) of a fluid particle
///   pressure  Pa, in a fluid particle (fluid_measure.hpp)
///   tension   N, largest of the rod segments at the vertex; bending, twist: N m, of the joints there
///   temperature  degrees C
///   plastic   largest plastic strain; yield: von Mises stress over yield stress (plastic_measure.hpp)
///   *_field   factor of a field of materials (core/material_field.hpp)
///   none, force, awake  0
void write_heat(const World& world, const ConstraintSet& constraints, const Schedule& schedule, HeatMap map,
                std::span<float> out);

/// Writes the values of `map` per rigid body, in the order of the World:
///   velocity     m/s: |v| of the centre of mass
///   force        N: sum of the normal forces on it in the last substep
///   awake        0: asleep; otherwise the share that is left of the time at rest after which it falls asleep
///   temperature  degrees C
///   others       0
void write_body_heat(const World& world, HeatMap map, std::span<float> out);

}}  // namespace limber::LIMBER_PRECISION
