#include "app/ui/panels/diagnostics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/meanings.hpp"
#include "app/ui/panels/scenes_panel.hpp"
#include "app/ui/theme.hpp"
#include "app/ui/widgets/line_plot.hpp"
#include "app/ui/widgets/variant_labels.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/report_table.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/sleep.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"

namespace limber::ui {
namespace {

/// Plots step times over the last steps, compared with the duration of a frame.
void step_plot(const std::vector<float>& history, double budget_ms) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, ImGui::GetFontSize() * 3.6f};
  ImGui::Dummy(size);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 end{corner.x + size.x, corner.y + size.y};
  draw.AddRectFilled(corner, end, packed(palette::bar), 4.0f);
  if (history.size() < 2) return;
  const float most = *std::max_element(history.begin(), history.end());
  const float top = std::max(most * 1.25f, 0.1f);
  const auto at = [&](std::size_t i) {
    const float x = corner.x + size.x * (float(i) + 0.5f) / float(history.size());
    return ImVec2(x, end.y - size.y * std::min(history[i] / top, 1.0f));
  };
  for (std::size_t i = 0; i + 1 < history.size(); ++i) {
    const ImVec2 a = at(i), b = at(i + 1);
    draw.AddQuadFilled(a, b, {b.x, end.y}, {a.x, end.y}, packed(palette::accent, 0.20f));
    draw.AddLine(a, b, packed(palette::accent), 1.5f);
  }
  if (budget_ms < top) {
    const float y = end.y - size.y * float(budget_ms) / top;
    draw.AddLine({corner.x, y}, {end.x, y}, packed(palette::caution, 0.8f));
  }
  char label[48];
  std::snprintf(label, sizeof label, "%.2f ms", double(most));
  draw.AddText(fonts().small, ImGui::GetFontSize() * 0.8f, {corner.x + 6.0f, corner.y + 3.0f},
               packed(palette::muted), label);
}

const ImVec4 stage_colors[] = {{0.36f, 0.64f, 0.98f, 1.0f}, {0.95f, 0.68f, 0.26f, 1.0f},
                               {0.38f, 0.78f, 0.52f, 1.0f}, {0.85f, 0.45f, 0.80f, 1.0f},
                               {0.95f, 0.40f, 0.36f, 1.0f}, {0.45f, 0.80f, 0.85f, 1.0f}};
const ImVec4& stage_color(std::size_t stage) { return stage_colors[stage % std::size(stage_colors)]; }

/// Plots the stages of the last steps, stacked.
void stage_plot(const std::vector<StageHistory>& stages) {
  if (stages.empty() || stages.front().ms.size() < 2) return;
  const std::size_t count = stages.front().ms.size();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, ImGui::GetFontSize() * 2.6f};
  ImGui::Dummy(size);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(corner, {corner.x + size.x, corner.y + size.y}, packed(palette::bar), 4.0f);
  const auto total = [&](std::size_t i) {
    float sum = 0.0f;
    for (const StageHistory& stage : stages) sum += i < stage.ms.size() ? stage.ms[i] : 0.0f;
    return sum;
  };
  float top = 0.01f;
  for (std::size_t i = 0; i < count; ++i) top = std::max(top, total(i));
  for (std::size_t i = 0; i < count; ++i) {
    const float left = corner.x + size.x * float(i) / float(count),
                right = corner.x + size.x * float(i + 1) / float(count);
    float base = corner.y + size.y;
    for (std::size_t s = 0; s < stages.size(); ++s) {
      const float height = i < stages[s].ms.size() ? size.y * stages[s].ms[i] / top : 0.0f;
      draw.AddRectFilled({left, base - height}, {right, base}, packed(stage_color(s), 0.85f));
      base -= height;
    }
  }
}

