#include "app/window_report.hpp"

#include "app/commands/report.hpp"

namespace limber {

Expected<std::unique_ptr<WindowReport>> WindowReport::create(const std::string& path) {
  auto file = OutputFile::create(path, "--report");
  if (!file) return file.error();
  return std::unique_ptr<WindowReport>(new WindowReport(std::move(*file)));
}

RunObserver WindowReport::observer() {
  return {
      .opened = [this] { recorder_ = {}; },
      .stepped = [this](const Simulation& simulation,
                        const StepReport& step) { recorder_.add(step, simulation); },
      .closing = [this](const Simulation& simulation) { file_.write(Report(simulation, recorder_).text()); }};
}

}  // namespace limber
