#include "app/ui/panels/scenes_panel.hpp"

#include <algorithm>
#include <cctype>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/theme.hpp"
#include "app/ui/widgets/wrapped_text.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber::ui {
namespace {

bool matches(const SceneEntry& scene, std::string_view filter) {
  return fuzzy_match(filter, scene.title) || fuzzy_match(filter, scene.name);
}

/// Text shown while the mouse is over a scene: what to look for, or the error of the file.
std::string note_of(const SceneEntry& scene) {
  if (scene.error) return scene.error->text();
  return scene.look_for.empty() ? scene.name : scene.look_for;
}

/// The filter box. Returns true if Enter was pressed in it.
bool filter_box(ScenesPanelState& state) {
  if (state.focus) ImGui::SetKeyboardFocusHere();
  state.focus = false;
  ImGui::SetNextItemWidth(-1.0f);
  return ImGui::InputTextWithHint("##filter", "Filter  (Ctrl+O)", state.filter, sizeof state.filter,
                                  ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
}

std::optional<std::size_t> scene_rows(const std::vector<SceneEntry>& scenes, const std::string& current,
                                      const std::string& look_for, ScenesPanelState& state) {
  std::optional<std::size_t> chosen;
  const std::string to_show = current + look_for;  // `look_for` arrives later and shortens the list
  const std::string* group = nullptr;
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const SceneEntry& scene = scenes[i];
    if (!matches(scene, state.filter)) continue;
    if (!group || *group != scene.group) {
      if (group) ImGui::Spacing();
      heading(scene.group.empty() ? "Other" : scene.group.c_str());
    }
    group = &scene.group;
    ImGui::PushID(int(i));
    const bool selected = scene.file == current;
    ImGui::PushStyleColor(ImGuiCol_Text, scene.error ? palette::caution : palette::text);
    const std::string title = ellipsized(scene.shown_title(), ImGui::GetContentRegionAvail().x);
    if (ImGui::Selectable(title.c_str(), selected)) chosen = i;
    ImGui::PopStyleColor();
    item_tooltip(note_of(scene).c_str());
    if (selected && state.shown != to_show) {
      // a clicked scene is visible, so it stays in place
      if (!ImGui::IsItemVisible()) ImGui::SetScrollHereY(0.5f);
      state.shown = to_show;
    }
    ImGui::PopID();
  }
  if (!group) ImGui::TextDisabled("No scene matches.");
  return chosen;
}

std::optional<std::size_t> first_match(const std::vector<SceneEntry>& scenes, std::string_view filter) {
  const auto found =
      std::find_if(scenes.begin(), scenes.end(), [&](const auto& s) { return matches(s, filter); });
  return found == scenes.end() ? std::nullopt : std::optional(std::size_t(found - scenes.begin()));
}

void what_to_look_for(const std::string& text) {
  ImGui::Separator();
  push_font(fonts().small);
  ImGui::PushStyleColor(ImGuiCol_Text, palette::muted);
  wrapped_text(text, ImGui::GetContentRegionAvail().x);
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

float height_of(const std::string& text) {
  if (text.empty()) return 0.0f;
  push_font(fonts().small);
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = ImGui::CalcTextSize(wrapped(text, width).c_str(), nullptr, false, width).y;
  ImGui::PopFont();
  return height + 2.0f * ImGui::GetStyle().ItemSpacing.y;
}

}  // namespace

bool fuzzy_match(std::string_view pattern, std::string_view text) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::size_t at = 0;
  for (char wanted : pattern) {
    if (wanted == ' ') continue;
    while (at < text.size() && lower(text[at]) != lower(wanted)) ++at;
    if (at++ >= text.size()) return false;
  }
  return true;
}

std::optional<std::size_t> scenes_panel(const Rect& rect, const std::vector<SceneEntry>& scenes,
                                        const std::string& current, const std::string& look_for,
                                        ScenesPanelState& state) {
  begin_panel("Scenes", rect);
  heading("SCENES");
  const bool entered = filter_box(state);
  ImGui::BeginChild("##scenes", {0.0f, -height_of(look_for)});
  auto chosen = scene_rows(scenes, current, look_for, state);
  ImGui::EndChild();
  if (!look_for.empty()) what_to_look_for(look_for);
  ImGui::End();
  if (entered) {
    chosen = first_match(scenes, state.filter);
    state.filter[0] = '\0';
  }
  return chosen;
}

}  // namespace limber::ui
