#include "app/ui/scene_picker.hpp"

#include <algorithm>
#include <cctype>
#include <string>

#include "app/ui/file_browser.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/theme.hpp"
#include "app/ui/wrapped_text.hpp"
#include "engine/scene/scene_desc.hpp"

namespace limber::ui {
namespace {

constexpr int kRows = 12;

char lower(char c) { return char(std::tolower(static_cast<unsigned char>(c))); }
bool separates(char c) { return c == ' ' || c == '_' || c == '-' || c == '.'; }

/// Arrow keys move the selection while the text box keeps the keyboard.
int on_arrow(ImGuiInputTextCallbackData* data) {
  int& selected = *static_cast<int*>(data->UserData);
  if (data->EventKey == ImGuiKey_UpArrow) --selected;
  if (data->EventKey == ImGuiKey_DownArrow) ++selected;
  return 0;
}

/// The text box; true when Enter was pressed in it.
bool text_box(ScenePickerState& state) {
  if (state.focus) ImGui::SetKeyboardFocusHere();
  state.focus = false;
  ImGui::SetNextItemWidth(-1.0f);
  const std::string before = state.typed;
  const bool entered = ImGui::InputTextWithHint(
      "##typed", "A few letters of a scene, or a path", state.typed, sizeof state.typed,
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackHistory, on_arrow, &state.selected);
  if (before != state.typed) state.selected = 0;
  return entered;
}

void scene_row(const SceneEntry& scene, bool selected, bool& clicked) {
  push_font(fonts().small);
  const float room = ImGui::GetContentRegionAvail().x, gap = ImGui::GetFontSize();
  const std::string note =
      ellipsized(scene.group.empty() ? scene.name : scene.group + "   " + scene.name, 0.6f * room);
  const float taken = ImGui::CalcTextSize(note.c_str()).x + gap;
  ImGui::PopFont();
  clicked = ImGui::Selectable(ellipsized(scene.shown_title(), room - taken).c_str(), selected);
  if (selected) ImGui::SetScrollHereY();
  push_font(fonts().small);
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(note.c_str()).x);
  ImGui::TextColored(palette::muted, "%s", note.c_str());
  ImGui::PopFont();
}

std::optional<std::size_t> rows(const std::vector<SceneEntry>& scenes, const std::vector<std::size_t>& order,
                                int selected) {
  std::optional<std::size_t> chosen;
  ImGui::BeginChild("##rows", {0.0f, ImGui::GetTextLineHeightWithSpacing() * kRows});
  for (std::size_t row = 0; row < order.size(); ++row) {
    bool clicked = false;
    ImGui::PushID(int(row));
    scene_row(scenes[order[row]], int(row) == selected, clicked);
    ImGui::PopID();
    if (clicked) chosen = order[row];
  }
  if (order.empty()) ImGui::TextDisabled("No scene of the list matches.");
  ImGui::EndChild();
  return chosen;
}

}  // namespace

std::optional<int> fuzzy_score(std::string_view pattern, std::string_view text) {
  int score = 0;
  std::size_t at = 0;
  bool in_a_row = false;
  for (char wanted : pattern) {
    if (wanted == ' ') continue;
    std::size_t found = at;
    while (found < text.size() && lower(text[found]) != lower(wanted)) ++found;
    if (found == text.size()) return std::nullopt;
    const bool begins = found == 0 || separates(text[found - 1]);
    score += 1 + (in_a_row && found == at ? 4 : 0) + (begins ? 6 : 0);
    in_a_row = true;
    at = found + 1;
  }
  return score * 100 - int(text.size());
}

std::vector<std::size_t> ranked(const std::vector<SceneEntry>& scenes, std::string_view pattern) {
  std::vector<std::pair<int, std::size_t>> found;
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const auto title = fuzzy_score(pattern, scenes[i].title), name = fuzzy_score(pattern, scenes[i].name);
    if (title || name) found.emplace_back(pattern.empty() ? 0 : std::max(title, name).value(), i);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::size_t> order;
  for (const auto& [score, index] : found) order.push_back(index);
  return order;
}

Picked scene_picker(const std::vector<SceneEntry>& scenes, ScenePickerState& state) {
  if (!state.open) return {};
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  const float font = ImGui::GetFontSize();
  const float width = std::min(font * 36.0f, viewport.Size.x * 0.9f);
  ImGui::SetNextWindowPos({viewport.Pos.x + viewport.Size.x * 0.5f, viewport.Pos.y + viewport.Size.y * 0.14f},
                          ImGuiCond_Always, {0.5f, 0.0f});
  ImGui::SetNextWindowSize({width, 0.0f});
  if (state.focus) ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 8.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0f);
  ImGui::Begin("##picker", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  const bool just_opened = ImGui::IsWindowAppearing();
  heading("OPEN A SCENE");
  const bool entered = text_box(state);
  const auto order = ranked(scenes, state.typed);
  state.selected = std::clamp(state.selected, 0, std::max(int(order.size()) - 1, 0));
  const auto file = file_named(state.typed);
  if (file)
    ImGui::TextWrapped("Enter opens %s", file->c_str());
  else if (order.empty() && is_path(state.typed))
    ImGui::TextDisabled("There is no scene or mesh of that path.");
  auto chosen = rows(scenes, order, state.selected);
  push_font(fonts().small);
  ImGui::TextColored(palette::muted, "Up / Down: choose    Enter: open    Esc: leave");
  ImGui::PopFont();
  const bool left = !just_opened && !ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows);
  const bool escaped = key_pressed(ImGuiKey_Escape);
  ImGui::End();
  ImGui::PopStyleVar(2);
  const bool by_path = entered && file;
  if (entered && !by_path && !order.empty()) chosen = order[std::size_t(state.selected)];
  if (chosen || by_path || escaped || left) state.open = false;
  return {by_path ? std::nullopt : chosen, by_path ? *file : std::string()};
}

}  // namespace limber::ui
