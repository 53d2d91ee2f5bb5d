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
#include "app/ui/panels/export_window.hpp"
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

/// State of the panels between frames.
struct PanelState {
  ViewChoices view;
  ScenesPanelState scenes;
  PaletteState palette;
  FileBrowserState browser;
  ExportState exporting;
  InspectorModel inspector;
  MessageLog log;
  CompareState compare;
  int legend_corner = 0;      ///< see legend_corner()
  ImVec2 legend_block{0, 0};  ///< px, size of the legends in the last frame
  DiagnosticsState diagnostics;
  HelpState help;
  std::string building;       ///< the scene being built
  double building_for = 0.0;  ///< s
};

/// Input of all panels for one frame.
struct PanelInput {
  const std::vector<SceneEntry>& scenes;
  const std::string& current;  ///< file of the scene that is open or being built
  const Publications& all;
  const Publication& shown;  ///< the variant that the panels show
  double fps;
  int hardware_threads;
  std::optional<Recorded> recorded = {};  ///< while a video is recorded
  double frame_seconds = 0.0;             ///< s spent on the frame under way; 0 if there is none
  std::string next_scene = {};            ///< the scene opened after it; "" for none
  std::vector<ImVec2> pins = {};          ///< places of pinned vertices in the window
};

/// Requests of the user made in the panels.
struct PanelRequests {
  std::optional<Action> action;
  std::optional<std::size_t> scene;  ///< index into the list
  std::string file;                  ///< a scene or a mesh; "" for none
  std::vector<Edit> edits;
  CompareRequests compare;
  std::optional<ExportRequest> exported;
  std::optional<int> threads;
  std::optional<double> speed;  ///< simulated seconds per second
  std::vector<Rect> cells;      ///< cells of the open area, one per picture
  Rect clear;                   ///< the first cell without its label and legends
  Rect open_area;               ///< area of the window that no panel covers, in cursor units
};

/// Whether a dialog or menu is open that takes the keyboard. Windows beside the picture (help, messages,
/// comparison) do not count.
bool dialog_open(const PanelState& state);

/// Progress of a scene being built for `seconds`: "big.obj: surface, 40 %, 12 s ..".
std::string building_text(const RunStatus& status, double seconds);

/// Draws every panel between ImGui::NewFrame() and ImGui::Render().
PanelRequests draw_panels(const PanelInput& input, PanelState& state);

}  // namespace limber::ui
