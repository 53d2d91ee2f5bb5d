// Newton steps of jointed trees over lanes: errors of the rows, the active set of limits, and steps until the
// joints are held.
#pragma once

#include "engine/kernels/joint_system.hpp"

namespace limber { namespace detail {

template <class Instance, class L, class T>
inline void TreeSystem<Instance, L, T>::displace() {
  for (int i = 0; i < group.bodies; ++i) {
    TreeBodyLanes<L>& body = bodies[i];
    body.place = body.position + body.shift;
    body.now = short_turn(body.turn) * body.start;
  }
}

/// Computes the rows' values at the poses to which shift and turn lead the bodies, without the part J u;
/// returns the sum of squares of the rows' errors.
template <class Instance, class L, class T>
inline L TreeSystem<Instance, L, T>::evaluate() {
  displace();
  L sum(0.0);
  for (int k = 0; k < group.links; ++k) {
    const TreeLink& link = group.link[k];
    TreeLinkLanes<L>& lanes = links[k];
    L values[most_tree_rows], motion[most_tree_rows];
    values_of(k, ends_of<true>(k), values);
    motion_along(k, motion);
    for (int r = 0; r < link.rows; ++r) {
      beyond[link.first + r] = values[r] - motion[r];
      const bool bound = link.limited && r + 1 == link.rows;
      const L zero(0.0);
      const L low = bound ? lanes.low + min(goal[link.first + r], zero) : goal[link.first + r];
      const L high = bound ? lanes.high + max(goal[link.first + r], zero) : goal[link.first + r];
      const L error = values[r] - clamped(values[r], low, high);
      sum = sum + error * error;
    }
    lanes.spent = L(0.0);
  }
  return sum;
}

/// The share that joints found apart leave of their error in this substep (aim_at_start() of
/// joint_island.hpp).
template <class Instance, class L, class T>
inline void TreeSystem<Instance, L, T>::aim() {
  for (int k = 0; k < group.links; ++k) {
    const TreeLink& link = group.link[k];
    TreeLinkLanes<L>& lanes = links[k];
    for (int r = 0; r < link.rows; ++r) {
      const L most(r < 3 ? sweep.fastest : sweep.fastest_turn);
      const L error = link.limited && r + 1 == link.rows
                          ? start[link.first + r] - clamped(start[link.first + r], lanes.low, lanes.high)
                          : start[link.first + r];
      goal[link.first + r] = error - clamped(error, -most, most);
    }
  }
}

/// The error of every row, of lanes that run; returns lanes with a row that now takes part and did not.
template <class Instance, class L, class T>
template <bool push>
inline L TreeSystem<Instance, L, T>::find_missing(const L& runs) {
  const L zero(0.0), one(1.0);
  L more = zero;
  for (int k = 0; k < group.links; ++k) {
    const TreeLink& link = group.link[k];
    TreeLinkLanes<L>& lanes = links[k];
    L motion[most_tree_rows];
    motion_along(k, motion);
    const int count = link.limited ? link.rows - 1 : link.rows;
    for (int r = 0; r < count; ++r)
      missing[link.first + r] = push ? beyond[link.first + r] + motion[r] - goal[link.first + r] : motion[r];
    if (!link.limited) continue;
    const int r = link.rows - 1;
    const L most(sweep.fastest_turn);
    L below, above;
    if (push) {
      const L value = beyond[link.first + r] + motion[r];
      below = value - lanes.low - min(zero, start[link.first + r] - lanes.low + most);
      above = value - lanes.high - max(zero, start[link.first + r] - lanes.high - most);
    } else {
      below = motion[r] + max(start[link.first + r] - lanes.low, zero);
      above = motion[r] + min(start[link.first + r] - lanes.high, zero);
    }
    const L over = less(zero, above);
    const L low = either(less(below, zero), less(zero, lambda[link.first + r]) * negated(over));
    const L high = negated(low) * either(over, less(lambda[link.first + r], zero));
    const L next = chosen(lanes.spent, zero, high - low);
    const L changed = runs * select(next < lanes.mode, one, less(lanes.mode, next));
    if (any(changed)) factored = false;
    more = either(more, changed * negated(less(next, L(0.5)) * less(L(-0.5), next)));
    lanes.mode = chosen(runs, next, lanes.mode);
    missing[link.first + r] = chosen(low, below, above);
  }
  return more;
}

/// Multipliers that would leave their bounds stop there (JointSolver::cut_off); returns such lanes.
template <class Instance, class L, class T>
inline L TreeSystem<Instance, L, T>::cut_off(const L& runs) {
  const L zero(0.0);
  L cut = zero;
  for (int k = 0; k < group.links; ++k) {
    const TreeLink& link = group.link[k];
    if (!link.limited) continue;
    TreeLinkLanes<L>& lanes = links[k];
    const int r = link.rows - 1;
    const L next = lambda[link.first + r] + solution[link.first + r];
    const L beyond =
        either(less(lanes.mode, zero) * less(next, zero), less(zero, lanes.mode) * less(zero, next));
    const L mine = runs * beyond;
    if (!any(mine)) continue;
    L x[most_tree_rows] = {zero, zero, zero, zero, zero, zero};
    x[r] = chosen(mine, -lambda[link.first + r], zero);
    apply(k, x);
    lambda[link.first + r] = chosen(mine, zero, lambda[link.first + r]);
    lanes.mode = chosen(mine, zero, lanes.mode);
    lanes.spent = either(lanes.spent, mine);
    factored = false;
    cut = either(cut, mine);
  }
  return cut;
}

template <class Instance, class L, class T>
inline void TreeSystem<Instance, L, T>::correct(const L& runs) {
  const L zero(0.0);
  for (int k = 0; k < group.links; ++k) {
    const TreeLink& link = group.link[k];
    TreeLinkLanes<L>& lanes = links[k];
    L x[most_tree_rows] = {zero, zero, zero, zero, zero, zero};
    for (int r = 0; r < link.rows; ++r) x[r] = chosen(runs, solution[link.first + r], zero);
    if (link.limited) {
      const int r = link.rows - 1;
      const L next = lambda[link.first + r] + solution[link.first + r];
      const L within = select(lanes.mode < zero, max(next, zero), min(next, zero));
      x[r] = chosen(runs * active_of(lanes), within - lambda[link.first + r], zero);
    }
    for (int r = 0; r < link.rows; ++r) lambda[link.first + r] = lambda[link.first + r] + x[r];
    apply(k, x);
  }
}

/// A Newton step of lanes `runs`, after evaluate() for push, with its active set.
template <class Instance, class L, class T>
template <bool push>
inline void TreeSystem<Instance, L, T>::solve(L runs) {
  L cut(1.0);
  for (int pass = 0; pass < JointLimits::most_active_passes; ++pass) {
    const L more = find_missing<push>(runs);
    if (pass > 0) runs = runs * either(cut, more);
    if (!any(runs)) return;
    if (!factored) factor();
    for (int k = 0; k < group.links; ++k) {
      const TreeLink& link = group.link[k];
      TreeLinkLanes<L>& lanes = links[k];
      for (int r = link.first; r < link.first + link.rows; ++r) solution[r] = -missing[r];
      if (!link.limited) continue;
      L& last = solution[link.first + link.rows - 1];
      last = chosen(active_of(lanes), last, L(0.0));
    }
    substitute();
    cut = limited && pass + 1 < JointLimits::most_active_passes ? cut_off(runs) : L(0.0);
    correct(runs * negated(cut));
    if (!limited) return;
  }
}

template <class Instance, class L, class T>
inline void TreeSystem<Instance, L, T>::keep() {
  for (int i = 0; i < group.bodies; ++i) {
    TreeBodyLanes<L>& body = bodies[i];
    body.kept_shift = body.shift, body.kept_turn = body.turn;
    body.kept_pushed = body.pushed, body.kept_turned = body.turned;
  }
  for (int r = 0; r < group.rows; ++r) kept[r] = lambda[r];
}

template <class Instance, class L, class T>
inline void TreeSystem<Instance, L, T>::step_back(const L& lanes) {
  for (int i = 0; i < group.bodies; ++i) {
    TreeBodyLanes<L>& body = bodies[i];
    body.shift = chosen(lanes, body.kept_shift, body.shift),
    body.turn = chosen(lanes, body.kept_turn, body.turn);
    body.pushed = chosen(lanes, body.kept_pushed, body.pushed);
    body.turned = chosen(lanes, body.kept_turned, body.turned);
  }
  for (int r = 0; r < group.rows; ++r) lambda[r] = chosen(lanes, kept[r], lambda[r]);
}

/// JointSolver::push_until_held; `error`: of evaluate().
template <class Instance, class L, class T>
inline L TreeSystem<Instance, L, T>::push_until_held(const L& which, L error) {
  constexpr double gain = JointLimits::gain_in_tree;
  const L most_left(JointLimits::held_by_push * JointLimits::held_by_push);
  L runs = which * negated(less(error, most_left)), failed(0.0);
  for (int step = 0; step < JointLimits::most_push_steps && any(runs); ++step) {
    keep();
    solve<true>(runs);
    const L now = evaluate();
    const L better = less(now, max(L(gain * gain) * error, most_left));
    const L back = runs * negated(better);
    if (any(back)) step_back(back);
    failed = either(failed, back);
    error = chosen(runs * better, now, error);
    runs = runs * better * negated(less(error, most_left));
  }
  return which * negated(failed) * less(error, most_left);
}

}}  // namespace limber::detail
