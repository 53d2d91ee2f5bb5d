#include "engine/state/thin_rods.hpp"

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

bool is_thin_rod(const World& world, std::size_t object) {
  return world.settings.materials[object].thickness <= world.settings.solver.contact->particle_radius;
}

}}  // namespace limber::LIMBER_PRECISION
