// The pattern of a sparse matrix that couples the particles of each constraint.
#pragma once

#include <vector>

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/sparse_cholesky.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Pattern of a matrix over all particles that couples the particles of each constraint of the types for
/// which `wanted(type)` is true. Serial; allocates.
template <class Wanted>
SparsePattern pattern_of_constraints(const World& world, const Wanted& wanted) {
  std::vector<std::int32_t> first{0}, members;
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    if (!wanted(type)) return;
    const auto& batch = std::get<type>(*world.topology->constraints);
    for (std::size_t s = 0; s < batch.id.size(); ++s) {
      if (batch.id[s] < 0) continue;
      for (std::size_t j = 0; j < Type::arity; ++j) members.push_back(batch.vertices[j][s]);
      first.push_back(std::int32_t(members.size()));
    }
  });
  SparsePattern pattern;
  pattern.build(world.particles.count, first, members);
  return pattern;
}

}}  // namespace limber::LIMBER_PRECISION
