// What the window remembers from one session to the next, in the user's config folder.
#pragma once

#include <optional>
#include <string>

#include "app/ui/view_choices.hpp"
#include "engine/core/expected.hpp"

namespace limber {

struct UserConfig {
  int width = 1280, height = 800;  ///< of the window
  ui::ViewChoices view;            ///< only what is of taste: no heat map, debug view, help
};

/// $XDG_CONFIG_HOME/limber or ~/.config/limber; empty where there is no home folder.
std::string config_folder();

/// Reads `folder`/settings.json; nothing where there is none. A file that is not what write_config() writes,
/// or has a value out of range: an Error that names it.
Expected<std::optional<UserConfig>> read_config(const std::string& folder);

/// Replaces the file as a whole, making the folder if it is missing.
Expected<void> write_config(const std::string& folder, const UserConfig& config);

}  // namespace limber
