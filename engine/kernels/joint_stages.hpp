// Stages of a substep for groups of jointed trees over lanes (joint_system.hpp).
#pragma once

#include "engine/kernels/joint_system_bounds.hpp"
#include "engine/kernels/joint_system_factors.hpp"
#include "engine/kernels/joint_system_newton.hpp"
#include "engine/kernels/joint_system_rows.hpp"

namespace limber {

/// Parts of a substep: the warm start, the Newton steps for positions, the projection of velocities.
enum class TreeStage : int { warm, push, settle };

namespace detail {

/// JointSolver::warm: the impulses of the last substep along the joints' present directions.
template <class Instance, class L, class T>
inline unsigned TreeSystem<Instance, L, T>::warm() {
  load_bodies<true>();
  make_rows();
  L done = live * negated(tight());
  if (!any(done)) return left_of(done);
  for (int k = 0; k < group.links; ++k) apply(k, lambda + group.link[k].first);
  done = done * sound();
  store(done);
  return left_of(done);
}

/// JointSolver::push: a Newton step, then more until the joints are held, within the bound on the energy.
/// Beside the lanes left, those whose joints are held, times 2^TreeKernels::held_shift.
template <class Instance, class L, class T>
inline unsigned TreeSystem<Instance, L, T>::push() {
  load_bodies<false>();
  make_rows();
  L turn(0.0), mass(0.0), free(0.0);
  for (int i = 0; i < group.bodies; ++i) {
    TreeBodyLanes<L>& body = bodies[i];
    const Vec3<L> shift = body.shift - body.w * body.pushed, turned = body.turn - body.turned;
    const Vec3<L> own = by_quaternion(conjugate(body.middle), turned);
    turn = max(turn, dot(turned, turned)), mass = mass + L(1.0) / body.w;
    free = free + dot(shift, shift) / body.w + own.x * own.x / body.principal.x +
           own.y * own.y / body.principal.y + own.z * own.z / body.principal.z;
  }
  const L most =
      free * (L(1.0) + min(turn, L(1.0))) + L(JointLimits::way_of_errors * JointLimits::way_of_errors) * mass;
  const L sure(JointLimits::most_sure_turn * JointLimits::most_sure_turn);
  L done = live * less(turn, sure) * sound();
  if (!any(done)) return left_of(done);
  aim();
  evaluate();
  solve<true>(done);
  done = done * less(largest_turn(), sure) * sound();
  L error = evaluate();
  L which = done, is_held(0.0), followed(0.0);
  for (int k = 0;; ++k) {
    which = push_until_held(which, error);
    is_held = k == 0 ? which : is_held * either(which, negated(followed));
    if (k == JointLimits::most_follow || !any(which)) break;
    which = followed = follow_turns(which);
    if (!any(which)) break;
    error = evaluate();
  }
  const L now = energy();
  done = done * negated(less(most, now)) * less(now, L(1e300)) * sound();
  store(done);
  remember(done);
  return left_of(done) | (bits(L(0.5) < done * is_held) << (lane + joint_group));
}

/// JointSolver::settle: J u = 0.
template <class Instance, class L, class T>
inline unsigned TreeSystem<Instance, L, T>::settle() {
  load_bodies<false>();
  make_rows();
  for (int k = 0; k < group.links; ++k) links[k].spent = L(0.0);
  solve<false>(live);
  const L done = live * sound();
  store(done);
  remember(done);
  return left_of(done);
}

template <TreeStage stage, class Instance, class L, class T>
LIMBER_INLINE unsigned solve_tree_lanes(const TreeGroupView<T>& group, const TreeSweep<T>& sweep, int lane) {
  TreeSystem<Instance, L, T> system(group, sweep, lane);
  return stage == TreeStage::warm   ? system.warm()
         : stage == TreeStage::push ? system.push()
                                    : system.settle();
}

}  // namespace detail

/// Lanes of doubles for trees.
template <class L>
struct TreeLanes {
  using Lanes = typename DoublesOf<L>::Lanes;
};
#if defined(__AVX512F__) && defined(__AVX512DQ__)
template <>
struct TreeLanes<limber::Lanes<float, 16>> {
  using Lanes = limber::Lanes<double, 8>;
};
#endif

/// Solves the trees of a group. `L`: lanes of the instruction set; they tell the instances apart.
template <TreeStage stage, class L, class T>
unsigned solve_trees(const TreeGroupView<T>& group, const TreeSweep<T>& sweep) {
  using Doubles = typename TreeLanes<L>::Lanes;
  if (group.lanes == 1u) return detail::solve_tree_lanes<stage, L, Lanes<double, 1>, T>(group, sweep, 0);
  unsigned left = 0;
  for (int lane = 0; lane < joint_group; lane += Doubles::width)
    if ((group.lanes >> lane) & ((1u << Doubles::width) - 1u))
      left |= detail::solve_tree_lanes<stage, L, Doubles, T>(group, sweep, lane);
  return left;
}

}  // namespace limber
