#include "app/ui/widgets/cut_line.hpp"

#include <imgui.h>

#include "app/ui/theme.hpp"

namespace limber::ui {

void cut_line(std::span<const glm::vec2> trail, glm::vec2 corner) {
  if (trail.size() < 2) return;
  ImDrawList& draw = *ImGui::GetBackgroundDrawList();
  for (const glm::vec2& point : trail) draw.PathLineTo({corner.x + point.x, corner.y + point.y});
  draw.PathStroke(packed(palette::accent), 0, 2.0f);
}

}  // namespace limber::ui
