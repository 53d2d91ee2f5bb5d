// Variants of a scene beside each other: what sets them apart, and how they differ.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/lab/run_status.hpp"
#include "app/ui/layout.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber::ui {

/// What the hand asked for of the variants in this frame.
struct CompareRequests {
  std::optional<std::size_t> chosen, removed;
  bool add = false;                                 ///< one like the chosen one
  std::optional<SetValue> with;                     ///< what the added one has on its own
  std::vector<std::pair<std::string, bool>> links;  ///< settings that are linked from now on, or not
};

struct CompareState {
  bool open = false;
  bool objective = false;  ///< plotted in place of the residual
  char search[64] = "";    ///< in the list of what a copy may have on its own
  int large = -1;          ///< the plot that has all of the window, and that most of the view; -1: none
  bool was_large = false;  ///< in the last frame
};

/// Settings that a copy of the scene may have on its own, under a heading.
struct VaryGroup {
  std::string title;
  std::vector<Setting> settings;
};
/// Settings to vary: the scene's own tunables first, then the solver's by what they are about. Without what
/// means nothing for what is in the scene. Pointers into `scene`.
std::vector<VaryGroup> groups_to_vary(SceneDesc& scene);
/// The settings whose label or path has the letters of `pattern` in their order, the best match first.
std::vector<Setting> settings_matching(const std::vector<VaryGroup>& groups, std::string_view pattern);

/// The entries of View > Compare.
void compare_menu(const Publications& shown, std::size_t chosen, CompareState& state,
                  CompareRequests& requests);

/// A window that can be moved and sized: the variants with their costs, the switches of settings, the plots.
void compare_window(const Rect& view, const Publications& shown, std::size_t chosen, CompareState& state,
                    CompareRequests& requests);

}  // namespace limber::ui
