// Volume and surface of a rigid body.
#pragma once

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

struct BodyExtent {
  double volume = 0.0;   ///< m^3
  double surface = 0.0;  ///< m^2
};

/// Sums over the parts of a body. Overlaps of parts count twice.
BodyExtent extent_of_body(const World& world, std::size_t body);

}}  // namespace limber::LIMBER_PRECISION
