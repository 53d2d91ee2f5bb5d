// Compares an edited scene file with the running scene.
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

/// The result of reading a scene file again.
struct SceneReload {
  Expected<SceneDesc> scene;
  /// Paths of the changed settings if nothing else changed, so that they can be set in the running scene.
  /// Absent: the scene must be rebuilt.
  std::optional<std::vector<std::string>> settings;
  std::function<void()> taken = {};  ///< called once the running scene matches the file
};

/// Compares two texts of a scene file. Returns the setting paths ("solver.substeps") of changed values;
/// absent if more than single values changed, or if a text is not JSON.
std::optional<std::vector<std::string>> changed_settings(std::string_view before, std::string_view after);

/// Settings that the user changed: those that differ between the scene as opened and now.
std::vector<SetValue> user_changes(const SceneDesc& original, const SceneDesc& now);

/// Writes `changes` into `scene`, except those whose setting no longer exists or whose value is now out of
/// range. Returns the number written.
int apply_changes(const std::vector<SetValue>& changes, SceneDesc& scene);

/// The value of the setting `path`; absent if there is no such setting.
std::optional<Value> value_of(const SceneDesc& scene, const std::string& path);

}  // namespace limber