/// Plots one quantity over simulated time: name and range on top, the curve below, scaled to its range.
void state_plot(const std::vector<StateSample>& history, float StateSample::*value, const char* name,
                const char* unit, float scale = 1.0f) {
  if (history.size() < 2) return;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float label_height = ImGui::GetFontSize() * 1.3f, curve_height = ImGui::GetFontSize() * 1.4f;
  const ImVec2 size{ImGui::GetContentRegionAvail().x, label_height + curve_height + 4.0f};
  ImGui::Dummy(size);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 end{corner.x + size.x, corner.y + size.y};
  draw.AddRectFilled(corner, end, packed(palette::bar), 4.0f);
  float low = history.front().*value, high = low;
  for (const StateSample& sample : history)
    low = std::min(low, sample.*value), high = std::max(high, sample.*value);
  const float from = history.front().time, span = std::max(history.back().time - from, 1e-6f);
  const float range = std::max(high - low, 1e-12f);
  const auto at = [&](const StateSample& s) {
    return ImVec2(corner.x + size.x * (s.time - from) / span,
                  end.y - 2.0f - curve_height * (s.*value - low) / range);
  };
  for (std::size_t i = 0; i + 1 < history.size(); ++i)
    draw.AddLine(at(history[i]), at(history[i + 1]), packed(palette::accent), 1.5f);
  const std::string label = std::string(name) + "  " + short_number(double(low) * scale) + " .. " +
                            short_number(double(high) * scale) + " " + unit;
  draw.AddText({corner.x + 6.0f, corner.y + 2.0f}, packed(palette::text, 0.85f), label.c_str());
  item_tooltip((std::string(name) + " over the last " + std::to_string(int(span + 0.5f)) +
                " s of simulated time; the height is the range shown.")
                   .c_str());
}

void state_plots(const RunStatus& status) {
  const std::vector<StateSample>& history = status.state_history;
  state_plot(history, &StateSample::kinetic_energy, "kinetic", "J");
  state_plot(history, &StateSample::potential_energy, "potential", "J");
  if (!status.batches.empty()) {
    state_plot(history, &StateSample::strain_max, "max strain", "%", 100.0f);
    state_plot(history, &StateSample::residual_mean, "mean |C|", "");
  }
  if (status.bodies > 0) state_plot(history, &StateSample::penetration_max, "penetration", "mm", 1000.0f);
}

/// One line: a name on the left and numbers on the right, or below the name if there is no room beside it.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void row(const char* name, const char* format, ...) {
  ImGui::TextColored(palette::muted, "%s", name);
  const float name_end = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x;
  char text[96];
  va_list numbers;
  va_start(numbers, format);
  std::vsnprintf(text, sizeof text, format, numbers);
  va_end(numbers);
  const float start = ImGui::GetContentRegionMax().x - ImGui::CalcTextSize(text).x;
  if (start >= name_end + ImGui::GetStyle().ItemSpacing.x)
    ImGui::SameLine(start);
  else
    ImGui::SetCursorPosX(std::max(start, ImGui::GetCursorPosX()));
  ImGui::TextUnformatted(text);
}

/// Median over the last steps, because single steps vary too much to be readable.
double median(std::vector<float> values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return double(*middle);
}

/// Whether a stage has taken visible time. Many scenes do not use all stages.
bool does_anything(const StageHistory& stage) {
  return std::any_of(stage.ms.begin(), stage.ms.end(), [](float ms) { return ms >= 0.005f; });
}

void time_rows(const RunStatus& status) {
  for (std::size_t s = 0; s < status.stage_history.size(); ++s) {
    if (!does_anything(status.stage_history[s])) continue;
    row(status.stage_history[s].name.c_str(), "%.2f ms", median(status.stage_history[s].ms));
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    item_tooltip(std::string(meaning_of_stage(status.stage_history[s].name)).c_str());
    ImGui::GetWindowDrawList()->AddRectFilled({low.x - 12.0f, low.y + 3.0f}, {low.x - 6.0f, high.y - 3.0f},
                                              packed(stage_color(s)));
  }
}

