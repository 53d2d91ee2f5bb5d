#include "app/ui/ui.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <utility>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/panels/diagnostics.hpp"
#include "app/ui/panels/log_window.hpp"
#include "app/ui/panels/menu_bar.hpp"
#include "app/ui/panels/popups.hpp"
#include "app/ui/panels/recording_note.hpp"
#include "app/ui/panels/status_line.hpp"
#include "app/ui/theme.hpp"
#include "app/ui/widgets/heat_legend.hpp"
#include "app/ui/widgets/heat_scale_box.hpp"
#include "app/ui/widgets/overlay_legend.hpp"
#include "app/ui/widgets/variant_labels.hpp"
#include "app/ui/widgets/wrapped_text.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber::ui {
namespace {

/// The note in the middle of the view while a scene is being read and built, with a bar if that takes long.
void building_note(const Rect& view, float top, const RunStatus& status, double seconds) {
  const std::string text =
      ellipsized(building_text(status, seconds), view.size.x - 4.0f * ImGui::GetFontSize());
  const float font = ImGui::GetFontSize();
  const ImVec2 size = ImGui::CalcTextSize(text.c_str()), pad{font * 1.2f, font * 0.6f};
  const ImVec2 corner{std::round(view.position.x + (view.size.x - size.x) * 0.5f),
                      std::round(view.position.y + top + font * 1.5f)};
  const ImVec2 end{corner.x + size.x + pad.x, corner.y + size.y + pad.y};
  ImDrawList& draw = *ImGui::GetBackgroundDrawList();
  draw.AddRectFilled({corner.x - pad.x, corner.y - pad.y}, end, packed(palette::panel), 6.0f);
  if (!status.part.empty())
    draw.AddRectFilled({corner.x, end.y - pad.y * 0.5f},
                       {corner.x + size.x * float(status.progress), end.y - pad.y * 0.25f},
                       packed(palette::accent));
  draw.AddText(corner, packed(palette::text), text.c_str());
}

void status_panel(const Rect& rect, const PanelInput& input, const PanelState& state) {
  const RenderFrame& frame = input.shown.frame;
  status_line(
      rect, input.shown.status,
      {frame.time, input.fps, frame.fluids ? why_balls(state.view) : std::string_view(), state.view.panels},
      {input.frame_seconds, input.next_scene});
}

/// Layout with hidden panels: the picture fills the window except for the status line, which tells how to
/// show them.
Layout hidden_panels(const PanelInput& input, const PanelState& state) {
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  Layout layout;
  layout.status = make_layout(0.0f, state.view.scenes_share).status;
  layout.view = {viewport.Pos, {viewport.Size.x, layout.status.position.y - viewport.Pos.y}};
  status_panel(layout.status, input, state);
  return layout;
}

Layout side_panels(const PanelInput& input, PanelState& state, PanelRequests& requests) {
  const RunStatus& status = input.shown.status;
  const MenuChoice menu = menu_bar({input.scenes, input.current, input.all, status.variant.number},
                                   state.view, state.compare, requests.compare);
  const Layout layout = make_layout(menu.height, state.view.scenes_share);
  requests.action = menu.action;
  requests.scene = menu.scene;
  const std::string look_for = status.scene ? status.scene->look_for : std::string();
  if (!layout.narrow && !layout.tiny) {
    if (const auto scene = scenes_panel(layout.scenes, input.scenes, input.current, look_for, state.scenes))
      requests.scene = scene;
    state.view.scenes_share += splitter(layout.split) / (layout.scenes.size.y + layout.diagnostics.size.y);
    diagnostics(layout.diagnostics, input.all, status, input.shown.frame.vertex_count(), state.diagnostics);
  }
  InspectorChange change;
  if (!layout.tiny) change = inspector(layout.inspector, status, input.hardware_threads, state.inspector);
  for (SetValue& edit : change.edits) requests.edits.push_back({std::move(edit), status.variant.number});
  requests.threads = change.threads;
  requests.speed = change.speed;
  if (change.as_opened) requests.action = Action::restart_as_opened;
  for (const Edit& edit : requests.edits) state.log.settle(edit.change.path);
  if (change.message) {
    change.message->scene = status.loads;
    state.log.add(std::move(*change.message));
  }
  status_panel(layout.status, input, state);
  return layout;
}

/// The area of a cell without its label.
Rect below_label(Rect cell, std::size_t count) {
  cell.position.y += label_height(count);
  cell.size.y -= label_height(count);
  return cell;
}

/// Time, s, for which the present scene has been in the build; 0 if there is no build.
double follow_building(const RunStatus& status, PanelState& state) {
  const bool goes_on = status.state == RunState::building && status.name == state.building;
  state.building_for = goes_on ? state.building_for + double(ImGui::GetIO().DeltaTime) : 0.0;
  state.building = status.state == RunState::building ? status.name : std::string();
  return state.building_for;
}

/// Draws the legends of heat map and debug view, and the lock of the scale beside them. Chooses a corner
/// where they cover no pinned vertex and no message covers them.
std::array<Rect, 3> legends(const Rect& view, const PanelInput& input, PanelState& state) {
  const RenderFrame& frame = input.shown.frame;
  const bool full = legend_room(view) == LegendRoom::full;
  const float margin = ImGui::GetFontSize();
  Rect free = view;
  free.size.y -= 6.5f * margin;
  state.legend_corner = full ? legend_corner(free, state.legend_block, input.pins, state.legend_corner) : 0;
  Rect place = view;
  if (full) place.position = in_corner(free, state.legend_block, state.legend_corner).position;
  std::array<Rect, 3> covered{heat_legend(place, frame), overlay_legend(place, frame), {}};
  if (full && state.view.panels) covered[2] = heat_scale_box(covered[0], frame, state.view.heat_look.high);
  state.legend_block = {0.0f, 0.0f};
  for (const Rect& one : covered) {
    if (one.size.y <= 0.0f) continue;
    state.legend_block.x = std::max(state.legend_block.x, one.right() + margin - place.position.x);
    state.legend_block.y = std::max(state.legend_block.y, one.bottom() + margin - place.position.y);
  }
  return covered;
}

/// All entries of the palette, or the scenes only.
std::vector<PaletteEntry> palette_entries(const PanelInput& input, const PanelState& state) {
  std::vector<PaletteEntry> entries = scene_entries(input.scenes);
  if (!state.palette.everything) return entries;
  const RunStatus& status = input.shown.status;
  for (std::vector<PaletteEntry> more : {action_entries(), setting_entries(state.inspector.settings()),
                                         view_entries(status.heat_maps, status.overlays)})
    std::move(more.begin(), more.end(), std::back_inserter(entries));
  return entries;
}

void find_and_do(const PanelInput& input, PanelState& state, PanelRequests& requests) {
  if (!state.palette.open) return;
  const std::vector<PaletteEntry> entries = palette_entries(input, state);
  const Picked picked = palette_window(entries, state.palette);
  requests.file = picked.file;
  if (!picked.entry) return;
  const auto& choice = entries[*picked.entry].choice;
  if (const auto* scene = std::get_if<OpenScene>(&choice)) requests.scene = scene->index;
  if (const auto* action = std::get_if<Action>(&choice)) requests.action = *action;
  if (const auto* map = std::get_if<HeatMap>(&choice)) state.view.heat_map = *map;
  if (const auto* overlay = std::get_if<Overlay>(&choice)) state.view.overlay = *overlay;
  if (const auto* setting = std::get_if<ShowSetting>(&choice)) {
    state.view.panels = true;
    state.inspector.search = setting->path;
  }
  if (const auto* change = std::get_if<SetValue>(&choice)) {
    requests.edits.push_back({*change, input.shown.status.variant.number});
    state.inspector.count_edit();
  }
}

}  // namespace

