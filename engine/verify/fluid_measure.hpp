// Densities and pressures of fluids, measured independently of the solver, in double.
#pragma once

#include <span>

#include "engine/core/measures.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Density over rest density, V sum W, of each particle of the World, including the volumes that grains,
/// clusters, colliders, bodies and sheets of triangles displace; 0 for a particle of no fluid or outside the
/// scene. `nearest`, if given, receives per particle the distance to the nearest other fluid particle in m;
/// infinite if none is within the support.
std::vector<double> fluid_densities(const World& world, std::vector<double>* nearest = nullptr);

/// Pressure in each particle, Pa, in the same order: the virial of the impulses between it and its neighbours
/// in the last substep,
///
///   p_i = 1/(6 h^2) sum_j (l_i + l_j + spread (W / W(dq))^n) |grad W| |u|,
///
/// and of the forces of surface tension, divided by the share of the support that walls leave free, so that
/// the pressure behind walls counts as equal. Surface tension presses the particles of a drop together; with
/// its virial in the sum, the drop has the pressure of Laplace's law.
std::vector<double> fluid_pressures(const World& world);

/// Adds the density error, max(0, density / rest density - 1), and the counts of particles.
void add_fluids(const World& world, Measures& m);

}}  // namespace limber::LIMBER_PRECISION
