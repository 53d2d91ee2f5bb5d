// The last states, to step back through.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace limber {

/// Bounded memory: the oldest snapshot goes when a new one comes. A snapshot is opaque (Simulation::save).
/// The storage of those that went is offered to those that come.
class SnapshotRing {
 public:
  using Snapshot = std::shared_ptr<const void>;

  /// Makes room for as many states of `bytes` each as the budget allows, and forgets those it had.
  void reset(std::size_t bytes) {
    slots_.clear();
    slots_.resize(std::clamp<std::size_t>(kBudget / std::max<std::size_t>(bytes, 1), kFewest, kMost));
    newest_ = size_ = 0;
  }

  /// `save` gets a snapshot that is needed no more, or null, and returns the new one.
  template <class Save>
  void push(Save save) {
    newest_ = (newest_ + 1) % slots_.size();
    slots_[newest_] = save(std::move(slots_[newest_]));
    size_ = std::min(size_ + 1, slots_.size());
  }

  /// The newest one, removed from the ring; null when there is none.
  Snapshot pop() {
    if (size_ == 0) return nullptr;
    --size_;
    const std::size_t popped = newest_;
    newest_ = (newest_ + slots_.size() - 1) % slots_.size();
    return slots_[popped];
  }

  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kBudget = std::size_t(256) << 20;  ///< bytes
  static constexpr std::size_t kFewest = 2, kMost = 300;          ///< 300: five seconds at 60 frames a second
  std::vector<Snapshot> slots_ = std::vector<Snapshot>(kFewest);
  std::size_t newest_ = 0, size_ = 0;
};

}  // namespace limber
