// Friction of directly solved rods on rigid bodies: the part that acts around a rod.
#pragma once

#include "engine/contact/coupling/coupling_row.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// kg m^2, angular impulse times h on the body by the friction that rolls the rod of a row: the opposite of
/// the rod's, so that both have their friction at the surface of the rod.
vec3 rolling_couple(const World& world, const CouplingRow& row);

}}  // namespace limber::LIMBER_PRECISION
