// A row of the inspector: a setting as slider, box, combo or text field, as its Field says.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/core/tunable.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber::ui {

/// Position in [0, 1] of a slider at `value`, and the inverse. A logarithmic field that starts at 0 reserves
/// the first 3 % of the travel for exactly 0 and spreads ten decades over the rest.
double slider_position(const Field& field, double value);
double slider_value(const Field& field, double position);

/// The value as the slider shows it: "0.0167 s", "10 vertices".
std::string shown_value(const Field& field, double value);

/// A value typed for a setting, clamped to its range. No value if the text is not a finite number.
struct TypedValue {
  std::optional<Value> value;
  std::string complaint;  ///< why the value differs from the text; "" if it does not
};
TypedValue read_typed(const Setting& setting, const std::string& text);

/// The part of the scene that owns a setting: "objects.cloth.material.friction" -> "cloth". "" for settings
/// without such an owner ("solver.substeps").
std::string owner_of(std::string_view path);

/// State shared by all rows between frames: the row being edited and its text.
struct FieldEditorState {
  unsigned typing = 0;  ///< ImGui's id of the row, since a setting may have two rows; 0 for none
  bool focus = false;   ///< the text box was just opened
  char typed[96] = "";
  std::string complaint = {};      ///< why a typed value was changed or refused; for the message area
  std::string complained_of = {};  ///< path of that setting
};

/// Draws `label`, editor and reset mark of `setting` in the next row of a two-column table, and writes a
/// changed value into its struct at once. Returns the value when it should be sent to the simulation: at once
/// for a live field, on release for one that rebuilds the scene. The reset mark restores `original`.
std::optional<Value> field_row(const char* label, const Setting& setting, const Value& original,
                               FieldEditorState& state);

/// Text after the mark of an effect: a filled dot for live, an amber ring for rebuild.
void marked_text(const char* text, Effect effect);

/// Label column of a row, with `tip` as tooltip. Leaves the cursor in the second column.
void row_label(const char* label, Effect effect, const std::string& tip);

}  // namespace limber::ui
