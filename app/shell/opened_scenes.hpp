// The list of scenes with those that were opened by a path.
#pragma once

#include <vector>

#include "engine/scene/file/scene_library.hpp"

namespace limber {

/// The entry of `scene` in `scenes`, by its file. One that is not there yet, as it was opened by a path,
/// comes first, in the group "Opened".
const SceneEntry& list_opened(const SceneDesc& scene, std::vector<SceneEntry>& scenes);

}  // namespace limber
