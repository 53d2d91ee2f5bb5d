// The common case of JointSolver over lanes: equal trees of bodies that ball joints, hinges and universal
// joints connect, with or without limits, a tree in each lane, in double whatever the bodies are in.
//
// The equations are those of JointSolver (parts/bodies/joints/joint_solver.hpp), with the same Newton steps,
// active set and bounds; rare cases are left to it. A kernel returns the lanes that it has not touched:
// bodies that turn far or fast, light bodies under tension, joints that would need more energy than there is.
#pragma once

#include "engine/contact/bodies/body_contact.hpp"
#include "engine/kernels/rod_system.hpp"
#include "engine/simd/turns.hpp"

namespace limber {

/// Trees per group; each is solved in a lane of its own.
inline constexpr int joint_group = 8;

enum class TreeJoint : std::int32_t { ball, hinge, universal };
constexpr int held_rows(TreeJoint type) {
  return type == TreeJoint::ball ? 3 : type == TreeJoint::hinge ? 5 : 4;
}

/// A joint of every tree of a group.
struct TreeLink {
  TreeJoint type;
  std::int32_t a, b;   ///< of the bodies that move; -1: none
  std::int32_t rows;   ///< that with limits, if there is one, is the last
  std::int32_t first;  ///< of its rows
  bool limited;
  std::int32_t diagonal;  ///< offset of its block, rows x rows numbers a lane
};
/// Two links that share a body.
struct TreeCoupling {
  std::int32_t row, column, body;  ///< the block's rows are those of link `row`
  bool a_of_row, a_of_column;
  std::int32_t block;
};
/// Elimination of a link: blocks below it, and block -= left right^T.
struct TreeColumn {
  std::int32_t link, first, end, first_update, end_update;
};
struct TreeBlock {
  std::int32_t link, block;
};
struct TreeUpdate {
  std::int32_t block, left, right, rows, columns;
  bool own;  ///< a diagonal block: its lower half
};

/// Numbers of a link in each lane: its ends and axes in its bodies, and limits.
enum TreeConstant : int {
  tree_at_a,
  tree_at_b = 3,
  tree_axes_a = 6,
  tree_axes_b = 15,
  tree_low = 24,
  tree_high,
  tree_constants
};

template <class T>
struct TreeGroupView {
  std::int32_t bodies, links, rows, couplings, columns, block_numbers;
  const TreeLink* link;
  const TreeCoupling* coupling;
  const TreeColumn* column;
  const TreeBlock* block;
  const TreeUpdate* update;
  const std::int32_t* body;   ///< joint_group * body + lane
  const std::int32_t* joint;  ///< joint_group * link + lane
  const double* constant;     ///< joint_group * (tree_constants * link + constant) + lane
  unsigned lanes;             ///< bits of those to be solved
};

template <class T>
struct TreeSweep {
  const T *position, *orientation, *inverse_inertia;  ///< rows of four numbers
  T* rows;                                            ///< body_rows rows a body
  double *pushed, *turned;                            ///< four numbers a body, the last one unused
  double* state;  ///< per joint: push and twist, six of state_stride numbers
  int state_stride;
  double h, most_speed;          ///< s; m/s, the most that a body moves at
  double fastest, fastest_turn;  ///< m and rad, most of an error that is mended at once
  double followed;               ///< rad^2, JointSolver::follow_turns
  double* scratch;
};

namespace detail {

inline constexpr int most_tree_rows = 6;

template <class L>
struct TreeBodyLanes {
  Vec3<L> shift, turn, pushed, turned, position, place;  ///< place: where shift leads
  Vec3<L> kept_shift, kept_turn, kept_pushed, kept_turned;
  Quaternion<L> start, middle, now;
  Vec3<L> principal;            ///< inverse, in the body's axes
  L w, xx, yy, zz, xy, xz, yz;  ///< inverse mass and inertia
  L turned_middle;              ///< 1: middle and inertia are others than the rows'

