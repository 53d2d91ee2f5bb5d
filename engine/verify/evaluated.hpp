// One constraint of a World, evaluated with the kernels' own arithmetic, and what it still asks for.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "engine/state/world.hpp"

namespace limber::inline LIMBER_PRECISION {

using Lane = Lanes<real, 1>;

template <class Type>
struct Evaluated {
  std::array<std::int32_t, Type::arity> particle;
  std::array<real, Type::arity> weight;  ///< 1/kg
  Gradient<Lane, Type::arity> gradient;

  double C() const { return double(gradient.C.v); }
  /// |grad_j C|^2
  double squared(std::size_t j) const {
    const auto& g = gradient.grad[j];
    const double x = double(g.x.v), y = double(g.y.v), z = double(g.z.v);
    return x * x + y * y + z * z;
  }
  /// |w_j grad_j C dlambda|, m
  double moved(std::size_t j, double dlambda) const {
    return std::abs(dlambda) * double(weight[j]) * std::sqrt(squared(j));
  }
};

template <class Type>
Evaluated<Type> evaluate(const StencilBatch<Type>& batch, std::size_t slot, const Particles& particles) {
  Evaluated<Type> out;
  Vec3<Lane> p[Type::arity];
  for (std::size_t j = 0; j < Type::arity; ++j) {
    out.particle[j] = batch.vertices[j][slot];
    const vec4& x = particles.position[std::size_t(out.particle[j])];
    p[j] = {x.x, x.y, x.z};
    out.weight[j] = x.w;
  }
  Lane rest[Type::rest_count];
  for (std::size_t r = 0; r < Type::rest_count; ++r) rest[r] = batch.rest[r][slot];
  out.gradient = Type::evaluate(p, rest);
  return out;
}

/// dlambda of one more projection (stencil.hpp); 0 where nothing can move or the constraint is content.
/// `alpha`: alpha/h^2, or 0 under PBD, where `softness` is the stiffness.
template <class Type>
double owed_lambda(const Evaluated<Type>& c, bool compliant, double softness, double lambda, double per_h2) {
  double sum = 0.0;
  for (std::size_t j = 0; j < c.particle.size(); ++j) sum += double(c.weight[j]) * c.squared(j);
  if (!(sum > 0.0) || (is_unilateral<Type>() && c.C() >= 0.0)) return 0.0;
  const double alpha = compliant ? softness * per_h2 : 0.0;
  return -(compliant ? c.C() + alpha * lambda : softness * c.C()) / (sum + alpha);
}

/// Calls visit(type index, batch, slot) for every constraint.
template <class Visit>
void for_each_constraint(const World& world, const Visit& visit) {
  for_each_type([&](auto type) {
    const auto& batch = std::get<type>(world.topology->constraints);
    for (std::size_t s = 0; s < batch.id.size(); ++s)
      if (batch.id[s] >= 0) visit(type, batch, s);
  });
}

}  // namespace limber::inline LIMBER_PRECISION