/// Counts of contacts between surfaces.
void surface_rows(const RunStatus& status) {
  row("between surfaces", "%lld", static_cast<long long>(status.surface_contacts));
  item_tooltip("Pairs of a vertex and a triangle, or of two edges, that contact keeps apart.");
  row("in impact zones", "%lld", static_cast<long long>(status.in_zones));
  item_tooltip(
      "Vertices that had to move together because they would have passed through each other, summed over the "
      "substeps of a frame.");
}

void crossing_row(const RunStatus& status) {
  if (status.intersections)
    row("intersections", "%lld", static_cast<long long>(*status.intersections));
  else
    row("intersections", "not counted yet");
  item_tooltip(
      "Pairs of triangles that pass through each other, counted once a simulated second; the debug view "
      "shows them (D).");
}

void count_rows(const RunStatus& status, std::size_t particles) {
  if (status.bodies > 0) {
    row("rigid bodies", "%lld", static_cast<long long>(status.bodies));
    item_tooltip("Rigid bodies, with those that were thrown.");
  }
  if (status.bodies > 0 && status.scene->solver.sleep->sleeping) {
    row("asleep", "%lld", static_cast<long long>(status.measures.sleeping_bodies));
    item_tooltip("Bodies at rest that are left out of the step until something touches them.");
  }
  if (particles > 0) {
    row("particles", "%zu", particles);
    item_tooltip("Vertices of cloth and solids, grains, and particles of fluids.");
  }
  if (status.triangles > 0) {
    row("triangles", "%lld", static_cast<long long>(status.triangles));
    item_tooltip("Triangles of the surfaces of cloth and solids.");
  }
  for (const BatchCount& batch : status.batches) {
    if (const auto count = static_cast<long long>(batch.constraints); batch.phases > 1)
      row(std::string(batch.type).c_str(), "%lld in %d colours", count, batch.phases);
    else
      row(std::string(batch.type).c_str(), "%lld", count);
    item_tooltip(meaning_of_batch(batch.type, batch.phases).c_str());
  }
  row("contacts", "%lld", static_cast<long long>(status.contacts));
  item_tooltip(
      status.bodies > 0
          ? "Points where vertices touch colliders and where bodies touch anything, in the last substep."
          : "Contacts of vertices with colliders, in the last substep.");
  if (status.scene->solver.contact->cloth_collision) surface_rows(status);
  if (status.triangles > 0) crossing_row(status);
  if (status.measures.tears > 0) {
    row("tears", "%lld", static_cast<long long>(status.measures.tears));
    item_tooltip("Vertices that tears and cuts have added.");
  }
}

bool has_use_for(Panel panel, const RunStatus& status) {
  const auto heaps = [](const ObjectDesc& object) { return traits_of(object).heaps(); };
  const std::vector<ObjectDesc>& objects = status.scene->objects;
  switch (panel) {
    case Panel::always:
      return true;
    case Panel::with_constraints:
      return !status.batches.empty();
    case Panel::with_bodies:
      return status.bodies > 0;
    case Panel::with_joints:
      return !status.scene->joints.empty();
    case Panel::with_grains:
      return std::any_of(objects.begin(), objects.end(), heaps);
    case Panel::with_tets:
      return status.measures.tets > 0;
    case Panel::with_heat:
      return status.measures.measured.heat;
    case Panel::with_air:
      return status.measures.measured.air;
    case Panel::with_rods:
      return status.measures.measured.rods;
    case Panel::with_fluids:
      return has_any(objects, &ObjectTraits::fluid);
    case Panel::never:
      break;
  }
  return false;
}

