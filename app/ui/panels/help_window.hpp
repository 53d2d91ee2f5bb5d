// Keys, mouse gestures and the manual.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/widgets/manual_page.hpp"

namespace limber::ui {

/// State of the help window between frames.
struct HelpState {
  std::string folder;                                           ///< folder of the manual's pages
  std::optional<Expected<std::vector<ManualPage>>> pages = {};  ///< read when they are first shown
  std::size_t page = 0;
  std::size_t block = 0;                 ///< the block to scroll to once
  bool turn = false;                     ///< scroll to `block` in the next frame
  std::optional<ManualPlace> next = {};  ///< target of a clicked link
  char search[64] = "";
};

void help_window(bool& open, HelpState& state);

}  // namespace limber::ui
