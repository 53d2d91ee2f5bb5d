#include "app/commands/interrupt.hpp"

#include <atomic>
#include <csignal>
#include <ctime>
#include <initializer_list>

namespace limber {
namespace {

CancelFlag came{false};  // lock-free, so a signal handler may write it
static_assert(CancelFlag::is_always_lock_free);
std::atomic<long> came_at{0};  // s, steady clock

long now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return long(time.tv_sec);
}

/// The first signal requests an end with all outputs written. A second signal more than a second later ends
/// the program at once. A second one within that time repeats the first: `timeout` sends the signal both to
/// the program and to its group.
void end_soon(int signal) {
  if (!came.exchange(true)) {
    came_at.store(now());
  } else if (now() > came_at.load() + 1) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

void stop_on_interrupt() {
  struct sigaction action {};
  action.sa_handler = end_soon;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

bool interrupted() { return came.load(std::memory_order_relaxed); }
const CancelFlag& interrupt_flag() { return came; }

}  // namespace limber
