// Keeps the last states, to step back through.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace limber {

/// A ring of bounded memory: the oldest snapshots are dropped until the new one fits. Sizes differ, because
/// contacts and tears add to a state. A snapshot is opaque (Simulation::save). The storage of a dropped
/// snapshot is offered to the next.
class SnapshotRing {
 public:
  using Snapshot = std::shared_ptr<const void>;

  /// `save` takes a dropped snapshot for its storage, or null, and returns the new one; `bytes_of` gives the
  /// memory of a snapshot.
  template <class Save, class BytesOf>
  void push(Save save, BytesOf bytes_of) {
    if (size_ == most_snapshots || (size_ >= fewest_snapshots && bytes_ + last_bytes_ > byte_budget))
      unused_ = drop_oldest();
    Slot& slot = slots_[(first_ + size_) % most_snapshots];
    slot.snapshot = save(std::move(unused_));
    unused_.reset();
    bytes_ += slot.bytes = last_bytes_ = bytes_of(slot.snapshot);
    ++size_;
    while (size_ > fewest_snapshots && bytes_ > byte_budget) drop_oldest();
  }

  /// Removes and returns the newest snapshot; null if there is none.
  Snapshot pop() {
    if (size_ == 0) return nullptr;
    --size_;
    Slot& slot = slots_[(first_ + size_) % most_snapshots];
    bytes_ -= slot.bytes;
    unused_ = slot.snapshot;  // the caller must release it before the next push()
    return std::move(slot.snapshot);
  }

  void clear() {
    while (size_ > 0) drop_oldest();
    unused_.reset();
  }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return bytes_; }  ///< of all kept snapshots

  static constexpr std::size_t byte_budget = std::size_t(256) << 20;  ///< bytes
  static constexpr std::size_t fewest_snapshots = 2;
  static constexpr std::size_t most_snapshots = 300;  ///< 300: five seconds at 60 frames a second

 private:
  struct Slot {
    Snapshot snapshot;
    std::size_t bytes = 0;
  };

  Snapshot drop_oldest() {
    Slot& slot = slots_[first_];
    first_ = (first_ + 1) % most_snapshots;
    --size_;
    bytes_ -= slot.bytes;
    return std::move(slot.snapshot);
  }

  std::vector<Slot> slots_ = std::vector<Slot>(most_snapshots);
  Snapshot unused_;
  std::size_t first_ = 0, size_ = 0;        ///< index of the oldest, and number
  std::size_t bytes_ = 0, last_bytes_ = 0;  ///< of all, and of the newest
};

}  // namespace limber
