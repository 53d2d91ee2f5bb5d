#include "app/ui/widgets/field_editor.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <glm/common.hpp>
#include <utility>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/theme.hpp"

namespace limber::ui {
namespace {

constexpr double travel_of_zero = 0.03;   // travel reserved for 0 on a logarithmic slider that starts at 0
constexpr double smallest_share = 1e-10;  // share of the range at which the decades begin

double smallest(const Field& field) { return field.min > 0.0 ? field.min : field.max * smallest_share; }
double zero_travel(const Field& field) { return field.min > 0.0 ? 0.0 : travel_of_zero; }

/// Rounds to three digits, the precision of a dragged slider.
double three_digits(double value, double range) {
  if (value == 0.0) return 0.0;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(range))) - 2.0);
  return std::round(value / unit) * unit;
}

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.5g", value);
  return text;
}

std::string unit_suffix(const Field& field) {
  return field.unit.empty() ? std::string() : " " + std::string(field.unit);
}

double as_number(const Value& value) {
  if (const long* whole = std::get_if<long>(&value)) return double(*whole);
  return std::get<double>(value);
}

Value as_value(const Field& field, double number) {
  if (field.kind == Field::Kind::integer) return long(std::lround(number));
  return number;
}

std::string range_text(const Field& field) {
  return number_text(field.min) + " to " + number_text(field.max) + unit_suffix(field);
}

std::string tip_of(const Setting& setting) {
  const Field& field = *setting.field;
  std::string tip(field.tooltip);
  const bool ranged = field.kind == Field::Kind::number || field.kind == Field::Kind::integer ||
                      field.kind == Field::Kind::vector;
  if (ranged) tip += "\n\nRange: " + range_text(field);
  tip += ranged ? "\n" : "\n\n";
  tip += field.effect == Effect::live ? "Acts at the next frame."
                                      : "A change builds the scene again and restarts it.";
  return tip + "\n" + setting.path;
}

bool is_finite(const Value& value) {
  if (const double* number = std::get_if<double>(&value)) return std::isfinite(*number);
  if (const glm::dvec3* v = std::get_if<glm::dvec3>(&value)) return std::isfinite(v->x + v->y + v->z);
  return true;
}

/// `value` with every component in the field's range.
Value clamped(const Field& field, const Value& value) {
  if (const glm::dvec3* v = std::get_if<glm::dvec3>(&value)) return glm::clamp(*v, field.min, field.max);
  return as_value(field, std::clamp(as_number(value), field.min, field.max));
}

/// Compares two values. A whole number may be stored as a real number.
bool is_same(const Value& a, const Value& b) {
  return std::holds_alternative<glm::dvec3>(a) ? a == b : as_number(a) == as_number(b);
}

std::string in_words(const Field& field, const Value& value) {
  if (field.kind != Field::Kind::vector) return shown_value(field, as_number(value));
  const glm::dvec3& v = std::get<glm::dvec3>(value);
  return number_text(v.x) + ", " + number_text(v.y) + ", " + number_text(v.z) + unit_suffix(field);
}

std::string demand(const Field& field) {
  return field.kind == Field::Kind::vector    ? "three numbers, as in 0, -9.81, 0,"
         : field.automatic                    ? "a whole number or 'auto',"
         : field.kind == Field::Kind::integer ? "a whole number"
                                              : "a number";
}

unsigned row_id() { return ImGui::GetID("row"); }

/// Opens the row's text box with all digits of the value.
void start_typing(const Setting& setting, FieldEditorState& state) {
  state.typing = row_id();
  state.focus = true;
  std::snprintf(state.typed, sizeof state.typed, "%s",
                to_text(said(*setting.field, setting.settings)).c_str());
}

