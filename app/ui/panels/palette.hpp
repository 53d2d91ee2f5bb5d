// Ctrl+O and Ctrl+P: type a few letters of a scene, an action or a setting, or the path of a file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/ui/bindings.hpp"
#include "app/view/overlay.hpp"
#include "engine/scene/file/scene_library.hpp"
#include "engine/simulation/simulation.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber::ui {

struct PaletteState {
  bool open = false;
  bool everything = false;  ///< scenes, actions and settings; false: scenes alone
  char typed[1024] = "";
  int selected = 0;    ///< row among those that match
  bool focus = false;  ///< the text box takes the keyboard at the next frame
  void show_scenes() { *this = {true, false, "", 0, true}; }
  void show_everything() { *this = {true, true, "", 0, true}; }
};

struct OpenScene {
  std::size_t index;  ///< into the list
};
/// The setting of that path, shown in the inspector.
struct ShowSetting {
  std::string path;
};

/// One thing to choose.
struct PaletteEntry {
  std::string title;  ///< shown, and matched letter by letter
  std::string name;   ///< matched likewise, but not shown; "" for none
  std::string note;   ///< shown in small letters at the right
  std::string more;   ///< matched word by word: what it is about
  std::variant<OpenScene, Action, ShowSetting, SetValue, HeatMap, Overlay> choice;
};

std::vector<PaletteEntry> scene_entries(const std::vector<SceneEntry>& scenes);

/// The actions of the bindings' table that need no cursor.
std::vector<PaletteEntry> action_entries();

/// Every setting, to show in the inspector; behind it, of a choice or a switch, the values that it does not
/// have.
std::vector<PaletteEntry> setting_entries(const std::vector<Setting>& settings);

/// The heat maps and debug views that have something to show.
std::vector<PaletteEntry> view_entries(const HeatMapsThere& heat_maps, const OverlaysThere& overlays);

/// Fit of `pattern` to `text`: higher is better, nothing when its letters do not occur in this order.
/// Letters in a row and letters that begin a word count more; a short text wins over a long one.
std::optional<int> fuzzy_score(std::string_view pattern, std::string_view text);

/// Indices of the entries that fit, best first; all in their own order for "". An entry fits by its title or
/// name (fuzzy_score()), or where every word occurs in one of its texts. Scattered letters do not count
/// beside an entry that has the pattern as it is.
std::vector<std::size_t> ranked(const std::vector<PaletteEntry>& entries, std::string_view pattern);

/// An entry, or a file that was named by its path.
struct Picked {
  std::optional<std::size_t> entry;
  std::string file;
};

/// The palette in the middle of the window while it is open: arrows choose, Enter takes, Esc leaves.
Picked palette_window(const std::vector<PaletteEntry>& entries, PaletteState& state);

}  // namespace limber::ui
