// The report of a session in the window, written when it ends.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/output_file.hpp"
#include "app/commands/run_recorder.hpp"
#include "app/lab/session.hpp"

namespace limber {

/// Records the frames of the scene that is open and writes the same report as `limber run --report`.
class WindowReport {
 public:
  /// `set`: what --set said about the first scene. Fails at once when `path` cannot be written.
  static Expected<std::unique_ptr<WindowReport>> create(const std::string& path,
                                                        std::vector<std::string> set);

  /// For the Runner; its functions run on the simulation's thread.
  RunObserver observer();

  /// After the Runner has ended: puts the file in its place.
  Expected<void> finish() { return file_.commit(); }

 private:
  WindowReport(OutputFile file, std::vector<std::string> set)
      : file_(std::move(file)), set_(std::move(set)) {}

  OutputFile file_;
  std::vector<std::string> set_;  ///< about the scene that is open
  bool opened_ = false;
  RunRecorder recorder_;
};

}  // namespace limber
