// The list of scenes, including those opened by a path.
#pragma once

#include <vector>

#include "engine/scene/file/scene_library.hpp"

namespace limber {

/// The entry of `scene` in `scenes`, by its file. A scene opened by a path that is not in the list is
/// inserted first, in the group "Opened".
const SceneEntry& list_opened(const SceneDesc& scene, std::vector<SceneEntry>& scenes);

}  // namespace limber
