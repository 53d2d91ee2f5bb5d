#include "app/ui/panels/compare_window.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "app/lab/variant.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/panels/diagnostics.hpp"
#include "app/ui/panels/palette.hpp"
#include "app/ui/theme.hpp"
#include "app/ui/widgets/line_plot.hpp"
#include "app/ui/widgets/variant_labels.hpp"
#include "app/ui/widgets/wrapped_text.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"

namespace limber::ui {
namespace {

/// Values to offer for a setting of a new copy, in place of the present value.
std::vector<Value> alternatives(const Setting& setting) {
  const Field& field = *setting.field;
  const Value now = get(field, setting.settings);
  std::vector<Value> out;
  if (field.kind == Field::Kind::choice) {
    for (const std::string_view option : field.options) out.emplace_back(std::string(option));
  } else if (field.kind == Field::Kind::boolean) {
    out.emplace_back(!std::get<bool>(now));
  } else if (field.kind == Field::Kind::integer) {
    for (const double factor : {0.25, 0.5, 2.0, 4.0})
      out.emplace_back(long(std::lround(factor * double(std::get<long>(now)))));
  } else if (field.kind == Field::Kind::number) {
    const double value = std::get<double>(now), one = value != 0.0 ? value : std::min(1.0, field.max);
    for (const double factor : {0.0, 0.1, 0.5, 2.0, 10.0}) out.emplace_back(factor * one);
  }
  const auto useless = [&](const Value& value) {
    if (value == now) return true;
    const double* number = std::get_if<double>(&value);
    const long* whole = std::get_if<long>(&value);
    const double x = number ? *number : whole ? double(*whole) : field.min;
    return (number || whole) && !(x >= field.min && x <= field.max);
  };
  std::erase_if(out, useless);
  return out;
}

/// The scene's own tunables, then the solver's settings.
std::vector<Setting> settings_to_vary(SceneDesc& scene) {
  std::vector<Setting> out;
  const std::vector<Setting> all = list_settings(scene);
  const auto add = [&](const Setting& setting) {
    const auto same = [&](const Setting& other) { return other.path == setting.path; };
    if (std::none_of(out.begin(), out.end(), same)) out.push_back(setting);
  };
  for (const Setting& setting : all)
    if (setting.path == "solver.method") add(setting);
  for (const std::string& path : scene.tunables)
    for (const Setting& setting : all)
      if (setting.path == path) add(setting);
  for (const Setting& setting : all)
    if (setting.path.starts_with("solver.")) add(setting);
  return out;
}

std::string label_of_setting(const Setting& setting) {
  const std::size_t first = setting.path.find('.');
  std::string label(setting.field->label);
  if (setting.path.starts_with("objects.") || setting.path.starts_with("bodies."))
    label += " (" + setting.path.substr(first + 1, setting.path.find('.', first + 1) - first - 1) + ")";
  return label;
}

/// Index of a solver setting's group; 0: not a solver setting.
std::size_t solver_group(const Setting& setting) {
  constexpr std::string_view method[] = {"method",     "integrator",       "order",
                                         "averaging",  "relaxation",       "chebyshev_radius",
                                         "colour_cap", "compliance_floor", "accelerated"},
                             steps[] = {"substeps", "iterations", "dt"},
                             contact[] = {"cloth_collision", "untangle_speed",      "friction_model",
                                          "contact_margin",  "depenetration_speed", "particle_radius"},
                             fluids[] = {"density_law", "s_corr_k", "s_corr_dq", "s_corr_n", "epsilon"},
                             sleep[] = {"sleeping", "sleep_speed", "sleep_time"};
  if (!setting.path.starts_with("solver.")) return 0;
  const std::string_view name = setting.field->name;
  const auto in = [&](const auto& names) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
  };
  return in(method) ? 1 : in(steps) ? 2 : in(contact) ? 4 : in(fluids) ? 5 : in(sleep) ? 6 : 3;
}

/// A menu of other values for a setting of a new copy.
void vary_menu(const Setting& setting, CompareRequests& requests) {
  const std::vector<Value> values = alternatives(setting);
  if (values.empty() || !ImGui::BeginMenu(label_of_setting(setting).c_str())) return;
  for (const Value& value : values)
    if (ImGui::MenuItem(to_text(value).c_str())) {
      requests.add = true;
      requests.with = SetValue{setting.path, value};
    }
  ImGui::EndMenu();
}

void duplicate_entries(const Publication& like, CompareState& state, CompareRequests& requests) {
  SceneDesc scene = *like.status.scene;
  const std::vector<VaryGroup> groups = groups_to_vary(scene);
  if (ImGui::IsWindowAppearing()) state.search[0] = '\0', ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(ImGui::GetFontSize() * 14.0f);
  ImGui::InputTextWithHint("##search", "Search", state.search, sizeof state.search);
  if (state.search[0] != '\0') {
    const std::vector<Setting> found = settings_matching(groups, state.search);
    for (const Setting& setting : found) vary_menu(setting, requests);
    if (found.empty()) ImGui::TextDisabled("No setting matches.");
    return;
  }
  for (const VaryGroup& group : groups) {
    if (!ImGui::BeginMenu(group.title.c_str())) continue;
    for (const Setting& setting : group.settings) vary_menu(setting, requests);
    ImGui::EndMenu();
  }
}

const Publication& at(const Publications& shown, std::size_t number) {
  return shown.variants[std::min(number, shown.variants.size() - 1)];
}

void variant_row(const Publications& shown, std::size_t k, std::size_t chosen, CompareRequests& requests) {
  const RunStatus& status = shown.variants[k].status;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float side = ImGui::GetFontSize() * 0.7f, down = (ImGui::GetFrameHeight() - side) * 0.5f;
  ImGui::GetWindowDrawList()->AddRectFilled(
      {corner.x, corner.y + down}, {corner.x + side, corner.y + down + side}, variant_color(k), 2.0f);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + side + 6.0f);
  ImGui::AlignTextToFramePadding();
  const std::string name = wrapped(variant_name(status.variant), ImGui::GetContentRegionAvail().x);
  if (ImGui::Selectable(name.c_str(), k == chosen, 0, ImGui::CalcTextSize(name.c_str()))) requests.chosen = k;
  item_tooltip("Inspector and diagnostics show this variant.");
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(cost_text(status.step_ms).c_str());
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  if (status.variant.stopped)
    ImGui::TextColored(palette::bad, "stopped");
  else if (k == 0)
    ImGui::TextColored(palette::muted, "reference");
  else if (!status.variant.distances.empty())
    ImGui::Text("%s mm", short_number(1e3 * double(status.variant.distances.back().rms)).c_str());
  else {
    ImGui::TextColored(palette::muted, "-");
    item_tooltip("None of its vertices or bodies has a counterpart in the first variant.");
  }
  ImGui::TableNextColumn();
  if (k > 0 && ImGui::SmallButton("x")) requests.removed = k;
  if (k > 0) item_tooltip("Take this variant away.");
}

