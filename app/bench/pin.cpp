#include "app/bench/pin.hpp"

namespace limber {

PinToProcessor::PinToProcessor() {
  const int here = sched_getcpu();
  if (here < 0 || sched_getaffinity(0, sizeof before_, &before_) != 0) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(here, &one);
  pinned_ = sched_setaffinity(0, sizeof one, &one) == 0;
}

PinToProcessor::~PinToProcessor() {
  if (pinned_) sched_setaffinity(0, sizeof before_, &before_);
}

}  // namespace limber
