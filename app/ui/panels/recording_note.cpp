#include "app/ui/panels/recording_note.hpp"

#include <imgui.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "app/ui/bindings.hpp"
#include "app/ui/theme.hpp"

namespace limber::ui {
namespace {

constexpr double short_wait = 1.0;  // s

}  // namespace

std::string recording_text(const Recorded& recorded, float most) {
  const std::string keys(binding_of(Action::video).keys), stops = "    " + keys + " stops";
  char seconds[48], waiting[48] = "", briefly[32] = "";
  std::snprintf(seconds, sizeof seconds, "REC %.1f s, x%.2f", recorded.seconds, recorded.factor);
  if (recorded.waiting >= short_wait) {
    std::snprintf(waiting, sizeof waiting, "    waits for ffmpeg, %.0f s", recorded.waiting);
    std::snprintf(briefly, sizeof briefly, "  waits %.0f s", recorded.waiting);
  }
  const std::string said(seconds);
  for (const std::string& text : {said + waiting + stops, said + waiting, said + briefly})
    if (ImGui::CalcTextSize(text.c_str()).x <= most) return text;
  return said;
}

Rect recording_note(const Rect& view, std::span<const Rect> legends, const Recorded& recorded) {
  const float em = ImGui::GetFontSize(), radius = em * 0.34f, pad = em * 0.5f;
  const float around = 3.0f * radius + 2.0f * pad;
  const std::string text = recording_text(recorded, view.size.x - around - 2.0f * em);
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  const float width = size.x + around, height = size.y + 1.2f * pad;
  ImVec2 corner{std::round(view.right() - width - em), view.position.y + em};
  for (const Rect& legend : legends)  // from the upper edge down
    if (legend.right() + pad > corner.x && legend.bottom() + pad > corner.y) corner.y = legend.bottom() + pad;
  corner.y = std::round(corner.y);
  ImDrawList& draw = *ImGui::GetForegroundDrawList();
  draw.AddRectFilled(corner, {corner.x + width, corner.y + height}, packed(palette::panel), 6.0f);
  draw.AddCircleFilled({corner.x + pad + radius, corner.y + height * 0.5f}, radius, packed(palette::bad));
  draw.AddText({corner.x + pad + 3.0f * radius, corner.y + (height - size.y) * 0.5f}, packed(palette::text),
               text.c_str());
  return {corner, {width, height}};
}

}  // namespace limber::ui