  LIMBER_INLINE Vec3<L> inverse(const Vec3<L>& t) const {
    return {xx * t.x + xy * t.y + xz * t.z, xy * t.x + yy * t.y + yz * t.z, xz * t.x + yz * t.y + zz * t.z};
  }
};

template <class L>
struct TreeLinkLanes {
  Vec3<L> r_a, r_b, axis[3];
  L low, high;
  L mode, spent;  ///< of the row with limits: -1 at the low one, 1 at the high one, 0 idle
};

inline constexpr std::int64_t tree_body_numbers = 53, tree_link_numbers = 19, tree_row_numbers = 13;
static_assert(sizeof(TreeBodyLanes<Lanes<double, 1>>) == tree_body_numbers * sizeof(double));
static_assert(sizeof(TreeLinkLanes<Lanes<double, 1>>) == tree_link_numbers * sizeof(double));

template <class L>
LIMBER_INLINE L chosen(const L& flag, const L& yes, const L& no) {
  return select(L(0.5) < flag, yes, no);
}
template <class L>
LIMBER_INLINE Vec3<L> chosen(const L& flag, const Vec3<L>& yes, const Vec3<L>& no) {
  return {chosen(flag, yes.x, no.x), chosen(flag, yes.y, no.y), chosen(flag, yes.z, no.z)};
}
template <class L>
LIMBER_INLINE L less(const L& a, const L& b) {
  return select(a < b, L(1.0), L(0.0));
}
template <class L>
LIMBER_INLINE L clamped(const L& x, const L& low, const L& high) {
  return max(low, min(x, high));
}
template <class L>
LIMBER_INLINE bool any(const L& flag) {
  return bits(L(0.5) < flag) != 0;
}
template <class L>
LIMBER_INLINE L either(const L& a, const L& b) {
  return max(a, b);
}
template <class L>
LIMBER_INLINE L negated(const L& flag) {
  return L(1.0) - flag;
}

template <class L>
LIMBER_INLINE Vec3<L> by_quaternion(const Quaternion<L>& q, const Vec3<L>& x) {
  const Vec3<L> t = L(2.0) * cross(q.v, x);
  return x + q.w * t + cross(q.v, t);
}

/// turn_quaternion() (state/bodies.hpp) for turns up to 0.4 rad.
template <class L>
LIMBER_INLINE Quaternion<L> short_turn(const Vec3<L>& turn) {
  const L z = L(0.25) * dot(turn, turn);
  L sine(1.0), cosine(1.0);
  for (int k = 10; k >= 2; k -= 2) {
    sine = L(1.0) - L(1.0 / (k * (k + 1))) * z * sine;
    cosine = L(1.0) - L(1.0 / (k * (k - 1))) * z * cosine;
  }
  return {(L(0.5) * sine) * turn, cosine};
}

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

  static constexpr double redundant = 1e-6;  // BlockCholesky::redundant
  static constexpr int most_rounds = 6, most_steps = 16, most_follow = 2;
  static constexpr double gain = 0.7, most_sure_turn = 0.2, held = 1e-7, way_of_errors = 1e-5;
  static constexpr double slow_share = 0.1;

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

  /// `fresh`: joints have done nothing in this substep.
  template <bool fresh>
  void load_bodies() {
    const L zero(0.0);
    for (int i = 0; i < group.bodies; ++i) {
      TreeBodyLanes<L>& body = bodies[i];
      const std::int32_t* const index = body_index(i);
      std::int32_t row[L::width];
      for (int l = 0; l < L::width; ++l) row[l] = body_rows * index[l];
      const auto row_of = [&](int which) { return in_doubles(sweep.rows + 4 * which, row, L()); };
      const auto quaternion = [](const Point<L>& p) { return Quaternion<L>{p.p, p.w}; };
      const Point<L> position = in_doubles(sweep.position, index, L());
      body.position = position.p, body.w = position.w;
      body.start = quaternion(in_doubles(sweep.orientation, index, L()));
      body.shift = row_of(row_shift).p, body.turn = row_of(row_turn).p;
      const Vec3<L> diagonal = row_of(row_diagonal).p, mixed = row_of(row_mixed).p;
      body.xx = diagonal.x, body.yy = diagonal.y, body.zz = diagonal.z;
      body.xy = mixed.x, body.xz = mixed.y, body.yz = mixed.z;
      body.middle = quaternion(row_of(row_middle));
      body.principal = in_doubles(sweep.inverse_inertia, index, L()).p;
      body.turned_middle = zero;
      body.pushed = body.turned = {zero, zero, zero};
      if (fresh) continue;
      body.pushed = four_doubles(sweep.pushed, 4, index, L()).p;
      body.turned = four_doubles(sweep.turned, 4, index, L()).p;
    }
  }

