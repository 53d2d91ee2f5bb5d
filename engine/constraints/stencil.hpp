// Constraints with a fixed number of points, and the one kernel that projects all of them.
//
// A type is a struct (see distance.hpp, bending.hpp) with
//   name                      as it appears in reports
//   arity, rest_count         points of the stencil, rest values per constraint
//   evaluate(p, rest)         C and grad C over Lanes, as the paper writes them
//   compliance(material), stiffness(material)   which setting makes it soft
// and, where it differs from most,
//   written                   only the points [0, written) are moved and stored; the others are anchors of
//                             inverse mass zero that any number of constraints may read at the same time
//   unit_gradients            whether all |grad C| are 1, which spares their lengths (every type says so)
//   unilateral                C >= 0 is wanted, so the constraint acts only where C < 0
//   largest_step              how far one projection of XPBD may change C: beyond it grad C says nothing of C
//                             (PBD's stiffness is the share of C that goes)
// and one entry in ConstraintTypes (constraint_types.hpp). Everything else is generic: storage, colouring,
// schedule, projection, softness, residual, energy, reports.
#pragma once

#include <cstdint>

#include "engine/simd/points.hpp"

namespace limber {

/// Slots are padded to this many, so that every instruction set visits the same groups.
inline constexpr std::int32_t lane_group = 16;

/// C and grad C of one stencil per lane.
template <class L, int Arity>
struct Gradient {
  L C;
  Vec3<L> grad[Arity];
};

/// Points of a type that its projection moves. Colours keep only these apart.
template <class Type>
consteval int written_points() {
  if constexpr (requires { Type::written; }) {
    static_assert(0 < Type::written && Type::written <= Type::arity);
    return Type::written;
  } else {
    return Type::arity;
  }
}

/// Whether a type is an inequality C >= 0 (paper section 3.3): not projected while it holds.
template <class Type>
consteval bool is_unilateral() {
  if constexpr (requires { Type::unilateral; }) return Type::unilateral;
  return false;
}

template <class Type>
consteval bool has_largest_step() {
  return requires { Type::largest_step; };
}

/// Arrays of a batch as the kernels see them: one entry per slot, slots padded to lane_group. A padding
/// slot names a point of inverse mass zero at every corner, so its projection writes back what it read.
template <class Type, class T>
struct StencilView {
  const std::int32_t* vertices[Type::arity];  ///< internal particle indices
  const T* rest[Type::rest_count];
  const T* softness;  ///< XPBD: compliance alpha; PBD: stiffness per iteration k'
  T* lambda;          ///< total multiplier of this substep
};

/// What is the same for all constraints of a sweep.
template <class T>
struct Sweep {
  bool compliant;         ///< XPBD if true, PBD else
  bool first;             ///< first iteration of the substep: lambda starts at zero
  T inverse_h_squared;    ///< 1/s^2
  bool backward = false;  ///< last phase first
};

/// What a Gauss-Seidel sweep does with the corrections of a group of slots: the points take them at once.
template <class Type, class L>
struct MovePoints {
  const std::int32_t* const (&vertices)[Type::arity];
  typename L::Real* points;

  LIMBER_INLINE L relaxed(std::int32_t, L dlambda) const { return dlambda; }
  LIMBER_INLINE void take(std::int32_t s, Point<L> (&point)[Type::arity], const Gradient<L, Type::arity>& g,
                          L dlambda) const {
    for (int j = 0; j < written_points<Type>(); ++j) {
      point[j].p = point[j].p + (point[j].w * dlambda) * g.grad[j];
      store_points(points, vertices[j] + s, point[j]);
    }
  }
};

/// Where a Jacobi iteration puts them for the points to gather.
template <class Type, class T>
struct Corrections {
  const T* share;                         ///< per slot: factor on dlambda
  T* moment[3 * written_points<Type>()];  ///< per slot: x, y, z of grad_j C dlambda, corner after corner
};

template <class Type, class L>
struct KeepCorrections {
  const Corrections<Type, typename L::Real>& out;