void variant_table(const Publications& shown, std::size_t chosen, CompareRequests& requests) {
  const ImGuiTableFlags flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp;
  if (!ImGui::BeginTable("##variants", 4, flags)) return;
  const float em = ImGui::GetFontSize();
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
  for (const float width : {3.9f, 4.9f, 1.4f})  // cost, distance, button
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, em * width);
  for (std::size_t k = 0; k < shown.variants.size(); ++k) {
    ImGui::PushID(int(k));
    variant_row(shown, k, chosen, requests);
    ImGui::PopID();
  }
  ImGui::EndTable();
}

/// One switch per setting: linked settings change in all variants, others in the chosen one only.
void link_switches(const Publication& chosen, CompareRequests& requests) {
  if (!chosen.status.unlinked || !ImGui::TreeNode("Linked settings")) return;
  item_tooltip(
      "A linked setting changes in all variants. A setting that is not linked changes only in the chosen "
      "variant.");
  SceneDesc scene = *chosen.status.scene;
  std::vector<Setting> settings = settings_to_vary(scene);
  for (const Setting& setting : list_settings(scene)) {
    const auto same = [&](const Setting& other) { return other.path == setting.path; };
    if (chosen.status.unlinked->contains(setting.path) &&
        std::none_of(settings.begin(), settings.end(), same))
      settings.push_back(setting);
  }
  for (const Setting& setting : settings) {
    bool linked = !chosen.status.unlinked->contains(setting.path);
    ImGui::PushID(setting.path.c_str());
    if (ImGui::Checkbox(label_of_setting(setting).c_str(), &linked))
      requests.links.emplace_back(setting.path, linked);
    ImGui::PopID();
  }
  ImGui::TreePop();
}

