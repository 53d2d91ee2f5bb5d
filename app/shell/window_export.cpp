// Exports of a session in the window.
#include "app/shell/window_application.hpp"

#include <utility>

#include "engine/core/methods.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/view_desc.hpp"
#include "engine/simulation/input_recording.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber {

/// Lets the export take part in each frame of the simulation's thread.
RunObserver WindowApplication::exporting(RunObserver observer, std::shared_ptr<LiveExport> exported) {
  observer.stepped = [before = std::move(observer.stepped), exported = std::move(exported)](
                         const Simulation& simulation, const StepReport& report) {
    if (before) before(simulation, report);
    exported->add(simulation);
  };
  return observer;
}

void WindowApplication::start_export(const ui::ExportRequest& wanted, const RunStatus& status) {
  ExportPlan plan{.path = wanted.path, .option = "Export", .surfaces = wanted.surfaces};
  if (status.scene) plan.dt = status.scene->solver.step->dt;
  if (const auto started = export_->start(plan); !started)
    return say({Message::Severity::error, started.error().text()});
  say({Message::Severity::info, "Exporting to " + wanted.path + ". Ctrl+E stops"});
}

/// Stops the export under way, or opens the dialog.
void WindowApplication::toggle_export(const RunStatus& status) {
  if (export_->progress()) return tell_of_export(export_->stop());
  panels_.exporting.show(status.name);
}

void WindowApplication::tell_of_export(const Expected<std::string>& ended) {
  panels_.exporting.open = false;
  if (ended)
    say({Message::Severity::info, "Exported " + *ended});
  else
    say({Message::Severity::error, ended.error().text()});
}

/// Shows the progress in the dialog, and tells of an export that ended by itself.
void WindowApplication::follow_export() {
  if (const auto ended = export_->take_ended()) tell_of_export(*ended);
  const auto progress = export_->progress();
  panels_.exporting.under_way = progress ? progress->path : std::string();
  panels_.exporting.frames = progress ? progress->frames : 0;
}

}  // namespace limber
