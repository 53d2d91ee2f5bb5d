#include "app/ui/widgets/variant_labels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "app/ui/theme.hpp"
#include "app/ui/widgets/wrapped_text.hpp"

namespace limber::ui {
namespace {

constexpr float cell_gap = 2.0f;  // px between two cells

/// Number of columns with the largest cells for pictures of 4:3.
int columns_for(const Rect& area, int count) {
  int best = 1;
  float largest = 0.0f;
  for (int columns = 1; columns <= count; ++columns) {
    const int rows = (count + columns - 1) / columns;
    const float fits = std::min(area.size.x / float(columns) * 0.75f, area.size.y / float(rows));
    if (fits > largest * 1.01f) largest = fits, best = columns;
  }
  return best;
}

std::string note_of(const RunStatus& status) {
  return status.variant.stopped ? "stopped: a value became non-finite" : cost_text(status.step_ms);
}

float small_letters() { return std::round(ImGui::GetFontSize() * 0.8125f); }

void label(ImDrawList& draw, const Rect& cell, const RunStatus& status, bool chosen) {
  const float em = ImGui::GetFontSize(), pad = std::round(em * 0.4f), side = std::round(em * 0.62f);
  const float height = label_height(2);
  std::string cost = note_of(status);
  const float all = cell.size.x - side - 3.0f * pad;
  const Label name =
      fitted_label(variant_name(status.variant), all - ImGui::CalcTextSize(cost.c_str()).x - 2.0f * pad, all);
  if (name.alone) cost.clear();
  const float cost_width = ImGui::CalcTextSize(cost.c_str()).x;
  const float left = cell.position.x, top = cell.position.y, text_top = top + (height - em) * 0.5f - 1.0f;
  draw.AddRectFilled({left, top}, {cell.right(), top + height}, packed(palette::bar, 0.92f));
  const ImVec2 square{left + pad, top + std::round((height - side) * 0.5f)};
  draw.AddRectFilled(square, {square.x + side, square.y + side}, variant_color(status.variant.number), 2.0f);
  draw.AddText(name.small ? fonts().small : ImGui::GetFont(), name.small ? small_letters() : em,
               {square.x + side + pad, text_top + (name.small ? 0.1f * em : 0.0f)}, packed(palette::text),
               name.text.c_str());
  draw.AddText({cell.right() - cost_width - pad, text_top},
               packed(status.variant.stopped ? palette::bad : palette::muted), cost.c_str());
  if (chosen)
    draw.AddRectFilled({left, top + height - 2.0f}, {cell.right(), top + height}, packed(palette::accent));
}

}  // namespace

std::vector<Rect> view_cells(const Rect& area, std::size_t count) {
  if (count < 2) return {area};
  const int columns = columns_for(area, int(count)), rows = (int(count) + columns - 1) / columns;
  std::vector<Rect> cells;
  for (int k = 0; k < int(count); ++k) {
    const int column = k % columns, row = k / columns;
    const auto edge = [](float start, float size, int step, int steps) {
      return std::round(start + size * float(step) / float(steps));
    };
    const ImVec2 from{edge(area.position.x, area.size.x, column, columns),
                      edge(area.position.y, area.size.y, row, rows)};
    const ImVec2 to{edge(area.position.x, area.size.x, column + 1, columns),
                    edge(area.position.y, area.size.y, row + 1, rows)};
    const ImVec2 gap{column + 1 < columns ? cell_gap : 0.0f, row + 1 < rows ? cell_gap : 0.0f};
    cells.push_back({from, {std::max(1.0f, to.x - from.x - gap.x), std::max(1.0f, to.y - from.y - gap.y)}});
  }
  return cells;
}

ImU32 variant_color(std::size_t number) {
  static constexpr std::array colors{IM_COL32(92, 163, 250, 255), IM_COL32(245, 158, 66, 255),
                                     IM_COL32(97, 199, 133, 255), IM_COL32(224, 122, 196, 255),
                                     IM_COL32(235, 214, 92, 255), IM_COL32(110, 210, 220, 255),
                                     IM_COL32(235, 102, 92, 255), IM_COL32(168, 148, 245, 255)};
  return colors[number % colors.size()];
}

Label fitted_label(const std::string& name, float beside_cost, float all) {
  const float wide = ImGui::CalcTextSize(name.c_str()).x;
  const float small = fonts().small->CalcTextSizeA(small_letters(), 1e9f, 0.0f, name.c_str()).x;
  if (wide <= beside_cost) return {name, false, false};
  if (small <= beside_cost) return {name, true, false};
  if (small <= all) return {name, true, true};
  std::string text = name;
  for (std::size_t kept = name.size(); kept > 0; --kept) {
    text = name.substr(0, kept) + "...";
    if (fonts().small->CalcTextSizeA(small_letters(), 1e9f, 0.0f, text.c_str()).x <= all) break;
  }
  return {text, true, true};
}

std::string cost_text(double ms) {
  char text[32];
  std::snprintf(text, sizeof text, ms < 9.995 ? "%.2f ms" : ms < 99.95 ? "%.1f ms" : "%.0f ms", ms);
  return text;
}

std::string variant_name(const VariantStatus& variant) {
  if (!variant.text.empty()) return variant.text;
  return "variant " + std::to_string(variant.number + 1);
}

float label_height(std::size_t count) { return count < 2 ? 0.0f : std::round(ImGui::GetFontSize() * 1.6f); }

void variant_labels(ImDrawList& draw, std::span<const Rect> cells, const Publications& shown,
                    std::size_t chosen) {
  const std::size_t count = std::min(cells.size(), shown.variants.size());
  if (count < 2) return;
  for (std::size_t k = 0; k < count; ++k) label(draw, cells[k], shown.variants[k].status, k == chosen);
}

}  // namespace limber::ui
