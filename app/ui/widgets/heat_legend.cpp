#include "app/ui/widgets/heat_legend.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

#include "app/ui/theme.hpp"
#include "app/view/color_map.hpp"

namespace limber::ui {
namespace {

constexpr int color_steps = 64, tick_count = 5, isoline_count = 10;
constexpr float bar_length = 9.9f;        // length of the colour bar, in font sizes
constexpr float histogram_length = 2.0f;  // width of the histogram beside it, in font sizes

ImU32 color_of(const HeatScale& scale, float t) {
  const glm::vec3 c = heat_color(scale.colors, t);
  return ImGui::ColorConvertFloat4ToU32({c.x, c.y, c.z, 1.0f});
}

std::string number(float value, const HeatScale& scale) {
  const bool thousands = scale.unit == "N" && scale.high >= 1e4f;
  char text[32];
  if (scale.whole) return std::to_string(std::lround(value));
  std::snprintf(text, sizeof text, "%.3g%s%s", double(thousands ? 1e-3f * value : value),
                scale.unit.empty() ? "" : " ", thousands ? "k" : "");
  return text + std::string(scale.unit);
}

bool has_scale(const RenderFrame& frame) { return !frame.heat.empty() || !frame.body_heat.empty(); }

float largest(const std::vector<float>& numbers) {
  return numbers.empty() ? 0.0f : *std::max_element(numbers.begin(), numbers.end());
}

bool goes_beyond(const RenderFrame& frame) {
  return std::max(largest(frame.heat), largest(frame.body_heat)) > frame.heat_scale.high * 1.0001f;
}

/// Text of a tick at the fraction `t` of the scale.
std::string tick_text(const RenderFrame& frame, float t) {
  const HeatScale& scale = frame.heat_scale;
  const std::string text = number(scale.low + t * (scale.high - scale.low), scale);
  return t == 1.0f && goes_beyond(frame) ? "> " + text : text;
}

float small_size() { return std::round(ImGui::GetFontSize() * 0.8125f); }

float small_width(const std::string& text) {
  return fonts().small->CalcTextSizeA(small_size(), 1e9f, 0.0f, text.c_str()).x;
}

void small_text(ImVec2 at, const ImVec4& color, const std::string& text) {
  ImGui::GetBackgroundDrawList()->AddText(fonts().small, small_size(), at, packed(color), text.c_str());
}

Rect back_panel(ImVec2 corner, ImVec2 size) {
  ImGui::GetBackgroundDrawList()->AddRectFilled(corner, {corner.x + size.x, corner.y + size.y},
                                                packed(palette::panel, 0.88f), 6.0f);
  return {corner, size};
}

/// Draws bars to the left of `right`. The longest bar belongs to the most frequent step.
void histogram(const RenderFrame& frame, ImVec2 right, float height, float room) {
  const std::vector<int> counts = heat_counts(frame, color_steps / 2);
  const int most = *std::max_element(counts.begin(), counts.end());
  const float step = height / float(counts.size());
  for (std::size_t i = 0; most > 0 && i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const float length = std::max(room * float(counts[i]) / float(most), 1.0f);
    const float low = right.y + height - step * float(i);
    ImGui::GetBackgroundDrawList()->AddRectFilled({right.x - length, low - step + 1.0f}, {right.x, low},
                                                  packed(palette::muted));
  }
}

/// A vertical colour bar with numbers beside it.
void color_bar(const RenderFrame& frame, ImVec2 top, float height) {
  const float font = ImGui::GetFontSize(), small = small_size(), width = font * 1.1f;
  const auto color_at = [&](float t) { return color_of(frame.heat_scale, t); };
  ImDrawList& draw = *ImGui::GetBackgroundDrawList();
  for (int i = 0; i < color_steps; ++i) {
    const float high = 1.0f - float(i) / color_steps, low = 1.0f - float(i + 1) / color_steps;
    draw.AddRectFilledMultiColor({top.x, top.y + height * (1.0f - high)},
                                 {top.x + width, top.y + height * (1.0f - low)}, color_at(high),
                                 color_at(high), color_at(low), color_at(low));
  }
  for (int i = 1; frame.heat_scale.isolines && i < isoline_count; ++i) {
    const float y = top.y + height * (1.0f - float(i) / isoline_count);
    draw.AddLine({top.x, y}, {top.x + width, y}, IM_COL32(0, 0, 0, 190));
  }
  for (const float t : tick_places(frame.heat_scale)) {
    const float y = top.y + height * (1.0f - t);
    draw.AddLine({top.x + width, y}, {top.x + width + font * 0.35f, y}, packed(palette::muted));
    small_text({top.x + width + font * 0.6f, y - small * 0.55f}, palette::text, tick_text(frame, t));
  }
}

/// A horizontal colour bar with numbers at its ends.
void color_strip(const RenderFrame& frame, ImVec2 corner, float width) {
  const float height = ImGui::GetFontSize() * 0.5f, low = corner.y + height * 1.2f;
  const auto color_at = [&](float t) { return color_of(frame.heat_scale, t); };
  ImDrawList& draw = *ImGui::GetBackgroundDrawList();
  for (int i = 0; i < color_steps; ++i) {
    const float left = float(i) / color_steps, right = float(i + 1) / color_steps;
    draw.AddRectFilledMultiColor({corner.x + width * left, corner.y},
                                 {corner.x + width * right, corner.y + height}, color_at(left),
                                 color_at(right), color_at(right), color_at(left));
  }
  const std::string last = tick_text(frame, 1.0f);
  small_text({corner.x, low}, palette::text, tick_text(frame, 0.0f));
  small_text({corner.x + width - small_width(last), low}, palette::text, last);
}

/// Title of the map. Mentions the factor if heat runs faster or slower than in reality.
std::string title_of(const RenderFrame& frame) {
  std::string title(frame.heat_scale.label);
  if (frame.heat_speed == 1.0f) return title;
  char speed[32];
  std::snprintf(speed, sizeof speed, ", heat %gx", double(frame.heat_speed));
  return title + speed;
}

float full_height(const RenderFrame& frame) {
  const float font = ImGui::GetFontSize();
  return (has_scale(frame) ? font * 14.3f : font * 2.2f) + (frame.heat_note.empty() ? 0.0f : font * 1.3f);
}

float strip_height(const RenderFrame& frame) {
  return ImGui::GetFontSize() * (has_scale(frame) ? 3.6f : 2.8f);
}

Rect full_legend(ImVec2 corner, const RenderFrame& frame) {
  const float font = ImGui::GetFontSize(), left = corner.x + font * 0.8f;
  const std::string title = title_of(frame), note(frame.heat_note), range(frame.heat_scale.range);
  const float widest = std::max({small_width(title), small_width(note), small_width(range)});
  const Rect covered = back_panel(
      corner, {std::max(widest, font * (7.0f + histogram_length)) + font * 1.6f, full_height(frame)});
  small_text({left, corner.y + font * 0.6f}, palette::text, title);
  if (has_scale(frame)) {
    const ImVec2 bar{left + font * histogram_length, corner.y + font * 2.3f};
    histogram(frame, {bar.x - 2.0f, bar.y}, font * bar_length, font * histogram_length - 2.0f);
    color_bar(frame, bar, font * bar_length);
    small_text({left, corner.y + font * 12.9f}, palette::muted, range);
  }
  small_text({left, corner.y + font * (has_scale(frame) ? 14.3f : 1.95f)}, palette::muted, note);
  return covered;
}

/// The legend as a strip. Shows the note only if there is no colour bar.
Rect strip_legend(ImVec2 corner, float most, const RenderFrame& frame) {
  const float font = ImGui::GetFontSize(), pad = font * 0.5f;
  const std::string title = title_of(frame), note(has_scale(frame) ? "" : frame.heat_note);
  const float wanted = std::max({small_width(title), small_width(note), font * bar_length});
  const float width = std::min(wanted, most - 2.0f * pad);
  const Rect covered = back_panel(corner, {width + 2.0f * pad, strip_height(frame)});
  const ImVec2 below{corner.x + pad, corner.y + font * 1.6f};
  small_text({below.x, corner.y + font * 0.4f}, palette::text, title);
  if (has_scale(frame))
    color_strip(frame, below, width);
  else
    small_text(below, palette::muted, note);
  return covered;
}

}  // namespace

std::vector<float> tick_places(const HeatScale& scale) {
  std::vector<float> places;
  const float range = scale.high - scale.low;
  const float step =
      scale.whole && range > 0.0f ? std::ceil(range / (tick_count - 1)) / range : 1.0f / (tick_count - 1);
  for (int i = 0; float(i) * step < 1.0f - 0.6f * step; ++i) places.push_back(float(i) * step);
  places.push_back(1.0f);
  return places;
}

std::vector<int> heat_counts(const RenderFrame& frame, int steps) {
  std::vector<int> counts(std::size_t(steps), 0);
  const float range = frame.heat_scale.high - frame.heat_scale.low;
  for (const std::vector<float>* numbers : {&frame.heat, &frame.body_heat})
    for (const float value : *numbers) {
      const float t = range > 0.0f ? (value - frame.heat_scale.low) / range : 0.0f;
      if (!std::isfinite(value)) continue;
      ++counts[std::size_t(std::clamp(t * float(steps), 0.0f, float(steps - 1)))];
    }
  return counts;
}

Rect clear_of(Rect view, std::span<const Rect> covered) {
  for (const Rect& rect : covered) {
    if (rect.size.x <= 0.0f || rect.size.y <= 0.0f) continue;
    const float left = std::max(view.position.x, rect.right()),
                top = std::max(view.position.y, rect.bottom());
    const float right = std::min(view.right(), rect.position.x),
                bottom = std::min(view.bottom(), rect.position.y);
    const Rect beside[] = {{{left, view.position.y}, {view.right() - left, view.size.y}},
                           {view.position, {right - view.position.x, view.size.y}},
                           {{view.position.x, top}, {view.size.x, view.bottom() - top}},
                           {view.position, {view.size.x, bottom - view.position.y}}};
    // The shorter side of an area limits the size of the picture in it.
    const auto room = [](const Rect& r) { return std::min(r.size.x, r.size.y); };
    view = *std::max_element(std::begin(beside), std::end(beside),
                             [&](const Rect& a, const Rect& b) { return room(a) < room(b); });
  }
  return view;
}

LegendRoom legend_room(const Rect& view) {
  const float font = ImGui::GetFontSize();
  if (view.size.x < font * 14.0f || view.size.y < font * 14.0f) return LegendRoom::none;
  return view.size.x < font * 34.0f || view.size.y < font * 28.0f ? LegendRoom::strip : LegendRoom::full;
}

Rect in_corner(const Rect& view, ImVec2 block, int corner) {
  Rect moved = view;
  if (corner % 2 == 1) moved.position.x = std::max(view.position.x, view.right() - block.x);
  if (corner >= 2) moved.position.y = std::max(view.position.y, view.bottom() - block.y);
  return moved;
}

int legend_corner(const Rect& view, ImVec2 block, std::span<const ImVec2> keep_free, int before) {
  const auto covers = [&](int corner) {
    const ImVec2 at = in_corner(view, block, corner).position;
    return std::any_of(keep_free.begin(), keep_free.end(), [&](const ImVec2& point) {
      return point.x >= at.x && point.x <= at.x + block.x && point.y >= at.y && point.y <= at.y + block.y;
    });
  };
  if (!covers(before)) return before;
  for (int corner = 0; corner < 4; ++corner)
    if (!covers(corner)) return corner;
  return before;
}

float heat_legend_end(const Rect& view, const RenderFrame& frame) {
  const LegendRoom room = legend_room(view);
  if (!frame.has_heat() || room == LegendRoom::none) return 0.0f;
  const float font = ImGui::GetFontSize();
  return room == LegendRoom::full ? font + full_height(frame) : 0.5f * font + strip_height(frame);
}

Rect heat_legend(const Rect& view, const RenderFrame& frame) {
  const LegendRoom room = legend_room(view);
  if (!frame.has_heat() || room == LegendRoom::none) return {};
  const float font = ImGui::GetFontSize(), margin = room == LegendRoom::full ? font : 0.5f * font;
  const ImVec2 corner{view.position.x + margin, view.position.y + margin};
  if (room == LegendRoom::full) return full_legend(corner, frame);
  return strip_legend(corner, view.size.x - 2.0f * margin, frame);
}

}  // namespace limber::ui
