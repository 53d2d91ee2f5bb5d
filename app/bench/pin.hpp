// Binds a measured thread to one processor.
#pragma once

#include <sched.h>

namespace limber {

/// Binds the calling thread to its present processor until destroyed. Does nothing if the system refuses.
class PinToProcessor {
 public:
  PinToProcessor();
  ~PinToProcessor();
  PinToProcessor(const PinToProcessor&) = delete;
  PinToProcessor& operator=(const PinToProcessor&) = delete;

 private:
  cpu_set_t before_;
  bool pinned_ = false;
};

}  // namespace limber
