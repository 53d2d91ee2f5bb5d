// Traits of constraint types with a fixed number of points: what a type says of itself, and its default.
//
// clang-format off
// A type is a struct (see distance.hpp, bending.hpp) with
//   name                  as it appears in reports
//   arity, rest_count     points of the stencil, rest values per constraint
//   evaluate(p, rest)     C and grad C over Lanes, in the notation of its paper
//   compliance(material), stiffness(material)   the setting that makes it soft
//   tearing               what a tear does to it (tearing.hpp)
// and, where it differs from most,
//   nodes                 the kinds of its corners: points in space, or turns (Node). `evaluate` then takes the
//                         orientations beside the points, evaluate(p, q, rest), and its gradients by a turn are
//                         those by a rotation vector in the world
//   rows                  K > 1 values C_k that are solved as one block; `evaluate` returns a Block
//   softness_count        numbers per slot on which the compliance matrix depends, K by default:
//                         softness(material, scale) and stiffnesses(k) give them under XPBD and PBD,
//                         compliance_matrix(softness, matrix) makes the matrix, by default diagonal; with
//                         the rest values where it depends on them: compliance_matrix(softness, rest, matrix).
//                         `evaluate` may take the softness as its third argument (neo_hookean.hpp)
//   written               only the points [0, written) are moved and stored; the others are anchors of
//                         inverse mass zero that any number of constraints may read at the same time
//   unit_gradients        whether all |grad C| are 1, which spares their lengths; types of one row say so
//   unilateral            C >= 0 is wanted, so the constraint acts only where C < 0
//   largest_step          largest change of C in one projection of XPBD: beyond it grad C does not predict C
//                         (under PBD a projection changes C by its stiffness)
//   steepness(g)          |grad|^2 of a point that is free to change C. A step is at most as long as if the movable
//                         points together had a hundredth of it
//   step_rest             index of the rest value that is the longest step of a point in one projection, m
//   step_growth(p, rest)  factor on the longest step for a stencil that has grown to p
//   undamped              XPBD damping passes it over
// and one entry in ConstraintTypes (constraint_types.hpp). Everything else is generic: storage, colouring,
// schedule, projection, softness, residual, energy (energy.hpp), reports.
// clang-format on
#pragma once

#include <array>
#include <cstdint>

#include "engine/constraints/nodes.hpp"

