#include "app/ui/widgets/overlay_legend.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/ui/theme.hpp"
#include "app/ui/widgets/heat_legend.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber::ui {

Rect overlay_legend(const Rect& view, const RenderFrame& frame) {
  const OverlayNote& note = frame.overlay;
  const LegendRoom room = legend_room(view);
  if (note.overlay == Overlay::none || room == LegendRoom::none) return {};
  const float font = ImGui::GetFontSize(), small = std::round(font * 0.8125f), line = small * 1.5f;
  const auto width_of = [&](const std::string& text) {
    return fonts().small->CalcTextSizeA(small, 1e9f, 0.0f, text.c_str()).x;
  };
  const std::string title(info_of(note.overlay).label);
  std::array<std::string, std::tuple_size_v<decltype(note.marks)>> rows;
  float width = width_of(title), height = line;
  for (std::size_t i = 0; i < note.marks.size(); ++i) {
    if (note.marks[i].label.empty()) continue;
    rows[i] = std::to_string(note.marks[i].count) + " " + std::string(note.marks[i].label);
    width = std::max(width, width_of(rows[i]) + font);
    height += line;
  }
  const float margin = room == LegendRoom::full ? font : 0.5f * font;
  const ImVec2 corner{view.position.x + margin, view.position.y + margin + heat_legend_end(view, frame)};
  const ImVec2 pad{margin * 0.8f, margin * 0.6f};
  const ImVec2 end{corner.x + width + 2.0f * pad.x, corner.y + height + 2.0f * pad.y};
  const bool fits = end.x <= view.position.x + view.size.x && end.y <= view.position.y + 0.33f * view.size.y;
  if (room == LegendRoom::strip && !fits) return {};
  ImDrawList& draw = *ImGui::GetBackgroundDrawList();
  draw.AddRectFilled(corner, end, packed(palette::panel, 0.88f), 6.0f);
  ImVec2 at{corner.x + pad.x, corner.y + pad.y};
  draw.AddText(fonts().small, small, at, packed(palette::text), title.c_str());
  for (std::size_t i = 0; i < note.marks.size(); ++i) {
    if (rows[i].empty()) continue;
    at.y += line;
    const glm::vec3& c = note.marks[i].color;
    draw.AddCircleFilled({at.x + font * 0.3f, at.y + small * 0.5f}, font * 0.22f,
                         ImGui::ColorConvertFloat4ToU32({c.x, c.y, c.z, 1.0f}));
    draw.AddText(fonts().small, small, {at.x + font, at.y}, packed(palette::text), rows[i].c_str());
  }
  return {corner, {end.x - corner.x, end.y - corner.y}};
}

}  // namespace limber::ui
