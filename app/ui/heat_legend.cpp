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
  const bool thousands = scale.unit == "N" && scale.high >= 1e4f;
  char text[32];
  std::snprintf(text, sizeof text, "%.3g%s%s", double(thousands ? 1e-3f * value : value),
                scale.unit.empty() ? "" : " ", thousands ? "k" : "");
  return text + std::string(scale.unit);
}

bool has_scale(const RenderFrame& frame) { return !frame.heat.empty() || !frame.body_heat.empty(); }

float largest(const std::vector<float>& numbers) {
  return numbers.empty() ? 0.0f : *std::max_element(numbers.begin(), numbers.end());
}

/// The colours with their numbers beside them.
void color_bar(const RenderFrame& frame, ImVec2 top, float height) {
  const HeatScale& scale = frame.heat_scale;
  const float font = ImGui::GetFontSize(), small = std::round(font * 0.8125f), width = font * 1.1f;
  ImDrawList& draw = *ImGui::GetBackgroundDrawList();
  for (int i = 0; i < kSteps; ++i) {
    const float high = 1.0f - float(i) / kSteps, low = 1.0f - float(i + 1) / kSteps;
    draw.AddRectFilledMultiColor({top.x, top.y + height * (1.0f - high)},
                                 {top.x + width, top.y + height * (1.0f - low)}, color_at(high),
                                 color_at(high), color_at(low), color_at(low));
  }
  const bool beyond = std::max(largest(frame.heat), largest(frame.body_heat)) > scale.high * 1.0001f;
  for (int i = 0; i < kTicks; ++i) {
    const float t = float(i) / (kTicks - 1), y = top.y + height * (1.0f - t);
    draw.AddLine({top.x + width, y}, {top.x + width + font * 0.35f, y}, packed(palette::muted));
    const std::string text = number(scale.low + t * (scale.high - scale.low), scale);
    draw.AddText(fonts().small, small, {top.x + width + font * 0.6f, y - small * 0.55f},
                 packed(palette::text), ((i + 1 == kTicks && beyond ? "> " : "") + text).c_str());
  }
}

}  // namespace

float heat_legend_height(const RenderFrame& frame) {
  const float font = ImGui::GetFontSize();
  return (has_scale(frame) ? font * 13.0f : font * 2.2f) + (frame.heat_note.empty() ? 0.0f : font * 1.3f);
}

void heat_legend(const Rect& view, const RenderFrame& frame) {
  if (!frame.has_heat()) return;
  const float font = ImGui::GetFontSize(), small = std::round(font * 0.8125f);
  const std::string title(frame.heat_scale.label), note(frame.heat_note);
  const auto width_of = [&](const std::string& text) {
    return fonts().small->CalcTextSizeA(small, 1e9f, 0.0f, text.c_str()).x;
  };
  const ImVec2 corner{view.position.x + font, view.position.y + font};
  const ImVec2 size{std::max({width_of(title), width_of(note), font * 7.0f}) + font * 1.6f,
                    heat_legend_height(frame)};
  ImDrawList& draw = *ImGui::GetBackgroundDrawList();
  draw.AddRectFilled(corner, {corner.x + size.x, corner.y + size.y}, packed(palette::panel, 0.88f), 6.0f);
  draw.AddText(fonts().small, small, {corner.x + font * 0.8f, corner.y + font * 0.6f}, packed(palette::text),
               title.c_str());
  float top = corner.y + font * 2.3f;
  if (has_scale(frame)) {
    color_bar(frame, {corner.x + font * 0.8f, top}, font * 9.9f);
    top = corner.y + font * 13.0f;
  } else {
    top -= font * 0.35f;
  }
  draw.AddText(fonts().small, small, {corner.x + font * 0.8f, top}, packed(palette::muted), note.c_str());
}

}  // namespace limber::ui