/// The readable form of a name: "joint_error_max" -> "joint error max".
std::string spelled(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

/// Shows a number of the report. Lengths are in millimetres and ratios in percent.
void number_row(const ReportRow& number, const Measures& measures) {
  const ReportValue value = number.read(measures, FrameCounts());
  const bool length = number.unit == "m", part = number.unit == "1";
  const double scale = length ? 1e3 : part ? 1e2 : 1.0;
  const std::string unit = length ? "mm" : part ? "%" : std::string(number.unit);
  const std::string name = spelled(number.name);
  if (!number.measured(measures, {}))
    row(name.c_str(), "not measured");
  else if (const auto* spread = std::get_if<MeanMax>(&value))
    row(name.c_str(), "%s %s, max %s %s", short_number(spread->mean * scale).c_str(), unit.c_str(),
        short_number(spread->max * scale).c_str(), unit.c_str());
  else if (const auto* whole = std::get_if<std::int64_t>(&value))
    row(name.c_str(), "%lld %s", static_cast<long long>(*whole), unit.c_str());
  else if (const auto* single = std::get_if<double>(&value))
    row(name.c_str(), "%s %s", short_number(*single * scale).c_str(), unit.c_str());
  item_tooltip(std::string(number.meaning).c_str());
}

void state_rows(const RunStatus& status) {
  for (const ReportRow& number : report_table())
    if (has_use_for(number.panel, status)) number_row(number, status.measures);
}

}  // namespace

namespace {

void number_plot(const Publications& shown, const std::string& name) {
  PlotAxes axes{spelled(name), "time, s", {}, false};
  std::vector<Curve> curves;
  for (const Publication& one : shown.variants) {
    const VariantStatus& variant = one.status.variant;
    const NumberCurve* numbers = one.status.numbers ? one.status.numbers->find(name) : nullptr;
    if (!numbers) continue;
    axes.y = numbers->unit;
    Curve& curve =
        curves.emplace_back(Curve{shown.variants.size() > 1 ? variant_name(variant) : spelled(name),
                                  variant_color(variant.number),
                                  {}});
    for (std::size_t i = 0; i < numbers->values.size(); ++i)
      curve.points.push_back({one.status.numbers->times[i], numbers->values[i]});
  }
  line_plot(axes, curves, {ImGui::GetContentRegionAvail().x, ImGui::GetFontSize() * 7.0f});
}

void number_list(DiagnosticsState& state) {
  if (!ImGui::BeginCombo("##plot", "Plot a number ...")) return;
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1.0f);
  ImGui::InputTextWithHint("##search", "Search", state.search, sizeof state.search);
  for (const std::string& name : plottable_numbers()) {
    if (!fuzzy_match(state.search, name)) continue;
    const auto at = std::find(state.plotted.begin(), state.plotted.end(), name);
    const bool chosen = at != state.plotted.end();
    if (ImGui::Selectable(name.c_str(), chosen, ImGuiSelectableFlags_DontClosePopups)) {
      if (chosen)
        state.plotted.erase(at);
      else
        state.plotted.push_back(name);
    }
    if (const ReportRow* row = report_row(name)) item_tooltip(std::string(row->meaning).c_str());
  }
  ImGui::EndCombo();
}

}  // namespace

void number_plots(const Publications& shown, DiagnosticsState& state) {
  for (const std::string& name : state.plotted) number_plot(shown, name);
  ImGui::SetNextItemWidth(-1.0f);
  number_list(state);
  item_tooltip(
      "Any number of the report over time, for every variant. Vectors have parts, such as momentum.x or "
      "momentum.length.");
}

void diagnostics(const Rect& rect, const Publications& shown, const RunStatus& status, std::size_t particles,
                 DiagnosticsState& state) {
  begin_panel("Diagnostics", rect);
  heading("DIAGNOSTICS");
  push_font(fonts().small);
  step_plot(status.step_history, status.scene ? status.scene->solver.step->dt * 1e3 : 1e3 / 60.0);
  item_tooltip(
      "Milliseconds per step over the last four seconds of simulation. The amber line is the duration of a "
      "frame.");
  if (status.scene) {
    state_rows(status);
    ImGui::Separator();
    stage_plot(status.stage_history);
    item_tooltip("The stages of the last steps, stacked. Their colours and medians are below.");
    time_rows(status);
    ImGui::Separator();
    count_rows(status, particles);
    ImGui::Separator();
    state_plots(status);
    number_plots(shown, state);
  }
  ImGui::PopFont();
  ImGui::End();
}

}  // namespace limber::ui
