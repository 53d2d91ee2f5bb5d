#include "app/shell/window_report.hpp"

#include "app/commands/report.hpp"

namespace limber {

Expected<std::unique_ptr<WindowReport>> WindowReport::create(const std::string& path,
                                                             std::vector<std::string> set) {
  auto file = OutputFile::create(path, "--report");
  if (!file) return file.error();
  return std::unique_ptr<WindowReport>(new WindowReport(std::move(*file), std::move(set)));
}

RunObserver WindowReport::observer() {
  return {
      .opened =
          [this] {
            recorder_ = {};
            if (std::exchange(opened_, true)) set_.clear();
          },
      .stepped = [this](const Simulation& simulation,
                        const StepReport& step) { recorder_.add(step, simulation); },
      .closing =
          [this](const Simulation& simulation) { file_.write(Report(simulation, recorder_, set_).text()); }};
}

}  // namespace limber
