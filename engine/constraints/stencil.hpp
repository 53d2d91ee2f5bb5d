// The kernels that project all constraint types with a fixed number of points, from the functions and traits
// of each type (stencil_traits.hpp).
#pragma once

#include <cstdint>

#include "engine/constraints/nodes.hpp"
#include "engine/constraints/small_system.hpp"
#include "engine/constraints/stencil_traits.hpp"
#include "engine/constraints/stencil_view.hpp"

namespace limber {

/// Policy of a Gauss-Seidel sweep: moves the points by the corrections of a group of slots at once.
template <class Type, class L>
struct MovePoints {
  const std::int32_t* const (&vertices)[Type::arity];
  typename L::Real* points;

  template <class V>
  LIMBER_INLINE V relaxed(std::int32_t, const V& correction) const {
    return correction;
  }
  LIMBER_INLINE void take(std::int32_t s, Point<L> (&point)[Type::arity], const Gradient<L, Type::arity>& g,
                          L dlambda) const {
    for (int j = 0; j < written_points<Type>(); ++j) {
      point[j].p = point[j].p + (point[j].w * dlambda) * g.grad[j];
      store_points(points, vertices[j] + s, point[j]);
    }
  }
  /// `push`: sum over rows of grad_j C_k dlambda_k.
  LIMBER_INLINE void take(std::int32_t s, int j, Point<L>& point, const Vec3<L>& push) const {
    point.p = point.p + point.w * push;
    store_points(points, vertices[j] + s, point);
  }
};

template <class Type, class L>
struct KeepCorrections {
  const Corrections<Type, typename L::Real>& out;