/// The text box of the row being edited. Returns the entered value, clamped or nothing if it is unusable.
std::optional<Value> typing_box(const Setting& setting, FieldEditorState& state) {
  if (state.focus) ImGui::SetKeyboardFocusHere();
  const bool opened = std::exchange(state.focus, false);
  const bool entered =
      ImGui::InputText("##typed", state.typed, sizeof state.typed,
                       ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  const bool left = !opened && ImGui::IsItemDeactivated();
  if (entered || left) state.typing = 0;
  if (!entered) return std::nullopt;
  TypedValue typed = read_typed(setting, state.typed);
  if (!typed.complaint.empty()) {
    state.complaint = std::move(typed.complaint);
    state.complained_of = setting.path;
  }
  return typed.value;
}

/// Whether the last item asks for a text box: a click with Ctrl, or a double click.
bool asks_to_type() {
  return ImGui::IsItemClicked() && (ImGui::GetIO().KeyCtrl || ImGui::IsMouseDoubleClicked(0));
}

/// Result of a widget in this frame.
struct Touched {
  bool changed = false;   ///< the value has changed
  bool finished = false;  ///< and the user has released it
};

/// Pushes the usual font, or the small one if `text` is wider than `width`.
void push_fitting_font(const std::string& text, float width) {
  push_font(ImGui::CalcTextSize(text.c_str()).x > width ? fonts().small : fonts().regular);
}

/// A slider from 0 to 1 whose track and handle are at the lower edge, below the text. True if it moved.
bool bar_slider(double& position, const std::string& text) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::CalcItemWidth(), ImGui::GetFrameHeight()};
  const float rounding = ImGui::GetStyle().FrameRounding, track = std::round(size.y * 0.14f);
  const float bottom = corner.y + size.y, handle = corner.x + size.x * float(std::clamp(position, 0.0, 1.0));
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(corner, {corner.x + size.x, bottom}, ImGui::GetColorU32(ImGuiCol_FrameBg), rounding);
  draw.AddRectFilled({corner.x, bottom - track}, {handle, bottom}, packed(palette::accent, 0.55f), rounding,
                     ImDrawFlags_RoundCornersBottomLeft);
  const float left = std::clamp(handle - track, corner.x, corner.x + size.x - 2.0f * track);
  draw.AddRectFilled({left, bottom - track}, {left + 2.0f * track, bottom}, packed(palette::accent), 1.0f);
  const ImVec4 clear{0, 0, 0, 0}, veil{1, 1, 1, 0.05f};
  ImGui::PushStyleColor(ImGuiCol_FrameBg, clear);
  ImGui::PushStyleColor(ImGuiCol_FrameBgHovered, veil);
  ImGui::PushStyleColor(ImGuiCol_FrameBgActive, veil);
  ImGui::PushStyleColor(ImGuiCol_SliderGrab, clear);
  ImGui::PushStyleColor(ImGuiCol_SliderGrabActive, clear);
  const double zero = 0.0, one = 1.0;
  push_fitting_font(text, size.x);
  const bool moved = ImGui::SliderScalar("##slider", ImGuiDataType_Double, &position, &zero, &one,
                                         text.c_str(), ImGuiSliderFlags_NoInput);
  ImGui::PopFont();
  ImGui::PopStyleColor(5);
  return moved;
}

/// Result of the text box of a row.
Touched typed_widget(const Setting& setting, FieldEditorState& state) {
  const auto value = typing_box(setting, state);
  const bool taken = value && set(*setting.field, setting.settings, *value);
  return {taken, taken};
}

Touched number_widget(const Setting& setting, FieldEditorState& state) {
  const Field& field = *setting.field;
  if (state.typing == row_id()) return typed_widget(setting, state);
  const double value = as_number(get(field, setting.settings));
  double position = slider_position(field, value);
  const std::string mark = is_automatic(field, setting.settings) ? " (auto)" : "";
  const bool moved = bar_slider(position, shown_value(field, value) + mark);
  const bool finished = ImGui::IsItemDeactivatedAfterEdit(), type = asks_to_type();
  if (type) start_typing(setting, state);
  const bool changed = moved && !type && !ImGui::GetIO().KeyCtrl &&
                       set(field, setting.settings, as_value(field, slider_value(field, position)));
  return {changed, finished};
}

bool is_color(const Field& field) { return field.name.ends_with("color"); }

