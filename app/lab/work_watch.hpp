// Tells the window how long the simulation thread has been busy, and lets it cancel or abandon the work.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "engine/simulation/simulation.hpp"

namespace limber {

/// The frame or build under way. The working thread calls begin() and end(), or build(); any other thread may
/// call the rest.
class WorkWatch {
 public:
  void begin() { began_.store(now(), std::memory_order_relaxed); }
  void end() { began_.store(0, std::memory_order_relaxed); }

  /// s since the work began; 0 if there is none.
  double seconds() const {
    const std::int64_t began = began_.load(std::memory_order_relaxed);
    return began == 0 ? 0.0 : double(now() - began) * 1e-9;
  }

  /// Requests to cancel the frame (or build) that is under way or begins before allow() is called.
  void cancel_frame() { no_frame_.store(true, std::memory_order_relaxed); }
  void cancel_build() { no_build_.store(true, std::memory_order_relaxed); }
  void allow() {
    no_frame_.store(false, std::memory_order_relaxed);
    no_build_.store(false, std::memory_order_relaxed);
  }
  const CancelFlag& frame_cancelled() const { return no_frame_; }
  bool build_cancelled() const { return no_build_.load(std::memory_order_relaxed); }

  /// Runs `work` as a build. `work` must make new things only and not touch anything that another thread
  /// reads after take_over(). If another thread took over meanwhile, this function never returns.
  template <class Work>
  auto build(const Work& work) {
    phase_.store(building_);
    begin();
    auto made = work();
    leave_build();
    end();
    return made;
  }
  /// Must be called during a build before touching anything except what is being built. resume_build() undoes
  /// it.
  void leave_build() {
    int expected = building_;
    if (!phase_.compare_exchange_strong(expected, free_) && expected == taken_over_) sleep_forever();
  }
  void resume_build() { phase_.store(building_); }

  /// True if the working thread was in a build. That thread goes on running but will change nothing more.
  bool take_over() {
    int expected = building_;
    return phase_.compare_exchange_strong(expected, taken_over_);
  }

 private:
  static constexpr int free_ = 0, building_ = 1, taken_over_ = 2;

  static std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
  [[noreturn]] static void sleep_forever() {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }

  std::atomic<std::int64_t> began_{0};  ///< ns on the steady clock; 0: no work under way
  CancelFlag no_frame_{false}, no_build_{false};
  std::atomic<int> phase_{free_};
};

}  // namespace limber
