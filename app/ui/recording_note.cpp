#include "app/ui/recording_note.hpp"

#include <imgui.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "app/ui/bindings.hpp"
#include "app/ui/theme.hpp"

namespace limber::ui {
namespace {

constexpr double kShortWait = 1.0;  // s

}  // namespace

float recording_note(const Rect& view, float top, const Recorded& recorded) {
  char text[96];
  const std::string keys(binding_of(Action::video).keys);
  if (recorded.waiting < kShortWait)
    std::snprintf(text, sizeof text, "REC %.1f s    %s stops", recorded.seconds, keys.c_str());
  else
    std::snprintf(text, sizeof text, "REC %.1f s    waits for ffmpeg, %.0f s    %s stops", recorded.seconds,
                  recorded.waiting, keys.c_str());
  const ImVec2 size = ImGui::CalcTextSize(text);
  const float em = ImGui::GetFontSize(), radius = em * 0.34f, pad = em * 0.5f;
  const float width = size.x + 3.0f * radius + 2.0f * pad, height = size.y + 1.2f * pad;
  const ImVec2 corner{std::round(view.position.x + view.size.x - width - em),
                      std::round(view.position.y + top + em)};
  ImDrawList& draw = *ImGui::GetForegroundDrawList();
  draw.AddRectFilled(corner, {corner.x + width, corner.y + height}, packed(palette::panel), 6.0f);
  draw.AddCircleFilled({corner.x + pad + radius, corner.y + height * 0.5f}, radius, packed(palette::bad));
  draw.AddText({corner.x + pad + 3.0f * radius, corner.y + (height - size.y) * 0.5f}, packed(palette::text),
               text);
  return height + em;
}

}  // namespace limber::ui