/// Colours are linear in the scene and gamma encoded on the button.
Touched color_widget(const Field& field, void* settings) {
  const glm::dvec3 linear = std::get<glm::dvec3>(get(field, settings));
  float shown[3];
  for (int i = 0; i < 3; ++i) shown[i] = float(std::pow(linear[i], 1.0 / 2.2));
  const bool moved =
      ImGui::ColorEdit3("##color", shown, ImGuiColorEditFlags_NoInputs | ImGuiColorEditFlags_NoLabel);
  const bool finished = ImGui::IsItemDeactivatedAfterEdit();
  glm::dvec3 value;
  for (int i = 0; i < 3; ++i) value[i] = std::clamp(std::pow(double(shown[i]), 2.2), field.min, field.max);
  return {moved && set(field, settings, value), finished};
}

Touched vector_widget(const Setting& setting, FieldEditorState& state) {
  const Field& field = *setting.field;
  if (is_color(field)) return color_widget(field, setting.settings);
  if (state.typing == row_id()) return typed_widget(setting, state);
  auto value = std::get<glm::dvec3>(get(field, setting.settings));
  const float speed = float(std::clamp((field.max - field.min) * 0.0005, 0.002, 0.05));
  const float gaps = 2.0f * ImGui::GetStyle().ItemInnerSpacing.x;
  push_fitting_font("-9.81", (ImGui::CalcItemWidth() - gaps) / 3.0f);
  const bool moved =
      ImGui::DragScalarN("##vector", ImGuiDataType_Double, &value.x, 3, speed, &field.min, &field.max, "%.3g",
                         ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_NoInput);
  const bool finished = ImGui::IsItemDeactivatedAfterEdit(), type = asks_to_type();
  ImGui::PopFont();
  if (type) start_typing(setting, state);
  return {moved && !type && set(field, setting.settings, value), finished};
}

Touched choice_widget(const Field& field, void* settings) {
  const std::string present = std::get<std::string>(get(field, settings));
  if (!ImGui::BeginCombo("##choice", present.c_str())) return {};
  bool chosen = false;
  for (std::string_view option : field.options) {
    const std::string name(option);
    if (ImGui::Selectable(name.c_str(), name == present) && name != present)
      chosen = bool(set(field, settings, name));
  }
  ImGui::EndCombo();
  return {chosen, chosen};
}

Touched text_widget(const Field& field, void* settings) {
  const std::string present = std::get<std::string>(get(field, settings));
  std::array<char, 512> text{};
  std::strncpy(text.data(), present.c_str(), text.size() - 1);
  const bool entered =
      ImGui::InputText("##text", text.data(), text.size(), ImGuiInputTextFlags_EnterReturnsTrue);
  const bool changed = entered && set(field, settings, std::string(text.data()));
  return {changed, changed};
}

Touched widget(const Setting& setting, FieldEditorState& state) {
  const Field& field = *setting.field;
  switch (field.kind) {
    case Field::Kind::boolean: {
      bool on = std::get<bool>(get(field, setting.settings));
      const bool changed = ImGui::Checkbox("##boolean", &on) && set(field, setting.settings, on);
      return {changed, changed};
    }
    case Field::Kind::integer:
    case Field::Kind::number:
      return number_widget(setting, state);
    case Field::Kind::vector:
      return vector_widget(setting, state);
    case Field::Kind::choice:
      return choice_widget(field, setting.settings);
    case Field::Kind::text:
      break;
  }
  return text_widget(field, setting.settings);
}

/// A small arrow turning back, drawn without a font. True if clicked.
bool reset_mark(const std::string& original) {
  const float side = ImGui::GetFrameHeight();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton("##reset", {side, side});
  item_tooltip(("Back to the scene's value: " + original).c_str());
  const ImU32 color = packed(ImGui::IsItemHovered() ? palette::text : palette::accent);
  const ImVec2 centre{corner.x + side * 0.5f, corner.y + side * 0.5f};
  const float radius = side * 0.23f;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.PathArcTo(centre, radius, -2.2f, 2.6f, 20);
  draw.PathStroke(color, 0, side * 0.07f);
  const ImVec2 tip{centre.x + radius * std::cos(-2.2f), centre.y + radius * std::sin(-2.2f)};
  const float a = radius * 0.75f;
  draw.AddTriangleFilled({tip.x - a, tip.y + a * 0.7f}, {tip.x - a * 0.4f, tip.y - a},
                         {tip.x + a, tip.y + a * 0.5f}, color);
  return clicked;
}

}  // namespace