  /// Places of a link's ends for bodies at p and q, and the axes that its rows need.
  struct Ends {
    Vec3<L> r_a, r_b, apart;
    Vec3<L> x[3], y[2];
  };
  template <bool moved>
  LIMBER_INLINE Ends ends_of(int k) const {
    const TreeLink& link = group.link[k];
    Ends ends;
    Vec3<L> a = constant(k, tree_at_a), b = constant(k, tree_at_b);
    const bool axes = link.rows > 3;
    for (int i = 0; i < 3 && axes; ++i) ends.x[i] = constant(k, tree_axes_a + 3 * i);
    for (int i = 0; i < 2 && axes; ++i) ends.y[i] = constant(k, tree_axes_b + 3 * i);
    ends.r_a = ends.r_b = {L(0.0), L(0.0), L(0.0)};
    if (link.a >= 0) {
      const TreeBodyLanes<L>& body = bodies[link.a];
      const Quaternion<L>& q = moved ? body.now : body.start;
      ends.r_a = by_quaternion(q, a);
      a = (moved ? body.place : body.position) + ends.r_a;
      for (int i = 0; i < 3 && axes; ++i) ends.x[i] = by_quaternion(q, ends.x[i]);
    }
    if (link.b >= 0) {
      const TreeBodyLanes<L>& body = bodies[link.b];
      const Quaternion<L>& q = moved ? body.now : body.start;
      ends.r_b = by_quaternion(q, b);
      b = (moved ? body.place : body.position) + ends.r_b;
      for (int i = 0; i < 2 && axes; ++i) ends.y[i] = by_quaternion(q, ends.y[i]);
    }
    ends.apart = a - b;
    return ends;
  }

  /// joint_values()
  LIMBER_INLINE void values_of(int k, const Ends& ends, L* values) const {
    const TreeLink& link = group.link[k];
    values[0] = ends.apart.x, values[1] = ends.apart.y, values[2] = ends.apart.z;
    if (link.type == TreeJoint::ball) {
      if (!link.limited) return;
      const Vec3<L> n = cross(ends.y[0], ends.x[0]);
      values[3] = atan2(sqrt(dot(n, n)), dot(ends.y[0], ends.x[0]));
    } else if (link.type == TreeJoint::hinge) {
      const Vec3<L> tilt = cross(ends.y[0], ends.x[0]);
      values[3] = dot(ends.x[1], tilt), values[4] = dot(ends.x[2], tilt);
      if (!link.limited) return;
      const L angle = atan2(dot(ends.x[0], cross(ends.y[1], ends.x[1])), dot(ends.y[1], ends.x[1]));
      const L pi(3.14159265358979323846), middle = L(0.5) * (links[k].low + links[k].high);
      const L wrapped = select(angle < middle - pi, angle + (pi + pi), angle);
      values[5] = select(middle + pi < angle, angle - (pi + pi), wrapped);
    } else {
      values[3] = dot(ends.x[0], ends.y[1]);
    }
  }

  void make_rows() {
    for (int k = 0; k < group.links; ++k) {
      const TreeLink& link = group.link[k];
      TreeLinkLanes<L>& lanes = links[k];
      const double* const limits =
          group.constant + std::int64_t(joint_group) * (tree_constants * k + tree_low) + lane;
      lanes.low = L::load(limits), lanes.high = L::load(limits + joint_group);
      const Ends ends = ends_of<false>(k);
      lanes.r_a = ends.r_a, lanes.r_b = ends.r_b;
      values_of(k, ends, start + link.first);
      const L tiny(1e-9), one(1.0);
      if (link.type == TreeJoint::ball && link.limited) {
        const Vec3<L> n = cross(ends.y[0], ends.x[0]);
        const L length = sqrt(dot(n, n));
        const auto far = tiny < length;
        const Vec3<L> unit = (one / select(far, length, one)) * n;
        lanes.axis[0] = {select(far, unit.x, ends.x[1].x), select(far, unit.y, ends.x[1].y),
                         select(far, unit.z, ends.x[1].z)};
      } else if (link.type == TreeJoint::hinge) {
        lanes.axis[0] = ends.x[1], lanes.axis[1] = ends.x[2], lanes.axis[2] = ends.x[0];
      } else if (link.type == TreeJoint::universal) {
        const Vec3<L> n = cross(ends.x[0], ends.y[1]);
        const L length = sqrt(dot(n, n));
        const auto far = tiny < length;
        const Vec3<L> unit = (one / select(far, length, one)) * n;
        lanes.axis[0] = {select(far, unit.x, ends.x[2].x), select(far, unit.y, ends.x[2].y),
                         select(far, unit.z, ends.x[2].z)};
      }
      L* const lambda = this->lambda + link.first;
      const Point<L> push = four_doubles(sweep.state, sweep.state_stride, joint_index(k), L());
      lambda[0] = push.p.x, lambda[1] = push.p.y, lambda[2] = push.p.z;
      if (link.rows > 3) {
        const Point<L> rest = four_doubles(sweep.state + 2, sweep.state_stride, joint_index(k), L());
        const Vec3<L> twist{rest.p.y, rest.p.z, rest.w};
        for (int r = 3; r < link.rows; ++r) lambda[r] = dot(twist, lanes.axis[r - 3]);
      }
      if (link.limited) {
        const L zero(0.0);
        const int r = link.rows - 1;
        lambda[r] = select(lanes.low < start[link.first + r], min(lambda[r], zero), lambda[r]);
        lambda[r] = select(start[link.first + r] < lanes.high, max(lambda[r], zero), lambda[r]);
      }
      lanes.mode = lanes.spent = L(0.0);
    }
    factored = false;
  }

