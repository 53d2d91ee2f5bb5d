#include "engine/verify/convergence.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <vector>

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/methods.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/local_material.hpp"
#include "engine/verify/evaluated.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Sets the compliances of the material; under PBD the slots contain stiffnesses instead.
template <class Type>
void take_given_compliance(const World& world, const StencilBatch<Type>& batch, std::size_t slot,
                           Element<Type>& element) {
  const auto given = given_softness(world, batch, slot);
  for (std::size_t k = 0; k < given.size(); ++k) element.softness[k] = double(given[k]);
}

/// Subtracts the impulses of a constraint's multipliers on its particles, with the present gradients.
template <class Type>
void add_impulses(const World& world, const Evaluated<Type>& c, std::size_t slot,
                  std::vector<glm::dvec3>& sums) {
  const auto& lambda = std::get<StencilState<Type>>(*world.matter.constraints).lambda;
  for (std::size_t j = 0; j < c.particle.size(); ++j)
    if (c.particle[j] < world.particles.count)
      for (std::size_t k = 0; k < Evaluated<Type>::rows; ++k)
        sums[std::size_t(c.particle[j])] -= double(lambda[k][slot]) * glm::dvec3(c.gradient[k][j]);
}

}  // namespace

Convergence convergence(const World& world, std::span<const vec4> predicted) {
  const bool compliant = is_compliant(world.settings.solver.method->kind);
  const double per_h2 = inverse_h_squared(world);
  const double floor = world.settings.solver.method->compliance_floor;
  Convergence out;
  double squares = 0.0;
  std::int64_t count = 0;
  const bool multiplied = keeps_multipliers(world.settings.solver.method->kind);
  std::vector<glm::dvec3> imbalance(multiplied ? std::size_t(world.particles.count)
                                               : 0);  // kg m: -sum grad C lambda
  for_each_constraint(world, [&](auto type, const auto& batch, std::size_t slot) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    const Evaluated<Type> c = evaluate(world, batch, slot);
    const auto owed = owed_lambda(world, c, slot, compliant, per_h2);
    double longest = 0.0;
    for (std::size_t j = 0; j < c.particle.size(); ++j) longest = std::max(longest, c.moved(j, owed));
    squares += longest * longest;
    ++count;
    if (multiplied) add_impulses(world, c, slot, imbalance);
    out.residual_max = std::max(out.residual_max, longest);
    Element<Type> element = element_at(world, batch, slot, floor);
    if (!compliant) take_given_compliance(world, batch, slot, element);
    out.objective += energy(element);
  });
  if (count > 0) out.residual = std::sqrt(squares / double(count));
  double unbalanced = 0.0, in_all = 0.0;  // kg m^2, squared lengths in the norm of 1/M
  for (std::int32_t i = 0; i < world.particles.count; ++i) {
    const vec4& x = world.particles.position[std::size_t(i)];
    if (!(x.w > real(0))) continue;
    const glm::dvec3 moved =
        glm::dvec3(world.particles.moved[std::size_t(i)]) - glm::dvec3(predicted[std::size_t(i)]);
    const double all = glm::dot(moved, moved) / double(x.w);
    out.objective += 0.5 * per_h2 * all;
    if (!multiplied) continue;
    const glm::dvec3 g = moved / double(x.w) + imbalance[std::size_t(i)];
    unbalanced += glm::dot(g, g) * double(x.w), in_all += all;
  }
  if (in_all > 0.0) out.imbalance = std::sqrt(unbalanced / in_all);
  return out;
}

}}  // namespace limber::LIMBER_PRECISION