double slider_position(const Field& field, double value) {
  if (field.scale == Scale::linear) return (value - field.min) / (field.max - field.min);
  const double low = smallest(field), travel = zero_travel(field);
  if (value < low) return 0.0;
  return travel + (1.0 - travel) * std::log(value / low) / std::log(field.max / low);
}

double slider_value(const Field& field, double position) {
  const bool linear = field.scale == Scale::linear;
  const double low = smallest(field), travel = zero_travel(field);
  double value = 0.0;
  if (linear) {
    value = field.min + position * (field.max - field.min);
    value = three_digits(value, field.max - field.min);
  } else if (position >= travel) {
    value = low * std::pow(field.max / low, (position - travel) / (1.0 - travel));
    value = three_digits(value, value);
  }
  if (field.kind == Field::Kind::integer) value = std::round(value);
  return std::clamp(value, field.min, field.max);
}

TypedValue read_typed(const Setting& setting, const std::string& text) {
  const Field& field = *setting.field;
  const std::string owner = owner_of(setting.path);
  const std::string name = std::string(field.label) + (owner.empty() ? "" : " (" + owner + ")");
  const Expected<Value> value = parse(field, text);
  if (!value || !is_finite(*value))
    return {std::nullopt, name + ": '" + text + "' is not " + demand(field) + " from " + range_text(field) +
                              "; " + in_words(field, get(field, setting.settings)) + " stays."};
  if (std::holds_alternative<std::string>(*value)) return {*value, {}};  // automatic_word
  const Value taken = clamped(field, *value);
  if (is_same(taken, *value)) return {taken, {}};
  return {taken, name + ": " + in_words(field, *value) + " is outside " + range_text(field) + "; " +
                     in_words(field, taken) + " was taken."};
}

std::string owner_of(std::string_view path) {
  const std::size_t from = path.find('.') + 1, end = path.find('.', from);
  return from == 0 || end == path.npos ? std::string() : std::string(path.substr(from, end - from));
}

std::string shown_value(const Field& field, double value) { return number_text(value) + unit_suffix(field); }

void marked_text(const char* text, Effect effect) {
  ImGui::AlignTextToFramePadding();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float radius = ImGui::GetFontSize() * 0.16f;
  const ImVec2 centre{corner.x + radius, corner.y + ImGui::GetFrameHeight() * 0.5f};
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (effect == Effect::live)
    draw.AddCircleFilled(centre, radius * 0.8f, packed(palette::good, 0.75f));
  else
    draw.AddCircle(centre, radius, packed(palette::caution), 0, radius * 0.55f);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + radius * 4.0f);
  ImGui::PushTextWrapPos(0.0f);  // in a narrow column on a second line, never cut off
  ImGui::TextUnformatted(text);
  ImGui::PopTextWrapPos();
}

void row_label(const char* label, Effect effect, const std::string& tip) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  marked_text(label, effect);
  item_tooltip(tip.c_str());
  ImGui::TableNextColumn();
}

std::optional<Value> field_row(const char* label, const Setting& setting, const Value& original,
                               FieldEditorState& state) {
  const Field& field = *setting.field;
  ImGui::PushID(setting.path.c_str());
  row_label(label, field.effect, tip_of(setting));
  ImGui::SetNextItemWidth(-ImGui::GetFrameHeight());
  const Touched touched = widget(setting, state);
  bool send = field.effect == Effect::live ? touched.changed : touched.finished;
  const Value present = said(field, setting.settings);
  if (present != original && state.typing != row_id()) {
    ImGui::SameLine(0.0f, 0.0f);
    if (reset_mark(to_text(original))) send |= bool(set(field, setting.settings, original));
  }
  ImGui::PopID();
  if (!send) return std::nullopt;
  return said(field, setting.settings);
}

}  // namespace limber::ui
