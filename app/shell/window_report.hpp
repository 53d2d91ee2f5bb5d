// Writes the report of a session in the window when it ends.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/output_file.hpp"
#include "app/commands/run_recorder.hpp"
#include "app/lab/session.hpp"

namespace limber {

/// Records the frames of the open scene and writes the same report as `limber run --report`.
class WindowReport {
 public:
  /// `set`: the --set arguments for the first scene. Fails at once if `path` cannot be written.
  static Expected<std::unique_ptr<WindowReport>> create(const std::string& path,
                                                        std::vector<std::string> set);

  /// Callbacks for the Runner, called on the simulation's thread.
  RunObserver observer();

  /// Moves the file into place. Must be called after the Runner has ended.
  Expected<void> finish() { return file_.commit(); }

 private:
  WindowReport(OutputFile file, std::vector<std::string> set)
      : file_(std::move(file)), set_(std::move(set)) {}

  OutputFile file_;
  std::vector<std::string> set_;  ///< --set arguments of the open scene
  bool opened_ = false;
  RunRecorder recorder_;
};

}  // namespace limber