  template <class V>
  LIMBER_INLINE V relaxed(std::int32_t s, const V& correction) const {
    return L::load(out.share + s) * correction;
  }
  LIMBER_INLINE void take(std::int32_t s, const Point<L> (&point)[Type::arity],
                          const Gradient<L, Type::arity>& g, L dlambda) const {
    for (int j = 0; j < written_points<Type>(); ++j) take(s, j, point[j], dlambda * g.grad[j]);
  }
  LIMBER_INLINE void take(std::int32_t s, int j, const Point<L>&, const Vec3<L>& push) const {
    push.x.store(out.moment[3 * j] + s);
    push.y.store(out.moment[3 * j + 1] + s);
    push.z.store(out.moment[3 * j + 2] + s);
  }
};

/// sum_j grad_j C . (x_j - x_j^n): change of C in this substep, to first order.
template <class Type, class L>
LIMBER_INLINE L change_since(const Gradient<L, Type::arity>& g,
                             const std::int32_t* const (&vertices)[Type::arity], std::int32_t s,
                             const Point<L> (&point)[Type::arity], const typename L::Real* previous) {
  L sum(typename L::Real(0));
  for (int j = 0; j < Type::arity; ++j)
    sum = sum + dot(g.grad[j], point[j].p - load_points(previous, vertices[j] + s, L()).p);
  return sum;
}

/// Returns true if in any lane a point would move farther than `longest` (m). Then `share` is the factor on
/// the corrections of each lane that prevents it.
template <class Type, class L>
LIMBER_INLINE bool overshoots(const Vec3<L> (&push)[Type::arity], const Point<L> (&point)[Type::arity],
                              const L& longest, L& share) {
  using T = typename L::Real;
  L farthest(T(0));
  for (int j = 0; j < Type::arity; ++j)
    farthest = max(farthest, (point[j].w * point[j].w) * dot(push[j], push[j]));
  const auto beyond = longest * longest < farthest;
  if (bits(beyond) == 0) return false;
  share = select(beyond, longest / sqrt(select(beyond, farthest, L(T(1)))), L(T(1)));
  return true;
}

/// sum_j w_j |grad_j C|^2 of a type of one row.
template <class Type, class L>
LIMBER_INLINE L inverse_mass_of(const Gradient<L, Type::arity>& g, const Point<L> (&point)[Type::arity]) {
  constexpr int written = written_points<Type>();
  L sum = Type::unit_gradients ? point[0].w : point[0].w * dot(g.grad[0], g.grad[0]);
  for (int j = 1; j < written; ++j)
    sum = sum + (Type::unit_gradients ? point[j].w : point[j].w * dot(g.grad[j], g.grad[j]));
  if constexpr (HasSteepness<Type, L>) {
    L w = point[0].w;
    for (int j = 1; j < written; ++j) w = w + point[j].w;
    sum = max(sum, least_sum<Type>(w, g));
  }
  return sum;
}

/// Adds A~ = A/h^2 to the lower half of a matrix, and -A~ lambda to its right side.
template <int rows, class L>
LIMBER_INLINE void add_compliance(const L (&compliance)[rows][rows], const L& per_h2, const L (&lambda)[rows],
                                  L (&matrix)[rows][rows], L (&right)[rows]) {
  for (int k = 0; k < rows; ++k)
    for (int l = 0; l <= k; ++l) {
      const L alpha = per_h2 * compliance[k][l];
      matrix[k][l] = matrix[k][l] + alpha;
      right[k] = right[k] - alpha * lambda[l];
      if (l < k) right[l] = right[l] - alpha * lambda[k];
    }
}

/// Solves the slots [begin, end) (multiples of lane_group) of a type with one row, group after group, and
/// hands the corrections of the points to `corrections`.
///
///   PBD  (Mueller 2006):    dlambda = -k' C / sum_j w_j |grad_j C|^2
///   XPBD (Macklin 2016):    dlambda = (-C - a~ lambda) / (sum_j w_j |grad_j C|^2 + a~),  a~ = alpha / h^2
///   damped (eq. 26 there):  dlambda = (-C - a~ lambda - g grad C.(x - x^n)) / ((1 + g) sum_j ... + a~)
///   all:                    dp_j = w_j grad_j C dlambda
///
/// with g = a~ b~/h = tau/h, where tau = alpha beta is the time constant of Rayleigh damping.
template <class Type, bool Compliant, bool First, bool Damped, class L, class Take>
LIMBER_INLINE void solve_slots(const StencilView<Type, typename L::Real>& batch, std::int32_t begin,
                               std::int32_t end, const typename L::Real* points,
                               const Sweep<typename L::Real>& sweep, const Take& corrections) {
  using T = typename L::Real;
  constexpr int n = Type::arity, written = written_points<Type>();
  const L zero(T(0));
  for (std::int32_t s = begin; s < end; s += L::width) {
    StencilPoints<L, n> at = load_stencil<n>(sweep.origin, points, batch.vertices, s, L());
    Point<L>(&point)[n] = at.moved;
    const Vec3<L>(&p)[n] = at.p;
    L rest[Type::rest_count];
    for (int r = 0; r < Type::rest_count; ++r) rest[r] = L::load(batch.rest[r] + s);

    const Gradient<L, n> g = Type::evaluate(p, rest);
    const L sum = inverse_mass_of<Type, L>(g, point);
    const L softness = L::load(batch.softness[0] + s);
    L numerator, denominator, lambda = zero;
    if constexpr (Compliant) {
      const L alpha = softness * L(sweep.inverse_h_squared);
      denominator = sum + alpha;
      if constexpr (First) {
        numerator = -g.C;
      } else {
        lambda = L::load(batch.lambda[0] + s);
        numerator = -g.C - alpha * lambda;
      }
      if constexpr (Damped) {
        const L rate = L(sweep.inverse_h) * L::load(batch.damping + s);
        denominator = denominator + rate * sum;
        numerator = numerator - rate * change_since<Type, L>(g, batch.vertices, s, point, sweep.previous);
      }
    } else {
      denominator = sum;
      numerator = -(softness * g.C);
      if constexpr (!First) lambda = L::load(batch.lambda[0] + s);
    }
    // no movable point, or a degenerate gradient: no correction
    L dlambda = select(zero < sum, numerator / select(zero < denominator, denominator, L(T(1))), zero);
    if constexpr (Compliant && has_largest_step<Type>()) {  // to first order, C changes by sum * dlambda
      const L most = L(T(Type::largest_step)) / select(zero < sum, sum, L(T(1)));
      dlambda = select(most < dlambda, most, select(dlambda < -most, -most, dlambda));
    }
    if constexpr (is_unilateral<Type>()) dlambda = select(g.C < zero, dlambda, zero);
    // an anchor that has become movable must not be pulled against: the constraint does nothing
    for (int j = written; j < n; ++j) dlambda = select(zero < point[j].w, zero, dlambda);
    if constexpr (has_longest_step<Type>()) {
      Vec3<L> push[n];
      for (int j = 0; j < n; ++j) push[j] = dlambda * g.grad[j];
      L share;
      if (overshoots<Type, L>(push, point, longest_step_of<Type, L>(p, rest), share))
        dlambda = share * dlambda;
    }
    dlambda = corrections.relaxed(s, dlambda);
    (lambda + dlambda).store(batch.lambda[0] + s);
    corrections.take(s, point, g, dlambda);
  }
}

/// C and grad C of a slot of K rows, and products with them.
template <class Type, class L>
struct BlockForm {
  static constexpr int n = Type::arity, rows = row_count<Type>();
  Block<L, n, rows> g;
  const L (&C)[rows];

