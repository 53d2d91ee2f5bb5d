#include "app/ui/panels/log_window.hpp"

#include <cstdio>
#include <string>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/theme.hpp"
#include "app/ui/widgets/wrapped_text.hpp"

namespace limber::ui {
namespace {

const char* word_of(Message::Severity severity) {
  return severity == Message::Severity::error     ? "error"
         : severity == Message::Severity::warning ? "warning"
                                                  : "note";
}

std::string line_of(const MessageLog::Line& line) {
  char time[24];
  std::snprintf(time, sizeof time, "%7.1f s  ", line.at);
  return time + std::string(word_of(line.message.severity)) + ": " + line.message.text;
}

std::string all_lines(const MessageLog& log) {
  std::string text;
  for (const MessageLog::Line& line : log.lines()) text += line_of(line) + "\n";
  return text;
}

}  // namespace

void log_window(bool& open, MessageLog& log) {
  if (!open) return;
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  const float font = ImGui::GetFontSize();
  ImGui::SetNextWindowPos(
      {viewport.Pos.x + viewport.Size.x * 0.47f, viewport.Pos.y + viewport.Size.y * 0.58f},
      ImGuiCond_FirstUseEver, {0.5f, 0.0f});
  ImGui::SetNextWindowSize({font * 40.0f, font * 16.0f}, ImGuiCond_FirstUseEver);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 8.0f);
  const bool shown = ImGui::Begin("Messages", &open, ImGuiWindowFlags_NoCollapse);
  stay_in_work_area();
  if (shown) {
    if (ImGui::Button("Copy all")) ImGui::SetClipboardText(all_lines(log).c_str());
    ImGui::SameLine();
    if (ImGui::Button("Clear")) log.clear();
    ImGui::SameLine();
    ImGui::TextDisabled("Click a line to copy it.");
    ImGui::BeginChild("##lines", {0.0f, 0.0f}, true);
    push_font(fonts().small);
    int id = 0;
    for (const MessageLog::Line& line : log.lines()) {
      const std::string text = line_of(line);
      const float width = ImGui::GetContentRegionAvail().x;
      const ImVec2 size = ImGui::CalcTextSize(wrapped(text, width).c_str(), nullptr, false, width);
      const ImVec2 at = ImGui::GetCursorPos();
      ImGui::PushID(id++);
      if (ImGui::Selectable("##line", false, 0, size)) ImGui::SetClipboardText(text.c_str());
      ImGui::PopID();
      const ImVec2 next = ImGui::GetCursorPos();
      ImGui::SetCursorPos(at);
      ImGui::PushStyleColor(ImGuiCol_Text, color_of(line.message.severity));
      wrapped_text(text, width);
      ImGui::PopStyleColor();
      ImGui::SetCursorPos(next);
    }
    if (log.lines().empty()) ImGui::TextDisabled("Nothing was said yet.");
    if (ImGui::GetScrollY() >= ImGui::GetScrollMaxY()) ImGui::SetScrollHereY(1.0f);
    ImGui::PopFont();
    ImGui::EndChild();
  }
  ImGui::End();
  ImGui::PopStyleVar();
}

}  // namespace limber::ui
