#include "app/ui/help_window.hpp"

#include "app/ui/bindings.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/theme.hpp"

namespace limber::ui {
namespace {

void row(std::string_view keys, std::string_view label) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, palette::accent);
  ImGui::TextUnformatted(keys.data(), keys.data() + keys.size());
  ImGui::PopStyleColor();
  ImGui::TableNextColumn();
  ImGui::PushTextWrapPos(0.0f);
  ImGui::TextUnformatted(label.data(), label.data() + label.size());
  ImGui::PopTextWrapPos();
}

bool begin_rows(const char* title, const char* id) {
  heading(title);
  if (!ImGui::BeginTable(id, 2, ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg)) return false;
  ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, ImGui::GetFontSize() * 14.0f);
  ImGui::TableSetupColumn("label", ImGuiTableColumnFlags_WidthStretch);
  return true;
}

}  // namespace

void help_window(bool& open) {
  if (!open) return;
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  const float font = ImGui::GetFontSize();
  ImGui::SetNextWindowPos({viewport.Pos.x + viewport.Size.x * 0.5f, viewport.Pos.y + viewport.Size.y * 0.5f},
                          ImGuiCond_Appearing, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({font * 31.0f, 0.0f}, ImGuiCond_Appearing);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 8.0f);
  if (ImGui::Begin("Help", &open, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings)) {
    if (begin_rows("MOUSE", "##mouse")) {
      for (const Gesture& gesture : gestures()) row(gesture.keys, gesture.label);
      ImGui::EndTable();
    }
    ImGui::Spacing();
    if (begin_rows("KEYS", "##keys")) {
      for (const Binding& binding : bindings()) row(binding.keys, binding.label);
      ImGui::EndTable();
    }
  }
  ImGui::End();
  ImGui::PopStyleVar();
}

}  // namespace limber::ui
