// Traits of constraint types with a fixed number of points, and their defaults.
//
// clang-format off
// A type is a struct (see distance.hpp, bending.hpp) with
//   name                  as it appears in reports
//   arity, rest_count     points of the stencil, rest values per constraint
//   evaluate(p, rest)     C and grad C over Lanes, in the notation of its paper
//   compliance(material), stiffness(material)   the material's setting under XPBD and under PBD
//   tearing               what a tear does to it (tearing.hpp)
// and, if the default is not right,
//   nodes                 the kinds of its corners: points, or turns (Node). `evaluate` then takes orientations
//                         in addition to points, evaluate(p, q, rest), and its gradient with respect to a turn
//                         is that with respect to a rotation vector in the world
//   rows                  K > 1 values C_k that are solved as one block; `evaluate` returns a Block
//   softness_count        numbers per slot on which the compliance matrix depends, K by default:
//                         softness(material, scale) returns them under XPBD, stiffnesses(k) under PBD;
//                         compliance_matrix(softness, matrix) fills the matrix, by default a diagonal one; it
//                         may also take the rest values: compliance_matrix(softness, rest, matrix).
//                         `evaluate` may take the softness as its third argument
//   written               only the points [0, written) are moved and stored; the others are anchors of
//                         inverse mass zero that any number of constraints may read at the same time
//   unit_gradients        whether all |grad_j C| are 1, so that they need not be computed; for types of one row
//   unilateral            the constraint is C >= 0, so it acts only where C < 0
//   largest_step          largest change of C in one projection of XPBD: beyond it grad C does not predict C
//                         (under PBD a projection changes C by its stiffness)
//   steepness(g)          |grad C|^2 at a point that can change C. sum_j w_j |grad_j C|^2 is taken to be at
//                         least a hundredth of this times sum_j w_j (least_sum), which bounds the step
//   step_rest             index of the rest value that is the longest step of a point in one projection, m
//   step_growth(p, rest)  factor on the longest step for a stencil that has grown to p
//   undamped              XPBD damping does not apply to it
// and one entry in ConstraintTypes (constraint_types.hpp). Everything else is generic: storage, colouring,
// schedule, projection, softness, residual, energy (energy.hpp), reports.
// clang-format on
#pragma once

#include <array>
#include <cstdint>

#include "engine/constraints/nodes.hpp"

namespace limber {

/// Parts of whole_energy() that are computed: line searches need energies without Hessians.
enum class EnergyParts { with_hessian, without_hessian };

/// Slots are padded to a multiple of this number, so that every instruction set processes the same groups.
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

/// Value and gradients of row k, of a Gradient or a Block.
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

/// Number K of rows of a type.
template <class Type>
consteval int row_count() {
  if constexpr (requires { Type::rows; }) {
    static_assert(1 <= Type::rows && Type::rows <= 6);
    return Type::rows;
  } else {
    return 1;
  }
}

/// Number of softness values per slot of a type.
template <class Type>
consteval int softness_numbers() {
  if constexpr (requires { Type::softness_count; }) return Type::softness_count;
  return row_count<Type>();
}

/// Number of points that the projection of a type moves. Constraints of one colour must not share these.
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

/// Types with steepness(). The gradient at the movable points can nearly vanish although C does not, for
/// instance at a hinge whose other corners are fixed on a line. Then -C/|grad C|^2 would be an unbounded step
/// in a meaningless direction.
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

/// Longest step (m) of a point of a slot in one projection: the rest value, multiplied by the type's
/// step_growth() if there is one.
template <class Type, class L>
LIMBER_INLINE L longest_step_of(const Vec3<L> (&p)[Type::arity], const L (&rest)[Type::rest_count]) {
  if constexpr (requires { Type::step_growth(p, rest); }) {
    return Type::step_growth(p, rest) * rest[Type::step_rest];
  } else {
    return rest[Type::step_rest];
  }
}

/// C and grad C of a slot of a type without turns, with or without softness as an argument of `evaluate`.
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

/// A type with a `Form`: C, and products with its gradients that are cheaper than the gradients themselves.
template <class Type, class L>
concept HasForm = requires {
  typename Type::template Form<L>;
};

/// The compliance matrix A of a slot, K x K; only its lower triangle is filled.
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

/// Time of XPBD damping, s: a strain rate e adds the stress of the strain tau e. Zero for types that are
/// always rigid.
template <class Type, class Material>
double damping_time(const Material& m) {
  if constexpr (requires { Type::undamped; }) return 0.0;
  return m.damping_time;
}

}  // namespace limber
