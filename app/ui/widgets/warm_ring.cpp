#include "app/ui/widgets/warm_ring.hpp"

#include <imgui.h>

namespace limber::ui {

void warm_ring(int sign, glm::vec2 middle, float radius) {
  if (sign == 0) return;
  const ImU32 color = sign > 0 ? IM_COL32(255, 120, 40, 255) : IM_COL32(70, 160, 255, 255);
  const ImU32 inside = sign > 0 ? IM_COL32(255, 120, 40, 50) : IM_COL32(70, 160, 255, 50);
  ImDrawList& draw = *ImGui::GetBackgroundDrawList();
  draw.AddCircleFilled({middle.x, middle.y}, radius, inside);
  draw.AddCircle({middle.x, middle.y}, radius, color, 0, 2.0f);
}

}  // namespace limber::ui
