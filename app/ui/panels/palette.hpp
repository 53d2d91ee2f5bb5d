// The palette (Ctrl+O, Ctrl+P): finds a scene, an action or a setting by a few letters, or a file by its
// path.
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
  bool everything = false;  ///< scenes, actions and settings; false: scenes only
  char typed[1024] = "";
  int selected = 0;    ///< index among the matching rows
  bool focus = false;  ///< the text box takes the keyboard in the next frame
  void show_scenes() { *this = {true, false, "", 0, true}; }
  void show_everything() { *this = {true, true, "", 0, true}; }
};

struct OpenScene {
  std::size_t index;  ///< into the list
};
/// Shows the setting of that path in the inspector.
struct ShowSetting {
  std::string path;
};

/// A choice of the palette.
struct PaletteEntry {
  std::string title;  ///< shown, and matched letter by letter
  std::string name;   ///< matched like the title, not shown; "" for none
  std::string note;   ///< shown small at the right
  std::string more;   ///< matched word by word: a description
  std::variant<OpenScene, Action, ShowSetting, SetValue, HeatMap, Overlay> choice;
};

std::vector<PaletteEntry> scene_entries(const std::vector<SceneEntry>& scenes);

/// The actions of the table of bindings that need no cursor.
std::vector<PaletteEntry> action_entries();

/// An entry to show each setting in the inspector. Choices and switches also get an entry for every other
/// value.
std::vector<PaletteEntry> setting_entries(const std::vector<Setting>& settings);

/// The heat maps and debug views that have something to show.
std::vector<PaletteEntry> view_entries(const HeatMapsThere& heat_maps, const OverlaysThere& overlays);

/// Score of `pattern` in `text`, higher is better; nothing if the letters do not occur in order. Consecutive
/// letters and letters at the start of a word score higher. Of equal matches, the shorter text scores higher.
std::optional<int> fuzzy_score(std::string_view pattern, std::string_view text);

/// Indices of the matching entries, best first; all in their own order for "". An entry matches by its title
/// or name (fuzzy_score()), or if every word occurs in one of its texts. Scattered letters are left out if
/// another entry contains the pattern as a whole.
std::vector<std::size_t> ranked(const std::vector<PaletteEntry>& entries, std::string_view pattern);

/// The chosen entry, or a file named by its path.
struct Picked {
  std::optional<std::size_t> entry;
  std::string file;
};

/// The palette in the middle of the window while it is open. Arrows select, Enter chooses, Esc closes.
Picked palette_window(const std::vector<PaletteEntry>& entries, PaletteState& state);

}  // namespace limber::ui