struct Plot {
  PlotAxes axes;
  std::vector<Curve> curves;
};

Plot distance_plot(const Publications& shown) {
  Plot plot{{"Distance to the first", "time, s", "mm (rms)", false}, {}};
  for (const Publication& one : shown.variants) {
    const VariantStatus& variant = one.status.variant;
    if (variant.number == 0) continue;
    Curve curve{variant_name(variant), variant_color(variant.number), {}};
    for (const DistanceSample& sample : variant.distances)
      curve.points.push_back({sample.time, 1e3f * sample.rms});
    plot.curves.push_back(std::move(curve));
  }
  return plot;
}

/// Residual or objective after each iteration of the last frame.
Plot convergence_plot(const Publications& shown, bool over_time, bool objective) {
  const char* const what = objective ? "Objective" : "Residual";
  Plot plot{{std::string(what) + (over_time ? " over time" : " per iteration"),
             over_time ? "ms of the frame" : "iterations of the frame", objective ? "J" : "mm (rms)", true},
            {}};
  for (const Publication& one : shown.variants) {
    const VariantStatus& variant = one.status.variant;
    if (objective && one.status.scene && !traits(one.status.scene->solver.method->kind).objective) continue;
    Curve curve{variant_name(variant), variant_color(variant.number), {}};
    float iterations = 0.0f;
    for (const IterationTrace& row : variant.trace) {
      if (row.iteration > 0) ++iterations;
      const double value = objective ? row.state.objective : 1e3 * row.state.residual;
      curve.points.push_back({over_time ? float(row.ms) : iterations, float(value)});
    }
    plot.curves.push_back(std::move(curve));
  }
  return plot;
}

void plots(const Publications& shown, CompareState& state) {
  ImGui::Checkbox("objective in place of the residual", &state.objective);
  item_tooltip(
      "F = sum m |x - y|^2 / (2 h^2) + sum C^2 / (2 alpha), the objective of implicit Euler. For PBD and "
      "hierarchical PBD with the given compliances, which they do not use. Fast projection and forces have "
      "no objective.");
  const std::array all{distance_plot(shown), convergence_plot(shown, false, state.objective),
                       convergence_plot(shown, true, state.objective)};
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float gap = ImGui::GetStyle().ItemSpacing.y, least = ImGui::GetFontSize() * 8.0f;
  const float height = std::max(least, (room.y - 2.0f * gap) / 3.0f);
  for (int k = 0; k < int(all.size()); ++k) {
    if (state.large >= 0 && state.large != k) continue;
    const ImVec2 size{room.x, state.large == k ? std::max(least, room.y) : height};
    PlotAxes axes = all[std::size_t(k)].axes;
    axes.title += state.large == k ? " (click: smaller)" : "";
    if (line_plot(axes, all[std::size_t(k)].curves, size)) state.large = state.large == k ? -1 : k;
  }
}

}  // namespace

