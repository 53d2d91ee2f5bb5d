// Ctrl+O: type a few letters of a scene's name, or the path of a file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/scene/scene_library.hpp"

namespace limber::ui {

struct ScenePickerState {
  bool open = false;
  char typed[1024] = "";
  int selected = 0;    ///< row among those that match
  bool focus = false;  ///< the text box takes the keyboard at the next frame
  void show() { *this = {true, "", 0, true}; }
};

/// How well `pattern` fits `text`: higher is better, nothing when its letters do not occur in this order.
/// Letters in a row and letters that begin a word count more; a short text wins over a long one.
std::optional<int> fuzzy_score(std::string_view pattern, std::string_view text);

/// Indices of the scenes whose title or name fits, best first; all in their own order for "".
std::vector<std::size_t> ranked(const std::vector<SceneEntry>& scenes, std::string_view pattern);

/// A scene of the list, or a file that was named by its path.
struct Picked {
  std::optional<std::size_t> scene;
  std::string file;
};

/// The picker in the middle of the window while it is open: arrows choose, Enter opens, Esc leaves.
Picked scene_picker(const std::vector<SceneEntry>& scenes, ScenePickerState& state);

}  // namespace limber::ui
