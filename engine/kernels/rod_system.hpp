// Direct solve of rods: one Newton step of implicit Euler for all points and turns of a rod at once, over
// lanes of rods, in double whatever the precision of the particles.
//
// Let y be the points and turns as line (7), contacts and ties have placed them, and d the displacement that
// this solve has added in the substep. The step dx solves
//
//   (M/h^2 + (1 + tau/h) G^T K G + K_geo) dx = -(M d/h^2 + G^T K (C + tau/h G (x - x^n)))
//
// with G = grad C and K = A^-1 of RodStretch and RodBend. Repeated steps converge to the minimum of the
// objective F with the true internal forces, for any stiffness, any length and any masses at the ends. K_geo
// = T/l (1 - t t^T) acts on the ends of a segment under the tension T > 0: without it, a heavy mass on light
// points swings up sideways.
//
// Points and turns alternate, p0 q0 p1 q1 ..., so that the matrix is block tridiagonal with blocks (p_k, q_k)
// of six numbers. For closed rods, elimination also fills the rows of the last block.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/kernels/rod_lead.hpp"
#include "engine/kernels/rod_response.hpp"

namespace limber {
namespace detail {

/// Converts the displacements dx of points by contacts and ties since the last solve to impulses J = dx/w,
/// with w the effective inverse mass that the contact or tie used. Moves the points back and starts d from J,
/// so that the forces of the rod are unchanged when the step begins: if points of a stiff wire stayed where
/// they were pushed, the step would begin far from any equilibrium.
template <class L, class T>
LIMBER_INLINE void take_pushes(const RodGroupView<T>& group, const RodSweep<T>& sweep, int lane) {
  for (std::int32_t k = 0; k < group.blocks; ++k)
    for (int l = lane; l < lane + L::width; ++l) {
      const std::int32_t row = group.point[rod_group * k + l];
      if (row < 0) continue;
      T* const moved = sweep.moved + 4 * std::int64_t(row);
      T* const left = group.left + (3 * std::int64_t(k)) * rod_group + l;
      double* const done = group.done + (6 * std::int64_t(k)) * rod_group + l;
      double* const pushed = group.pushed + (3 * std::int64_t(k)) * rod_group + l;
      for (int i = 0; i < 3; ++i) {
        pushed[i * rod_group] = 0.0;
        if (sweep.first) left[i * rod_group] = sweep.predicted[4 * std::int64_t(row) + i];
        if (!(moved[3] > T(0))) continue;
        const std::int64_t at = (3 * std::int64_t(k) + i) * rod_group + l;
        const double way = double(moved[i]) - double(left[i * rod_group]) - group.way[at];
        pushed[i * rod_group] = way / double(moved[3]) + group.tied[at];
        group.tied[at] = group.way[at] = 0.0;
        done[i * rod_group] -= double(sweep.inverse_mass[row]) * pushed[i * rod_group];
        moved[i] = left[i * rod_group];
      }
    }
}

/// Starts d of the turns from the angular impulses of friction around the rod, as take_pushes() does for
/// points. Rows: state/turns.hpp.
template <class L, class T>
LIMBER_INLINE void take_twists(const RodGroupView<T>& group, const RodSweep<T>& sweep, int lane) {
  for (std::int32_t k = 0; k < group.blocks; ++k)
    for (int l = lane; l < lane + L::width; ++l) {
      const std::int32_t row = group.turn[rod_group * k + l];
      if (row < 0 || !(sweep.moved[4 * std::int64_t(row) + 3] > T(0))) continue;
      const double twist = double(sweep.predicted[4 * std::int64_t(row) + 3]) +
                           double(sweep.moved_before[4 * std::int64_t(row) + 3]);
      if (twist == 0.0) continue;
      const T* const q = sweep.origin + 4 * std::int64_t(row);
      const double x = double(q[0]), y = double(q[1]), z = double(q[2]), w = double(q[3]),
                   turn = double(sweep.inverse_mass[row]) * twist;
      const double axis[3] = {2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)};
      double* const done = group.done + (6 * std::int64_t(k) + 3) * rod_group + l;
      for (int i = 0; i < 3; ++i) done[i * rod_group] -= turn * axis[i];
    }
}

/// Stores the positions after the solve in `left`.
template <class L, class T>
LIMBER_INLINE void leave_points(const RodGroupView<T>& group, const RodSweep<T>& sweep, int lane) {
  for (std::int32_t k = 0; k < group.blocks; ++k)
    for (int l = lane; l < lane + L::width; ++l)
      if (const std::int32_t row = group.point[rod_group * k + l]; row >= 0)
        for (int i = 0; i < 3; ++i)
          group.left[(3 * std::int64_t(k) + i) * rod_group + l] = sweep.moved[4 * std::int64_t(row) + i];
}

/// Notes which segments of ropes pull after a step: those that are stretched, not those that are shortened,
/// and within the rounding of `moved` those that pulled in the step. `stepped`: 1 in lanes that took a step.
/// Returns 1 in those of them in which any has changed.
template <class L, class T>
LIMBER_INLINE L note_slack(const RodGroupView<T>& group, const RodSweep<T>& sweep, int lane,
                           const L& stepped) {
  const L zero(0.0), one(1.0);
  L changes = zero;
  RodNode<L> first{}, p{}, p1{}, q{};
  const auto index = [&](const std::int32_t* list, std::int32_t k) { return list + rod_group * k + lane; };
  first.load(sweep, index(group.point, 0));
  p = first;
  for (std::int32_t k = 0; k < group.blocks; ++k, p = p1) {
    if (k + 1 < group.blocks)
      p1.load(sweep, index(group.point, k + 1));
    else
      p1 = first;
    const std::int32_t* const slot = index(group.stretch, k);
    const L length = gather<L>(group.stretches.rest[0], slot),
            rope = gather<L>(group.stretches.rest[1], slot);
    if (bits(zero < rope) == 0) continue;
    q.load_turn(sweep, index(group.turn, k));
    Vec3<L> axis[3];
    axes_of(q.now, axis);
    const Vec3<L> d = (p1.from - p.from) + (p1.moved - p.moved);
    const L along = dot(axis[2], d), C = select(along < zero, sqrt(dot(d, d)), along) - length;
    const L rounding = L(4.0 * double(std::numeric_limits<T>::epsilon())) *
                       sqrt(max(dot(p.moved, p.moved), dot(p1.moved, p1.moved)));
    double* const taut = factors_of<L>(sweep, k).taut();
    const L before = L::load(taut), seen = select(rounding < C, one, select(C < -rounding, zero, before)),
            now = select(zero < stepped, seen, before);
    now.store(taut);
    changes = max(changes, rope * abs(now - before));
  }
  return changes;
}

template <class L, class T>
LIMBER_INLINE void solve_rod_lanes(const RodGroupView<T>& group, const RodSweep<T>& sweep, int lane) {
  L farthest(0.0);
  for (std::int32_t k = 0; k < group.blocks; ++k) {
    const std::int32_t* const turn = group.turn + rod_group * k + lane;
    const Vec3<L> way = gather_row<L>(static_cast<const T*>(sweep.moved_before), turn).p;
    farthest = max(farthest, dot(way, way));
    if (sweep.first)
      for (int i = 0; i < 6; ++i) L(0.0).store(group.done + std::int64_t(rod_group) * (6 * k + i) + lane);
  }
  if (sweep.met) take_pushes<L>(group, sweep, lane);
  if (sweep.first && sweep.met) take_twists<L>(group, sweep, lane);
  L counts(1.0);
  if (sweep.pushed_only) {
    counts = select(L(0.0) < largest_push<L>(group, lane), L(1.0), L(0.0));
    if (bits(L(0.0) < counts) == 0) return;
  }
  RodLead<L, T> lead(group, sweep, lane);
  for (int more = 1;; ++more) {
    lead.go();
    const SlackGuess slack = more > 1      ? SlackGuess::as_noted
                             : sweep.first ? SlackGuess::as_at_start
                                           : SlackGuess::as_now;
    const L worst = eliminate_rod_lanes<L>(group, sweep, lane, counts + lead.led(), lead, slack);
    const L far = select(L(far_strain * far_strain) < worst, counts, L(0.0));
    const L stepped = counts - far + lead.led();
    if (bits(L(0.0) < counts) != 0) take_step<L>(group, sweep, lane, counts - far);
    const bool leads = lead.any();
    if (leads) lead.take();
    const L changes =
        group.ropes && more < most_slack_steps ? note_slack<L>(group, sweep, lane, stepped) : L(0.0);
    if (leads) lead.end_step(changes);
    if (bits(L(0.0) < far) != 0) lead.begin(far, worst, sweep.first && more == 1);
    const bool enough = more > most_more_steps;
    counts = select(L(0.0) < far, L(0.0), counts);
    const L turns = select(L(more * more * far_turn * far_turn) < farthest, enough ? L(0.0) : counts, L(0.0));
    counts = max(turns, counts * changes);
    if (bits(L(0.0) < counts) == 0 && !lead.any()) break;
  }
  if (!sweep.met) return;
  leave_points<L>(group, sweep, lane);
  weigh_points<L>(group, sweep, lane, false);
}

}  // namespace detail