  /// Impulses `x` of a link's rows, 0 where they do nothing.
  LIMBER_INLINE void apply(int k, const L* x) {
    const TreeLink& link = group.link[k];
    const TreeLinkLanes<L>& lanes = links[k];
    const Vec3<L> push{x[0], x[1], x[2]};
    Vec3<L> twist{L(0.0), L(0.0), L(0.0)};
    for (int r = 3; r < link.rows; ++r) twist = twist + x[r] * lanes.axis[r - 3];
    if (link.a >= 0) {
      TreeBodyLanes<L>& a = bodies[link.a];
      const Vec3<L> turn = a.inverse(cross(lanes.r_a, push) + twist);
      a.shift = a.shift + a.w * push, a.turn = a.turn + turn;
      a.pushed = a.pushed + push, a.turned = a.turned + turn;
    }
    if (link.b >= 0) {
      TreeBodyLanes<L>& b = bodies[link.b];
      const Vec3<L> turn = b.inverse(cross(lanes.r_b, push) + twist);
      b.shift = b.shift - b.w * push, b.turn = b.turn - turn;
      b.pushed = b.pushed - push, b.turned = b.turned - turn;
    }
  }

  /// J u of all rows of a link.
  LIMBER_INLINE void moved(int k, L* out) const {
    const TreeLink& link = group.link[k];
    const TreeLinkLanes<L>& lanes = links[k];
    Vec3<L> apart{L(0.0), L(0.0), L(0.0)}, turn = apart;
    if (link.a >= 0) {
      const TreeBodyLanes<L>& a = bodies[link.a];
      apart = a.shift + cross(a.turn, lanes.r_a), turn = a.turn;
    }
    if (link.b >= 0) {
      const TreeBodyLanes<L>& b = bodies[link.b];
      apart = apart - (b.shift + cross(b.turn, lanes.r_b)), turn = turn - b.turn;
    }
    out[0] = apart.x, out[1] = apart.y, out[2] = apart.z;
    for (int r = 3; r < link.rows; ++r) out[r] = dot(lanes.axis[r - 3], turn);
  }

  void displace() {
    for (int i = 0; i < group.bodies; ++i) {
      TreeBodyLanes<L>& body = bodies[i];
      body.place = body.position + body.shift;
      body.now = short_turn(body.turn) * body.start;
    }
  }

