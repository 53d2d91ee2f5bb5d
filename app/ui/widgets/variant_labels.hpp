// Pictures side by side: where each is, and what stands over it.
#pragma once

#include <imgui.h>

#include <span>
#include <string>
#include <vector>

#include "app/lab/run_status.hpp"
#include "app/ui/layout.hpp"

namespace limber::ui {

/// Divides `area` into cells of one size for `count` pictures, side by side where it is wide; all of it for
/// one.
std::vector<Rect> view_cells(const Rect& area, std::size_t count);

/// Of the plots, and of the square before a variant's name.
ImU32 variant_color(std::size_t number);

/// "pbd, substeps 10": what sets it apart, or its number.
std::string variant_name(const VariantStatus& variant);

/// A name as it is written where there is so much room, px: beside what the variant costs, or in all of the
/// label.
struct Label {
  std::string text;
  bool small = false;  ///< in small letters
  bool alone = false;  ///< in the place of the cost too
};
/// The whole name wherever small letters alone fit it in.
Label fitted_label(const std::string& name, float beside_cost, float all);

/// Three digits: "1.32 ms".
std::string cost_text(double ms);

/// How high the labels are; 0 for a single picture.
float label_height(std::size_t count);

/// Over each cell: its colour, its name and what a step costs; lines between them. A frame about the cell of
/// number `chosen`, unless there is no such.
void variant_labels(ImDrawList& draw, std::span<const Rect> cells, const Publications& shown,
                    std::size_t chosen);

}  // namespace limber::ui
