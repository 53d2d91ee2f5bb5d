#include "engine/method/incidence.hpp"

#include <algorithm>
#include <numeric>

#include "engine/constraints/constraint_types.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/schedule.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Calls visit(type, slot, corner, particle) for every particle of a constraint of `runs` that the constraint
/// moves.
template <class Visit>
void for_each_term(const ConstraintSet& constraints, const SlotRuns& runs, const Visit& visit) {
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    const auto& batch = std::get<type>(constraints);
    for (const ColorRun run : runs[type]) {
      for (std::int32_t s = run.begin; s < run.end; ++s) {
        if (batch.id[std::size_t(s)] < 0) continue;
        for (int j = 0; j < written_points<Type>(); ++j)
          visit(type, s, j, batch.vertices[std::size_t(j)][std::size_t(s)]);
      }
    }
  });
}

}  // namespace

SlotRuns all_slots(const ConstraintSet& constraints) {
  SlotRuns runs;
  for_each_type([&](auto type) { runs[type] = {{0, std::get<type>(constraints).slots()}}; });
  return runs;
}

template <class T>
void IncidenceOf<T>::prepare(const World& world) {
  std::size_t terms = 0, numbers = 0;
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    slots_[type] = std::get<type>(*world.topology->constraints).slots();
    first_vector_[type] = std::int32_t(numbers);
    numbers += 3 * written_points<Type>() * std::size_t(slots_[type]);
    terms += written_points<Type>() * std::size_t(slots_[type]);
  });
  vectors_.assign(numbers, T(0));
  terms_.resize(terms);
  first_term_.assign(std::size_t(world.particles.rows()) + 1, 0);
  next_term_.assign(std::size_t(world.particles.rows()) + 1, 0);
}

/// Sorts all terms by particle (counting sort).
template <class T>
void IncidenceOf<T>::list(const World& world, const SlotRuns& runs) {
  const ConstraintSet& constraints = *world.topology->constraints;
  std::fill(first_term_.begin(), first_term_.end(), 0);
  for_each_term(constraints, runs,
                [&](auto, std::int32_t, int, std::int32_t i) { ++first_term_[std::size_t(i) + 1]; });
  std::partial_sum(first_term_.begin(), first_term_.end(), first_term_.begin());
  std::copy(first_term_.begin(), first_term_.end(), next_term_.begin());
  for_each_term(constraints, runs, [&](auto type, std::int32_t s, int j, std::int32_t i) {
    terms_[std::size_t(next_term_[std::size_t(i)]++)] = {first_vector_[type] + 3 * j * slots_[type] + s,
                                                         slots_[type]};
  });
}

template class IncidenceOf<float>;
template class IncidenceOf<double>;

}}  // namespace limber::LIMBER_PRECISION
