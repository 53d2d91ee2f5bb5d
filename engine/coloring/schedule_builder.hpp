// From raw constraints to coloured, padded batches and the schedule that visits them.
//
//   large part: all constraints of the large objects together, one phase per colour, cut into tasks
//       phase  | distance colour 0 | distance colour 1 | ... | bending colour 0 | ...
//       task   | 1024 slots each, shared out to the threads in contiguous runs
//   small part: one phase in front of them in which every small object is one task of its own, working
//       through all its colours without a barrier (a barrier costs more than their work)
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/state/world.hpp"

namespace limber::inline LIMBER_PRECISION {

/// Constraints of one type as the builder found them, internal particle indices.
template <class Type>
struct RawConstraints {
  std::vector<std::array<Index, Type::arity>> vertices;
  std::vector<std::array<double, Type::rest_count>> rest;
  std::vector<std::int32_t> object;
  std::vector<double> compliance_scale;  ///< empty: all 1
};
using RawConstraintSet = PerType<RawConstraints>;

/// Objects with fewer particles than this run whole, one per thread.
inline constexpr std::int32_t small_object_particles = 2500;
/// Slots per task in the large part.
inline constexpr std::int32_t task_slots = 1024;

/// Padding particles that a scene of `objects` objects needs: one cache line for the large part and one for
/// each object, because tasks that run at the same time must not write the same line.
constexpr std::int32_t padding_particles(std::size_t objects) { return 4 * (std::int32_t(objects) + 1); }

/// Colours and lays out all constraints over the `topology.objects`. `first_padding` is the first of
/// padding_particles() particles of inverse mass zero. Every constraint must stay within one object.
/// Deterministic, independent of the number of threads.
void build_schedule(const RawConstraintSet& raw, std::int32_t first_padding, Order order, Topology& topology);

}  // namespace limber::inline LIMBER_PRECISION
