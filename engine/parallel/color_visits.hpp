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

/// Calls visit(k) for the items begin[c] <= k < begin[c + 1] of every colour c (sort_by_color). Thread 0
/// alone visits colours of fewer than `serial` items, because a barrier would cost more, and the items
/// without a colour. `what` and `kind` are told to observers (visits.hpp). Must be called by every thread of
/// the team; ends at a barrier.
template <class Act>
void visit_by_color(Visited what, int kind, std::span<const std::int32_t> begin, std::int32_t serial,
                    Team& team, const Act& visit) {
  bool alone = false;  // thread 0 is working through small colours
  for (std::size_t c = 0; c + 1 < begin.size(); ++c) {
    const std::int32_t count = begin[c + 1] - begin[c];
    if (count == 0) continue;
    const bool small = c == std::size_t(first_fit_colors) || count < serial;
    if (alone && !small) team.barrier();
    alone = small;
    Share mine = team.share(count);
    if (small) mine = team.rank() == 0 ? Share{0, count} : Share{0, 0};
    if (visit_observer != nullptr) [[unlikely]]
      tell_color(what, kind, c, begin, small, team);
    for (std::int64_t k = mine.begin; k < mine.end; ++k) visit(std::size_t(begin[c] + k));
    if (!small) team.barrier();
  }
  if (alone) team.barrier();
}

}  // namespace limber
