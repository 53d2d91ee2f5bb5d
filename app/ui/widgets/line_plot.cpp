#include "app/ui/widgets/line_plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/theme.hpp"

namespace limber::ui {
namespace {

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double value) { low = std::min(low, value), high = std::max(high, value); }
  bool empty() const { return !(low <= high); }
};

/// Ranges of the curves and the rectangle of the plot in the window.
struct Plane {
  Range x, y;
  bool logarithmic = false;
  ImVec2 low, high;  ///< px: left and upper, right and lower edge

  bool shows(const ImVec2& point) const { return std::isfinite(point.y) && (!logarithmic || point.y > 0.0f); }
  double share(double value) const {
    const auto scaled = [&](double v) { return logarithmic ? std::log10(v) : v; };
    const double span = scaled(y.high) - scaled(y.low);
    return span > 0.0 ? (scaled(value) - scaled(y.low)) / span : 0.5;
  }
  ImVec2 at(double px, double py) const {
    const double span = x.high - x.low;
    return {low.x + (high.x - low.x) * float(span > 0.0 ? (px - x.low) / span : 0.5),
            high.y - (high.y - low.y) * float(share(py))};
  }
};

void measure(std::span<const Curve> curves, Plane& plane) {
  for (const Curve& curve : curves)
    for (const ImVec2& point : curve.points) {
      if (!plane.shows(point)) continue;
      plane.x.add(double(point.x));
      plane.y.add(double(point.y));
    }
  if (plane.y.empty()) return;
  if (plane.logarithmic) {
    plane.y.low = std::pow(10.0, std::floor(std::log10(plane.y.low)));
    plane.y.high = std::pow(10.0, std::ceil(std::log10(plane.y.high) + 1e-9));
  } else {
    plane.y.low = std::min(plane.y.low, 0.0);
    if (plane.y.high <= plane.y.low) plane.y.high = plane.y.low + 1.0;
  }
}

void draw_grid(const Plane& plane, ImDrawList& draw) {
  const float em = ImGui::GetFontSize();
  const int rows = std::max(2, int((plane.high.y - plane.low.y) / (2.2f * em)));
  for (const double tick : axis_ticks(plane.y.low, plane.y.high, rows, plane.logarithmic)) {
    const float y = plane.at(plane.x.low, tick).y;
    const std::string text = short_number(tick);
    draw.AddLine({plane.low.x, y}, {plane.high.x, y}, packed(palette::muted, 0.18f));
    draw.AddText({plane.low.x - ImGui::CalcTextSize(text.c_str()).x - 0.4f * em, y - 0.5f * em},
                 packed(palette::muted), text.c_str());
  }
  const int columns = std::max(2, int((plane.high.x - plane.low.x) / (5.0f * em)));
  for (const double tick : axis_ticks(plane.x.low, plane.x.high, columns, false)) {
    const float x = plane.at(tick, plane.y.low).x;
    const std::string text = short_number(tick);
    draw.AddLine({x, plane.low.y}, {x, plane.high.y}, packed(palette::muted, 0.18f));
    draw.AddText({x - 0.5f * ImGui::CalcTextSize(text.c_str()).x, plane.high.y + 0.2f * em},
                 packed(palette::muted), text.c_str());
  }
}

void draw_curve(const Curve& curve, const Plane& plane, ImDrawList& draw) {
  const bool few = curve.points.size() < 40;
  const ImVec2* before = nullptr;
  for (const ImVec2& point : curve.points) {
    if (!plane.shows(point)) continue;
    const ImVec2 here = plane.at(double(point.x), double(point.y));
    if (before) draw.AddLine(plane.at(double(before->x), double(before->y)), here, curve.color, 1.6f);
    if (few) draw.AddCircleFilled(here, 2.4f, curve.color);
    before = &point;
  }
}

