#include "app/ui/layout.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/theme.hpp"

namespace limber::ui {

Layout make_layout(float menu_height, float scenes_share) {
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  const float font = ImGui::GetFontSize();
  const ImVec2 origin = viewport.Pos, size = viewport.Size;
  const float status = std::round(font * 1.9f);
  const float height = std::max(size.y - menu_height - status, 1.0f);
  Layout layout;
  // Side panels shrink in a small window, so that the picture keeps the larger part. Below a height of 44
  // letters (704 pixels at the usual size), a third of the width would be too narrow to read, so the left
  // panels are dropped.
  layout.narrow = size.x < font * 44.0f;
  layout.tiny = size.x < font * 26.0f || size.y < font * 15.0f;
  const float left = layout.narrow || layout.tiny ? 0.0f : std::round(std::min(font * 16.5f, size.x * 0.24f));
  const float right =
      std::round(layout.tiny     ? 0.0f
                 : layout.narrow ? std::min(font * 18.0f, size.x * 0.45f)
                                 : std::min(font * 21.0f, std::max(size.x * 0.28f, font * 15.0f)));
  const float split = std::round(font * 0.4f);
  const float scenes = std::round((height - split) * std::clamp(scenes_share, 0.1f, 0.9f));
  const float top = origin.y + menu_height;
  layout.scenes = {{origin.x, top}, {left, scenes}};
  layout.split = {{origin.x, top + scenes}, {left, split}};
  layout.diagnostics = {{origin.x, top + scenes + split}, {left, height - scenes - split}};
  layout.inspector = {{origin.x + size.x - right, top}, {right, height}};
  layout.status = {{origin.x, top + height}, {size.x, status}};
  layout.view = {{origin.x + left, top}, {size.x - left - right, height}};
  return layout;
}

void begin_panel(const char* name, const Rect& rect, ImGuiWindowFlags more) {
  ImGui::SetNextWindowPos(rect.position);
  ImGui::SetNextWindowSize(rect.size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0f, 1.0f});  // the rectangle may be lower than 32 px
  ImGui::Begin(name, nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | more);
  ImGui::PopStyleVar();
}

float splitter(const Rect& rect) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0f, 0.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0f, 1.0f});
  begin_panel("##split", rect);
  ImGui::InvisibleButton("##bar", rect.size);
  const bool held = ImGui::IsItemActive(), seen = held || ImGui::IsItemHovered();
  if (seen) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
  const ImVec2 middle{rect.position.x + rect.size.x * 0.5f, rect.position.y + rect.size.y * 0.5f};
  const float half = ImGui::GetFontSize() * 1.2f;
  ImGui::GetWindowDrawList()->AddLine({middle.x - half, middle.y}, {middle.x + half, middle.y},
                                      packed(seen ? palette::accent : palette::muted, seen ? 1.0f : 0.5f),
                                      2.0f);
  ImGui::End();
  ImGui::PopStyleVar(2);
  return held ? ImGui::GetIO().MouseDelta.y : 0.0f;
}

void stay_in_work_area() {
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  const ImVec2 corner = viewport.WorkPos, room = viewport.WorkSize;
  ImGuiStorage& kept = *ImGui::GetStateStorage();  // storage of the current window
  float &width = *kept.GetFloatRef(ImGui::GetID("##work_width")),
        &height = *kept.GetFloatRef(ImGui::GetID("##work_height"));
  if (width == room.x && height == room.y) return;
  width = room.x, height = room.y;
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const ImVec2 fitting{std::min(size.x, room.x), std::min(size.y, room.y)};
  ImGui::SetWindowSize(fitting);
  ImGui::SetWindowPos({std::clamp(at.x, corner.x, corner.x + room.x - fitting.x),
                       std::clamp(at.y, corner.y, corner.y + room.y - fitting.y)});
}

void keep_in_view() {
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const auto inside = [](float x, float length, float low, float room) {
    return std::clamp(x, low, std::max(low, low + room - length));
  };
  const ImVec2 there{inside(at.x, size.x, viewport.Pos.x, viewport.Size.x),
                     inside(at.y, size.y, viewport.Pos.y, viewport.Size.y)};
  if (there.x != at.x || there.y != at.y) ImGui::SetWindowPos(there);
}

void heading(const char* text) {
  push_font(fonts().bold);
  ImGui::TextColored(palette::muted, "%s", text);
  ImGui::PopFont();
}

}  // namespace limber::ui