/// Lanes of doubles for the instruction set that has the lanes `L` of floats.
template <class L>
struct DoublesOf {
  using Lanes = limber::Lanes<double, 1>;
};
#if defined(__SSE2__)
template <>
struct DoublesOf<limber::Lanes<float, 4>> {
  using Lanes = limber::Lanes<double, 2>;
};
#endif
#if defined(__AVX2__)
template <>
struct DoublesOf<limber::Lanes<float, 8>> {
  using Lanes = limber::Lanes<double, 4>;
};
#endif
#if defined(__AVX512F__) && defined(__AVX512DQ__)
template <>
struct DoublesOf<limber::Lanes<float, 16>> {
  using Lanes = limber::Lanes<double, 8>;
};
#endif

/// Computes the response of the points of tied rods at the beginning of a frame (weigh_points()).
template <class L, class T>
void measure_rods(const RodGroupView<T>& group, const RodSweep<T>& sweep) {
  using Doubles = typename DoublesOf<L>::Lanes;
  const auto measure = [&]<class Lane>(Lane, int lane) {
    bool any = false;
    for (int l = lane; l < lane + Lane::width; ++l) any = any || group.ties[l] > 0;
    if (!any) return;
    for (std::int64_t n = 0; n < 6 * std::int64_t(group.blocks); ++n)
      Lane(0.0).store(group.done + n * rod_group + lane);
    detail::eliminate_rod_lanes<Lane>(group, sweep, lane, Lane(1.0), {});
    detail::weigh_points<Lane>(group, sweep, lane, true);
  };
  if (group.rods == 1) return measure(Lanes<double, 1>(0.0), 0);
  for (int lane = 0; lane < group.rods; lane += Doubles::width) measure(Doubles(0.0), lane);
}

/// One Newton step for a group of rods, and more for rods that rotate far in a substep. `L`: lanes of the
/// instruction set; they distinguish two instances with the same lanes of doubles.
template <class L, class T>
void solve_rods(const RodGroupView<T>& group, const RodSweep<T>& sweep) {
  using Doubles = typename DoublesOf<L>::Lanes;
  if (group.rods == 1) return detail::solve_rod_lanes<Lanes<double, 1>, T>(group, sweep, 0);
  for (int lane = 0; lane < group.rods; lane += Doubles::width)
    detail::solve_rod_lanes<Doubles, T>(group, sweep, lane);
}

}  // namespace limber