namespace limber {

/// Line searches ask for an energy alone far more often than for its Hessian.
enum class EnergyParts { with_hessian, without_hessian };

/// Slots are padded to this many, so that every instruction set visits the same groups.
inline constexpr std::int32_t lane_group = 16;

/// C and grad C of one stencil per lane.
template <class L, int Arity>
struct Gradient {
  L C;
  Vec3<L> grad[Arity];
};

/// K values C_k and their gradients, of one stencil per lane.
template <class L, int Arity, int Rows>
struct Block {
  L C[Rows];
  Vec3<L> grad[Rows][Arity];
};

/// Row k of either.
template <class L, int Arity>
LIMBER_INLINE const L& value_of(const Gradient<L, Arity>& g, int) {
  return g.C;
}
template <class L, int Arity, int Rows>
LIMBER_INLINE const L& value_of(const Block<L, Arity, Rows>& g, int k) {
  return g.C[k];
}
template <class L, int Arity>
LIMBER_INLINE const Vec3<L>& gradient_of(const Gradient<L, Arity>& g, int, int j) {
  return g.grad[j];
}
template <class L, int Arity, int Rows>
LIMBER_INLINE const Vec3<L>& gradient_of(const Block<L, Arity, Rows>& g, int k, int j) {
  return g.grad[k][j];
}

/// K: how many values a type has.
template <class Type>
consteval int row_count() {
  if constexpr (requires { Type::rows; }) {
    static_assert(1 <= Type::rows && Type::rows <= 6);
    return Type::rows;
  } else {
    return 1;
  }
}

/// Numbers per slot that say how soft a constraint is.
template <class Type>
consteval int softness_numbers() {
  if constexpr (requires { Type::softness_count; }) return Type::softness_count;
  return row_count<Type>();
}

/// Number of points that the projection of a type moves. Only these need different colours.
template <class Type>
consteval int written_points() {
  if constexpr (requires { Type::written; }) {
    static_assert(0 < Type::written && Type::written <= Type::arity);
    return Type::written;
  } else {
    return Type::arity;
  }
}

/// Whether a type is an inequality C >= 0 (Mueller et al. 2006, section 3.3): not projected while it holds.
template <class Type>
consteval bool is_unilateral() {
  if constexpr (requires { Type::unilateral; }) return Type::unilateral;
  return false;
}

template <class Type>
consteval bool has_largest_step() {
  return requires { Type::largest_step; };
}

/// The gradient at the free points can nearly vanish although C does not, for instance at a hinge whose other
/// corners are held in a line. Then -C/|grad C|^2 would be an unbounded step in a meaningless direction.
template <class Type, class L>
concept HasSteepness = requires(const Gradient<L, Type::arity>& g) {
  Type::steepness(g);
};
/// Lower bound of sum_j w_j |grad_j C|^2 for points whose inverse masses add up to w.
template <class Type, class L>
LIMBER_INLINE L least_sum(const L& w, const Gradient<L, Type::arity>& g) {
  return L(typename L::Real(0.01)) * w * Type::steepness(g);
}

template <class Type>
consteval bool has_longest_step() {
  return requires { Type::step_rest; };
}

/// Longest step of a point of a slot in one projection, m: the rest value, times the type's step_growth if
/// there is one.
template <class Type, class L>
LIMBER_INLINE L longest_step_of(const Vec3<L> (&p)[Type::arity], const L (&rest)[Type::rest_count]) {
  if constexpr (requires { Type::step_growth(p, rest); }) {
    return Type::step_growth(p, rest) * rest[Type::step_rest];
  } else {
    return rest[Type::step_rest];
  }
}

/// C and grad C of a slot, whatever its type's `evaluate` depends on.
template <class Type, class L>
LIMBER_INLINE auto evaluate_type(const Vec3<L> (&p)[Type::arity], const L (&rest)[Type::rest_count],
                                 const L (&softness)[softness_numbers<Type>()]) {
  if constexpr (requires { Type::evaluate(p, rest, softness); }) {
    return Type::evaluate(p, rest, softness);
  } else {
    return Type::evaluate(p, rest);
  }
}

/// C and grad C at the corners that load_nodes() loaded.
template <class Type, class L, class Nodes>
LIMBER_INLINE auto evaluate_at(const Nodes& at, const L (&rest)[Type::rest_count],
                               const L (&softness)[softness_numbers<Type>()]) {
  if constexpr (has_turns<Type>()) {
    return Type::evaluate(at.p, at.q, rest);
  } else {
    return evaluate_type<Type, L>(at.p, rest, softness);
  }
}

/// The compliance matrix A of a slot, K x K; its lower triangle is all that is read.
template <class Type, class L>
LIMBER_INLINE void compliance_of(const L (&softness)[softness_numbers<Type>()],
                                 const L (&rest)[Type::rest_count],
                                 L (&matrix)[row_count<Type>()][row_count<Type>()]) {
  if constexpr (requires { Type::compliance_matrix(softness, rest, matrix); }) {
    Type::compliance_matrix(softness, rest, matrix);
  } else if constexpr (requires { Type::compliance_matrix(softness, matrix); }) {
    Type::compliance_matrix(softness, matrix);
  } else {
    for (int k = 0; k < row_count<Type>(); ++k)
      for (int l = 0; l <= k; ++l) matrix[k][l] = k == l ? softness[k] : L(typename L::Real(0));
  }
}

/// Softness of a slot whose material is `m` and whose geometric factor is `scale`, under XPBD.
template <class Type, class Material, class T>
std::array<T, std::size_t(softness_numbers<Type>())> softness_of(const Material& m, T scale) {
  std::array<T, std::size_t(softness_numbers<Type>())> out{};
  if constexpr (requires { Type::softness(m, 1.0); }) {
    const auto numbers = Type::softness(m, double(scale));
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = T(numbers[k]);
  } else {
    out[0] = T(Type::compliance(m)) * scale;
  }
  return out;
}

/// Softness of a type under PBD: the stiffness per iteration k', and further numbers that `evaluate` needs.
template <class Type>
std::array<double, std::size_t(softness_numbers<Type>())> stiffness_numbers(double k) {
  if constexpr (requires { Type::stiffnesses(k); }) return Type::stiffnesses(k);
  return {k};
}

/// s, time of XPBD damping: a strain rate e adds the stress of the strain tau e. Zero for types that are
/// always rigid.
template <class Type, class Material>
double damping_time(const Material& m) {
  if constexpr (requires { Type::undamped; }) return 0.0;
  return m.damping_time;
}

}  // namespace limber
