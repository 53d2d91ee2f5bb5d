#include "app/ui/diagnostics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <string>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/theme.hpp"

namespace limber::ui {
namespace {

/// Step times over the last steps, against the frame they have to fit into.
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

/// One line: a name on the left, numbers on the right.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void row(const char* name, const char* format, ...) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextColored(palette::muted, "%s", name);
  ImGui::TableNextColumn();
  char text[96];
  va_list numbers;
  va_start(numbers, format);
  std::vsnprintf(text, sizeof text, format, numbers);
  va_end(numbers);
  const float free = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(free, 0.0f));
  ImGui::TextUnformatted(text);
}

bool begin_rows(const char* id) {
  if (!ImGui::BeginTable(id, 2, ImGuiTableFlags_SizingStretchProp)) return false;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthFixed);
  ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch);
  return true;
}

void time_rows(const RunStatus& status) {
  if (!begin_rows("##times")) return;
  for (const StageTime& stage : status.stages) row(stage.name.c_str(), "%.2f ms", stage.ms);
  ImGui::EndTable();
}

void count_rows(const RunStatus& status, std::size_t particles) {
  if (!begin_rows("##counts")) return;
  row("particles", "%zu", particles);
  row("triangles", "%lld", static_cast<long long>(status.triangles));
  for (const BatchCount& batch : status.batches)
    row(std::string(batch.type).c_str(), "%lld in %d phases", static_cast<long long>(batch.constraints),
        batch.phases);
  row("contacts", "%lld", static_cast<long long>(status.contacts));
  ImGui::EndTable();
}

void state_rows(const Measures& measures) {
  if (!begin_rows("##state")) return;
  row("strain", "%.2f %%, max %.1f %%", measures.strain.mean * 100.0, measures.strain.max * 100.0);
  row("kinetic", "%.3g J", measures.kinetic_energy);
  row("potential", "%.4g J", measures.potential_energy);
  row("mean speed", "%.3g m/s", measures.mean_speed);
  ImGui::EndTable();
}

}  // namespace

void diagnostics(const Rect& rect, const RunStatus& status, std::size_t particles) {
  begin_panel("Diagnostics", rect);
  heading("DIAGNOSTICS");
  push_font(fonts().small);
  step_plot(status.step_history, status.scene ? status.scene->solver.dt * 1e3 : 1e3 / 60.0);
  item_tooltip(
      "Milliseconds per step over the last four seconds of simulation; the amber line is one frame.");
  if (status.scene) {
    state_rows(status.measures);
    ImGui::Separator();
    count_rows(status, particles);
    ImGui::Separator();
    time_rows(status);
  }
  ImGui::PopFont();
  ImGui::End();
}

}  // namespace limber::ui
