#include "app/ui/layout.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/theme.hpp"

namespace limber::ui {

Layout make_layout(float menu_height) {
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  const float font = ImGui::GetFontSize();
  const ImVec2 origin = viewport.Pos, size = viewport.Size;
  const float status = std::round(font * 1.9f);
  const float height = std::max(size.y - menu_height - status, 1.0f);
  Layout layout;
  // In a small window the sides give way so that the picture keeps the larger part. Below 44 letters' height
  // (704 pixels at the usual size) a third of it would be too narrow to read: the left ones go.
  layout.narrow = size.x < font * 44.0f;
  const float left = layout.narrow ? 0.0f : std::round(std::min(font * 16.5f, size.x * 0.24f));
  const float right =
      std::round(layout.narrow ? std::min(font * 18.0f, size.x * 0.45f)
                               : std::min(font * 21.0f, std::max(size.x * 0.28f, font * 15.0f)));
  const float scenes = std::round(height * 0.47f);
  const float top = origin.y + menu_height;
  layout.scenes = {{origin.x, top}, {left, scenes}};
  layout.diagnostics = {{origin.x, top + scenes}, {left, height - scenes}};
  layout.inspector = {{origin.x + size.x - right, top}, {right, height}};
  layout.status = {{origin.x, top + height}, {size.x, status}};
  layout.view = {{origin.x + left, top}, {size.x - left - right, height}};
  return layout;
}

void begin_panel(const char* name, const Rect& rect, ImGuiWindowFlags more) {
  ImGui::SetNextWindowPos(rect.position);
  ImGui::SetNextWindowSize(rect.size);
  ImGui::Begin(name, nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | more);
}

void heading(const char* text) {
  push_font(fonts().bold);
  ImGui::TextColored(palette::muted, "%s", text);
  ImGui::PopFont();
}

}  // namespace limber::ui
