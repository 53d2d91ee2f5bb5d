#include "app/commands/interrupt.hpp"

#include <csignal>
#include <initializer_list>

namespace limber {
namespace {

CancelFlag came{false};  // without a lock, so a signal handler may write it
static_assert(CancelFlag::is_always_lock_free);

}  // namespace

void stop_on_interrupt() {
  struct sigaction action {};
  action.sa_handler = [](int) { came.store(true); };
  action.sa_flags = int(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

bool interrupted() { return came.load(std::memory_order_relaxed); }
const CancelFlag& interrupt_flag() { return came; }

}  // namespace limber
