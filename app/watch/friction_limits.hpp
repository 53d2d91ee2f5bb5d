// Contacts on which solver.friction_model does not act.
#pragma once

#include <string>

#include "engine/scene/file/scene_desc.hpp"

namespace limber {

/// One sentence that names the contacts of the scene that keep positional friction under the velocity filter,
/// "" where the filter acts on all contacts that there can be.
///
/// The filter takes speed once velocities are known. Contacts that hold each other up (stacks of bodies,
/// heaps of grains, layers of cloth) keep the multipliers of friction over sweeps and substeps and would
/// creep without them; both at once would take friction twice.
std::string friction_limits_text(const SceneDesc& scene);

}  // namespace limber
