// Rows of joints over lanes (parts/bodies/joints/joint_rows.hpp): loads of bodies, values and directions of
// rows, impulses along them.
#pragma once

#include "engine/kernels/joint_system.hpp"

namespace limber { namespace detail {

/// n / |n|, or `other` where n is too short to have a direction.
template <class L>
LIMBER_INLINE Vec3<L> direction_or(const Vec3<L>& n, const Vec3<L>& other) {
  const L length = sqrt(dot(n, n)), one(1.0);
  const auto far = L(JointLimits::least_length) < length;
  const Vec3<L> unit = (one / select(far, length, one)) * n;
  return {select(far, unit.x, other.x), select(far, unit.y, other.y), select(far, unit.z, other.z)};
}

/// `fresh`: joints have done nothing in this substep.
template <class Instance, class L, class T>
template <bool fresh>
inline void TreeSystem<Instance, L, T>::load_bodies() {
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

template <class Instance, class L, class T>
template <bool predicted>
LIMBER_INLINE auto TreeSystem<Instance, L, T>::ends_of(int k) const -> Ends {
  const TreeLink& link = group.link[k];
  Ends ends;
  Vec3<L> a = constant(k, tree_at_a), b = constant(k, tree_at_b);
  const bool axes = link.rows > 3;
  for (int i = 0; i < 3 && axes; ++i) ends.x[i] = constant(k, tree_axes_a + 3 * i);
  for (int i = 0; i < 2 && axes; ++i) ends.y[i] = constant(k, tree_axes_b + 3 * i);
  ends.r_a = ends.r_b = {L(0.0), L(0.0), L(0.0)};
  if (link.a >= 0) {
    const TreeBodyLanes<L>& body = bodies[link.a];
    const Quaternion<L>& q = predicted ? body.now : body.start;
    ends.r_a = by_quaternion(q, a);
    a = (predicted ? body.place : body.position) + ends.r_a;
    for (int i = 0; i < 3 && axes; ++i) ends.x[i] = by_quaternion(q, ends.x[i]);
  }
  if (link.b >= 0) {
    const TreeBodyLanes<L>& body = bodies[link.b];
    const Quaternion<L>& q = predicted ? body.now : body.start;
    ends.r_b = by_quaternion(q, b);
    b = (predicted ? body.place : body.position) + ends.r_b;
    for (int i = 0; i < 2 && axes; ++i) ends.y[i] = by_quaternion(q, ends.y[i]);
  }
  ends.apart = a - b;
  return ends;
}

/// joint_values()
template <class Instance, class L, class T>
LIMBER_INLINE void TreeSystem<Instance, L, T>::values_of(int k, const Ends& ends, L* values) const {
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

template <class Instance, class L, class T>
inline void TreeSystem<Instance, L, T>::make_rows() {
  for (int k = 0; k < group.links; ++k) {
    const TreeLink& link = group.link[k];
    TreeLinkLanes<L>& lanes = links[k];
    const double* const limits =
        group.constant + std::int64_t(joint_group) * (tree_constants * k + tree_low) + lane;
    lanes.low = L::load(limits), lanes.high = L::load(limits + joint_group);
    const Ends ends = ends_of<false>(k);
    lanes.r_a = ends.r_a, lanes.r_b = ends.r_b;
    values_of(k, ends, start + link.first);
    if (link.type == TreeJoint::ball && link.limited) {
      lanes.axis[0] = direction_or(cross(ends.y[0], ends.x[0]), ends.x[1]);
    } else if (link.type == TreeJoint::hinge) {
      lanes.axis[0] = ends.x[1], lanes.axis[1] = ends.x[2], lanes.axis[2] = ends.x[0];
    } else if (link.type == TreeJoint::universal) {
      lanes.axis[0] = direction_or(cross(ends.x[0], ends.y[1]), ends.x[2]);
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
template <class Instance, class L, class T>
LIMBER_INLINE void TreeSystem<Instance, L, T>::apply(int k, const L* x) {
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
template <class Instance, class L, class T>
LIMBER_INLINE void TreeSystem<Instance, L, T>::motion_along(int k, L* out) const {
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

template <class Instance, class L, class T>
inline void TreeSystem<Instance, L, T>::store(const L& flag) {
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

template <class Instance, class L, class T>
inline void TreeSystem<Instance, L, T>::remember(const L& flag) {
  for (int k = 0; k < group.links; ++k) {
    const TreeLink& link = group.link[k];
    const L zero(0.0), *const lambda = this->lambda + link.first;
    Vec3<L> twist{zero, zero, zero};
    for (int r = 3; r < link.rows; ++r) twist = twist + lambda[r] * links[k].axis[r - 3];
    scatter(sweep.state, joint_index(k), sweep.state_stride,
            Point<L>{{lambda[0], lambda[1], lambda[2]}, twist.x}, 4, flag);
    scatter(sweep.state + 4, joint_index(k), sweep.state_stride, Point<L>{{twist.y, twist.z, zero}, zero}, 2,
            flag);
  }
}

}}  // namespace limber::detail