  template <class Nodes>
  LIMBER_INLINE BlockForm(const Nodes& at, const L (&rest)[Type::rest_count],
                          const L (&softness)[softness_numbers<Type>()])
      : g(evaluate_at<Type, L>(at, rest, softness)), C(g.C) {}
  /// S, of which only the lower half is filled.
  LIMBER_INLINE void add_masses(const Point<L> (&point)[n], L (&S)[rows][rows]) const {
    for (int k = 0; k < rows; ++k)
      for (int l = 0; l <= k; ++l) {
        S[k][l] = point[0].w * dot(g.grad[k][0], g.grad[l][0]);
        for (int j = 1; j < n; ++j) S[k][l] = S[k][l] + point[j].w * dot(g.grad[k][j], g.grad[l][j]);
      }
  }
  /// Changes of C by the displacements `way`, to first order.
  LIMBER_INLINE void change(const Vec3<L> (&way)[n], L (&out)[rows]) const {
    for (int k = 0; k < rows; ++k) {
      out[k] = L(typename L::Real(0));
      for (int j = 0; j < n; ++j) out[k] = out[k] + dot(g.grad[k][j], way[j]);
    }
  }
  /// push_j = sum_k grad_j C_k dlambda_k.
  LIMBER_INLINE void push(const L (&dlambda)[rows], Vec3<L> (&out)[n]) const {
    for (int j = 0; j < n; ++j) {
      out[j] = dlambda[0] * g.grad[0][j];
      for (int k = 1; k < rows; ++k) out[j] = out[j] + dlambda[k] * g.grad[k][j];
    }
  }
};
template <class Type, class L>
struct FormOf {
  using type = BlockForm<Type, L>;
};
template <class Type, class L>
requires HasForm<Type, L>
struct FormOf<Type, L> {
  using type = typename Type::template Form<L>;
};

/// Like solve_slots(), for a type of K rows, with C = (C_1 ... C_K):
///
///   PBD:    S dlambda = -k' C,   S_kl = sum_j w_j grad_j C_k . grad_j C_l
///   XPBD:   (S + A~) dlambda = -(C + A~ lambda),   A~ = A/h^2
///   damped: ((1 + g) S + A~) dlambda = -(C + A~ lambda + g grad C.(x - x^n)),   g = tau/h
///   all:    dp_j = w_j sum_k grad_j C_k dlambda_k
///
/// Damping is proportional to stiffness: A beta = tau 1. Linearly dependent rows are dropped
/// (small_system.hpp). PBD, XPBD and damping are chosen at run time, which costs nothing compared with the
/// solution of a block.
template <class Type, class L, class Take>
LIMBER_INLINE void solve_blocks(const StencilView<Type, typename L::Real>& batch, std::int32_t begin,
                                std::int32_t end, const typename L::Real* points,
                                const Sweep<typename L::Real>& sweep, const Take& corrections) {
  using T = typename L::Real;
  constexpr int n = Type::arity, rows = row_count<Type>(), numbers = softness_numbers<Type>();
  static_assert(written_points<Type>() == n && !is_unilateral<Type>());
  const L zero(T(0));
  const bool damped = batch.damping && sweep.previous && sweep.compliant;
  for (std::int32_t s = begin; s < end; s += L::width) {
    auto at = load_nodes<Type, L>(sweep.origin, points, batch.vertices, s);
    Point<L>(&point)[n] = at.moved;
    L rest[Type::rest_count], softness[numbers];
    for (int r = 0; r < Type::rest_count; ++r) rest[r] = L::load(batch.rest[r] + s);
    for (int k = 0; k < numbers; ++k) softness[k] = L::load(batch.softness[k] + s);

    const typename FormOf<Type, L>::type g(at, rest, softness);
    L matrix[rows][rows], lambda[rows], dlambda[rows];
    g.add_masses(point, matrix);
    for (int k = 0; k < rows; ++k) {
      lambda[k] = sweep.first ? zero : L::load(batch.lambda[k] + s);
      dlambda[k] = -(sweep.compliant ? g.C[k] : softness[0] * g.C[k]);
    }
    if (damped) {
      const L rate = L(sweep.inverse_h) * L::load(batch.damping + s);
      Vec3<L> way[n];
      L change[rows];
      for (int j = 0; j < n; ++j)
        way[j] = point[j].p - load_points(sweep.previous, batch.vertices[j] + s, L()).p;
      g.change(way, change);
      for (int k = 0; k < rows; ++k) {
        dlambda[k] = dlambda[k] - rate * change[k];
        for (int l = 0; l <= k; ++l) matrix[k][l] = matrix[k][l] + rate * matrix[k][l];
      }
    }
    L movable = zero;  // a multiplier must not grow if no point can move
    for (int k = 0; k < rows; ++k) movable = movable + matrix[k][k];
    if (sweep.compliant) {
      L compliance[rows][rows];
      compliance_of<Type, L>(softness, rest, compliance);
      add_compliance(compliance, L(sweep.inverse_h_squared), lambda, matrix, dlambda);
    }
    solve_symmetric(matrix, dlambda);
    for (int k = 0; k < rows; ++k) dlambda[k] = select(zero < movable, dlambda[k], zero);
    Vec3<L> push[n];
    g.push(dlambda, push);
    if constexpr (has_longest_step<Type>()) {
      L share;
      if (overshoots<Type, L>(push, point, longest_step_of<Type, L>(at.p, rest), share)) {
        for (int k = 0; k < rows; ++k) dlambda[k] = share * dlambda[k];
        for (int j = 0; j < n; ++j) push[j] = share * push[j];
      }
    }
    for (int k = 0; k < rows; ++k) {
      dlambda[k] = corrections.relaxed(s, dlambda[k]);
      (lambda[k] + dlambda[k]).store(batch.lambda[k] + s);
    }
    for (int j = 0; j < n; ++j) corrections.take(s, j, point[j], corrections.relaxed(s, push[j]));
  }
}

/// Calls the instance for the type's number of rows and the sweep's settings.
template <class Type, class L, class Take>
LIMBER_INLINE void solve(const StencilView<Type, typename L::Real>& batch, std::int32_t begin,
                         std::int32_t end, const typename L::Real* points,
                         const Sweep<typename L::Real>& sweep, const Take& take) {
  if constexpr (row_count<Type>() > 1) {
    solve_blocks<Type, L>(batch, begin, end, points, sweep, take);
  } else {
    if (!sweep.compliant) {
      if (sweep.first)
        return solve_slots<Type, false, true, false, L>(batch, begin, end, points, sweep, take);
      return solve_slots<Type, false, false, false, L>(batch, begin, end, points, sweep, take);
    }
    if (batch.damping && sweep.previous) {
      for (std::int32_t s = begin; sweep.first && s < end; ++s) batch.lambda[0][s] = 0;
      return solve_slots<Type, true, false, true, L>(batch, begin, end, points, sweep, take);
    }
    if (sweep.first) return solve_slots<Type, true, true, false, L>(batch, begin, end, points, sweep, take);
    return solve_slots<Type, true, false, false, L>(batch, begin, end, points, sweep, take);
  }
}

/// Projects the slots [begin, end) once. No two of them may share a movable point.
template <class Type, class L>
void project(const StencilView<Type, typename L::Real>& batch, std::int32_t begin, std::int32_t end,
             typename L::Real* points, const Sweep<typename L::Real>& sweep) {
  solve<Type, L>(batch, begin, end, points, sweep, MovePoints<Type, L>{batch.vertices, points});
}

/// Computes the corrections of the slots [begin, end) for a Jacobi iteration. No thread may move their points
/// meanwhile.
template <class Type, class L>
void correct(const StencilView<Type, typename L::Real>& batch, std::int32_t begin, std::int32_t end,
             const typename L::Real* points, const Sweep<typename L::Real>& sweep,
             const Corrections<Type, typename L::Real>& out) {
  solve<Type, L>(batch, begin, end, points, sweep, KeepCorrections<Type, L>{out});
}

}  // namespace limber
