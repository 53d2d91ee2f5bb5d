// The comparison of variants shown side by side: their settings and their differences.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/lab/run_status.hpp"
#include "app/ui/layout.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber::ui {

/// Requests of the user about variants in this frame.
struct CompareRequests {
  std::optional<std::size_t> chosen, removed;
  bool add = false;                                 ///< add a copy of the chosen variant
  std::optional<SetValue> with;                     ///< a setting that only the copy changes
  std::vector<std::pair<std::string, bool>> links;  ///< settings to link (true) or unlink
};

struct CompareState {
  bool open = false;
  bool objective = false;  ///< plotted instead of the residual
  char search[64] = "";    ///< text typed in the list of settings
  int large = -1;          ///< the plot that fills the enlarged window; -1: none
  bool was_large = false;  ///< the window was enlarged in the last frame
};

/// A group of settings that a copy of the scene can set for itself.
struct VaryGroup {
  std::string title;
  std::vector<Setting> settings;
};
/// Settings to vary: the scene's tunables first, then the solver's by topic. Leaves out settings that do not
/// apply to the scene. The result points into `scene`.
std::vector<VaryGroup> groups_to_vary(SceneDesc& scene);
/// Settings whose label or path contains the letters of `pattern` in order, the best match first.
std::vector<Setting> settings_matching(const std::vector<VaryGroup>& groups, std::string_view pattern);

/// Draws the entries of View > Compare.
void compare_menu(const Publications& shown, std::size_t chosen, CompareState& state,
                  CompareRequests& requests);

/// A window that the user can move and size: variants with their costs, link switches of settings, plots.
void compare_window(const Rect& view, const Publications& shown, std::size_t chosen, CompareState& state,
                    CompareRequests& requests);

}  // namespace limber::ui
