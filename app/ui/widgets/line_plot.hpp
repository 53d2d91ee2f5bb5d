// Plots curves over two axes with numbers.
#pragma once

#include <imgui.h>

#include <span>
#include <string>
#include <vector>

namespace limber::ui {

struct Curve {
  std::string name;
  ImU32 color = 0;
  std::vector<ImVec2> points;  ///< x ascending
};

struct PlotAxes {
  std::string title, x, y;   ///< names with units
  bool logarithmic = false;  ///< y axis; values that are not positive are left out
};

/// Draws at the cursor in `size`. Shows each curve's value at the mouse position. Returns whether it was
/// clicked.
bool line_plot(const PlotAxes& axes, std::span<const Curve> curves, ImVec2 size);

/// Numbers from `low` to `high` for the grid lines of an axis, about `wanted` of them: 1, 2 or 5 times a
/// power of ten; on a logarithmic axis powers of ten only.
std::vector<double> axis_ticks(double low, double high, int wanted, bool logarithmic);

/// The number with three digits, more only before the point; with an exponent outside 0.001 to 10,000:
/// "0.125", "6600", "6.6e4".
std::string short_number(double value);

}  // namespace limber::ui
