// Variants of a scene beside each other: what sets them apart, and how they differ.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/sim/run_status.hpp"
#include "app/ui/layout.hpp"

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
  int large = -1;          ///< the plot that has all of the window, and that most of the view; -1: none
  bool was_large = false;  ///< in the last frame
};

/// The entries of View > Compare.
void compare_menu(const Publications& shown, std::size_t chosen, CompareState& state,
                  CompareRequests& requests);

/// A window that can be moved and sized: the variants with their costs, the switches of settings, the plots.
void compare_window(const Rect& view, const Publications& shown, std::size_t chosen, CompareState& state,
                    CompareRequests& requests);

}  // namespace limber::ui
