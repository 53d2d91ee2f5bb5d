// Records which connected parts contacts have pushed in a substep.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace limber {

/// Flags of the connected parts that contacts pushed, and pairs of parts that pushed each other. An object
/// that belongs to no part counts as outside. Threads may report contacts at once, each with its own rank.
class TouchedParts {
 public:
  static constexpr std::int32_t none = -1;
  using Joined = std::pair<std::int32_t, std::int32_t>;

  /// Sets the part of each particle and body (`none`: it belongs to no part). The spans must outlive this
  /// object's use.
  void reset(std::span<const std::int32_t> of_particle, std::span<const std::int32_t> of_body,
             std::int32_t parts, int threads) {
    of_particle_ = of_particle, of_body_ = of_body;
    touched_.assign(std::size_t(parts), 0), bounded_.assign(std::size_t(parts), 0);
    if (joined_.size() < std::size_t(threads)) joined_.resize(std::size_t(threads));
    for (auto& list : joined_) list.clear();
  }
  /// Clears all flags and pairs. Serial.
  void clear() {
    std::fill(touched_.begin(), touched_.end(), std::uint8_t(0));
    std::fill(bounded_.begin(), bounded_.end(), std::uint8_t(0));
    for (auto& list : joined_) list.clear();
  }

  std::int32_t of_particle(std::int32_t i) const { return of_particle_[std::size_t(i)]; }
  std::int32_t of_body(std::int32_t b) const {
    return std::size_t(b) < of_body_.size() ? of_body_[std::size_t(b)] : none;
  }

  /// Reports that something outside pushed a part.
  void touch(std::int32_t part) {
    if (part == none) return;
    std::atomic_ref(touched_[std::size_t(part)]).store(1, std::memory_order_relaxed);
  }
  void touch_particle(std::int32_t i) { touch(of_particle(i)); }
  void touch_body(std::int32_t b) { touch(of_body(b)); }

  /// Bounds the energy of the body's part by its energy at the start of the substep.
  void bound_body(std::int32_t b) {
    if (const std::int32_t part = of_body(b); part != none)
      std::atomic_ref(bounded_[std::size_t(part)]).store(1, std::memory_order_relaxed);
  }

  /// Reports that two parts pushed each other.
  void join(std::int32_t a, std::int32_t b, int rank) {
    if (a == b) return;
    if (a == none || b == none) return touch(a == none ? b : a);
    std::vector<Joined>& list = joined_[std::size_t(rank)];
    if (list.empty() || list.back() != Joined(a, b)) list.emplace_back(a, b);
  }

  bool is_touched(std::int32_t part) const { return touched_[std::size_t(part)] != 0; }
  bool is_bounded(std::int32_t part) const { return bounded_[std::size_t(part)] != 0; }
  std::span<const std::vector<Joined>> joined() const { return joined_; }

 private:
  std::span<const std::int32_t> of_particle_, of_body_;
  std::vector<std::uint8_t> touched_, bounded_;  ///< per part
  std::vector<std::vector<Joined>> joined_;      ///< per thread
};

}  // namespace limber
