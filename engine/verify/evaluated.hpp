// A constraint of a World, evaluated with the arithmetic of the kernels, and the correction that it still
// needs.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>

#include "engine/state/constraint_set.hpp"
#include "engine/state/elements.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

using Lane = Lanes<real, 1>;

template <class Type>
struct Evaluated {
  static constexpr std::size_t rows = std::size_t(row_count<Type>());
  using Rows = std::array<double, rows>;

  std::array<std::int32_t, Type::arity> particle;
  std::array<real, Type::arity> weight;  ///< 1/kg
  Rows C;
  std::array<ElementVector<Type>, rows> gradient;
  Lane softness[softness_numbers<Type>()];

  bool finite() const {
    for (double c : C)
      if (!std::isfinite(c)) return false;
    return true;
  }
  /// |C|; for types whose C is not zero at rest, the deviation from rest. 0 for an inequality that is
  /// satisfied.
  double misfit() const {
    if constexpr (requires(const Rows& c, const Lane(&s)[softness_numbers<Type>()]) { Type::misfit(c, s); }) {
      return Type::misfit(C, softness);
    } else if constexpr (rows == 1) {
      return is_unilateral<Type>() ? std::abs(std::min(C[0], 0.0)) : std::abs(C[0]);
    } else {
      double sum = 0.0;
      for (double c : C) sum += c * c;
      return std::sqrt(sum);
    }
  }
  /// m, displacement |w_j sum_k grad_j C_k dlambda_k| of corner j.
  double moved(std::size_t j, const Rows& dlambda) const {
    glm::dvec3 sum(0.0);
    for (std::size_t k = 0; k < rows; ++k) sum += dlambda[k] * gradient[k][j];
    return double(weight[j]) * glm::length(sum);
  }
};

/// The corners of a constraint as input of the kernels: differences of points are computed in double, then
/// rounded.
template <class Type>
auto nodes_of(const World& world, const std::array<std::int32_t, Type::arity>& particle) {
  if constexpr (has_turns<Type>()) {
    const std::int32_t* vertices[Type::arity];
    for (std::size_t j = 0; j < Type::arity; ++j) vertices[j] = &particle[j];
    return load_nodes<Type, Lane>(flat(world.particles.origin), flat(world.particles.moved), vertices, 0);
  } else {
    StencilPoints<Lane, Type::arity> at;
    for (std::size_t j = 0; j < Type::arity; ++j) {
      const vec3 x(place_of(world.particles, std::size_t(particle[j])) -
                   place_of(world.particles, std::size_t(particle[0])));
      at.p[j] = {x.x, x.y, x.z};
    }
    return at;
  }
}

template <class Type>
Evaluated<Type> evaluate(const World& world, const StencilBatch<Type>& batch, std::size_t slot) {
  Evaluated<Type> out;
  for (std::size_t j = 0; j < Type::arity; ++j) {
    out.particle[j] = batch.vertices[j][slot];
    out.weight[j] = world.particles.position[std::size_t(out.particle[j])].w;
  }
  const auto& state = std::get<StencilState<Type>>(*world.matter.constraints);
  Lane rest[Type::rest_count];
  for (std::size_t r = 0; r < Type::rest_count; ++r) rest[r] = rest_row(batch, state, r)[slot];
  const auto& softness = state.softness;
  for (std::size_t k = 0; k < softness.size(); ++k) out.softness[k] = softness[k][slot];
  const auto g = evaluate_at<Type, Lane>(nodes_of<Type>(world, out.particle), rest, out.softness);
  for (int k = 0; k < row_count<Type>(); ++k) {
    out.C[std::size_t(k)] = double(value_of(g, k).v);
    for (int j = 0; j < Type::arity; ++j) {
      const auto& v = gradient_of(g, k, j);
      out.gradient[std::size_t(k)][std::size_t(j)] = {double(v.x.v), double(v.y.v), double(v.z.v)};
    }
  }
  return out;
}

/// least_sum() of a constraint.
template <class Type>
double least_sum_of(const Evaluated<Type>& c) {
  Gradient<DoubleLane, Type::arity> g{};
  double w = 0.0;
  for (std::size_t j = 0; j < c.particle.size(); ++j) {
    const glm::dvec3 v(c.gradient[0][j]);
    g.grad[j] = {DoubleLane(v.x), DoubleLane(v.y), DoubleLane(v.z)};
    w += double(c.weight[j]);
  }
  return least_sum<Type>(DoubleLane(w), g).v;
}

/// dlambda of one more projection (stencil.hpp, without damping). 0 if no corner can move or the constraint
/// is satisfied. Under PBD the softness is the stiffness. `per_h2`: 1/h^2.
template <class Type>
typename Evaluated<Type>::Rows owed_lambda(const World& world, const Evaluated<Type>& c, std::size_t slot,
                                           bool compliant, double per_h2) {
  constexpr int rows = row_count<Type>();
  const auto& state = std::get<StencilState<Type>>(*world.matter.constraints);
  DoubleLane softness[softness_numbers<Type>()], rest[Type::rest_count];
  DoubleLane compliance[rows][rows], matrix[rows][rows], owed[rows];
  for (int k = 0; k < softness_numbers<Type>(); ++k) softness[k] = double(c.softness[k].v);
  const auto& batch = std::get<StencilBatch<Type>>(*world.topology->constraints);
  for (std::size_t r = 0; r < batch.rest.size(); ++r) rest[r] = double(rest_row(batch, state, r)[slot]);
  compliance_of<Type, DoubleLane>(softness, rest, compliance);
  typename Evaluated<Type>::Rows out{};
  double movable = 0.0;
  for (int k = 0; k < rows; ++k) {
    owed[k] = -(compliant ? 1.0 : softness[0].v) * c.C[std::size_t(k)];
    for (int l = 0; l <= k; ++l) {
      double sum = 0.0;
      for (std::size_t j = 0; j < c.particle.size(); ++j)
        sum += double(c.weight[j]) * glm::dot(c.gradient[std::size_t(k)][j], c.gradient[std::size_t(l)][j]);
      if constexpr (HasSteepness<Type, DoubleLane>) sum = std::max(sum, least_sum_of(c));
      matrix[k][l] = sum;
      if (k == l) movable += sum;
    }
  }
  if (!(movable > 0.0) || (is_unilateral<Type>() && c.C[0] >= 0.0)) return out;
  for (int k = 0; compliant && k < rows; ++k)
    for (int l = 0; l <= k; ++l) {
      const double alpha = per_h2 * compliance[k][l].v;
      matrix[k][l] = matrix[k][l].v + alpha;
      owed[k] = owed[k].v - alpha * double(state.lambda[std::size_t(l)][slot]);
      if (l < k) owed[l] = owed[l].v - alpha * double(state.lambda[std::size_t(k)][slot]);
    }
  solve_symmetric(matrix, owed);
  for (int k = 0; k < rows; ++k) out[std::size_t(k)] = owed[k].v;
  return out;
}

}}  // namespace limber::LIMBER_PRECISION
