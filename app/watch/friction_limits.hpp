// Finds contacts on which solver.friction_model does not act.
#pragma once

#include <string>

#include "engine/scene/file/scene_desc.hpp"

namespace limber {

/// A sentence naming the contacts of the scene that keep positional friction although solver.friction_model
/// is the velocity filter; "" if the filter acts on all possible contacts.
///
/// The filter reduces tangential velocities after they have been computed. Contacts that carry load (stacks
/// of bodies, heaps of grains, layers of cloth) would creep if their friction multipliers were not kept over
/// sweeps and substeps; and with both, friction would act twice.
std::string friction_limits_text(const SceneDesc& scene);

}  // namespace limber
