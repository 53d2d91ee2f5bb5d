// Hands the newest value from one writing thread to one reading thread.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <utility>

namespace limber {

/// Passes the newest T from one thread to another without copying. Of three slots the writer owns one, the
/// reader one, and the third waits in between. The lock is held only while two indices are swapped. Slots are
/// reused, so their vectors keep their capacity.
template <class T>
class Latest {
 public:
  /// Writer: the slot to fill. Holds an older value.
  T& back() { return slots_[back_]; }

  /// Writer: offers back() to the reader and takes another slot.
  void publish() {
    const std::lock_guard lock(mutex_);
    std::swap(back_, waiting_);
    fresh_ = true;
  }

  /// Reader: the newest published value, valid until the next call.
  const T& front() {
    const std::lock_guard lock(mutex_);
    if (fresh_) std::swap(front_, waiting_), ++taken_;
    fresh_ = false;
    return slots_[front_];
  }

  /// Reader: number of different values that front() has returned.
  std::uint64_t taken() const { return taken_; }

 private:
  std::array<T, 3> slots_;
  std::mutex mutex_;
  std::size_t back_ = 0, waiting_ = 1, front_ = 2;
  bool fresh_ = false;
  std::uint64_t taken_ = 0;
};

}  // namespace limber
