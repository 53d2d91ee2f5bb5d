// Sums per particle of vectors that are written per constraint, and numbers of constraints per particle.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "engine/constraints/constraint_types.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/state/schedule.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Runs of slots per constraint type.
using SlotRuns = std::array<std::vector<ColorRun>, constraint_type_count>;

/// All slots of `constraints`.
SlotRuns all_slots(const ConstraintSet& constraints);

/// Calls act(begin, end) for this thread's share of the slots of `runs`; each call covers a part of one run.
template <class Act>
void for_own_slots(const std::vector<ColorRun>& runs, const Team& team, const Act& act) {
  constexpr std::int32_t at_once = 8 * lane_group;  // slots that are shared out together
  std::int32_t total = 0;
  for (const ColorRun run : runs) total += run.end - run.begin;
  const Share mine = team.share(total, at_once);
  std::int32_t before = 0;  // number of slots in earlier runs
  for (const ColorRun run : runs) {
    const std::int32_t begin = std::max(std::int32_t(mine.begin) - before, 0);
    const std::int32_t end = std::min(std::int32_t(mine.end) - before, run.end - run.begin);
    if (begin < end) act(run.begin + begin, run.begin + end);
    before += run.end - run.begin;
  }
}

/// Stores a vector for each particle of each constraint, by slot, and for each particle the list of its
/// vectors. Threads write vectors by constraint and add them by particle. Each particle adds its terms in the
/// order of types and slots, so sums do not depend on the number of threads.
template <class T>
class IncidenceOf {
 public:
  /// Allocates for all slots of the World.
  void prepare(const World& world);

  /// Lists the constraints of `runs`. Serial, O(slots): once a frame and after tears.
  void list(const World& world, const SlotRuns& runs);

  /// Number of constraints at particle `i`.
  std::int32_t count(std::size_t i) const { return first_term_[i + 1] - first_term_[i]; }

  /// Component k (x, y, z of one corner after the other) of the vectors of a type, one number per slot.
  T* component(std::size_t type, int k) {
    return vectors_.data() + first_vector_[type] + std::int64_t(k) * slots_[type];
  }

  /// The sum of the vectors of particle `i`.
  glm::vec<3, T> sum(std::size_t i) const {
    glm::vec<3, T> sum(0);
    for (std::int32_t t = first_term_[i]; t < first_term_[i + 1]; ++t) {
      const T* at = vectors_.data() + terms_[std::size_t(t)].first;
      const std::int64_t stride = terms_[std::size_t(t)].stride;
      sum += glm::vec<3, T>(at[0], at[stride], at[2 * stride]);
    }
    return sum;
  }

 private:
  /// Place of a vector in vectors_: x at `first`, y and z one and two times `stride` behind it.
  struct Term {
    std::int32_t first, stride;
  };

  std::vector<std::int32_t> first_term_;  ///< per particle: its first term; and one more for the end
  std::vector<std::int32_t> next_term_;   ///< scratch of list()
  std::vector<Term> terms_;
  AlignedVector<T> vectors_;
  /// Per type: its first number in vectors_.
  std::array<std::int32_t, constraint_type_count> first_vector_{};
  std::array<std::int32_t, constraint_type_count> slots_{};
};
using Incidence = IncidenceOf<real>;

}}  // namespace limber::LIMBER_PRECISION
