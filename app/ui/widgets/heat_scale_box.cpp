#include "app/ui/widgets/heat_scale_box.hpp"

#include <cmath>
#include <string>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/theme.hpp"

namespace limber::ui {

void heat_scale_rows(const HeatScale& scale, std::optional<float>& lock) {
  bool locked = lock.has_value();
  if (ImGui::Checkbox("Lock", &locked)) lock = locked ? std::optional(scale.high) : std::nullopt;
  item_tooltip(
      "Keeps the scale constant, so that colours keep their meaning. The end of the scale can be typed.");
  if (!lock) return;
  float high = *lock;
  ImGui::SetNextItemWidth(ImGui::GetFontSize() * 4.5f);
  if (ImGui::InputFloat("##high", &high, 0.0f, 0.0f, "%.3g", ImGuiInputTextFlags_EnterReturnsTrue) &&
      std::isfinite(high) && high > scale.low)
    lock = high;
  ImGui::SameLine(0.0f, 4.0f);
  ImGui::TextUnformatted(std::string(scale.unit).c_str());
}

Rect heat_scale_box(const Rect& legend, const RenderFrame& frame, std::optional<float>& lock) {
  if (legend.size.y <= 0.0f || (frame.heat.empty() && frame.body_heat.empty())) return {};
  ImGui::SetNextWindowPos({legend.right() + 2.0f, legend.position.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 6.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {5.0f, 3.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0f, 1.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {3.0f, 1.0f});
  ImGui::Begin("##heat_scale", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoNav);
  push_font(fonts().small);
  heat_scale_rows(frame.heat_scale, lock);
  ImGui::PopFont();
  const Rect covered{ImGui::GetWindowPos(), ImGui::GetWindowSize()};
  ImGui::End();
  ImGui::PopStyleVar(4);
  return covered;
}

}  // namespace limber::ui
