#include "app/ui/panels/menu_bar.hpp"

#include "app/film/bookmarks.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/meanings.hpp"
#include "app/ui/widgets/heat_scale_box.hpp"
#include "engine/verify/heat_map.hpp"

#include <imgui.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace limber::ui {
namespace {

/// A menu entry for a bound action, with its keys.
void entry(MenuChoice& choice, Action action, bool selected = false, bool enabled = true) {
  const Binding& binding = binding_of(action);
  if (ImGui::MenuItem(std::string(binding.label).c_str(), std::string(binding.keys).c_str(), selected,
                      enabled))
    choice.action = action;
}

void scene_groups(MenuChoice& choice, const std::vector<SceneEntry>& scenes, const std::string& current) {
  for (std::size_t i = 0; i < scenes.size();) {
    const std::string& group = scenes[i].group;
    const bool open = ImGui::BeginMenu(group.empty() ? "Other" : group.c_str());
    for (; i < scenes.size() && scenes[i].group == group; ++i) {
      if (!open) continue;
      const std::string& title = scenes[i].title.empty() ? scenes[i].name : scenes[i].title;
      if (ImGui::MenuItem(title.c_str(), nullptr, scenes[i].file == current)) choice.scene = i;
      if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", scenes[i].look_for.c_str());
    }
    if (open) ImGui::EndMenu();
  }
}

void scene_menu(MenuChoice& choice, const std::vector<SceneEntry>& scenes, const std::string& current) {
  if (!ImGui::BeginMenu("Scene")) return;
  scene_groups(choice, scenes, current);
  ImGui::Separator();
  entry(choice, Action::pick_scene);
  entry(choice, Action::open_file);
  entry(choice, Action::previous_scene, false, !scenes.empty());
  entry(choice, Action::next_scene, false, !scenes.empty());
  ImGui::Separator();
  entry(choice, Action::quit);
  ImGui::EndMenu();
}

void simulation_menu(MenuChoice& choice, const RunStatus& status) {
  if (!ImGui::BeginMenu("Simulation")) return;
  const bool there = status.scene != nullptr;
  entry(choice, Action::toggle_run, status.state == RunState::running, there);
  entry(choice, Action::step, false, there);
  entry(choice, Action::step_back, false, status.snapshots > 0);
  entry(choice, Action::restart, false, there);
  entry(choice, Action::restart_as_opened, false, there);
  ImGui::EndMenu();
}

void quality_entries(ViewChoices& view) {
  ImGui::MenuItem("Shadows", nullptr, &view.shadows);
  if (ImGui::BeginMenu("Shadow map", view.shadows)) {
    for (int size : {512, 1024, 2048, 4096})
      if (ImGui::MenuItem(std::to_string(size).c_str(), nullptr, view.shadow_size == size))
        view.shadow_size = size;
    ImGui::EndMenu();
  }
  if (ImGui::BeginMenu("Anti-aliasing")) {
    for (int samples : {1, 2, 4, 8}) {
      const std::string label = samples == 1 ? "Off" : std::to_string(samples) + " samples";
      if (ImGui::MenuItem(label.c_str(), nullptr, view.msaa == samples)) view.msaa = samples;
    }
    ImGui::EndMenu();
  }
}

void heat_map_entries(ViewChoices& view, const HeatScale& scale) {
  if (!ImGui::BeginMenu("Heat map")) return;
  for (const HeatMapInfo& info : heat_maps) {
    const char* keys = info.map == HeatMap::none ? binding_of(Action::heat_map).keys.data() : nullptr;
    if (ImGui::MenuItem(info.label.data(), keys, view.heat_map == info.map)) view.heat_map = info.map;
    item_tooltip(std::string(meaning_of(info.map)).c_str());
  }
  if (view.heat_map != no_heat_map) {
    ImGui::Separator();
    for (std::size_t map = 0; map < color_map_labels.size(); ++map)
      if (ImGui::MenuItem(color_map_labels[map].data(), nullptr, view.heat_look.colors == ColorMap(map)))
        view.heat_look.colors = ColorMap(map);
    ImGui::MenuItem("Isolines", nullptr, &view.heat_look.isolines);
    item_tooltip("Dark lines at each tenth of the scale.");
    ImGui::Separator();
    heat_scale_rows(scale, view.heat_look.high);
  }
  ImGui::EndMenu();
}

/// Entries of the debug views. Views without marks in the scene are disabled.
void overlay_entries(ViewChoices& view, const OverlaysThere& there) {
  if (!ImGui::BeginMenu("Debug view")) return;
  for (const OverlayInfo& info : overlays) {
    const char* keys = info.overlay == Overlay::none ? binding_of(Action::overlay).keys.data() : nullptr;
    const bool enabled = info.overlay == Overlay::none || there[std::size_t(info.overlay)];
    if (ImGui::MenuItem(info.label.data(), keys, view.overlay == info.overlay, enabled))
      view.overlay = info.overlay;
    item_tooltip(std::string(meaning_of(info.overlay)).c_str());
  }
  ImGui::EndMenu();
}

void stage_entries(ViewChoices& view, Stage of_scene) {
  if (!ImGui::BeginMenu("Stage")) return;
  const std::string own = "As the scene says: " + std::string(info_of(of_scene).name);
  if (ImGui::MenuItem(own.c_str(), nullptr, !view.stage)) view.stage.reset();
  ImGui::Separator();
  for (const StageInfo& info : stages) {
    if (ImGui::MenuItem(info.label.data(), nullptr, view.stage == info.stage)) view.stage = info.stage;
    item_tooltip(std::string(info.meaning).c_str());
  }
  ImGui::EndMenu();
}

/// Entries of the fluid looks. The entry `automatic` says how this machine chooses.
void fluid_entries(ViewChoices& view) {
  if (!ImGui::BeginMenu("Fluids")) return;
  const auto choose = [&](const char* label, FluidLook look) {
    if (ImGui::MenuItem(label, nullptr, view.fluids == look)) view.fluids = look;
  };
  choose(view.software_graphics ? "Automatic: a surface, or balls while it would be slow"
                                : "Automatic: a surface here",
         FluidLook::automatic);
  choose("Surface", FluidLook::surface);
  choose("Balls", FluidLook::balls);
  if (view.software_graphics && view.fluids == FluidLook::automatic)
    ImGui::TextDisabled("Screenshots and videos show the surface");
  ImGui::EndMenu();
}

/// Entries of the clipping plane. Turning it on (Action::clip) puts it into the middle of the scene, facing
/// the camera.
void clip_entries(MenuChoice& choice, ViewChoices& view) {
  if (!ImGui::BeginMenu("Clipping plane")) return;
  entry(choice, Action::clip, view.clip);
  entry(choice, Action::flip_clip, false, view.clip);
  ImGui::Separator();
  constexpr std::array axes{"Across x", "Across y", "Across z"};
  for (int axis = 0; axis < 3; ++axis) {
    glm::vec3 normal(0.0f);
    normal[axis] = 1.0f;
    const bool across = view.clip && std::abs(view.clip_plane.normal[axis]) > 0.999f;
    if (!ImGui::MenuItem(axes[std::size_t(axis)], nullptr, across) || across) continue;
    view.clip = view.clip_to_middle = true;
    view.clip_plane.normal = normal;
  }
  ImGui::EndMenu();
}

void bookmark_entries(ViewChoices& view) {
  if (!ImGui::BeginMenu("Bookmarks")) return;
  if (ImGui::MenuItem("Keep this view")) view.keep_view = true;
  item_tooltip("Keeps this camera until another scene is opened.");
  for (std::size_t k = 0; k < view.bookmarks.size(); ++k)
    if (ImGui::MenuItem(("View " + std::to_string(k + 1)).c_str())) view.go_to = k;
  if (!view.bookmarks.empty()) {
    ImGui::Separator();
    if (ImGui::MenuItem("Copy as keys of a film")) ImGui::SetClipboardText(film_keys(view.bookmarks).c_str());
    item_tooltip(
        "Copies the \"camera\" of a script for limber run --film, with two seconds from view to view.");
    if (ImGui::MenuItem("Forget all")) view.bookmarks.clear();
  }
  ImGui::EndMenu();
}

void view_menu(MenuChoice& choice, const MenuInput& input, ViewChoices& view, CompareState& compare,
               CompareRequests& requests) {
  const RunStatus& status = input.all.variants[input.chosen].status;
  if (!ImGui::BeginMenu("View")) return;
  entry(choice, Action::frame_scene);
  entry(choice, Action::wireframe, view.wireframe);
  heat_map_entries(view, input.all.variants[input.chosen].frame.heat_scale);
  overlay_entries(view, status.overlays);
  stage_entries(view, input.all.variants[input.chosen].frame.stage);
  fluid_entries(view);
  clip_entries(choice, view);
  bookmark_entries(view);
  compare_menu(input.all, input.chosen, compare, requests);
  ImGui::Separator();
  entry(choice, Action::front_view);
  entry(choice, Action::side_view);
  entry(choice, Action::top_view);
  entry(choice, Action::orthographic, view.orthographic);
  ImGui::Separator();
  quality_entries(view);
  ImGui::Separator();
  entry(choice, Action::toggle_panels, view.panels);
  entry(choice, Action::screenshot);
  entry(choice, Action::window_screenshot);
  ImGui::EndMenu();
}

void record_menu(MenuChoice& choice, const RunStatus& status) {
  if (!ImGui::BeginMenu("Record")) return;
  const bool there = status.scene != nullptr;
  entry(choice, Action::video, false, there);
  entry(choice, Action::export_frames, false, there);
  entry(choice, Action::save_input, false, there);
  ImGui::EndMenu();
}

void help_menu(MenuChoice& choice, const ViewChoices& view) {
  if (!ImGui::BeginMenu("Help")) return;
  entry(choice, Action::palette);
  entry(choice, Action::help, view.help);
  entry(choice, Action::messages, view.messages);
  ImGui::EndMenu();
}

}  // namespace

MenuChoice menu_bar(const MenuInput& input, ViewChoices& view, CompareState& compare,
                    CompareRequests& requests) {
  const RunStatus& status = input.all.variants[input.chosen].status;
  MenuChoice choice;
  if (!ImGui::BeginMainMenuBar()) return choice;
  scene_menu(choice, input.scenes, input.current);
  simulation_menu(choice, status);
  view_menu(choice, input, view, compare, requests);
  record_menu(choice, status);
  help_menu(choice, view);
  choice.height = ImGui::GetWindowSize().y;
  ImGui::EndMainMenuBar();
  return choice;
}

}  // namespace limber::ui
