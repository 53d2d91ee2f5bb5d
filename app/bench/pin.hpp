// Keeps a measured thread on one processor.
#pragma once

#include <sched.h>

namespace limber {

/// Binds the calling thread to the processor it runs on, until destroyed. Does nothing where that is refused.
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
