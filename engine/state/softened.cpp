#include "engine/state/softened.hpp"

#include <algorithm>
#include <array>

#include "engine/constraints/nodes.hpp"
#include "engine/constraints/stencil.hpp"
#include "engine/core/methods.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/softening.hpp"
#include "engine/state/heat_state.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

bool any_softens(const World& world) {
  return !world.heat->empty() &&
         std::any_of(world.settings.materials.begin(), world.settings.materials.end(), softens);
}

double softened_share_of(const World& world, std::span<const std::int32_t> particles) {
  if (world.heat->enthalpy.empty()) return 1.0;
  const Material& material = material_of(world, particles.front());
  if (!softens(material)) return 1.0;
  double sum = 0.0;
  for (const std::int32_t i : particles) sum += world.heat->temperature[std::size_t(i)];
  return softened_share(material, sum / double(particles.size()));
}

void soften(World& world, int rank, int count) {
  constexpr std::size_t block = 256;
  if (!any_softens(world) || !is_compliant(world.settings.solver.method->kind)) return;
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    if constexpr (!has_turns<Type>()) {
      const auto& batch = std::get<type>(world.topology->constraints);
      auto& state = std::get<type>(world.matter.constraints);
      const std::size_t slots = std::size_t(batch.slots());
      for (std::size_t from = block * std::size_t(rank); from < slots; from += block * std::size_t(count))
        for (std::size_t s = from; s < std::min(from + block, slots); ++s) {
          if (batch.object[s] < 0) continue;
          const Material& material = world.settings.materials[std::size_t(batch.object[s])];
          if (!softens(material)) continue;
          std::array<std::int32_t, Type::arity> corners;
          for (std::size_t j = 0; j < corners.size(); ++j) corners[j] = batch.vertices[j][s];
          const double share = softened_share_of(world, corners);
          const auto numbers = softness_of<Type>(softened(material, share), batch.compliance_scale[s]);
          for (std::size_t k = 0; k < numbers.size(); ++k) state.softness[k][s] = real(numbers[k]);
        }
    }
  });
}

}}  // namespace limber::LIMBER_PRECISION
