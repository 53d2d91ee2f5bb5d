// Sweeps over the ball joints of nets, over lanes: islands of joints with so many loops that a direct
// solution fills in.
//
// XPBD of rigid bodies (Mueller, Macklin, Chentanez, Jeschke, Kim 2020) in the unknowns of contacts
// (contact/bodies/body_contact.hpp): dx and a rotation vector theta of each body since the substep began.
// With r from the centre of mass to the joint at the substep's start, e the joint's error there and R(theta)
// a turn by theta,
//
//   C = e + (dx_a + R(theta_a) r_a - r_a) - (dx_b + R(theta_b) r_b - r_b),
//   K = (1/m_a + 1/m_b) 1 + sum [r] I^-1 [r]^T + alpha/h^2,   dlambda = -K^-1 (C + alpha/h^2 lambda)
//
// and impulses act at the present arms R(theta) r, as backward Euler has them. Multipliers start from zero in
// every substep: then the part s of an error that the sweeps leave takes a mode of the net by
// z^2 - 2 s z + s = 0, |z|^2 = s <= 1, wherever s is real. With the last substep's multipliers to start with,
// (z - 1)^3 = -(1/s - 1) z^3, and slow modes grow. s is real if the colours are visited there and back, which
// makes the sweep symmetric.
//
// settle makes the rates of C zero at the end of the substep, likewise from zero; it only takes energy.
#pragma once

#include "engine/contact/bodies/body_contact.hpp"
#include "engine/kernels/body_motion.hpp"
#include "engine/simd/turns.hpp"

namespace limber {

/// Columns of one joint's slot; lane_group slots lie beside each other.
enum NetColumn : int {
  net_at_a = 0,      ///< m, in the frame of body a
  net_at_b = 3,      ///< m, in the frame of body b; in the world if b cannot move
  net_softness = 6,  ///< 1/kg, alpha/h^2/(1 + gamma)
  net_active = 7,    ///< 1, or 0 for padding and broken joints
  net_r_a = 8,       ///< m, r at the substep's start
  net_r_b = 11,
  net_error = 14,   ///< m, e
  net_mass = 17,    ///< kg, K^-1: xx yy zz xy xz yz
  net_lambda = 23,  ///< kg m, on body a
  net_damped = 26,  ///< gamma / (1 + gamma)
  net_columns = 27
};

template <class T>
struct NetView {
  const std::int32_t *a, *b;  ///< bodies
  const std::int32_t *row_a,
      *row_b;      ///< row_shift of the bodies, counted in rows; padding has rows of its own
  T *data, *more;  ///< columns of NetColumn, of NetRowColumn (joint_net_rows.hpp)
  int more_columns;
  const T *position, *orientation;  ///< four numbers a body
  T* rows;                          ///< body_rows rows a body
  T fastest, fastest_turn;          ///< m, rad, most of an error that is mended at once

  LIMBER_INLINE T* slot(std::int32_t i) const {
    return data + std::int64_t(i / lane_group) * (net_columns * lane_group) + i % lane_group;
  }
  LIMBER_INLINE T* more_of(std::int32_t i) const {
    return more + std::int64_t(i / lane_group) * (more_columns * lane_group) + i % lane_group;
  }
};

namespace detail {

inline constexpr double most_net_turn = 1.6;  ///< rad, most_turn (state/bodies.hpp)

/// R(turn) r - r, to 3e-6 at turns of 1.6 rad.
template <class L>
LIMBER_INLINE Vec3<L> way_by_turn(const Vec3<L>& turn, const Vec3<L>& r) {
  using T = typename L::Real;
  const L z = dot(turn, turn), one(T(1));
  L sine = one, cosine = one;  // sin t / t; 2 (1 - cos t) / t^2
#pragma GCC unroll 4
  for (int k = 8; k >= 2; k -= 2) sine = one - L(T(1.0 / (k * (k + 1)))) * z * sine;
#pragma GCC unroll 4
  for (int k = 9; k >= 3; k -= 2) cosine = one - L(T(1.0 / (k * (k + 1)))) * z * cosine;
  const Vec3<L> across = cross(turn, r);
  return sine * across + (L(T(0.5)) * cosine) * cross(turn, across);
}

template <class L>
struct SymmetricBlock {
  Vec3<L> diagonal, mixed;  ///< xx yy zz; xy xz yz
  LIMBER_INLINE Vec3<L> operator*(const Vec3<L>& v) const {
    return {diagonal.x * v.x + mixed.x * v.y + mixed.y * v.z,
            mixed.x * v.x + diagonal.y * v.y + mixed.z * v.z,
            mixed.y * v.x + mixed.z * v.y + diagonal.z * v.z};
  }
};

/// Adds the motion of the point at r of a body by a unit impulse there.
template <class L>
LIMBER_INLINE void add_response(SymmetricBlock<L>& k, const MovingBody<L>& body, const Vec3<L>& r) {
  using T = typename L::Real;
  const L zero(T(0));
  // columns: (I^-1 (r x e)) x r
  const Vec3<L> x = cross(body.turned_by({zero, r.z, -r.y}), r),
                y = cross(body.turned_by({-r.z, zero, r.x}), r),
                z = cross(body.turned_by({r.y, -r.x, zero}), r);
  k.diagonal = k.diagonal + Vec3<L>{body.w + x.x, body.w + y.y, body.w + z.z};
  k.mixed = k.mixed + Vec3<L>{x.y, x.z, y.z};
}

/// The inverse, or zero.
template <class L>
LIMBER_INLINE SymmetricBlock<L> inverse(const SymmetricBlock<L>& k) {
  const Vec3<L>&d = k.diagonal, &m = k.mixed;
  const L xx = d.y * d.z - m.z * m.z, xy = m.y * m.z - m.x * d.z, xz = m.x * m.z - m.y * d.y;
  const L scale = inverse_or_zero(d.x * xx + m.x * xy + m.y * xz);
  return {{scale * xx, scale * (d.x * d.z - m.y * m.y), scale * (d.x * d.y - m.x * m.x)},
          {scale * xy, scale * xz, scale * (m.x * m.y - d.x * m.z)}};
}

/// A joint of every lane with its bodies.
template <bool TwoSided, class L>
struct NetLanes {
  using T = typename L::Real;
  const NetView<T>& net;
  std::int32_t i;
  T* slot;
  MovingBody<L> a, b;
  Vec3<L> r_a, r_b;

