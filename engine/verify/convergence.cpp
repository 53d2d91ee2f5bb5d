#include "engine/verify/convergence.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/verify/evaluated.hpp"

namespace limber::inline LIMBER_PRECISION {
namespace {

/// The compliances of the material: slots hold stiffnesses under PBD.
template <class Type>
void take_given_compliance(const World& world, const StencilBatch<Type>& batch, std::size_t slot,
                           Element<Type>& element) {
  const Material& material = world.settings.materials[std::size_t(batch.object[slot])];
  const auto given = softness_of<Type>(material, batch.compliance_scale[slot]);
  for (std::size_t k = 0; k < given.size(); ++k) element.softness[k] = double(given[k]);
}

}  // namespace

Convergence convergence(const World& world, std::span<const vec4> predicted) {
  const bool compliant = is_compliant(world.settings.solver.method->kind);
  const double per_h2 = inverse_h_squared(world);
  const double floor = world.settings.solver.method->compliance_floor;
  Convergence out;
  double squares = 0.0;
  std::int64_t count = 0;
  for_each_constraint(world, [&](auto type, const auto& batch, std::size_t slot) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    const Evaluated<Type> c = evaluate(world, batch, slot);
    const auto owed = owed_lambda(world, c, slot, compliant, per_h2);
    double longest = 0.0;
    for (std::size_t j = 0; j < c.particle.size(); ++j) longest = std::max(longest, c.moved(j, owed));
    squares += longest * longest;
    ++count;
    out.residual_max = std::max(out.residual_max, longest);
    Element<Type> element = element_at(world, batch, slot, floor);
    if (!compliant) take_given_compliance(world, batch, slot, element);
    out.objective += energy(element);
  });
  if (count > 0) out.residual = std::sqrt(squares / double(count));
  for (std::int32_t i = 0; i < world.particles.count; ++i) {
    const vec4& x = world.particles.position[std::size_t(i)];
    if (!(x.w > real(0))) continue;
    const glm::dvec3 moved =
        glm::dvec3(world.particles.moved[std::size_t(i)]) - glm::dvec3(predicted[std::size_t(i)]);
    out.objective += 0.5 * per_h2 / double(x.w) * glm::dot(moved, moved);
  }
  return out;
}

}  // namespace limber::inline LIMBER_PRECISION
