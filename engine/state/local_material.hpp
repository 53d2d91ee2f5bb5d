// The material of a constraint: that of its object, changed by the fields and the temperature at its nodes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include "engine/constraints/nodes.hpp"
#include "engine/constraints/stencil_traits.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Whether something in the World has a temperature that softens it.
bool any_softens(const World& world);

/// Whether the constraints of an object may have materials that differ from the object's.
bool varies(const World& world, std::size_t object);

/// The material of a constraint of `object` between `nodes`: stiffnesses times the mean of the stiffness
/// field; stiffnesses, yield and strength times the share that is left at the mean temperature; the damping
/// time times the mean of the damping field. Copies a Material: ask varies() first.
Material local_material(const World& world, std::size_t object, std::span<const std::int32_t> nodes);

/// The material that an object has where nothing changes it.
const Material& object_material(const World& world, std::size_t object);

template <class Type>
std::array<std::int32_t, Type::arity> nodes_of(const StencilBatch<Type>& batch, std::size_t slot) {
  std::array<std::int32_t, Type::arity> nodes;
  for (std::size_t j = 0; j < nodes.size(); ++j) nodes[j] = batch.vertices[j][slot];
  return nodes;
}

/// Calls use(material) with the material of a slot that is not padding.
template <class Type, class Use>
void with_material(const World& world, const StencilBatch<Type>& batch, std::size_t slot, const Use& use) {
  const std::size_t object = std::size_t(batch.object[slot]);
  if (varies(world, object))
    use(local_material(world, object, nodes_of(batch, slot)));
  else
    use(object_material(world, object));
}

/// XPBD compliances of a slot that is not padding, with the local material.
template <class Type>
auto given_softness(const World& world, const StencilBatch<Type>& batch, std::size_t slot) {
  decltype(softness_of<Type>(std::declval<const Material&>(), batch.compliance_scale[slot])) numbers{};
  with_material(world, batch, slot, [&](const Material& material) {
    numbers = softness_of<Type>(material, batch.compliance_scale[slot]);
  });
  return numbers;
}

/// Refreshes the softness of constraints whose temperature matters, for the blocks of slots rank,
/// rank + count, ...
void soften(World& world, int rank, int count);

}}  // namespace limber::LIMBER_PRECISION