std::string building_text(const RunStatus& status, double seconds) {
  std::string text = std::filesystem::path(status.name).filename().string();
  text = status.part.empty()
             ? "Loading " + text
             : text + ": " + status.part + ", " + std::to_string(int(100.0 * status.progress)) + " %";
  if (seconds >= 1.0) text += ", " + std::to_string(int(seconds)) + " s";
  const std::size_t dots = std::size_t(std::fmod(seconds * 2.0, 4.0));
  return text + " " + std::string(dots, '.');
}

bool dialog_open(const PanelState& state) { return state.browser.open || state.palette.open || popup_open(); }

PanelRequests draw_panels(const PanelInput& input, PanelState& state) {
  PanelRequests requests;
  tooltips_wait() = state.browser.open || state.palette.open;
  const Layout layout = state.view.panels ? side_panels(input, state, requests) : hidden_panels(input, state);
  requests.open_area = layout.view;
  requests.cells = view_cells(layout.view, input.all.variants.size());
  variant_labels(*ImGui::GetBackgroundDrawList(), requests.cells, input.all,
                 input.shown.status.variant.number);
  const Rect below = below_label(requests.cells.front(), input.all.variants.size());
  const double seconds = follow_building(input.shown.status, state);
  // If the legend is a strip across the view, the notes stand below it and below each other.
  float top = legend_room(below) == LegendRoom::strip ? heat_legend_end(below, input.shown.frame) : 0.0f;
  const std::array<Rect, 3> covered = legends(below, input, state);
  requests.clear = clear_of(below, covered);
  if (input.recorded)
    top = recording_note(layout.view, covered, *input.recorded).bottom() - layout.view.position.y;
  if (input.shown.status.state == RunState::building)
    building_note(layout.view, top, input.shown.status, seconds);
  tooltips_wait() = false;
  find_and_do(input, state, requests);
  if (const auto file = file_browser(state.browser)) requests.file = *file;
  bool stop = false;
  requests.exported = export_window(state.exporting, input.shown.frame.fluids, stop);
  if (stop) requests.action = Action::export_frames;
  state.log.grow_older(ImGui::GetIO().DeltaTime);
  if (auto remedy = message_area(layout.view, state.log)) {
    requests.edits.push_back(std::move(*remedy));
    state.inspector.count_edit();
  }
  log_window(state.view.messages, state.log);
  help_window(state.view.help, state.help);
  compare_window(layout.view, input.all, input.shown.status.variant.number, state.compare, requests.compare);
  return requests;
}

}  // namespace limber::ui
