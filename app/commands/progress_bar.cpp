#include "app/commands/progress_bar.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>

namespace limber {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

ProgressBar::ProgressBar(int total)
    : total_(total), on_terminal_(isatty(STDERR_FILENO) != 0), started_(now()), last_shown_(started_) {}

ProgressBar::~ProgressBar() {
  if (on_terminal_) std::fputs("\r\033[K", stderr);
}

void ProgressBar::show(int done) {
  if (!on_terminal_) return;
  const double t = now();
  if (t - last_shown_ < 0.1) return;
  last_shown_ = t;
  constexpr int width = 40;
  const int filled = int(double(width) * done / total_);
  const double left = (t - started_) / done * (total_ - done);
  std::fprintf(stderr, "\r\033[K[%s%s] %d/%d frames, %.0f s left", std::string(filled, '#').c_str(),
               std::string(width - filled, ' ').c_str(), done, total_, left);
}

}  // namespace limber
