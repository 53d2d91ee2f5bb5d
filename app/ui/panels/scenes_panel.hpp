#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/layout.hpp"
#include "engine/scene/file/scene_library.hpp"

namespace limber::ui {

struct ScenesPanelState {
  char filter[64] = "";
  bool focus = false;  ///< the filter box takes the keyboard at the next frame
  std::string shown;   ///< scene last scrolled to, and what it says
};

/// Whether the letters of `pattern` occur in `text` in this order, upper and lower case alike.
bool fuzzy_match(std::string_view pattern, std::string_view text);

/// The list of scenes in groups, with a filter box and what to look for in the one of the file `current`.
/// Enter in the filter box takes the first match. Returns the index of the scene that was chosen.
std::optional<std::size_t> scenes_panel(const Rect& rect, const std::vector<SceneEntry>& scenes,
                                        const std::string& current, const std::string& look_for,
                                        ScenesPanelState& state);

}  // namespace limber::ui
