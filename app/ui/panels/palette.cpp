#include "app/ui/panels/palette.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/theme.hpp"
#include "app/ui/widgets/field_editor.hpp"
#include "app/ui/widgets/file_browser.hpp"
#include "app/ui/widgets/wrapped_text.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber::ui {
namespace {

constexpr int palette_rows = 12;

char lower(char c) { return char(std::tolower(static_cast<unsigned char>(c))); }
bool separates(char c) { return c == ' ' || c == '_' || c == '-' || c == '.'; }

/// Moves the selection with the arrow keys while the text box keeps the keyboard.
int on_arrow(ImGuiInputTextCallbackData* data) {
  int& selected = *static_cast<int*>(data->UserData);
  if (data->EventKey == ImGuiKey_UpArrow) --selected;
  if (data->EventKey == ImGuiKey_DownArrow) ++selected;
  return 0;
}

/// The text box. Returns true if Enter was pressed in it.
bool text_box(PaletteState& state) {
  if (state.focus) ImGui::SetKeyboardFocusHere();
  state.focus = false;
  ImGui::SetNextItemWidth(-1.0f);
  const std::string before = state.typed;
  const bool entered = ImGui::InputTextWithHint(
      "##typed",
      state.everything ? "A few letters of a scene, an action or a setting"
                       : "A few letters of a scene, or a path",
      state.typed, sizeof state.typed,
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackHistory, on_arrow, &state.selected);
  if (before != state.typed) state.selected = 0;
  return entered;
}

void entry_row(const PaletteEntry& entry, bool selected, bool& clicked) {
  push_font(fonts().small);
  const float room = ImGui::GetContentRegionAvail().x, gap = ImGui::GetFontSize();
  const std::string note = ellipsized(entry.note, 0.6f * room);
  const float taken = ImGui::CalcTextSize(note.c_str()).x + gap;
  ImGui::PopFont();
  clicked = ImGui::Selectable(ellipsized(entry.title, room - taken).c_str(), selected);
  if (selected) ImGui::SetScrollHereY();
  push_font(fonts().small);
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(note.c_str()).x);
  ImGui::TextColored(palette::muted, "%s", note.c_str());
  ImGui::PopFont();
}

std::optional<std::size_t> rows(const std::vector<PaletteEntry>& entries,
                                const std::vector<std::size_t>& order, int selected) {
  std::optional<std::size_t> chosen;
  ImGui::BeginChild("##rows", {0.0f, ImGui::GetTextLineHeightWithSpacing() * palette_rows});
  for (std::size_t row = 0; row < order.size(); ++row) {
    bool clicked = false;
    ImGui::PushID(int(row));
    entry_row(entries[order[row]], int(row) == selected, clicked);
    ImGui::PopID();
    if (clicked) chosen = order[row];
  }
  if (order.empty()) ImGui::TextDisabled("Nothing of the list matches.");
  ImGui::EndChild();
  return chosen;
}

std::string lowered(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

constexpr int letter_score = 100;  // score of one letter

/// Score of a pattern whose words all occur in the texts of the entry: that of a match inside a title, not at
/// its start.
std::optional<int> word_score(std::string_view pattern, const PaletteEntry& entry) {
  const std::string text = lowered(entry.title + " " + entry.name + " " + entry.note + " " + entry.more);
  std::istringstream words(lowered(pattern));
  int score = 0, count = 0;
  for (std::string word; words >> word; ++count) {
    if (text.find(word) == text.npos) return std::nullopt;
    score += int(word.size()) + 4 * (int(word.size()) - 1);
  }
  return count == 0 ? std::nullopt : std::optional(score * letter_score - 4 * letter_score);
}

std::optional<int> score_of(std::string_view pattern, const PaletteEntry& entry) {
  return std::max(
      {fuzzy_score(pattern, entry.title), fuzzy_score(pattern, entry.name), word_score(pattern, entry)});
}

/// The readable form of a name: "top_left" -> "top left".
std::string spelled(std::string text) {
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

void add_values(const Setting& setting, const std::string& title, std::vector<PaletteEntry>& entries) {
  const Field& field = *setting.field;
  const Value now = get(field, setting.settings);
  const auto add = [&](Value value, const std::string& said) {
    if (value == now) return;
    entries.push_back({title + ": " + said, {}, setting.path, {}, SetValue{setting.path, std::move(value)}});
  };
  if (field.kind == Field::Kind::boolean)
    for (const bool on : {true, false}) add(on, on ? "on" : "off");
  if (field.kind == Field::Kind::choice)
    for (const std::string_view option : field.options)
      add(std::string(option), spelled(std::string(option)));
}

}  // namespace

std::vector<PaletteEntry> scene_entries(const std::vector<SceneEntry>& scenes) {
  std::vector<PaletteEntry> entries;
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const SceneEntry& scene = scenes[i];
    const std::string note = scene.group.empty() ? scene.name : scene.group + "   " + scene.name;
    entries.push_back({scene.shown_title(), scene.name, note, scene.look_for, OpenScene{i}});
  }
  return entries;
}

