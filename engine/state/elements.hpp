// Visits the constraints of a World one by one, for energies.
#pragma once

#include "engine/constraints/constraint_types.hpp"
#include "engine/constraints/energy.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/turns.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Calls visit(type index, batch, slot) for every constraint.
template <class Visit>
void for_each_constraint(const World& world, const Visit& visit) {
  for_each_type([&](auto type) {
    const auto& batch = std::get<type>(*world.topology->constraints);
    for (std::size_t s = 0; s < batch.id.size(); ++s)
      if (batch.id[s] >= 0) visit(type, batch, s);
  });
}

/// The constraint in a slot at the present positions. `floor`: smallest compliance, see energy.hpp. The
/// softness is a compliance only if the method is compliant (is_compliant()).
template <class Type>
Element<Type> element_at(const World& world, const StencilBatch<Type>& batch, std::size_t slot,
                         double floor) {
  Element<Type> e;
  const auto& state = std::get<StencilState<Type>>(*world.matter.constraints);
  for (std::size_t j = 0; j < e.arity; ++j) {
    e.particle[j] = batch.vertices[j][slot];
    if (node_of<Type>(int(j)) == Node::point) e.x[j] = place_of(world.particles, std::size_t(e.particle[j]));
    if constexpr (has_turns<Type>())
      if (Type::nodes[j] == Node::turn) e.q[j] = orientation_of(world.particles, std::size_t(e.particle[j]));
  }
  for (std::size_t r = 0; r < e.rest.size(); ++r) e.rest[r] = double(rest_row(batch, state, r)[slot]);
  for (std::size_t k = 0; k < e.softness.size(); ++k) e.softness[k] = double(state.softness[k][slot]);
  e.floor = floor;
  return e;
}

}}  // namespace limber::LIMBER_PRECISION
