// Settings of the window kept between sessions, in the user's config folder.
#pragma once

#include <optional>
#include <string>

#include "app/ui/view_choices.hpp"
#include "engine/core/expected.hpp"

namespace limber {

struct UserConfig {
  int width = 1280, height = 800;  ///< size of the window
  ui::ViewChoices view;            ///< without heat map, debug view and help, which belong to a scene
};

/// $XDG_CONFIG_HOME/limber or ~/.config/limber; empty if there is no home folder.
std::string config_folder();

/// Reads `folder`/settings.json; absent if there is no such file. An invalid file, or a value out of range,
/// is an Error that names the file.
Expected<std::optional<UserConfig>> read_config(const std::string& folder);

/// Replaces the file as a whole. Creates the folder if it is missing.
Expected<void> write_config(const std::string& folder, const UserConfig& config);

}  // namespace limber