std::vector<PaletteEntry> action_entries() {
  std::vector<PaletteEntry> entries;
  for (const Binding& binding : bindings()) {
    if (binding.action == Action::throw_ball || binding.action == Action::cut ||
        binding.action == Action::warm || binding.action == Action::cool ||
        binding.action == Action::palette || binding.action == Action::close)
      continue;
    entries.push_back({std::string(binding.label), {}, std::string(binding.keys), "action", binding.action});
  }
  return entries;
}

std::vector<PaletteEntry> setting_entries(const std::vector<Setting>& settings) {
  std::vector<PaletteEntry> entries;
  for (const Setting& setting : settings) {
    const std::string owner = owner_of(setting.path), label(setting.field->label);
    const std::string title = owner.empty() ? label : label + " (" + owner + ")";
    entries.push_back({title,
                       {},
                       setting.path,
                       "setting " + std::string(setting.field->tooltip),
                       ShowSetting{setting.path}});
    add_values(setting, title, entries);
  }
  return entries;
}

std::vector<PaletteEntry> view_entries(const HeatMapsThere& maps_there, const OverlaysThere& overlays_there) {
  std::vector<PaletteEntry> entries;
  for (const HeatMapInfo& info : heat_maps)
    if (info.map == HeatMap::none || maps_there[std::size_t(info.map)])
      entries.push_back(
          {"Heat map: " + std::string(info.label), std::string(info.name), "colours", {}, info.map});
  for (const OverlayInfo& info : overlays)
    if (info.overlay == Overlay::none || overlays_there[std::size_t(info.overlay)])
      entries.push_back(
          {"Debug view: " + std::string(info.label), std::string(info.name), "marks", {}, info.overlay});
  return entries;
}

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
  return score * letter_score - int(text.size());
}

std::vector<std::size_t> ranked(const std::vector<PaletteEntry>& entries, std::string_view pattern) {
  constexpr double close = 0.4;  // share of the best score; entries below it match only scattered letters
  std::vector<std::pair<int, std::size_t>> found;
  int best = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto score = pattern.empty() ? 0 : score_of(pattern, entries[i]);
    if (!score) continue;
    best = std::max(best, *score);
    found.emplace_back(*score, i);
  }
  std::erase_if(found, [&](const auto& one) { return double(one.first) < close * best; });
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::size_t> order;
  for (const auto& [score, index] : found) order.push_back(index);
  return order;
}

Picked palette_window(const std::vector<PaletteEntry>& entries, PaletteState& state) {
  if (!state.open) return {};
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  const float font = ImGui::GetFontSize();
  const float width = std::min(font * 36.0f, viewport.Size.x * 0.9f);
  ImGui::SetNextWindowPos({viewport.Pos.x + viewport.Size.x * 0.5f, viewport.Pos.y + viewport.Size.y * 0.14f},
                          ImGuiCond_Always, {0.5f, 0.0f});
  ImGui::SetNextWindowSize({width, 0.0f});
  if (state.focus) ImGui::SetNextWindowFocus();
  ImGui::SetNextWindowBgAlpha(1.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 8.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0f);
  ImGui::Begin("##picker", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  const bool just_opened = ImGui::IsWindowAppearing();
  heading(state.everything ? "FIND AND DO" : "OPEN A SCENE");
  const bool entered = text_box(state);
  const auto order = ranked(entries, state.typed);
  state.selected = std::clamp(state.selected, 0, std::max(int(order.size()) - 1, 0));
  const auto file = file_named(state.typed);
  if (file)
    ImGui::TextWrapped("Enter opens %s", file->c_str());
  else if (order.empty() && is_path(state.typed))
    ImGui::TextDisabled("There is no scene or mesh at this path.");
  auto chosen = rows(entries, order, state.selected);
  push_font(fonts().small);
  ImGui::TextColored(palette::muted, "Up / Down: choose    Enter: %s    Esc: leave",
                     state.everything ? "do" : "open");
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
