// Reports the input of a random test even if the test crashes.
#pragma once

#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

// Only there in a build with a sanitizer.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace limber {

inline volatile std::uint64_t present_seed = 0;

inline void print_last_words() {
  char text[80];
  const int length = std::snprintf(text, sizeof text, "\nended by the input of --seed %llu\n",
                                   static_cast<unsigned long long>(present_seed));
  if (write(STDERR_FILENO, text, static_cast<std::size_t>(length)) < 0) _exit(3);
}

/// Crashes, failed assertions, sanitizer findings and inputs that take too long name their seed.
inline void leave_last_words() {
  const auto on_signal = [](int signal) {
    print_last_words();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  };
  for (const int signal : {SIGABRT, SIGALRM, SIGPROF}) std::signal(signal, on_signal);
  if (__sanitizer_set_death_callback) {
    __sanitizer_set_death_callback(print_last_words);
  } else {
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, on_signal);
  }
}

/// Starts the work on input `seed`. It may take `longest` seconds of processor time, which do not depend on
/// other load of the machine, or ten times as long asleep.
inline void begin_input(std::uint64_t seed, unsigned longest) {
  present_seed = seed;
  const itimerval busy{{0, 0}, {static_cast<time_t>(longest), 0}};
  setitimer(ITIMER_PROF, &busy, nullptr);
  alarm(10 * longest);
}

}  // namespace limber
