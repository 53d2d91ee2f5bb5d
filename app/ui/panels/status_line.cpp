#include "app/ui/panels/status_line.hpp"

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <string>

#include "app/ui/bindings.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/theme.hpp"
#include "app/ui/widgets/wrapped_text.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"

namespace limber::ui {
namespace {

constexpr double long_frame = 1.0;      // s; for longer frames the status line shows the elapsed time
constexpr double keeps_up = 0.95;       // share of real time; below it, slow motion is visible
constexpr double stretched_edge = 2.0;  // strain of an edge; green would contradict larger ones
constexpr float roomy_width = 52.0f;    // letter heights; in a narrower window, the number of threads would
                                        // displace later items

/// Whether the largest strain, shown beside the state, contradicts a calm state.
bool is_overstretched(const RunStatus& status) { return status.measures.strain.max > stretched_edge; }

std::string strain_text(const RunStatus& status) {
  return "strain up to " + std::to_string(std::lround(100.0 * status.measures.strain.max)) + " %";
}

}  // namespace

StateLook state_look(const RunStatus& status) {
  switch (status.state) {
    case RunState::running:
      if (status.replay_frames > 0) return {"Playing a recording", palette::accent};
      if (!status.trouble.empty()) return {"Running, " + status.trouble, palette::caution};
      if (is_overstretched(status)) return {"Running, " + strain_text(status), palette::caution};
      return {"Running", palette::good};
    case RunState::paused:
      return {"Paused", palette::caution};
    case RunState::building:
      return {"Building ...", palette::accent};
    case RunState::empty:
      break;
  }
  return {"No scene", palette::muted};
}

namespace {

/// Whether the frame takes long enough for the user to wonder.
bool is_long(const RunStatus& status, const Busy& busy) {
  return busy.frame_seconds >= long_frame && status.scene && status.state != RunState::building;
}

void state_mark(const StateLook& look) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetTextLineHeight(), radius = height * 0.26f;
  ImGui::GetWindowDrawList()->AddCircleFilled({corner.x + radius, corner.y + height * 0.54f}, radius,
                                              packed(look.color));
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + radius * 3.2f);
  ImGui::TextColored(look.color, "%s", look.word.c_str());
}

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void item(const ImVec4& color, const char* format, ...) {
  ImGui::SameLine(0.0f, ImGui::GetFontSize() * 1.1f);
  va_list values;
  va_start(values, format);
  ImGui::TextColoredV(color, format, values);
  va_end(values);
}

std::string method_text(const RunStatus& status) {
  const SolverSettings& solver = status.scene->solver;
  const bool named = any_has_method(status.scene->objects);
  return (named ? std::string(traits(solver.method->kind).label) + " " : std::string()) +
         std::to_string(solver.step->substeps) + (solver.step->automatic ? " (auto) x " : " x ") +
         std::to_string(solver.step->iterations) +
         (solver.step->automatic_iterations && solver.step->iterations > 1 ? " (auto)" : "");
}

void threads_item(const RunStatus& status) {
  const std::string some =
      status.threads_at_work < status.threads ? std::to_string(status.threads_at_work) + " of " : "";
  item(palette::muted, "%s%d thread%s, %s", some.c_str(), status.threads, status.threads == 1 ? "" : "s",
       std::string(to_string(status.simd)).c_str());
  item_tooltip(
      "Threads at work, of those available: as many as make a step faster. No result depends on the number.");
  if (status.simd == Simd::scalar) return;
  ImGui::SameLine(0.0f, ImGui::GetFontSize() * 0.3f);
  ImGui::TextColored(palette::muted, "numbers at once");
  item_tooltip("SIMD: numbers that the processor computes with in one instruction. No result depends on it.");
}

