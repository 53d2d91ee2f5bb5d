// The common case of JointSolver over lanes: equal trees of bodies that ball joints, hinges and universal
// joints connect, with or without limits, a tree in each lane, in double whatever the bodies are in.
//
// The equations are those of JointSolver (parts/bodies/joints/joint_solver.hpp), with the same Newton steps,
// active set and bounds; rare cases are left to it. A kernel returns the lanes that it has not touched:
// bodies that turn far or fast, light bodies under tension, joints that would need more energy than there is.
//
// The class is in parts by what they compute: joint_system_rows.hpp, _factors.hpp, _newton.hpp, _bounds.hpp;
// joint_stages.hpp puts them together.
#pragma once

#include "engine/contact/bodies/body_contact.hpp"
#include "engine/kernels/joint_lanes.hpp"
#include "engine/kernels/joint_limits.hpp"
#include "engine/kernels/rod_system.hpp"

namespace limber { namespace detail {

/// A tree in each lane of `L`, while it is solved. A flag of lanes is 1 where it holds, 0 elsewhere.
/// `Instance`: lanes of the instruction set, so that two of them share no function.
template <class Instance, class L, class T>
struct TreeSystem {
  const TreeGroupView<T>& group;
  const TreeSweep<T>& sweep;
  int lane;
  TreeBodyLanes<L>* bodies;
  TreeLinkLanes<L>* links;
  Vec3<L>*turn_a, *turn_b;                                        ///< of rows: I^-1 arm
  L *start, *lambda, *kept, *beyond, *solution, *missing, *goal;  ///< of rows
  L* blocks;
  L live;  ///< 1: the lane is solved here
  bool factored = false, limited = false;

  TreeSystem(const TreeGroupView<T>& g, const TreeSweep<T>& s, int l) : group(g), sweep(s), lane(l) {
    double* at = s.scratch;
    bodies = reinterpret_cast<TreeBodyLanes<L>*>(at), at += tree_body_numbers * L::width * g.bodies;
    links = reinterpret_cast<TreeLinkLanes<L>*>(at), at += tree_link_numbers * L::width * g.links;
    const auto take = [&]<class Item>(Item*& list) {
      list = reinterpret_cast<Item*>(at), at += std::int64_t(sizeof(Item) / sizeof(double)) * g.rows;
    };
    take(turn_a), take(turn_b), take(start), take(lambda), take(kept), take(beyond), take(solution);
    take(missing), take(goal);
    blocks = reinterpret_cast<L*>(at);
    alignas(64) double flag[L::width];
    for (int k = 0; k < L::width; ++k) flag[k] = (g.lanes >> (l + k)) & 1u ? 1.0 : 0.0;
    live = L::load(flag);
    for (int k = 0; k < g.links; ++k) limited = limited || g.link[k].limited;
  }

  // Stages: each returns the lanes that it has left as they were (joint_stages.hpp).
  unsigned warm();
  unsigned push();
  unsigned settle();

  // Bodies, rows of joints and their values (joint_system_rows.hpp).
  /// Places of a link's ends, and the axes that its rows need.
  struct Ends {
    Vec3<L> r_a, r_b, apart;
    Vec3<L> x[3], y[2];
  };
  template <bool fresh>
  void load_bodies();
  template <bool predicted>
  Ends ends_of(int k) const;
  void values_of(int k, const Ends& ends, L* values) const;
  void make_rows();
  void apply(int k, const L* x);
  void motion_along(int k, L* out) const;
  void store(const L& flag);
  void remember(const L& flag);

  // J M^-1 J^T and its factors (joint_system_factors.hpp).
  void factor();
  void add_link(int k);
  void add_coupling(const TreeCoupling& coupling);
  template <int rows>
  void eliminate(const TreeColumn& column, const TreeLink& link);
  void substitute();

  // Newton steps with an active set of limits (joint_system_newton.hpp).
  void displace();
  L evaluate();
  void aim();
  template <bool push>
  L find_missing(const L& runs);
  L cut_off(const L& runs);
  void correct(const L& runs);
  template <bool push>
  void solve(L runs);
  void keep();
  void step_back(const L& lanes);
  L push_until_held(const L& which, L error);

  // Energy, turns, and whether a lane is a common case at all (joint_system_bounds.hpp).
  L energy() const;
  L largest_turn() const;
  L follow_turns(const L& which);
  L sound() const;
  L tight() const;

  LIMBER_INLINE Vec3<L> constant(int link, int which) const {
    const double* const at =
        group.constant + std::int64_t(joint_group) * (tree_constants * link + which) + lane;
    return {L::load(at), L::load(at + joint_group), L::load(at + 2 * joint_group)};
  }
  /// Writes the first `count` of four numbers of the lanes of `flag`.
  template <class To>
  LIMBER_INLINE void scatter(To* to, const std::int32_t* index, int stride, const Point<L>& in, int count,
                             const L& flag) const {
    alignas(64) To numbers[4 * L::width];
    as_numbers(in, numbers);
    const unsigned which = bits(L(0.5) < flag);
    for (int l = 0; l < L::width; ++l)
      if ((which >> l) & 1u)
        for (int k = 0; k < count; ++k) to[std::int64_t(stride) * index[l] + k] = numbers[4 * l + k];
  }
  /// Writes a row of four numbers of each body of the lanes of `flag`.
  LIMBER_INLINE void put_row(int i, int which, const Vec3<L>& v, const L& w, const L& flag) const {
    scatter(sweep.rows + 4 * which, body_index(i), 4 * body_rows, Point<L>{v, w}, 4, flag);
  }
  LIMBER_INLINE const std::int32_t* body_index(int i) const { return group.body + joint_group * i + lane; }
  LIMBER_INLINE const std::int32_t* joint_index(int i) const { return group.joint + joint_group * i + lane; }
  /// Lanes whose limit takes part.
  LIMBER_INLINE L active_of(const TreeLinkLanes<L>& lanes) const {
    const L zero(0.0);
    return either(less(lanes.mode, zero), less(zero, lanes.mode));
  }
  /// The lanes solved here that are not `done`, as bits of the group.
  LIMBER_INLINE unsigned left_of(const L& done) const { return bits(L(0.5) < live * negated(done)) << lane; }
};

}}  // namespace limber::detail
