// Energies of constraints, for methods that minimise them: Newton, gradient descent, Projective Dynamics.
//
// clang-format off
// A constraint of finite compliance has the energy (Macklin et al. 2016)
//
//   E(x) = 1/2 C^T A^-1 C,   grad E = G^T m,   hess E = G^T A^-1 G + sum_k m_k hess C_k,   m = A^-1 C
//
// with G = grad C. m is the generalised force; for a solved constraint m = -lambda/h^2. E and its derivatives
// are computed from C, grad C and A, which every type has (stencil.hpp). A type may add, as templates over
// Lanes,
//
//   add_curvature(p, rest, m, H)    adds sum_k m_k d^2 C_k/dx^2 to H. Without it hess E is its first term
//                                   (Gauss-Newton), which is positive semi-definite
//   whole_energy(p, rest, softness, E, g, H)   computes all three itself, for a C that has no gradient at rest
//                                   although E has one
//   projected_rows = R              the local projection of Projective Dynamics (Bouaziz et al. 2014):
//   difference(rest, a)             E = w/2 min_z sum_r |q_r - z_r|^2 with q_r = sum_j a_rj x_j;
//   nearest(q, rest)                moves q to the nearest z; w = projection_weight()
//
// A compliance of zero would be an infinite energy: smaller compliances are raised to `floor`
// (MethodSettings::compliance_floor), in the unit of each type. All is computed in double, whatever the
// precision of the World, for one constraint at a time (Element, made by element_at() of state/elements.hpp):
//
//   for_each_constraint(world, [&](auto type, const auto& batch, std::size_t slot) {
//     const auto e = element_at(world, batch, slot, floor);
//     F += energy(e);
//     const auto g = energy_gradient(e);                            // g[j] belongs to particle e.particle[j]
//     const auto H = energy_hessian(e, HessianKind::positive);      // ElementMatrix
//   });
// clang-format on
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <type_traits>

#include "engine/constraints/small_system.hpp"
#include "engine/constraints/stencil_traits.hpp"
#include "engine/core/positive_part.hpp"

namespace limber {

using DoubleLane = Lanes<double, 1>;

/// One constraint, with the positions of its points.
template <class Type>
struct Element {
  static constexpr std::size_t arity = Type::arity, rows = std::size_t(row_count<Type>());
  std::array<std::int32_t, arity> particle{};
  std::array<glm::dvec3, arity> x{};                          ///< m
  std::array<glm::dvec4, has_turns<Type>() ? arity : 0> q{};  ///< orientations, for corners that are turns
  std::array<double, Type::rest_count> rest{};
  std::array<double, std::size_t(softness_numbers<Type>())> softness{};  ///< under XPBD
  double floor = 0.0;                                                    ///< smallest compliance
};

/// Square matrix of 3 x arity rows; entry (3 i + a, 3 j + b) belongs to coordinate a of x_i and b of x_j.
template <class Type>
using ElementMatrix = std::array<std::array<double, 3 * Type::arity>, 3 * Type::arity>;
template <class Type>
using ElementVector = std::array<glm::dvec3, Type::arity>;

/// exact: hess E as above. positive: its negative eigenvalues are raised to zero, for Newton's method.
enum class HessianKind { exact, positive };

/// An element in the form that the kernels take: lanes of width 1.
template <class Type>
struct ElementLane {
  using Nodes = std::conditional_t<has_turns<Type>(), StencilNodes<DoubleLane, Type::arity>,
                                   StencilPoints<DoubleLane, Type::arity>>;
  Nodes at;
  Vec3<DoubleLane> (&p)[Type::arity] = at.p;
  DoubleLane rest[Type::rest_count], softness[softness_numbers<Type>()];

  explicit ElementLane(const Element<Type>& e) {
    for (int j = 0; j < Type::arity; ++j) {
      const glm::dvec3& x = e.x[std::size_t(j)];
      p[j] = {x.x, x.y, x.z};
      if constexpr (has_turns<Type>()) {
        const glm::dvec4& q = e.q[std::size_t(j)];
        at.q[j] = {{q.x, q.y, q.z}, q.w};
      }
    }
    for (int r = 0; r < Type::rest_count; ++r) rest[r] = e.rest[std::size_t(r)];
    for (int k = 0; k < softness_numbers<Type>(); ++k) softness[k] = e.softness[std::size_t(k)];
  }
};

/// An element with its C and grad C.
template <class Type>
struct Linearized : ElementLane<Type> {
  std::array<double, std::size_t(row_count<Type>())> C;
  std::array<ElementVector<Type>, std::size_t(row_count<Type>())> gradient;

  explicit Linearized(const Element<Type>& e) : ElementLane<Type>(e) {
    const auto g = evaluate_at<Type, DoubleLane>(this->at, this->rest, this->softness);
    for (int k = 0; k < row_count<Type>(); ++k) {
      C[std::size_t(k)] = value_of(g, k).v;
      for (int j = 0; j < Type::arity; ++j) {
        const auto& v = gradient_of(g, k, j);
        gradient[std::size_t(k)][std::size_t(j)] = {v.x.v, v.y.v, v.z.v};
      }
    }
  }
  bool acts() const { return !is_unilateral<Type>() || C[0] < 0.0; }
};

/// A^-1 v, with the diagonal of A raised to the floor.
template <class Type>
std::array<double, std::size_t(row_count<Type>())> times_stiffness(
    const Element<Type>& e, const std::array<double, std::size_t(row_count<Type>())>& v) {
  constexpr int rows = row_count<Type>();
  DoubleLane softness[softness_numbers<Type>()], rest[Type::rest_count], matrix[rows][rows], out[rows];
  for (int k = 0; k < softness_numbers<Type>(); ++k) softness[k] = e.softness[std::size_t(k)];
  for (int r = 0; r < Type::rest_count; ++r) rest[r] = e.rest[std::size_t(r)];
  compliance_of<Type, DoubleLane>(softness, rest, matrix);
  for (int k = 0; k < rows; ++k) {
    matrix[k][k] = std::max({matrix[k][k].v, e.floor, 1e-300});
    out[k] = v[std::size_t(k)];
  }
  solve_symmetric(matrix, out);
  std::array<double, std::size_t(rows)> result;
  for (int k = 0; k < rows; ++k) result[std::size_t(k)] = out[k].v;
  return result;
}

/// E, grad E and hess E of a type that has whole_energy().
template <class Type, EnergyParts parts>
struct WholeEnergy {
  DoubleLane E;
  Vec3<DoubleLane> gradient[Type::arity];
  DoubleLane hessian[3 * Type::arity][3 * Type::arity];

