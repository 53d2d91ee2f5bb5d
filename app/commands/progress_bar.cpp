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

std::string bar(double share) {
  constexpr int width = 40;
  const int filled = int(width * share);
  return "[" + std::string(std::size_t(filled), '#') + std::string(std::size_t(width - filled), ' ') + "]";
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
  const double left = (t - started_) / done * (total_ - done);
  std::fprintf(stderr, "\r\033[K%s %d/%d frames, %.0f s left", bar(double(done) / total_).c_str(), done,
               total_, left);
}

std::function<bool(const std::string&, double)> build_progress() {
  if (isatty(STDERR_FILENO) == 0) return {};
  return [started = now(), last_shown = 0.0](const std::string& what, double share) mutable {
    const double t = now();
    const bool shown = last_shown > 0.0, ends = share >= 1.0;
    if (ends && shown) std::fputs("\r\033[K", stderr);
    if (ends) {  // the end of one part; another may follow
      started = t;
      last_shown = 0.0;
    } else if (t - started > 0.5 && t - last_shown > 0.1) {
      last_shown = t;
      std::fprintf(stderr, "\r\033[K%s %2.0f %% of the %s", bar(share).c_str(), 100.0 * share, what.c_str());
    }
    return true;
  };
}

}  // namespace limber
