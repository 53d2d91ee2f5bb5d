// The last states, to step back through.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>

namespace limber {

/// Bounded memory: the oldest snapshot goes when a new one comes. A snapshot is opaque (Simulation::save).
class SnapshotRing {
 public:
  using Snapshot = std::shared_ptr<const void>;

  /// Makes room for as many states of `bytes` each as the budget allows, and forgets those it had.
  void reset(std::size_t bytes) {
    snapshots_.clear();
    capacity_ = std::clamp<std::size_t>(kBudget / std::max<std::size_t>(bytes, 1), kFewest, kMost);
  }

  void push(Snapshot snapshot) {
    if (snapshots_.size() == capacity_) snapshots_.pop_front();
    snapshots_.push_back(std::move(snapshot));
  }

  /// The newest one, removed from the ring; null when there is none.
  Snapshot pop() {
    if (snapshots_.empty()) return nullptr;
    Snapshot newest = std::move(snapshots_.back());
    snapshots_.pop_back();
    return newest;
  }

  void clear() { snapshots_.clear(); }
  std::size_t size() const { return snapshots_.size(); }

 private:
  static constexpr std::size_t kBudget = std::size_t(256) << 20;  ///< bytes
  static constexpr std::size_t kFewest = 2, kMost = 300;          ///< 300: five seconds at 60 frames a second
  std::deque<Snapshot> snapshots_;
  std::size_t capacity_ = kFewest;
};

}  // namespace limber
