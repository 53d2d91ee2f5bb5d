#include "app/ui/widgets/file_browser.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <tuple>

#include "app/lab/openable_file.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/theme.hpp"
#include "app/ui/widgets/wrapped_text.hpp"

namespace limber::ui {
namespace fs = std::filesystem;
namespace {

/// The folders from the root to the shown one as buttons. Returns the clicked folder.
std::optional<std::string> way_up(const std::string& folder) {
  std::optional<std::string> chosen;
  fs::path so_far;
  int id = 0;
  for (const fs::path& part : fs::path(folder)) {
    so_far /= part;
    const std::string label = part.string();
    const float width = ImGui::CalcTextSize(label.c_str()).x + 2.0f * ImGui::GetStyle().FramePadding.x;
    if (id > 0) ImGui::SameLine(0.0f, 2.0f);
    if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
    ImGui::PushID(id++);
    if (ImGui::SmallButton(label.c_str())) chosen = so_far.string();
    ImGui::PopID();
  }
  return chosen;
}

/// The rows of the folder. Returns the index of the clicked entry.
std::optional<std::size_t> rows(const FileBrowserState& state, float height) {
  std::optional<std::size_t> chosen;
  ImGui::BeginChild("##files", {0.0f, height}, true);
  for (std::size_t i = 0; i < state.entries.size(); ++i) {
    const FolderEntry& entry = state.entries[i];
    const std::string name = entry.name + (entry.folder ? "/" : "");
    ImGui::PushID(int(i));
    ImGui::PushStyleColor(ImGuiCol_Text, entry.folder ? palette::accent : palette::text);
    if (ImGui::Selectable(ellipsized(name, ImGui::GetContentRegionAvail().x).c_str())) chosen = i;
    ImGui::PopStyleColor();
    ImGui::PopID();
  }
  if (state.entries.empty())
    ImGui::TextDisabled("There is no scene, recording (.json) or mesh (.obj) in this folder.");
  ImGui::EndChild();
  return chosen;
}

}  // namespace

std::vector<FolderEntry> list_folder(const std::string& folder) {
  std::vector<FolderEntry> entries;
  std::error_code error;
  fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
  for (; !error && at != end; at.increment(error)) {
    std::error_code unknown;
    const std::string name = at->path().filename().string();
    const bool inside = at->is_directory(unknown);
    if (name.starts_with('.')) continue;
    if (!inside && kind_of_file(at->path().string()) == FileKind::none) continue;
    entries.push_back({name, inside});
  }
  std::sort(entries.begin(), entries.end(), [](const FolderEntry& a, const FolderEntry& b) {
    return std::tuple(!a.folder, a.name) < std::tuple(!b.folder, b.name);
  });
  return entries;
}

bool is_path(const std::string& typed) {
  return typed.find('/') != typed.npos || typed.starts_with('~') || has_name_to_open(typed);
}

std::optional<std::string> file_named(std::string typed) {
  if (!is_path(typed)) return std::nullopt;
  const char* home = std::getenv("HOME");
  if (home && (typed == "~" || typed.starts_with("~/"))) typed = home + typed.substr(1);
  std::error_code error;
  if (!has_name_to_open(typed) || !fs::is_regular_file(typed, error)) return std::nullopt;
  return typed;
}

void FileBrowserState::enter(std::string into) {
  folder = std::move(into);
  entries = list_folder(folder);
}

void FileBrowserState::show() {
  std::error_code error;
  const std::string here = fs::current_path(error).string();
  open = true;
  enter(folder.empty() ? (error ? "/" : here) : folder);
}

std::optional<std::string> file_browser(FileBrowserState& state) {
  if (!state.open) return std::nullopt;
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  const float font = ImGui::GetFontSize();
  const ImVec2 size{std::min(font * 38.0f, viewport.Size.x * 0.92f),
                    std::min(font * 28.0f, viewport.Size.y * 0.9f)};
  ImGui::SetNextWindowPos({viewport.Pos.x + viewport.Size.x * 0.5f, viewport.Pos.y + viewport.Size.y * 0.5f},
                          ImGuiCond_Appearing, {0.5f, 0.5f});
  ImGui::SetNextWindowSize(size);
  ImGui::SetNextWindowBgAlpha(1.0f);  // opaque, because panels may lie behind it
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 8.0f);
  ImGui::Begin("Open file", &state.open,
               ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings);
  const auto up = way_up(state.folder);
  push_font(fonts().small);
  const float hint = ImGui::GetTextLineHeightWithSpacing();
  ImGui::PopFont();
  const auto chosen = rows(state, -hint);
  push_font(fonts().small);
  ImGui::TextColored(palette::muted, "Esc: leave    Ctrl+O takes a path, too");
  ImGui::PopFont();
  keep_in_view();
  ImGui::End();
  ImGui::PopStyleVar();
  if (up) state.enter(*up);
  if (up || !chosen) return std::nullopt;
  const FolderEntry entry = state.entries[*chosen];
  const std::string path = (fs::path(state.folder) / entry.name).string();
  if (entry.folder) return state.enter(path), std::nullopt;
  state.open = false;
  return path;
}

}  // namespace limber::ui
