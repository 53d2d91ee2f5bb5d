// Bounds within which the steps over lanes are those of JointSolver: energy, turns, speeds, tension. Lanes
// beyond them are left to the scalar stages.
#pragma once

#include "engine/kernels/joint_system.hpp"

namespace limber { namespace detail {

template <class Instance, class L, class T>
inline L TreeSystem<Instance, L, T>::energy() const {
  L sum(0.0);
  for (int i = 0; i < group.bodies; ++i) {
    const TreeBodyLanes<L>& body = bodies[i];
    const Vec3<L> own = by_quaternion(conjugate(body.middle), body.turn);
    sum = sum + dot(body.shift, body.shift) / body.w + own.x * own.x / body.principal.x +
          own.y * own.y / body.principal.y + own.z * own.z / body.principal.z;
  }
  return sum;
}

/// Square of the largest turn of a body in the substep, rad^2.
template <class Instance, class L, class T>
inline L TreeSystem<Instance, L, T>::largest_turn() const {
  L square(0.0);
  for (int i = 0; i < group.bodies; ++i) square = max(square, dot(bodies[i].turn, bodies[i].turn));
  return square;
}

/// JointSolver::follow_turns of some lanes; those whose inertia is another now.
template <class Instance, class L, class T>
inline L TreeSystem<Instance, L, T>::follow_turns(const L& which) {
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
template <class Instance, class L, class T>
inline L TreeSystem<Instance, L, T>::sound() const {
  constexpr double balance = JointLimits::most_lane_balance * JointLimits::most_lane_balance;
  const double far = sweep.h * sweep.most_speed;
  L good(1.0);
  for (int i = 0; i < group.bodies; ++i) {
    const TreeBodyLanes<L>& body = bodies[i];
    good = good * less(dot(body.shift, body.shift), L(far * far)) *
           less(dot(body.turn, body.turn), L(JointLimits::most_lane_turn * JointLimits::most_lane_turn)) *
           less(body.w * body.w * dot(body.pushed, body.pushed), L(balance * far * far)) *
           less(dot(body.turned, body.turned), L(balance));
  }
  return good;
}

/// Lanes in which some body under tension would have to be stiffened (stiffen() of joint_island.hpp).
template <class Instance, class L, class T>
inline L TreeSystem<Instance, L, T>::tight() const {
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
    all = either(all, less(L(JointLimits::slow_share) * across, stiffness) * less(zero, square));
  };
  for (int k = 0; k < group.links; ++k) {
    const TreeLinkLanes<L>& lanes = links[k];
    const L* const lambda = this->lambda + group.link[k].first;
    const Vec3<L> push{lambda[0], lambda[1], lambda[2]};
    check(group.link[k].a, lanes.r_a, push), check(group.link[k].b, lanes.r_b, -push);
  }
  return all;
}

}}  // namespace limber::detail
