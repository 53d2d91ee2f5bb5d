// A line on the terminal that says how far a long run is.
#pragma once

#include <functional>
#include <string>

namespace limber {

/// Draws on standard error, and only if that is a terminal; at most ten times a second. Leaves a clean line.
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

/// For SceneDesc::progress: the same line while something is built that takes longer than half a second.
std::function<bool(const std::string& what, double share)> build_progress();

}  // namespace limber
