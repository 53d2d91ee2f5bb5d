// Visits coloured items colour by colour; the threads share the items of a colour.
#pragma once

#include <cstdint>
#include <span>

#include "engine/core/first_fit.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/parallel/visits.hpp"

namespace limber {

/// Tells the observer of the items of colour c that a thread visits.
[[gnu::noinline, gnu::cold]] inline void tell_color(Visited what, int kind, std::size_t c,
                                                    std::span<const std::int32_t> begin, bool small,
                                                    const Team& team) {
  const std::int32_t count = begin[c + 1] - begin[c];
  Share mine = team.share(count);
  if (small) mine = team.rank() == 0 ? Share{0, count} : Share{0, 0};
  tell_visit(what, kind, std::int64_t(c), begin[c] + mine.begin, begin[c] + mine.end);
}

/// The barriers between colours, of one sweep or of several: none before the first colour, none behind the
/// last, and none between two that thread 0 visits alone. Every thread of the team has its own, and must take
/// the same turns.
class ColorTurns {
 public:
  explicit ColorTurns(Team& team) : team_(team) {}

  /// Begins a colour; `alone`: thread 0 visits all of it.
  void next(bool alone = false) {
    if (begun_ && !(alone && alone_)) team_.barrier();
    begun_ = true, alone_ = alone;
  }
  /// Begins a colour of `count` items. Returns those that this thread visits.
  Share next(std::int64_t count, bool alone, std::int64_t block = 1) {
    next(alone);
    if (alone) return {0, team_.rank() == 0 ? count : 0};
    return team_.share(count, block);
  }
  /// Waits for the other threads, unless there was no colour.
  void finish() {
    if (begun_) team_.barrier();
    begun_ = alone_ = false;
  }
  const Team& team() const { return team_; }

 private:
  Team& team_;
  bool begun_ = false, alone_ = false;
};

/// Calls visit(k) for the items begin[c] <= k < begin[c + 1] of every colour c (sort_by_color). Thread 0
/// alone visits colours of fewer than `serial` items, because a barrier would cost more, and the items
/// without a colour. `what` and `kind` are told to observers (visits.hpp). Must be called by every thread of
/// the team.
template <class Act>
void visit_by_color(Visited what, int kind, std::span<const std::int32_t> begin, std::int32_t serial,
                    ColorTurns& turns, const Act& visit) {
  for (std::size_t c = 0; c + 1 < begin.size(); ++c) {
    const std::int32_t count = begin[c + 1] - begin[c];
    if (count == 0) continue;
    const bool small = c == std::size_t(first_fit_colors) || count < serial;
    const Share mine = turns.next(count, small);
    if (visit_observer != nullptr) [[unlikely]]
      tell_color(what, kind, c, begin, small, turns.team());
    for (std::int64_t k = mine.begin; k < mine.end; ++k) visit(std::size_t(begin[c] + k));
  }
}

}  // namespace limber
