#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/lab/run_status.hpp"
#include "app/ui/bindings.hpp"
#include "app/ui/panels/compare_window.hpp"
#include "app/ui/view_choices.hpp"
#include "engine/scene/file/scene_library.hpp"

namespace limber::ui {

struct MenuChoice {
  std::optional<Action> action;
  std::optional<std::size_t> scene;  ///< index into the list
  float height = 0.0f;               ///< height of the bar, px
};

/// State shown by the menus.
struct MenuInput {
  const std::vector<SceneEntry>& scenes;
  const std::string& current;  ///< file of the open scene
  const Publications& all;
  std::size_t chosen;  ///< the variant whose panels are shown
};

/// The bar along the top: Scene, Simulation, View, Record, Help. Changes `view` itself for choices that
/// concern only the picture.
MenuChoice menu_bar(const MenuInput& input, ViewChoices& view, CompareState& compare,
                    CompareRequests& requests);

}  // namespace limber::ui
