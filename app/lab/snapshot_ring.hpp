// The last states, to step back through.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace limber {

/// Bounded memory: the oldest snapshots go until the new one fits, whatever size each has (contacts and tears
/// add to it). A snapshot is opaque (Simulation::save). The storage of one that went is offered to the next.
class SnapshotRing {
 public:
  using Snapshot = std::shared_ptr<const void>;

  /// `save` gets a snapshot that is needed no more, or null, and returns the new one; `bytes_of` says how
  /// much memory that holds.
  template <class Save, class BytesOf>
  void push(Save save, BytesOf bytes_of) {
    if (size_ == kMost || (size_ >= kFewest && bytes_ + last_bytes_ > kBudget)) unused_ = drop_oldest();
    Slot& slot = slots_[(first_ + size_) % kMost];
    slot.snapshot = save(std::move(unused_));
    unused_.reset();
    bytes_ += slot.bytes = last_bytes_ = bytes_of(slot.snapshot);
    ++size_;
    while (size_ > kFewest && bytes_ > kBudget) drop_oldest();
  }

  /// The newest one, removed from the ring; null when there is none.
  Snapshot pop() {
    if (size_ == 0) return nullptr;
    --size_;
    Slot& slot = slots_[(first_ + size_) % kMost];
    bytes_ -= slot.bytes;
    unused_ = slot.snapshot;  // whoever asked for it lets go of it before the next one comes
    return std::move(slot.snapshot);
  }

  void clear() {
    while (size_ > 0) drop_oldest();
    unused_.reset();
  }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return bytes_; }  ///< of all that are kept

  static constexpr std::size_t kBudget = std::size_t(256) << 20;  ///< bytes
  static constexpr std::size_t kFewest = 2, kMost = 300;          ///< 300: five seconds at 60 frames a second

 private:
  struct Slot {
    Snapshot snapshot;
    std::size_t bytes = 0;
  };

  Snapshot drop_oldest() {
    Slot& slot = slots_[first_];
    first_ = (first_ + 1) % kMost;
    --size_;
    bytes_ -= slot.bytes;
    return std::move(slot.snapshot);
  }

  std::vector<Slot> slots_ = std::vector<Slot>(kMost);
  Snapshot unused_;
  std::size_t first_ = 0, size_ = 0;        ///< the oldest, and how many
  std::size_t bytes_ = 0, last_bytes_ = 0;  ///< of all, of the newest
};

}  // namespace limber