void scene_items(const RunStatus& status, const Drawing& drawing) {
  item(palette::text, "%s", ellipsized(status.name, ImGui::GetWindowWidth() * 0.25f).c_str());
  item(palette::text, "%.2f s", drawing.time);
  if (status.state == RunState::running) item(palette::muted, "%.0f fps", drawing.fps);
  if (!drawing.balls.empty()) {
    item(palette::caution, "fluids as balls");
    item_tooltip(std::string(drawing.balls).c_str());
  }
  item(palette::muted, "%.2f ms/step", status.step_ms);
  item_tooltip("Median time of a simulation step, on its own thread.");
  item(palette::muted, "%s", method_text(status).c_str());
  item_tooltip(
      "Method, substeps x iterations. (auto): the number before it was chosen when the scene was loaded.");
  if (ImGui::GetWindowWidth() > roomy_width * ImGui::GetFontSize()) threads_item(status);
  if (status.state != RunState::running) return;
  const bool slow = status.real_time_factor < keeps_up * status.speed;
  item(slow ? palette::caution : palette::muted,
       status.real_time_factor < keeps_up ? "slow motion x%.2f" : "real time x%.2f", status.real_time_factor);
  item_tooltip(slow ? "A step takes longer than the frame that it simulates, so the scene runs more slowly "
                      "than requested. Fewer substeps or iterations, a coarser mesh or more threads help."
                    : "Simulated seconds per second.");
}

std::string hint(Action action, const char* what) {
  return std::string(binding_of(action).keys) + ": " + what;
}

void hints(float right_edge, bool panels) {
  const std::string text = hint_text(panels);
  push_font(fonts().small);
  const float width = ImGui::CalcTextSize(text.c_str()).x;
  const float start = right_edge - width - ImGui::GetStyle().WindowPadding.x;
  if (start > ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x + ImGui::GetFontSize()) {
    ImGui::SameLine(start);
    ImGui::TextColored(palette::muted, "%s", text.c_str());
  }
  ImGui::PopFont();
}

}  // namespace

/// The hints on the right. While panels are hidden, only how to show them.
std::string hint_text(bool panels) {
  if (!panels) return hint(Action::toggle_panels, "show the panels");
  return hint(Action::toggle_run, "run") + "    Left mouse: grab    B: ball    " +
         hint(Action::palette, "find") + "    " + hint(Action::help, "help");
}

std::string busy_text(const Busy& busy) {
  const std::string text = "Computing this frame, " + std::to_string(int(busy.frame_seconds)) + " s";
  return busy.next_scene.empty() ? text : text + ", then opens " + busy.next_scene;
}

std::string_view why_balls(const ViewChoices& view) {
  if (view.fluids == FluidLook::balls || view.heat_map != no_heat_map || view.overlay != Overlay::none)
    return {};
  if (view.orthographic)
    return "The orthographic view cannot draw the surface of fluids. 5 returns to perspective.";
  if (view.fluids == FluidLook::automatic && view.software_graphics && view.surface_too_slow)
    return "Graphics run on the processor here and are too slow to draw the surface of this fluid while it "
           "moves. The surface shows once the scene is paused, and in screenshots and videos; "
           "View > Fluids > Surface always shows it.";
  return {};
}

void status_line(const Rect& rect, const RunStatus& status, const Drawing& drawing, const Busy& busy) {
  ImGui::PushStyleColor(ImGuiCol_WindowBg, palette::bar);
  begin_panel("Status", rect, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::SetCursorPosY((rect.size.y - ImGui::GetTextLineHeight()) * 0.5f);
  state_mark(is_long(status, busy) ? StateLook{busy_text(busy), palette::caution} : state_look(status));
  if (is_long(status, busy))
    item(palette::text, "%s", status.name.c_str());
  else if (status.scene && drawing.panels)
    scene_items(status, drawing);
  else
    item(palette::text, "%s", status.name.c_str());
  hints(rect.size.x, drawing.panels);
  ImGui::End();
  ImGui::PopStyleColor();
}

}  // namespace limber::ui