  explicit WholeEnergy(const Element<Type>& e) {
    const ElementLane<Type> at(e);
    DoubleLane softness[softness_numbers<Type>()];
    for (int k = 0; k < softness_numbers<Type>(); ++k)
      softness[k] = std::max({at.softness[k].v, e.floor, 1e-300});
    for (auto& row : hessian)
      for (auto& entry : row) entry = 0.0;
    Type::template whole_energy<parts>(at.p, at.rest, softness, E, gradient, hessian);
  }
};
template <class Type>
consteval bool has_whole_energy() {
  using L = DoubleLane;
  return requires(const Vec3<L>(&p)[Type::arity], const L(&rest)[Type::rest_count],
                  const L(&softness)[softness_numbers<Type>()], L& E, Vec3<L>(&g)[Type::arity],
                  L(&H)[3 * Type::arity][3 * Type::arity]) {
    Type::whole_energy(p, rest, softness, E, g, H);
  };
}

template <class Type>
double energy(const Element<Type>& e) {
  if constexpr (has_whole_energy<Type>()) return WholeEnergy<Type, EnergyParts::without_hessian>(e).E.v;
  const Linearized<Type> c(e);
  if (!c.acts()) return 0.0;
  const auto m = times_stiffness(e, c.C);
  double sum = 0.0;
  for (std::size_t k = 0; k < m.size(); ++k) sum += 0.5 * m[k] * c.C[k];
  return sum;
}

template <class Type>
ElementVector<Type> energy_gradient(const Element<Type>& e) {
  ElementVector<Type> out{};
  if constexpr (has_whole_energy<Type>()) {
    const WholeEnergy<Type, EnergyParts::without_hessian> whole(e);
    for (std::size_t j = 0; j < out.size(); ++j)
      out[j] = {whole.gradient[j].x.v, whole.gradient[j].y.v, whole.gradient[j].z.v};
    return out;
  }
  const Linearized<Type> c(e);
  if (!c.acts()) return out;
  const auto m = times_stiffness(e, c.C);
  for (std::size_t k = 0; k < m.size(); ++k)
    for (std::size_t j = 0; j < out.size(); ++j) out[j] += m[k] * c.gradient[k][j];
  return out;
}

/// Whether energy_hessian() includes the curvature of C; otherwise it is the Gauss-Newton term.
template <class Type>
consteval bool has_curvature() {
  using L = DoubleLane;
  return requires(const Vec3<L>(&p)[Type::arity], const L(&rest)[Type::rest_count],
                  const L(&m)[row_count<Type>()], L(&H)[3 * Type::arity][3 * Type::arity]) {
    Type::add_curvature(p, rest, m, H);
  };
}

template <class Type>
ElementMatrix<Type> energy_hessian(const Element<Type>& e, HessianKind kind) {
  constexpr std::size_t n = 3 * Type::arity, rows = std::size_t(row_count<Type>());
  ElementMatrix<Type> out{};
  if constexpr (has_whole_energy<Type>()) {
    const WholeEnergy<Type, EnergyParts::with_hessian> whole(e);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) out[i][j] = whole.hessian[i][j].v;
    if (kind == HessianKind::positive) take_positive_part(out);
    return out;
  }
  const Linearized<Type> c(e);
  if (!c.acts()) return out;
  for (std::size_t column = 0; column < n; ++column) {
    std::array<double, rows> of_column;
    for (std::size_t k = 0; k < rows; ++k) of_column[k] = c.gradient[k][column / 3][int(column % 3)];
    const auto stiff = times_stiffness(e, of_column);
    for (std::size_t row = 0; row < n; ++row)
      for (std::size_t k = 0; k < rows; ++k)
        out[row][column] += c.gradient[k][row / 3][int(row % 3)] * stiff[k];
  }
  if constexpr (has_curvature<Type>()) {
    const auto multiplier = times_stiffness(e, c.C);
    DoubleLane m[rows], curvature[n][n];
    for (std::size_t k = 0; k < rows; ++k) m[k] = multiplier[k];
    for (auto& row : curvature)
      for (auto& entry : row) entry = 0.0;
    Type::add_curvature(c.p, c.rest, m, curvature);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) out[i][j] += curvature[i][j].v;
    if (kind == HessianKind::positive) take_positive_part(out);
  }
  return out;
}

/// Whether a type has a local projection for Projective Dynamics.
template <class Type>
consteval bool has_projection() {
  return requires { Type::projected_rows; };
}

/// The weight w of a type with a projection.
template <class Type>
double projection_weight(const Element<Type>& e) {
  DoubleLane rest[Type::rest_count];
  for (int r = 0; r < Type::rest_count; ++r) rest[r] = e.rest[std::size_t(r)];
  double unit = 1.0;
  if constexpr (requires { Type::unit_weight(rest); }) unit = Type::unit_weight(rest).v;
  return unit / std::max({e.softness[0], e.floor, 1e-300});
}

}  // namespace limber