  LIMBER_INLINE NetLanes(const NetView<T>& view, std::int32_t first)
      : net(view), i(first), slot(view.slot(first)), a(load_body<L>(view.rows, view.row_a + first)) {
    if constexpr (TwoSided) b = load_body<L>(view.rows, view.row_b + first);
  }
  LIMBER_INLINE void load_arms() {
    r_a = load_vector<L>(slot, net_r_a);
    if constexpr (TwoSided) r_b = load_vector<L>(slot, net_r_b);
  }
  LIMBER_INLINE SymmetricBlock<L> mass() const {
    return {load_vector<L>(slot, net_mass), load_vector<L>(slot, net_mass + 3)};
  }
  LIMBER_INLINE void push(const Vec3<L>& impulse, const Vec3<L>& at_a, const Vec3<L>& at_b) {
    a.push(impulse, at_a);
    if constexpr (TwoSided) b.push(-impulse, at_b);
  }
  LIMBER_INLINE void store() {
    store_body(net.rows, net.row_a + i, a);
    if constexpr (TwoSided) store_body(net.rows, net.row_b + i, b);
  }
};

/// Arms, and effective masses at the bodies' present poses; returns the error.
template <bool TwoSided, class L>
LIMBER_INLINE Vec3<L> weigh_joint(NetLanes<TwoSided, L>& joint, SymmetricBlock<L>& k, const L& softness) {
  using T = typename L::Real;
  const NetView<T>& net = joint.net;
  const auto arm = [&](const std::int32_t* body, int column) {
    const Point<L> q = load_points(net.orientation, body + joint.i, L());
    return rotate(q, load_vector<L>(joint.slot, column));
  };
  const L zero(T(0));
  joint.r_a = arm(net.a, net_at_a);
  Vec3<L> error = load_points(net.position, net.a + joint.i, L()).p;
  k = {{softness, softness, softness}, {zero, zero, zero}};
  add_response(k, joint.a, joint.r_a);
  if constexpr (TwoSided) {
    joint.r_b = arm(net.b, net_at_b);
    error = (error - load_points(net.position, net.b + joint.i, L()).p) + (joint.r_a - joint.r_b);
    add_response(k, joint.b, joint.r_b);
    store_vector(joint.slot, net_r_b, joint.r_b);
  } else {
    error = (error - load_vector<L>(joint.slot, net_at_b)) + joint.r_a;
  }
  store_vector(joint.slot, net_r_a, joint.r_a);
  return error;
}

template <class L>
LIMBER_INLINE void store_mass(typename L::Real* slot, const SymmetricBlock<L>& k, const L& share) {
  const SymmetricBlock<L> mass = inverse(k);
  store_vector(slot, net_mass, share * mass.diagonal), store_vector(slot, net_mass + 3, share * mass.mixed);
}

}  // namespace detail

/// Begins a substep: arms, errors and masses; then the last substep's impulses, along the present arms, for
/// what acts on the bodies before the sweeps. push_net() must find the bodies without them.
///
/// A joint found apart comes together at a bounded rate, beyond the error that held it in the last substep.
template <bool TwoSided, class L>
void warm_net(const NetView<typename L::Real>& net, std::int32_t begin, std::int32_t end) {
  for (std::int32_t i = begin; i < end; i += L::width) {
    detail::NetLanes<TwoSided, L> joint(net, i);
    using T = typename L::Real;
    const L active = load<L>(joint.slot, net_active), softness = load<L>(joint.slot, net_softness);
    const Vec3<L> impulse = active * load_vector<L>(joint.slot, net_lambda);
    detail::SymmetricBlock<L> k;
    const Vec3<L> error = detail::weigh_joint(joint, k, softness);
    detail::store_mass(joint.slot, k, active);
    const Vec3<L> needed = k * impulse;
    const L zero(T(0)), one(T(1)), length = sqrt(dot(error, error));
    const L most = select(zero < softness, length, L(net.fastest) + sqrt(dot(needed, needed)));
    const auto longer = most < length;
    const L kept = one - load<L>(joint.slot, net_damped);
    store_vector(joint.slot, net_error,
                 (kept * select(longer, most / select(longer, length, one), one)) * error);
    store_vector(joint.slot, net_lambda, Vec3<L>{zero, zero, zero});
    joint.push(impulse, joint.r_a, joint.r_b);
    joint.store();
  }
}

/// A sweep over positions. Masses are those of the start, but of the present arms where a body turns by more
/// than 0.2 rad: a joint would go too far with the wrong ones, and a net of such joints diverge.
template <bool TwoSided, class L>
void push_net(const NetView<typename L::Real>& net, std::int32_t begin, std::int32_t end) {
  using T = typename L::Real;
  const L zero(T(0)), short_square(T(0.04));
  for (std::int32_t i = begin; i < end; i += L::width) {
    detail::NetLanes<TwoSided, L> joint(net, i);
    joint.load_arms();
    const Vec3<L> error = load_vector<L>(joint.slot, net_error);
    const Vec3<L> before = load_vector<L>(joint.slot, net_lambda);
    const L softness = load<L>(joint.slot, net_softness);
    Vec3<L> turn_a = joint.a.turn, turn_b{zero, zero, zero};
    if constexpr (TwoSided) turn_b = joint.b.turn;
    const auto far = short_square < max(dot(turn_a, turn_a), dot(turn_b, turn_b));
    if (bits(far) != 0) {
      turn_a = detail::shortened(turn_a, T(detail::most_net_turn));
      turn_b = detail::shortened(turn_b, T(detail::most_net_turn));
    }
    Vec3<L> way = detail::way_by_turn(turn_a, joint.r_a), moved = joint.a.shift + way;
    const Vec3<L> at_a = joint.r_a + way;
    Vec3<L> at_b{zero, zero, zero};
    if constexpr (TwoSided) {
      way = detail::way_by_turn(turn_b, joint.r_b);
      at_b = joint.r_b + way;
      moved = moved - (joint.b.shift + way);
    }
    detail::SymmetricBlock<L> mass = joint.mass();
    if (bits(far) != 0) {
      detail::SymmetricBlock<L> k{{softness, softness, softness}, {zero, zero, zero}};
      add_response(k, joint.a, at_a);
      if constexpr (TwoSided) add_response(k, joint.b, at_b);
      const detail::SymmetricBlock<L> now = inverse(k);
      const L active = load<L>(joint.slot, net_active);
      const auto take = [&](Vec3<L>& old, const Vec3<L>& fresh) {
        old = {select(far, active * fresh.x, old.x), select(far, active * fresh.y, old.y),
               select(far, active * fresh.z, old.z)};
      };
      take(mass.diagonal, now.diagonal), take(mass.mixed, now.mixed);
    }
    const Vec3<L> change = -(mass * (error + moved + softness * before));
    store_vector(joint.slot, net_lambda, before + change);
    joint.push(change, at_a, at_b);
    joint.store();
  }
}

/// Arms and masses at the substep's end; joints with compliance are left alone.
template <bool TwoSided, class L>
void weigh_net(const NetView<typename L::Real>& net, std::int32_t begin, std::int32_t end) {
  using T = typename L::Real;
  const L zero(T(0));
  for (std::int32_t i = begin; i < end; i += L::width) {
    detail::NetLanes<TwoSided, L> joint(net, i);
    detail::SymmetricBlock<L> k;
    detail::weigh_joint(joint, k, zero);
    const L soft = load<L>(joint.slot, net_softness);
    detail::store_mass(joint.slot, k, select(zero < soft, zero, load<L>(joint.slot, net_active)));
  }
}

template <bool TwoSided, class L>
void settle_net(const NetView<typename L::Real>& net, std::int32_t begin, std::int32_t end) {
  for (std::int32_t i = begin; i < end; i += L::width) {
    detail::NetLanes<TwoSided, L> joint(net, i);
    joint.load_arms();
    Vec3<L> moved = joint.a.at(joint.r_a);
    if constexpr (TwoSided) moved = moved - joint.b.at(joint.r_b);
    const Vec3<L> change = -(joint.mass() * moved);
    store_vector(joint.slot, net_lambda, load_vector<L>(joint.slot, net_lambda) + change);
    joint.push(change, joint.r_a, joint.r_b);
    joint.store();
  }
}

}  // namespace limber
