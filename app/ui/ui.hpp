// All panels of one frame.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/lab/run_status.hpp"
#include "app/ui/bindings.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/panels/compare_window.hpp"
#include "app/ui/panels/diagnostics.hpp"
#include "app/ui/panels/help_window.hpp"
#include "app/ui/panels/inspector.hpp"
#include "app/ui/panels/message_area.hpp"
#include "app/ui/panels/palette.hpp"
#include "app/ui/panels/recording_note.hpp"
#include "app/ui/panels/scenes_panel.hpp"
#include "app/ui/view_choices.hpp"
#include "app/ui/widgets/file_browser.hpp"
#include "engine/scene/file/scene_library.hpp"

namespace limber::ui {

/// What the panels keep between frames.
struct PanelState {
  ViewChoices view;
  ScenesPanelState scenes;
  PaletteState palette;
  FileBrowserState browser;
  InspectorModel inspector;
  MessageLog log;
  CompareState compare;
  int legend_corner = 0;      ///< see legend_corner()
  ImVec2 legend_block{0, 0};  ///< px, what the legends of the last frame took
  DiagnosticsState diagnostics;
  HelpState help;
  std::string building;       ///< the scene under way
  double building_for = 0.0;  ///< s
};

/// What the panels show.
struct PanelInput {
  const std::vector<SceneEntry>& scenes;
  const std::string& current;  ///< the file of the one that is open or being built
  const Publications& all;
  const Publication& shown;  ///< of them the one that panels speak of
  double fps;
  int hardware_threads;
  std::optional<Recorded> recorded = {};  ///< while a video is made
  double frame_seconds = 0.0;             ///< s that the frame under way has taken so far; 0 while none is
  std::string next_scene = {};            ///< what is opened after it; "" for none
  std::vector<ImVec2> pins = {};          ///< where pinned vertices are in the window
};

/// What the user asked for with them.
struct PanelRequests {
  std::optional<Action> action;
  std::optional<std::size_t> scene;  ///< index into the list
  std::string file;                  ///< a scene or a mesh, "" for none
  std::vector<Edit> edits;
  CompareRequests compare;
  std::optional<int> threads;
  std::optional<double> speed;  ///< simulated seconds per second
  std::vector<Rect> cells;      ///< of it, a picture each
  Rect clear;                   ///< the first cell without its label and legends
  Rect open_area;  ///< what the panels leave of the window, in the unit of the cursor's positions
};

/// Whether a dialog or a menu is open that the keyboard belongs to. Windows that stand beside the picture
/// (help, messages, comparison) are none.
bool dialog_open(const PanelState& state);

/// What the window says of a scene that has been under way for so long: "big.obj: surface, 40 %, 12 s ..".
std::string building_text(const RunStatus& status, double seconds);

/// Draws every panel between ImGui::NewFrame() and ImGui::Render().
PanelRequests draw_panels(const PanelInput& input, PanelState& state);

}  // namespace limber::ui