  /// Computes the rows' values at the poses to which dx and dt lead the bodies, without the part J u; returns
  /// the sum of squares of the rows' errors.
  L evaluate() {
    displace();
    L sum(0.0);
    for (int k = 0; k < group.links; ++k) {
      const TreeLink& link = group.link[k];
      TreeLinkLanes<L>& lanes = links[k];
      L values[most_tree_rows], way[most_tree_rows];
      values_of(k, ends_of<true>(k), values);
      moved(k, way);
      for (int r = 0; r < link.rows; ++r) {
        beyond[link.first + r] = values[r] - way[r];
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

  /// The share that joints found apart leave of their error in this substep (JointSolver::aim_at_start).
  void aim() {
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
  template <bool push>
  L find_missing(const L& runs) {
    const L zero(0.0), one(1.0);
    L more = zero;
    for (int k = 0; k < group.links; ++k) {
      const TreeLink& link = group.link[k];
      TreeLinkLanes<L>& lanes = links[k];
      L way[most_tree_rows];
      moved(k, way);
      const int count = link.limited ? link.rows - 1 : link.rows;
      for (int r = 0; r < count; ++r)
        missing[link.first + r] = push ? beyond[link.first + r] + way[r] - goal[link.first + r] : way[r];
      if (!link.limited) continue;
      const int r = link.rows - 1;
      const L most(sweep.fastest_turn);
      L below, above;
      if (push) {
        const L value = beyond[link.first + r] + way[r];
        below = value - lanes.low - min(zero, start[link.first + r] - lanes.low + most);
        above = value - lanes.high - max(zero, start[link.first + r] - lanes.high - most);
      } else {
        below = way[r] + max(start[link.first + r] - lanes.low, zero);
        above = way[r] + min(start[link.first + r] - lanes.high, zero);
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

  LIMBER_INLINE L active_of(const TreeLinkLanes<L>& lanes) const {
    const L zero(0.0);
    return either(less(lanes.mode, zero), less(zero, lanes.mode));
  }

  /// J M^-1 J^T and its factors, L L^T by blocks. The diagonal of a factor is kept as its inverse.
  void factor() {
    const L zero(0.0), one(1.0);
    for (int n = 0; n < group.block_numbers; ++n) blocks[n] = zero;
    for (int k = 0; k < group.links; ++k) {
      const TreeLink& link = group.link[k];
      TreeLinkLanes<L>& lanes = links[k];
      L* const block = blocks + link.diagonal;
      const int n = link.rows;
      L w = zero;
      const auto add = [&](std::int32_t i, const Vec3<L>& r, Vec3<L>* turn) {
        if (i < 0) return;
        const TreeBodyLanes<L>& body = bodies[i];
        w = w + body.w;
        turn[0] = body.inverse({zero, r.z, -r.y});
        turn[1] = body.inverse({-r.z, zero, r.x});
        turn[2] = body.inverse({r.y, -r.x, zero});
        const Vec3<L> v = cross(turn[0], r), u = cross(turn[1], r);
        block[0] = block[0] + v.x;
        block[n] = block[n] + v.y, block[n + 1] = block[n + 1] + u.y;
        block[2 * n] = block[2 * n] + v.z, block[2 * n + 1] = block[2 * n + 1] + u.z;
        block[2 * n + 2] = block[2 * n + 2] + cross(turn[2], r).z;
        for (int s = 3; s < n; ++s) {
          turn[s] = body.inverse(lanes.axis[s - 3]);
          for (int t = 0; t < 3; ++t) block[s * n + t] = block[s * n + t] + dot(lanes.axis[s - 3], turn[t]);
          for (int t = 3; t <= s; ++t) block[s * n + t] = block[s * n + t] + dot(lanes.axis[t - 3], turn[s]);
        }
      };
      add(link.a, lanes.r_a, turn_a + link.first), add(link.b, lanes.r_b, turn_b + link.first);
      for (int s = 0; s < 3; ++s) block[s * n + s] = block[s * n + s] + w;
      if (link.limited) {
        const L active = active_of(lanes);
        const int s = n - 1;
        for (int t = 0; t < s; ++t) block[s * n + t] = active * block[s * n + t];
        block[s * n + s] = chosen(active, block[s * n + s], one);
      }
    }
    for (int c = 0; c < group.couplings; ++c) {
      const TreeCoupling& coupling = group.coupling[c];
      const TreeLink &i = group.link[coupling.row], &j = group.link[coupling.column];
      const TreeLinkLanes<L>&x = links[coupling.row], &y = links[coupling.column];
      const Vec3<L>& r = coupling.a_of_row ? x.r_a : x.r_b;
      const Vec3<L>* const turn = (coupling.a_of_column ? turn_a : turn_b) + j.first;
      const L w = bodies[coupling.body].w;
      const L sign(coupling.a_of_row == coupling.a_of_column ? 1.0 : -1.0);
      L* const block = blocks + coupling.block;
      const int n = j.rows;
      const L active_row = i.limited ? active_of(x) : one, active_column = j.limited ? active_of(y) : one;
      for (int s = 0; s < n; ++s) {
        const L factor = j.limited && s + 1 == n ? sign * active_column : sign;
        const Vec3<L> v = cross(turn[s], r);
        L entry[3] = {v.x, v.y, v.z};
        if (s < 3) entry[s] = entry[s] + w;
        for (int t = 0; t < 3; ++t) block[t * n + s] = block[t * n + s] + factor * entry[t];
        for (int t = 3; t < i.rows; ++t) {
          const L own = i.limited && t + 1 == i.rows ? factor * active_row : factor;
          block[t * n + s] = block[t * n + s] + own * dot(x.axis[t - 3], turn[s]);
        }
      }
    }
    for (int c = 0; c < group.columns; ++c) {
      const TreeColumn& column = group.column[c];
      const TreeLink& link = group.link[column.link];
      link.rows == 3 ? eliminate<3>(column, link) : eliminate<0>(column, link);
    }
    factored = true;
  }

  template <int rows>
  void eliminate(const TreeColumn& column, const TreeLink& link) {
    const L zero(0.0), one(1.0);
    const int n = rows > 0 ? rows : link.rows;
    L* const a = blocks + link.diagonal;
    for (int j = 0; j < n; ++j) {
      const L whole = a[j * n + j];
      L d = whole;
      for (int k = 0; k < j; ++k) d = d - a[j * n + k] * a[j * n + k];
      const auto counts = L(redundant) * whole < d;
      const L root = select(counts, one / sqrt(select(counts, d, one)), zero);
      a[j * n + j] = root;
      for (int i = j + 1; i < n; ++i) {
        L x = a[i * n + j];
        for (int k = 0; k < j; ++k) x = x - a[i * n + k] * a[j * n + k];
        a[i * n + j] = x * root;
      }
    }
    for (int e = column.first; e < column.end; ++e) {
      L* x = blocks + group.block[e].block;
      for (int i = 0, m = group.link[group.block[e].link].rows; i < m; ++i, x += n)
        for (int j = 0; j < n; ++j) {
          L sum = x[j];
          for (int k = 0; k < j; ++k) sum = sum - x[k] * a[j * n + k];
          x[j] = sum * a[j * n + j];
        }
    }
    for (int u = column.first_update; u < column.end_update; ++u) {
      const TreeUpdate& update = group.update[u];
      L* const out = blocks + update.block;
      const L *const left = blocks + update.left, *const right = blocks + update.right;
      const int m = update.columns;
      for (int i = 0; i < update.rows; ++i)
        for (int j = 0, end = update.own ? i + 1 : m; j < end; ++j) {
          L sum = left[i * n] * right[j * n];
          for (int k = 1; k < n; ++k) sum = sum + left[i * n + k] * right[j * n + k];
          out[i * m + j] = out[i * m + j] - sum;
        }
    }
  }

  /// x <- A^-1 x of all links.
  void substitute() {
    for (int c = 0; c < group.columns; ++c) {
      const TreeColumn& column = group.column[c];
      const int n = group.link[column.link].rows;
      const L* const l = blocks + group.link[column.link].diagonal;
      L* const y = solution + group.link[column.link].first;
      for (int j = 0; j < n; ++j) {
        for (int k = 0; k < j; ++k) y[j] = y[j] - l[j * n + k] * y[k];
        y[j] = y[j] * l[j * n + j];
      }
      for (int e = column.first; e < column.end; ++e) {
        const L* a = blocks + group.block[e].block;
        L* const rest = solution + group.link[group.block[e].link].first;
        for (int i = 0, m = group.link[group.block[e].link].rows; i < m; ++i, a += n)
          for (int k = 0; k < n; ++k) rest[i] = rest[i] - a[k] * y[k];
      }
    }
    for (int c = group.columns - 1; c >= 0; --c) {
      const TreeColumn& column = group.column[c];
      const int n = group.link[column.link].rows;
      const L* const l = blocks + group.link[column.link].diagonal;
      L* const x = solution + group.link[column.link].first;
      for (int e = column.first; e < column.end; ++e) {
        const L* a = blocks + group.block[e].block;
        const L* const above = solution + group.link[group.block[e].link].first;
        for (int i = 0, m = group.link[group.block[e].link].rows; i < m; ++i, a += n)
          for (int k = 0; k < n; ++k) x[k] = x[k] - a[k] * above[i];
      }
      for (int j = n - 1; j >= 0; --j) {
        for (int k = j + 1; k < n; ++k) x[j] = x[j] - l[k * n + j] * x[k];
        x[j] = x[j] * l[j * n + j];
      }
    }
  }

  /// Multipliers that would leave their bounds stop there (JointSolver::cut_off); returns such lanes.
  L cut_off(const L& runs) {
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

  void correct(const L& runs) {
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
  template <bool push>
  void solve(L runs) {
    L cut(1.0);
    for (int round = 0; round < most_rounds; ++round) {
      const L more = find_missing<push>(runs);
      if (round > 0) runs = runs * either(cut, more);
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
      cut = limited && round + 1 < most_rounds ? cut_off(runs) : L(0.0);
      correct(runs * negated(cut));
      if (!limited) return;
    }
  }

  L energy() const {
    L sum(0.0);
    for (int i = 0; i < group.bodies; ++i) {
      const TreeBodyLanes<L>& body = bodies[i];
      const Vec3<L> own = by_quaternion(conjugate(body.middle), body.turn);
      sum = sum + dot(body.shift, body.shift) / body.w + own.x * own.x / body.principal.x +
            own.y * own.y / body.principal.y + own.z * own.z / body.principal.z;
    }
    return sum;
  }
  L largest_turn() const {  // its square
    L square(0.0);
    for (int i = 0; i < group.bodies; ++i) square = max(square, dot(bodies[i].turn, bodies[i].turn));
    return square;
  }

  void keep() {
    for (int i = 0; i < group.bodies; ++i) {
      TreeBodyLanes<L>& body = bodies[i];
      body.kept_shift = body.shift, body.kept_turn = body.turn;
      body.kept_pushed = body.pushed, body.kept_turned = body.turned;
    }
    for (int r = 0; r < group.rows; ++r) kept[r] = lambda[r];
  }
  void step_back(const L& lanes) {
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
  L push_until_held(const L& which, L error) {
    const L most_left(held * held);
    L runs = which * negated(less(error, most_left)), failed(0.0);
    for (int step = 0; step < most_steps && any(runs); ++step) {
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

  /// JointSolver::follow_turns of some lanes; those whose inertia is another now.
  L follow_turns(const L& which) {
    L all(0.0);
    for (int i = 0; i < group.bodies; ++i) {
      TreeBodyLanes<L>& body = bodies[i];
      const Quaternion<L> middle = short_turn(L(0.5) * body.turn) * body.start;
      const Quaternion<L> onward = middle * conjugate(body.middle);
      const L apart2 = L(4.0) * dot(onward.v, onward.v), turn2 = dot(body.turn, body.turn);
      const L far = which * less(L(sweep.followed * sweep.followed), apart2 * turn2);
      if (!any(far)) continue;
      const Vec3<L> inverse = body.principal;
      const Quaternion<L> before_back = conjugate(body.middle), middle_back = conjugate(middle);
      const auto same_momentum = [&](const Vec3<L>& turn) {
        const Vec3<L> own = by_quaternion(before_back, turn);
        const Vec3<L> momentum =
            by_quaternion(body.middle, {own.x / inverse.x, own.y / inverse.y, own.z / inverse.z});
        const Vec3<L> now = by_quaternion(middle_back, momentum);
        return by_quaternion(middle, {inverse.x * now.x, inverse.y * now.y, inverse.z * now.z});
      };
      body.turn = chosen(far, same_momentum(body.turn), body.turn);
      body.turned = chosen(far, same_momentum(body.turned), body.turned);
      Vec3<L> axis[3], column[3];
      axes_of(onward, axis);
      // I <- Q I Q^T, with the columns of Q in axis
      const Vec3<L> r0{axis[0].x, axis[1].x, axis[2].x}, r1{axis[0].y, axis[1].y, axis[2].y},
          r2{axis[0].z, axis[1].z, axis[2].z};
      column[0] = body.inverse(r0), column[1] = body.inverse(r1), column[2] = body.inverse(r2);
      body.xx = chosen(far, dot(r0, column[0]), body.xx), body.yy = chosen(far, dot(r1, column[1]), body.yy);
      body.zz = chosen(far, dot(r2, column[2]), body.zz), body.xy = chosen(far, dot(r0, column[1]), body.xy);
      body.xz = chosen(far, dot(r0, column[2]), body.xz), body.yz = chosen(far, dot(r1, column[2]), body.yz);
      body.middle.v = chosen(far, middle.v, body.middle.v),
      body.middle.w = chosen(far, middle.w, body.middle.w);
      body.turned_middle = either(body.turned_middle, far);
      all = either(all, far);
    }
    if (any(all)) factored = false;  // in all lanes: factors of a lane follow from its own inertia alone
    return all;
  }

  /// Lanes in which no body moves too far or too fast for these kernels.
  L sound() const {
    const double far = sweep.h * sweep.most_speed;
    L good(1.0);
    for (int i = 0; i < group.bodies; ++i) {
      const TreeBodyLanes<L>& body = bodies[i];
      good = good * less(dot(body.shift, body.shift), L(far * far)) *
             less(dot(body.turn, body.turn), L(0.09)) *
             less(body.w * body.w * dot(body.pushed, body.pushed), L(1e8 * far * far)) *
             less(dot(body.turned, body.turned), L(1e8));
    }
    return good;
  }

  void store(const L& flag) {
    const L zero(0.0);
    for (int i = 0; i < group.bodies; ++i) {
      const TreeBodyLanes<L>& body = bodies[i];
      const std::int32_t* const index = body_index(i);
      put_row(i, row_shift, body.shift, body.w, flag);
      put_row(i, row_turn, body.turn, zero, flag);
      scatter(sweep.pushed, index, 4, Point<L>{body.pushed, zero}, 4, flag);
      scatter(sweep.turned, index, 4, Point<L>{body.turned, zero}, 4, flag);
      const L other = flag * body.turned_middle;
      if (!any(other)) continue;
      put_row(i, row_diagonal, {body.xx, body.yy, body.zz}, zero, other);
      put_row(i, row_mixed, {body.xy, body.xz, body.yz}, zero, other);
      put_row(i, row_middle, body.middle.v, body.middle.w, other);
    }
  }
  void remember(const L& flag) {
    for (int k = 0; k < group.links; ++k) {
      const TreeLink& link = group.link[k];
      const L zero(0.0), *const lambda = this->lambda + link.first;
      Vec3<L> twist{zero, zero, zero};
      for (int r = 3; r < link.rows; ++r) twist = twist + lambda[r] * links[k].axis[r - 3];
      scatter(sweep.state, joint_index(k), sweep.state_stride,
              Point<L>{{lambda[0], lambda[1], lambda[2]}, twist.x}, 4, flag);
      scatter(sweep.state + 4, joint_index(k), sweep.state_stride, Point<L>{{twist.y, twist.z, zero}, zero},
              2, flag);
    }
  }

  /// Lanes in which some body under tension would have to be stiffened (JointSolver::stiffen).
  L tight() const {
    const L zero(0.0);
    L all = zero;
    const auto check = [&](std::int32_t i, const Vec3<L>& r, const Vec3<L>& push) {
      if (i < 0) return;
      const TreeBodyLanes<L>& body = bodies[i];
      const L square = dot(r, r), stiffness = max(dot(r, push), zero);
      const Vec3<L> own = by_quaternion(conjugate(body.middle), r);
      const L ix = L(1.0) / body.principal.x, iy = L(1.0) / body.principal.y, iz = L(1.0) / body.principal.z;
      const L some = select(zero < square, square, L(1.0));
      const L across =
          L(0.5) * (ix + iy + iz - (own.x * own.x * ix + own.y * own.y * iy + own.z * own.z * iz) / some);
      all = either(all, less(L(slow_share) * across, stiffness) * less(zero, square));
    };
    for (int k = 0; k < group.links; ++k) {
      const TreeLinkLanes<L>& lanes = links[k];
      const L* const lambda = this->lambda + group.link[k].first;
      const Vec3<L> push{lambda[0], lambda[1], lambda[2]};
      check(group.link[k].a, lanes.r_a, push), check(group.link[k].b, lanes.r_b, -push);
    }
    return all;
  }

  LIMBER_INLINE unsigned left_of(const L& done) const { return bits(L(0.5) < live * negated(done)) << lane; }

  unsigned warm() {
    load_bodies<true>();
    make_rows();
    L done = live * negated(tight());
    if (!any(done)) return left_of(done);
    for (int k = 0; k < group.links; ++k) apply(k, lambda + group.link[k].first);
    done = done * sound();
    store(done);
    return left_of(done);
  }

  unsigned push() {
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
    const L most = free * (L(1.0) + min(turn, L(1.0))) + L(way_of_errors * way_of_errors) * mass;
    const L sure(most_sure_turn * most_sure_turn);
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
      if (k == most_follow || !any(which)) break;
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

  unsigned settle() {
    load_bodies<false>();
    make_rows();
    for (int k = 0; k < group.links; ++k) links[k].spent = L(0.0);
    solve<false>(live);
    const L done = live * sound();
    store(done);
    remember(done);
    return left_of(done);
  }
};

enum class TreeStage : int { warm, push, settle };
template <TreeStage stage, class Instance, class L, class T>
LIMBER_INLINE unsigned solve_tree_lanes(const TreeGroupView<T>& group, const TreeSweep<T>& sweep, int lane) {
  TreeSystem<Instance, L, T> system(group, sweep, lane);
  return stage == TreeStage::warm   ? system.warm()
         : stage == TreeStage::push ? system.push()
                                    : system.settle();
}

}  // namespace detail

/// Numbers of scratch that a group needs.
constexpr std::int64_t tree_scratch(std::int64_t bodies, std::int64_t links, std::int64_t rows,
                                    std::int64_t blocks) {
  return joint_group * (bodies * detail::tree_body_numbers + links * detail::tree_link_numbers +
                        rows * detail::tree_row_numbers + blocks);
}

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
template <detail::TreeStage stage, class L, class T>
unsigned solve_trees(const TreeGroupView<T>& group, const TreeSweep<T>& sweep) {
  using Doubles = typename TreeLanes<L>::Lanes;
  if (group.lanes == 1u) return detail::solve_tree_lanes<stage, L, Lanes<double, 1>, T>(group, sweep, 0);
  unsigned left = 0;
  for (int lane = 0; lane < joint_group; lane += Doubles::width)
    if ((group.lanes >> lane) & ((1u << Doubles::width) - 1u))
      left |= detail::solve_tree_lanes<stage, L, Doubles, T>(group, sweep, lane);
  return left;
}

template <class T>
struct TreeKernels {
  /// Lanes that were left as they are; of push, also those whose joints are held, times 2^held_shift.
  static constexpr int held_shift = joint_group;
  unsigned (*warm)(const TreeGroupView<T>& group, const TreeSweep<T>& sweep);
  unsigned (*push)(const TreeGroupView<T>& group, const TreeSweep<T>& sweep);
  unsigned (*settle)(const TreeGroupView<T>& group, const TreeSweep<T>& sweep);
};

}  // namespace limber
