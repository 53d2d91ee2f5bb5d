// From what the command line calls a scene to a SceneDesc.
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

/// The scenes that come with the program.
Expected<SceneLibrary> shipped_scenes();

/// The shipped scenes and those in the user's own folder ($XDG_DATA_HOME/limber/scenes).
Expected<SceneLibrary> all_scenes();

/// A setting of a scene and what it is to become.
struct SettingValue {
  Setting setting;
  Value value;
};

/// What one "path=value" says about `scene`. Fails with the nearest path, or if this is no value of the
/// setting.
Expected<SettingValue> read_setting(SceneDesc& scene, const std::string& assignment);

/// Applies it. Fails also with the range that the value misses.
Expected<void> apply_setting(SceneDesc& scene, const std::string& assignment);

/// The scene that `name_or_file` means, with every "path=value" of `settings` applied in order.
Expected<SceneDesc> load_scene(const std::string& name_or_file,
                               const std::vector<std::string>& settings = {});

/// What each of `variants` ("path=value path=value ...") sets beside the others, of a scene that has been
/// loaded. `option` is named in errors.
Expected<std::vector<std::vector<SetValue>>> read_variants(const SceneDesc& scene,
                                                           const std::vector<std::string>& variants,
                                                           const std::string& option);

/// "path=value path=value": its words.
std::vector<std::string> settings_of(const std::string& variant);

/// An error that shows only when the scene is built, with what `--set` said: it may be the cause.
Error told_with_settings(Error error, const std::vector<std::string>& settings);

/// The scene a recording was made of, with the settings it had then: from the same file, or, where that is
/// not there, from the file of that name beside the recording, or else the scene of the same name.
Expected<SceneDesc> load_recorded_scene(const InputRecording& recording);

}  // namespace limber
