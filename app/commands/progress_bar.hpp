// Shows the progress of a long run on the terminal.
#pragma once

#include <functional>
#include <string>

namespace limber {

/// Draws on standard error if that is a terminal, at most ten times a second. Clears its line at the end.
class ProgressBar {
 public:
  explicit ProgressBar(int total);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(int done);

 private:
  int total_;
  bool on_terminal_;
  double started_, last_shown_;  ///< s, on a steady clock
};

/// The callback for SceneDesc::progress. Shows a build's progress once it takes longer than half a second.
std::function<bool(const std::string& what, double share)> build_progress();

}  // namespace limber
