#include "app/commands/interrupt.hpp"

#include <csignal>
#include <initializer_list>

namespace limber {
namespace {

volatile std::sig_atomic_t came = 0;

}  // namespace

void stop_on_interrupt() {
  struct sigaction action {};
  action.sa_handler = [](int) { came = 1; };
  action.sa_flags = int(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

bool interrupted() { return came != 0; }

}  // namespace limber
