// The report of a session in the window, written when it ends.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "app/commands/output_file.hpp"
#include "app/commands/run_recorder.hpp"
#include "app/sim/live_scene.hpp"

namespace limber {

/// Records the frames of the scene that is open and writes the same report as `limber run --report`.
class WindowReport {
 public:
  /// Fails at once when `path` cannot be written.
  static Expected<std::unique_ptr<WindowReport>> create(const std::string& path);

  /// For the Runner; its functions run on the simulation's thread.
  RunObserver observer();

  /// After the Runner has ended: puts the file in its place.
  Expected<void> finish() { return file_.commit(); }

 private:
  explicit WindowReport(OutputFile file) : file_(std::move(file)) {}

  OutputFile file_;
  RunRecorder recorder_;
};

}  // namespace limber
