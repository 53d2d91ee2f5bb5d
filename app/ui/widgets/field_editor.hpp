// One row of the inspector: a setting as a slider, box, combo or text field, driven by its Field.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/core/tunable.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber::ui {

/// Where a slider of [min, max] stands for `value`, in [0, 1], and back. A logarithmic field that starts at 0
/// keeps the first 3 % of the travel for exactly 0 and spreads ten decades over the rest.
double slider_position(const Field& field, double value);
double slider_value(const Field& field, double position);

/// "0.0167 s", "10 vertices": the value as the slider shows it.
std::string shown_value(const Field& field, double value);

/// What becomes of a text that was typed for a setting: a value in its range, or nothing where it is no
/// number or not a finite one.
struct TypedValue {
  std::optional<Value> value;
  std::string complaint;  ///< why it is not what was typed; "" where it is
};
TypedValue read_typed(const Setting& setting, const std::string& text);

/// "objects.cloth.material.friction" -> "cloth"; "" for what no part of a scene owns ("solver.substeps").
std::string owner_of(std::string_view path);

/// What rows share between frames: the one that is being typed into, and what was typed.
struct FieldEditorState {
  unsigned typing = 0;  ///< ImGui's id of the row, as a setting may have two; 0 for none
  bool focus = false;   ///< the text box was just opened
  char typed[96] = "";
  std::string complaint = {};      ///< why a typed value was not taken as it was; for the message area
  std::string complained_of = {};  ///< the path of its setting
};

/// Draws `label`, editor and reset mark of `setting` in the next row of a two-column table and writes a
/// changed value into its struct at once. Returns the value when it should be sent to the simulation: at once
/// for a live field, on release for one that rebuilds. `original` is what the reset mark goes back to.
std::optional<Value> field_row(const char* label, const Setting& setting, const Value& original,
                               FieldEditorState& state);

/// Text behind the mark of an effect: a filled dot for live, an amber ring for rebuild.
void marked_text(const char* text, Effect effect);

/// Label column of a row, with `tip` on hover; leaves the cursor in the second column.
void row_label(const char* label, Effect effect, const std::string& tip);

}  // namespace limber::ui
