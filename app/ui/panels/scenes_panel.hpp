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
  bool focus = false;  ///< the filter box takes the keyboard in the next frame
  std::string shown;   ///< the scene last scrolled to, with its look_for
};

/// Whether the letters of `pattern` occur in `text` in order, ignoring case.
bool fuzzy_match(std::string_view pattern, std::string_view text);

/// The grouped list of scenes, a filter box, and the look_for of the scene whose file is `current`. Enter in
/// the filter box chooses the first match. Returns the index of the chosen scene.
std::optional<std::size_t> scenes_panel(const Rect& rect, const std::vector<SceneEntry>& scenes,
                                        const std::string& current, const std::string& look_for,
                                        ScenesPanelState& state);

}  // namespace limber::ui
