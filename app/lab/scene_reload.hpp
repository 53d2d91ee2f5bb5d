// What an edited scene file changes in the scene that runs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/expected.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// A scene file that was read again.
struct SceneReload {
  Expected<SceneDesc> scene;
  /// Paths of the settings that differ from the text before, when nothing else does: then they can be set in
  /// the running scene. Absent: it has to be built again.
  std::optional<std::vector<std::string>> settings;
  std::function<void()> taken = {};  ///< called when the scene that runs is as the file says
};

/// Compares two texts of a scene file. Paths are setting paths ("solver.substeps"); absent when something
/// else than a single value changed, or when a text is not JSON.
std::optional<std::vector<std::string>> changed_settings(std::string_view before, std::string_view after);

/// The values that differ between a scene as it was opened and as it is now: what a person changed.
std::vector<SetValue> user_changes(const SceneDesc& original, const SceneDesc& now);

/// Writes `changes` into `scene`; those whose setting is gone, or out of its new range, are left out.
/// Returns how many were kept.
int apply_changes(const std::vector<SetValue>& changes, SceneDesc& scene);

/// The value called `path`; nothing where there is no such setting.
std::optional<Value> value_of(const SceneDesc& scene, const std::string& path);

}  // namespace limber
