#include "app/commands/interrupt.hpp"

#include <atomic>
#include <csignal>
#include <ctime>
#include <initializer_list>

namespace limber {
namespace {

CancelFlag came{false};  // without a lock, so a signal handler may write it
static_assert(CancelFlag::is_always_lock_free);
std::atomic<long> came_at{0};  // s, of the clock that never goes back

long now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return long(time.tv_sec);
}

/// The first one asks for an end, with everything written. A second one that comes later than a second after
/// it ends the program at once; sooner it is the same wish again, as `timeout` sends it: to the program, and
/// to its group.
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
