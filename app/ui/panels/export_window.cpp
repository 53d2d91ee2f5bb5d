#include "app/ui/panels/export_window.hpp"

#include <cstdio>
#include <filesystem>

#include "app/record/scene_export.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/theme.hpp"

namespace limber::ui {
namespace {

void set_path(ExportState& state, const std::string& path) {
  std::snprintf(state.path, sizeof state.path, "%s", path.c_str());
}

/// One button per format, which changes the ending of the typed name.
void format_buttons(ExportState& state) {
  ImGui::TextDisabled("The ending chooses the format:");
  const auto button = [&](const std::string& ending, const std::string& meaning) {
    if (ImGui::SmallButton(ending == "/" ? "folder/" : ending.c_str()))
      set_path(state, with_ending(state.path, ending));
    item_tooltip(meaning.c_str());
    ImGui::SameLine();
  };
  for (const ExportFormat& format : export_formats)
    button(std::string(format.ending), std::string(format.meaning));
  button("/", "OBJ files, one per frame");
  ImGui::NewLine();
}

}  // namespace

void ExportState::show(const std::string& scene) {
  open = true;
  if (path[0] == '\0') set_path(*this, (scene.empty() ? "scene" : scene) + ".usda");
}

std::string with_ending(const std::string& path, const std::string& ending) {
  std::filesystem::path bare(path.ends_with('/') ? path.substr(0, path.size() - 1) : path);
  return bare.replace_extension().string() + ending;
}

std::optional<ExportRequest> export_window(ExportState& state, bool fluids, bool& stop) {
  if (!state.open) return std::nullopt;
  std::optional<ExportRequest> request;
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  const float font = ImGui::GetFontSize();
  ImGui::SetNextWindowPos({viewport.Pos.x + 0.5f * viewport.Size.x, viewport.Pos.y + 0.35f * viewport.Size.y},
                          ImGuiCond_Appearing, {0.5f, 0.0f});
  ImGui::SetNextWindowSize({font * 34.0f, 0.0f});
  const bool shown = ImGui::Begin(
      "Export frames", &state.open,
      ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings);
  if (shown && state.under_way.empty()) {
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(-1.0f);
    const bool entered =
        ImGui::InputText("##path", state.path, sizeof state.path, ImGuiInputTextFlags_EnterReturnsTrue);
    format_buttons(state);
    if (fluids) ImGui::Checkbox("Fluids as closed meshes too", &state.surfaces);
    ImGui::BeginDisabled(state.path[0] == '\0');
    if (ImGui::Button("Start") || (entered && state.path[0] != '\0'))
      request = ExportRequest{state.path, fluids && state.surfaces};
    ImGui::EndDisabled();
    ImGui::SameLine();
    ImGui::TextDisabled("Each frame is written until you stop.");
  } else if (shown) {
    ImGui::Text("%d frames in", state.frames);
    ImGui::TextUnformatted(state.under_way.c_str());
    if (ImGui::Button("Stop and save")) stop = true;
  }
  ImGui::End();
  return request;
}

}  // namespace limber::ui
