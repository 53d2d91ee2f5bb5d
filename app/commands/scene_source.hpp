// Loads the scene that a command line names.
#pragma once

#include <string>
#include <vector>

#include "engine/core/expected.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_library.hpp"
#include "engine/simulation/input_recording.hpp"

namespace limber {

/// The folder that holds scenes/, assets/ and shaders/.
Expected<std::string> data_folder();

/// The shipped scenes.
Expected<SceneLibrary> shipped_scenes();

/// The shipped scenes and those in the user's folder ($XDG_DATA_HOME/limber/scenes).
Expected<SceneLibrary> all_scenes();

/// A setting of a scene and its new value.
struct SettingValue {
  Setting setting;
  Value value;
};

/// Parses "path=value" for `scene`. Fails on an unknown path, with the nearest one, and on a value of the
/// wrong type.
Expected<SettingValue> read_setting(SceneDesc& scene, const std::string& assignment);

/// Parses and applies "path=value". Also fails on a value out of range, naming the range.
Expected<void> apply_setting(SceneDesc& scene, const std::string& assignment);

/// Loads the scene called `name_or_file` and applies every "path=value" of `settings` in order.
Expected<SceneDesc> load_scene(const std::string& name_or_file,
                               const std::vector<std::string>& settings = {});

/// Parses the settings of each variant ("path=value path=value ...") of a loaded scene. Errors name `option`.
Expected<std::vector<std::vector<SetValue>>> read_variants(const SceneDesc& scene,
                                                           const std::vector<std::string>& variants,
                                                           const std::string& option);

/// Splits "path=value path=value" into settings.
std::vector<std::string> settings_of(const std::string& variant);

/// Adds the `--set` arguments to an error found while building, because they may have caused it.
Error told_with_settings(Error error, const std::vector<std::string>& settings);

/// Loads the scene of a recording with its recorded settings: from the recorded file; if that is missing,
/// from the file of that name beside the recording; otherwise the scene of the same name.
Expected<SceneDesc> load_recorded_scene(const InputRecording& recording);

}  // namespace limber