/// Shows the values of all curves at the mouse position.
void tell_values(const PlotAxes& axes, std::span<const Curve> curves, const Plane& plane, ImDrawList& draw) {
  const float mouse = std::clamp(ImGui::GetIO().MousePos.x, plane.low.x, plane.high.x);
  const double x = plane.x.low + (plane.x.high - plane.x.low) *
                                     double((mouse - plane.low.x) / (plane.high.x - plane.low.x));
  draw.AddLine({mouse, plane.low.y}, {mouse, plane.high.y}, packed(palette::text, 0.35f));
  ImGui::BeginTooltip();
  ImGui::TextColored(palette::muted, "%s  %s", axes.x.c_str(), short_number(x).c_str());
  for (const Curve& curve : curves) {
    const auto after = std::lower_bound(curve.points.begin(), curve.points.end(), float(x),
                                        [](const ImVec2& p, float value) { return p.x < value; });
    if (after == curve.points.end()) continue;
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(curve.color), "%s  %s", curve.name.c_str(),
                       short_number(double(after->y)).c_str());
  }
  ImGui::EndTooltip();
}

}  // namespace

std::vector<double> axis_ticks(double low, double high, int wanted, bool logarithmic) {
  std::vector<double> ticks;
  if (!(high > low) || !std::isfinite(high - low)) return {low};
  if (logarithmic) {
    const int first = int(std::ceil(std::log10(low) - 1e-9)), last = int(std::floor(std::log10(high) + 1e-9));
    const int step = std::max(1, (last - first + wanted) / std::max(wanted, 1));
    for (int decade = first; decade <= last; decade += step) ticks.push_back(std::pow(10.0, decade));
    return ticks;
  }
  const double rough = (high - low) / std::max(wanted, 1);
  const double decade = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10.0 * decade;
  for (const double nice : {1.0, 2.0, 5.0})
    if (rough <= nice * decade * 1.0001) {
      step = nice * decade;
      break;
    }
  for (double k = std::ceil(low / step - 1e-9); k * step <= high * (1.0 + 1e-9); ++k)
    ticks.push_back(k == 0.0 ? 0.0 : k * step);
  return ticks;
}

bool line_plot(const PlotAxes& axes, std::span<const Curve> curves, ImVec2 size) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton(axes.title.c_str(), {std::max(size.x, 1.0f), std::max(size.y, 1.0f)});
  const bool clicked = ImGui::IsItemClicked(), hovered = ImGui::IsItemHovered();
  const float em = ImGui::GetFontSize();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 end{corner.x + size.x, corner.y + size.y};
  draw.AddRectFilled(corner, end, packed(palette::bar), 4.0f);
  draw.PushClipRect(corner, end, true);
  const std::string title = axes.title + (axes.y.empty() ? "" : ", " + axes.y);
  draw.AddText({corner.x + 0.6f * em, corner.y + 0.3f * em}, packed(palette::text, 0.9f), title.c_str());
  Plane plane;
  plane.logarithmic = axes.logarithmic;
  plane.low = {corner.x + 4.2f * em, corner.y + 1.9f * em};
  plane.high = {end.x - 0.9f * em, end.y - 2.7f * em};
  measure(curves, plane);
  const bool room = plane.high.x > plane.low.x + em && plane.high.y > plane.low.y + em;
  if (plane.y.empty()) {
    draw.AddText({corner.x + 0.6f * em, corner.y + 1.9f * em}, packed(palette::muted),
                 "nothing to show, or no frame yet");
  } else if (room) {
    draw_grid(plane, draw);
    const float width = ImGui::CalcTextSize(axes.x.c_str()).x;
    draw.AddText({plane.high.x - width, plane.high.y + 1.3f * em}, packed(palette::muted), axes.x.c_str());
    for (const Curve& curve : curves) draw_curve(curve, plane, draw);
    if (hovered) tell_values(axes, curves, plane, draw);
  }
  draw.PopClipRect();
  return clicked;
}

std::string short_number(double value) {
  char text[32];
  const double size = std::abs(value);
  if (size == 0.0 || (size >= 1e-3 && size < 1e4) || !std::isfinite(value)) {
    std::snprintf(text, sizeof text, size < 999.5 ? "%.3g" : "%.0f", value);
    return text;
  }
  std::snprintf(text, sizeof text, "%.1e", value);
  std::string digits = text;
  const std::size_t e = digits.find('e');
  return digits.substr(0, e) + "e" + std::to_string(std::atoi(digits.c_str() + e + 1));
}

}  // namespace limber::ui
