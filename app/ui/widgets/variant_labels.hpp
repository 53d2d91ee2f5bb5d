// Pictures side by side: their cells and labels.
#pragma once

#include <imgui.h>

#include <span>
#include <string>
#include <vector>

#include "app/lab/run_status.hpp"
#include "app/ui/layout.hpp"

namespace limber::ui {

/// Divides `area` into cells of equal size for `count` pictures, side by side if it is wide; a single picture
/// gets all of it.
std::vector<Rect> view_cells(const Rect& area, std::size_t count);

/// Colour of a variant in plots and in the square before its name.
ImU32 variant_color(std::size_t number);

/// Name of a variant: its differing settings, "pbd, substeps 10", or its number.
std::string variant_name(const VariantStatus& variant);

/// A name as written in a limited width, px: beside the variant's cost, or over the whole label.
struct Label {
  std::string text;
  bool small = false;  ///< drawn in the small font
  bool alone = false;  ///< the name replaces the cost
};
/// The whole name if at least the small font makes it fit.
Label fitted_label(const std::string& name, float beside_cost, float all);

/// Time with three digits: "1.32 ms".
std::string cost_text(double ms);

/// Height of the labels, px; 0 for a single picture.
float label_height(std::size_t count);

/// Draws over each cell its colour, name and cost per step, lines between the cells, and a frame around cell
/// number `chosen`, if it exists.
void variant_labels(ImDrawList& draw, std::span<const Rect> cells, const Publications& shown,
                    std::size_t chosen);

}  // namespace limber::ui
