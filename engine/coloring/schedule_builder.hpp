// From raw constraints to coloured, padded batches and the schedule that visits them.
//
// Small objects: one phase before all others, in which each object is a task. The task works through all
// colours of its object without a barrier, which would cost more than the work.
//
// Large objects: type after type. The constraints within patches of vertices (patches.hpp) form one phase
// with a task per patch: the task works through its colours while its points stay in the cache. The
// constraints across borders of patches, about a tenth, have a phase per colour; half of these phases come
// before that of the patches, half after it:
//   phase  | distance across, colour 0 | ... | distance in patches | distance across ... | bending ...
//   task   | 1024 slots each           |     | a patch each        | 1024 slots each     |
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/constraints/constraint_types.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/schedule.hpp"
#include "engine/state/world.hpp"

namespace limber {
enum class Order : int;  // engine/core/settings/method.hpp
}  // namespace limber

namespace limber { inline namespace LIMBER_PRECISION {

/// Constraints of one type as the scene builder made them, with internal particle indices.
template <class Type>
struct RawConstraints {
  std::vector<std::array<Index, Type::arity>> vertices;
  std::vector<std::array<double, Type::rest_count>> rest;
  std::vector<std::int32_t> object;
  std::vector<double> compliance_scale;  ///< empty: all 1
};
using RawConstraintSet = PerType<RawConstraints>;

/// Appends a constraint of `object`, an index into the topology's list; stencil in internal particle indices.
template <class Type>
void append(RawConstraints<Type>& list, std::int32_t object, const std::array<Index, Type::arity>& stencil,
            const std::array<double, Type::rest_count>& rest, double compliance_scale = 1.0) {
  list.vertices.push_back(stencil);
  list.rest.push_back(rest);
  list.object.push_back(object);
  list.compliance_scale.push_back(compliance_scale);
}

/// An object with fewer particles is small: it is one task.
inline constexpr std::int32_t small_object_particles = 2500;
/// Slots per task of a phase across patches.
inline constexpr std::int32_t task_slots = 1024;

/// Number of padding particles that these objects need: a cache line for constraints across patches, one for
/// each small object, and one for each patch of a large object. Tasks that run at the same time must not
/// write to the same line.
std::int32_t padding_particles(std::span<const ParticleRange> objects);

/// All constraints in the slots in which a schedule visits them.
struct ConstraintLayout {
  ConstraintSet constraints;
  Schedule schedule;
};

/// Colours and lays out all constraints of `objects`, whose particles are in bisection_order().
/// `first_padding` is the first of padding_particles() particles of inverse mass zero. Every constraint must
/// stay within one object. Large objects that enclose a volume have segments of their own, because
/// constraints of objects under pressure are visited once more than others. `rods` names for each turn, whose
/// row lies behind the particles, the particle in whose patch it is. Orders without colours (is_coloured())
/// are kept exactly, without patches. The result is the same for any number of threads.
ConstraintLayout lay_out(const RawConstraintSet& raw, std::span<const ParticleRange> objects,
                         std::span<const Enclosure> enclosures, std::int32_t first_padding,
                         const RodMatter& rods, Order order);

/// The constraints from which an untorn topology was laid out.
RawConstraintSet raw_constraints(const Topology& untorn);

}}  // namespace limber::LIMBER_PRECISION
