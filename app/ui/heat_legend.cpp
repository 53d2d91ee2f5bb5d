#include "app/ui/heat_legend.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "app/ui/theme.hpp"
#include "app/view/color_map.hpp"

namespace limber::ui {
namespace {

constexpr int kSteps = 64, kTicks = 5;

ImU32 color_at(float t) {
  const glm::vec3 c = turbo(t);
  return ImGui::ColorConvertFloat4ToU32({c.x, c.y, c.z, 1.0f});
}

std::string number(float value, const HeatScale& scale) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", double(value));
  std::string out = text;
  return scale.unit.empty() ? out : out + " " + std::string(scale.unit);
}

}  // namespace

float heat_legend_height() { return ImGui::GetFontSize() * 13.0f; }

void heat_legend(const Rect& view, const RenderFrame& frame) {
  if (frame.heat.empty()) return;
  const HeatScale& scale = frame.heat_scale;
  const float font = ImGui::GetFontSize(), small = std::round(font * 0.8125f);
  const std::string title(scale.label);
  const float title_width = fonts().small->CalcTextSizeA(small, 1e9f, 0.0f, title.c_str()).x;
  const ImVec2 corner{view.position.x + font, view.position.y + font};
  const ImVec2 size{std::max(title_width, font * 7.0f) + font * 1.6f, heat_legend_height()};
  ImDrawList& draw = *ImGui::GetBackgroundDrawList();
  draw.AddRectFilled(corner, {corner.x + size.x, corner.y + size.y}, packed(palette::panel, 0.88f), 6.0f);
  draw.AddText(fonts().small, small, {corner.x + font * 0.8f, corner.y + font * 0.6f}, packed(palette::text),
               title.c_str());
  const ImVec2 top{corner.x + font * 0.8f, corner.y + font * 2.3f};
  const float height = size.y - font * 3.1f, width = font * 1.1f;
  for (int i = 0; i < kSteps; ++i) {
    const float high = 1.0f - float(i) / kSteps, low = 1.0f - float(i + 1) / kSteps;
    draw.AddRectFilledMultiColor({top.x, top.y + height * (1.0f - high)},
                                 {top.x + width, top.y + height * (1.0f - low)}, color_at(high),
                                 color_at(high), color_at(low), color_at(low));
  }
  const bool beyond = *std::max_element(frame.heat.begin(), frame.heat.end()) > scale.high * 1.0001f;
  for (int i = 0; i < kTicks; ++i) {
    const float t = float(i) / (kTicks - 1), y = top.y + height * (1.0f - t);
    draw.AddLine({top.x + width, y}, {top.x + width + font * 0.35f, y}, packed(palette::muted));
    draw.AddText(
        fonts().small, small, {top.x + width + font * 0.6f, y - small * 0.55f}, packed(palette::text),
        ((i + 1 == kTicks && beyond ? "> " : "") + number(scale.low + t * (scale.high - scale.low), scale))
            .c_str());
  }
}

}  // namespace limber::ui