std::vector<VaryGroup> groups_to_vary(SceneDesc& scene) {
  const bool fluids = has_any(scene.objects, &ObjectTraits::fluid), bodies = !scene.bodies.empty();
  std::vector<VaryGroup> groups{
      {"Of this scene", {}}, {"Method", {}}, {"Steps", {}}, {"Motion and damping", {}},
      {"Contact", {}},       {"Fluids", {}}, {"Sleep", {}}};
  const std::vector<Setting> all = settings_to_vary(scene);
  const auto is_own = [&](const Setting& setting) {
    const auto& own = scene.tunables;
    return std::find(own.begin(), own.end(), setting.path) != own.end();
  };
  for (const Setting& setting : all) {
    const std::size_t kind = solver_group(setting);
    if (is_own(setting)) groups[0].settings.push_back(setting);
    if (kind == 0 || (kind == 5 && !fluids) || (kind == 6 && !bodies)) continue;
    groups[kind].settings.push_back(setting);
  }
  std::erase_if(groups, [](const VaryGroup& group) { return group.settings.empty(); });
  return groups;
}

std::vector<Setting> settings_matching(const std::vector<VaryGroup>& groups, std::string_view pattern) {
  std::vector<std::pair<int, Setting>> found;
  for (const VaryGroup& group : groups)
    for (const Setting& setting : group.settings) {
      const auto same = [&](const auto& other) { return other.second.path == setting.path; };
      if (std::any_of(found.begin(), found.end(), same)) continue;
      const auto label = fuzzy_score(pattern, label_of_setting(setting)),
                 path = fuzzy_score(pattern, setting.path);
      if (label || path) found.emplace_back(std::max(label, path).value(), setting);
    }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Setting> out;
  for (auto& [score, setting] : found) out.push_back(std::move(setting));
  return out;
}

void compare_menu(const Publications& shown, std::size_t chosen, CompareState& state,
                  CompareRequests& requests) {
  const Publication& like = at(shown, chosen);
  if (!ImGui::BeginMenu("Compare", like.status.scene != nullptr)) return;
  const bool room = shown.variants.size() < most_variants;
  if (ImGui::MenuItem("Duplicate", nullptr, false, room)) requests.add = true;
  if (ImGui::BeginMenu("Duplicate with", room)) {
    duplicate_entries(like, state, requests);
    ImGui::EndMenu();
  }
  const bool several = shown.variants.size() > 1;
  if (ImGui::MenuItem("Take the chosen one away", nullptr, false, several && chosen > 0))
    requests.removed = chosen;
  ImGui::Separator();
  ImGui::MenuItem("Plots and linked settings", "V", &state.open);
  ImGui::EndMenu();
}

void compare_window(const Rect& view, const Publications& shown, std::size_t chosen, CompareState& state,
                    CompareRequests& requests) {
  if (!state.open) return;
  const float em = ImGui::GetFontSize();
  // Beside the middle of the pictures if there is room.
  const float wide = std::clamp(0.45f * view.size.x, em * 19.0f, em * 26.0f);
  const ImVec2 size{std::min(wide, view.size.x - em), std::min(em * 34.0f, view.size.y - 3.0f * em)};
  const bool large = state.large >= 0, turned = std::exchange(state.was_large, large) != large;
  const ImVec2 most{view.size.x - em, view.size.y - 3.0f * em}, chosen_size = large ? most : size;
  const ImGuiCond when = turned ? ImGuiCond_Always : ImGuiCond_FirstUseEver;
  ImGui::SetNextWindowSize(chosen_size, when);
  ImGui::SetNextWindowPos({view.right() - chosen_size.x - 0.5f * em, view.position.y + 2.2f * em}, when);
  if (ImGui::Begin("Compare", &state.open)) {
    stay_in_work_area();
    const Publication& like = at(shown, chosen);
    if (state.large < 0) {
      variant_table(shown, chosen, requests);
      if (shown.variants.size() < most_variants && like.status.scene) {
        if (ImGui::Button("Duplicate with...")) ImGui::OpenPopup("##duplicate");
        if (ImGui::BeginPopup("##duplicate")) {
          duplicate_entries(like, state, requests);
          ImGui::EndPopup();
        }
      }
      if (like.status.scene && shown.variants.size() > 1) link_switches(like, requests);
    }
    plots(shown, state);
  }
  ImGui::End();
}

}  // namespace limber::ui