  LIMBER_INLINE L relaxed(std::int32_t s, L dlambda) const { return L::load(out.share + s) * dlambda; }
  LIMBER_INLINE void take(std::int32_t s, const Point<L> (&)[Type::arity], const Gradient<L, Type::arity>& g,
                          L dlambda) const {
    for (int j = 0; j < written_points<Type>(); ++j) {
      (dlambda * g.grad[j].x).store(out.moment[3 * j] + s);
      (dlambda * g.grad[j].y).store(out.moment[3 * j + 1] + s);
      (dlambda * g.grad[j].z).store(out.moment[3 * j + 2] + s);
    }
  }
};

/// Solves the slots [begin, end) (multiples of lane_group), group after group, and hands what becomes of the
/// points to `corrections`.
///
///   PBD  (paper eq. 8, 9):  dlambda = -k' C / sum_j w_j |grad_j C|^2
///   XPBD (Macklin 2016):    dlambda = (-C - a~ lambda) / (sum_j w_j |grad_j C|^2 + a~),  a~ = alpha / h^2
///   both:                   dp_j = w_j grad_j C dlambda
template <class Type, bool Compliant, bool First, class L, class Take>
LIMBER_INLINE void solve_slots(const StencilView<Type, typename L::Real>& batch, std::int32_t begin,
                               std::int32_t end, const typename L::Real* points,
                               typename L::Real inverse_h_squared, const Take& corrections) {
  using T = typename L::Real;
  constexpr int n = Type::arity, written = written_points<Type>();
  const L zero(T(0));
  for (std::int32_t s = begin; s < end; s += L::width) {
    Point<L> point[n];
    for (int j = 0; j < n; ++j) point[j] = load_points(points, batch.vertices[j] + s, L());
    Vec3<L> p[n];
    for (int j = 0; j < n; ++j) p[j] = point[j].p;
    L rest[Type::rest_count];
    for (int r = 0; r < Type::rest_count; ++r) rest[r] = L::load(batch.rest[r] + s);

    const Gradient<L, n> g = Type::evaluate(p, rest);
    L sum = Type::unit_gradients ? point[0].w : point[0].w * dot(g.grad[0], g.grad[0]);
    for (int j = 1; j < written; ++j)
      sum = sum + (Type::unit_gradients ? point[j].w : point[j].w * dot(g.grad[j], g.grad[j]));

    const L softness = L::load(batch.softness + s);
    L numerator, denominator, lambda = zero;
    if constexpr (Compliant) {
      const L alpha = softness * L(inverse_h_squared);
      denominator = sum + alpha;
      if constexpr (First) {
        numerator = -g.C;
      } else {
        lambda = L::load(batch.lambda + s);
        numerator = -g.C - alpha * lambda;
      }
    } else {
      denominator = sum;
      numerator = -(softness * g.C);
      if constexpr (!First) lambda = L::load(batch.lambda + s);
    }
    // nothing movable (or a degenerate gradient): leave the points alone
    L dlambda = select(zero < sum, numerator / select(zero < denominator, denominator, L(T(1))), zero);
    if constexpr (Compliant && has_largest_step<Type>()) {  // to first order, C changes by sum * dlambda
      const L most = L(T(Type::largest_step)) / select(zero < sum, sum, L(T(1)));
      dlambda = select(most < dlambda, most, select(dlambda < -most, -most, dlambda));
    }
    if constexpr (is_unilateral<Type>()) dlambda = select(g.C < zero, dlambda, zero);
    // an anchor that was freed can no longer be taken as immovable: the constraint waits
    for (int j = written; j < n; ++j) dlambda = select(zero < point[j].w, zero, dlambda);
    dlambda = corrections.relaxed(s, dlambda);
    (lambda + dlambda).store(batch.lambda + s);
    corrections.take(s, point, g, dlambda);
  }
}

/// One Gauss-Seidel visit of the slots [begin, end), no two of which share a movable point; with the policy
/// chosen once per call.
template <class Type, class L>
void project(const StencilView<Type, typename L::Real>& batch, std::int32_t begin, std::int32_t end,
             typename L::Real* points, const Sweep<typename L::Real>& sweep) {
  const typename L::Real ih2 = sweep.inverse_h_squared;
  const MovePoints<Type, L> move{batch.vertices, points};
  if (sweep.compliant) {
    if (sweep.first) return solve_slots<Type, true, true, L>(batch, begin, end, points, ih2, move);
    return solve_slots<Type, true, false, L>(batch, begin, end, points, ih2, move);
  }
  if (sweep.first) return solve_slots<Type, false, true, L>(batch, begin, end, points, ih2, move);
  return solve_slots<Type, false, false, L>(batch, begin, end, points, ih2, move);
}

/// The corrections of the slots [begin, end) at points that nobody moves meanwhile (XPBD).
template <class Type, class L>
void correct(const StencilView<Type, typename L::Real>& batch, std::int32_t begin, std::int32_t end,
             const typename L::Real* points, const Sweep<typename L::Real>& sweep,
             const Corrections<Type, typename L::Real>& out) {
  const typename L::Real ih2 = sweep.inverse_h_squared;
  const KeepCorrections<Type, L> keep{out};
  if (sweep.first) return solve_slots<Type, true, true, L>(batch, begin, end, points, ih2, keep);
  return solve_slots<Type, true, false, L>(batch, begin, end, points, ih2, keep);
}

}  // namespace limber
