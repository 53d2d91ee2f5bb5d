#include "app/shell/user_config.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace limber {
namespace fs = std::filesystem;
namespace {

constexpr int smallest_side = 320, largest_side = 16384;  // px of a window's side

std::string file_in(const std::string& folder) { return (fs::path(folder) / "settings.json").string(); }

bool power_of_two_in(int value, int low, int high) {
  return value >= low && value <= high && (value & (value - 1)) == 0;
}

nlohmann::json to_json(const UserConfig& config) {
  const ui::ViewChoices& view = config.view;
  return {{"width", config.width},
          {"height", config.height},
          {"panels", view.panels},
          {"shadows", view.shadows},
          {"msaa", view.msaa},
          {"scenes_share", view.scenes_share},
          {"fluids", int(view.fluids)},
          {"shadow_size", view.shadow_size},
          {"heat_colors", int(view.heat_look.colors)},
          {"isolines", view.heat_look.isolines}};
}

/// Reads the settings. Keys missing from the file of an older program keep their defaults.
UserConfig from_json(const nlohmann::json& json) {
  UserConfig config;
  ui::ViewChoices& view = config.view;
  config.width = json.value("width", config.width);
  config.height = json.value("height", config.height);
  view.panels = json.value("panels", view.panels);
  view.scenes_share = std::clamp(json.value("scenes_share", view.scenes_share), 0.1f, 0.9f);
  view.shadows = json.value("shadows", view.shadows);
  view.msaa = json.value("msaa", view.msaa);
  view.shadow_size = json.value("shadow_size", view.shadow_size);
  view.fluids = FluidLook(std::clamp(json.value("fluids", int(view.fluids)), 0, 2));
  view.heat_look.colors = ColorMap(std::clamp(json.value("heat_colors", int(view.heat_look.colors)), 0, 2));
  view.heat_look.isolines = json.value("isolines", view.heat_look.isolines);
  return config;
}

bool sound(const UserConfig& config) {
  const auto side = [](int px) { return px >= smallest_side && px <= largest_side; };
  return side(config.width) && side(config.height) && power_of_two_in(config.view.msaa, 1, 8) &&
         power_of_two_in(config.view.shadow_size, 512, 4096);
}

}  // namespace

std::string config_folder() {
  if (const char* config = std::getenv("XDG_CONFIG_HOME"); config && *config)
    return (fs::path(config) / "limber").string();
  if (const char* home = std::getenv("HOME"); home && *home)
    return (fs::path(home) / ".config/limber").string();
  return {};
}

Expected<std::optional<UserConfig>> read_config(const std::string& folder) {
  std::ifstream file(file_in(folder));
  if (!file) return std::optional<UserConfig>();
  try {
    const UserConfig config = from_json(nlohmann::json::parse(file));
    if (sound(config)) return std::optional(config);
  } catch (const std::exception&) {
    // nlohmann's text names its own classes; the message below names the file
  }
  return Error{"these settings cannot be read, so the defaults are used", file_in(folder), 0,
               "the file is replaced when the window closes"};
}

Expected<void> write_config(const std::string& folder, const UserConfig& config) {
  std::error_code error;
  fs::create_directories(folder, error);
  const std::string path = file_in(folder), draft = path + ".new";
  std::ofstream file(draft);
  file << to_json(config).dump(2) << '\n';
  file.close();
  if (file) fs::rename(draft, path, error);
  if (!file || error) return Error{"the settings cannot be saved", path};
  return {};
}

}  // namespace limber
