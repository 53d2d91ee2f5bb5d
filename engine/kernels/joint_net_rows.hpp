// Sweeps over the joints of nets that are more than a point, over lanes: hinges, sliders, fixed, universal
// and distance joints, cones, limits, motors and springs. joint_net.hpp says what a sweep is and why it
// starts from zero.
//
// The rows of a joint (parts/bodies/joints/joint_rows.hpp) are one block of the sweep, at the present poses:
//
//   K = J M^-1 J^T + alpha/h^2 = L D L^T,   K dlambda = -(v + alpha/h^2 lambda)
//
// The row with bounds, if there is one, is the last of the block. After the other rows are eliminated it is
// one equation, whose solution is the motor's, no further than its torque allows and then no further than
// the limits: so a block is solved with its bounds exactly.
#pragma once

#include "engine/geometry/joint_type.hpp"
#include "engine/kernels/joint_net.hpp"
#include "engine/simd/atan2.hpp"

namespace limber {

inline constexpr int joint_types = 6;
inline constexpr int most_net_rows = 6;
/// In place of a bound that a joint does not have, m or rad.
inline constexpr double net_no_bound = 1e18;

/// Columns of the second part of a slot. Frames are quaternions. Rows are those of joint_rows(), with the
/// bounded one even if the joint has no bounds.
enum NetRowColumn : int {
  net_frame_a = 0,  ///< in the frame of body a; in the world if a cannot move
  net_frame_b = 4,
  net_turned_a = 8,  ///< frames in the world at the substep's start
  net_turned_b = 12,
  net_length = 16,        ///< m, of a distance joint
  net_soft = 17,          ///< 1/kg, 1/(kg m^2): alpha/h^2/(1 + gamma) of linear, of angular rows
  net_damping_rows = 19,  ///< gamma/(1 + gamma), likewise
  net_low = 21,           ///< m or rad
  net_high = 22,
  net_drive = 23,    ///< kg m or kg m^2, most of the motor's multiplier
  net_aim = 24,      ///< m or rad, way of the motor in a substep
  net_middle = 25,   ///< rad, in the middle of the bounds
  net_start = 26,    ///< m or rad, value of the bounded row at the substep's start
  net_low_now = 27,  ///< bounds in this substep, as far as they are mended at once
  net_high_now = 28,
  net_rest = 29,                               ///< values that the other rows aim at
  net_multipliers = net_rest + most_net_rows,  ///< kg m, kg m^2
  net_row_columns = net_multipliers + most_net_rows
};

/// Sides of a joint that can move.
enum NetSides : unsigned { net_side_a = 1, net_side_b = 2, net_sides_both = 3 };

namespace detail {

/// Rows of a type in their order: linear, angular, and with bounds; the last one counts as either, too.
template <JointType type>
struct NetRowKinds {
  static constexpr bool points = holds_points(type);
  static constexpr int linear = points ? 3 : type == JointType::slider ? 2 : 0;
  static constexpr int angular = type == JointType::fixed || type == JointType::slider ? 3
                                 : type == JointType::hinge                            ? 2
                                 : type == JointType::universal                        ? 1
                                                                                       : 0;
  static constexpr bool bounded = type != JointType::fixed && type != JointType::universal;
  static constexpr bool bounded_turns = type == JointType::ball || type == JointType::hinge;
  static constexpr int held = linear + angular;
  static constexpr int count = held + (bounded ? 1 : 0);
  static constexpr bool turns(int row) { return row < held ? row >= linear : bounded_turns; }
  /// Whether compliance has a meaning for the row: limits and motors have none, ropes do.
  static constexpr bool gives(int row) { return row < held || type == JointType::distance; }
};

/// The rows of a joint of every lane at one pair of poses.
template <JointType type, class L>
struct NetRows {
  using T = typename L::Real;
  using Kinds = NetRowKinds<type>;
  static constexpr int count = Kinds::count;

  L value[count];
  Vec3<L> l[count];  ///< of linear rows that are no axes of the world
  Vec3<L> arm_a[count], arm_b[count];

  /// `apart`: from the point of b to that of a; r: from the centres of mass to those points.
  LIMBER_INLINE NetRows(const Vec3<L>& apart, const Vec3<L>& r_a, const Vec3<L>& r_b,
                        const Quaternion<L>& frame_a, const Quaternion<L>& frame_b, L length, L middle) {
    const L zero(T(0)), one(T(1));
    Vec3<L> x[3], y[3];
    if constexpr (type != JointType::distance && type != JointType::fixed) {
      axes_of(frame_a, x);
      if constexpr (type != JointType::slider) axes_of(frame_b, y);
    }
    if constexpr (Kinds::points) {
      value[0] = apart.x, value[1] = apart.y, value[2] = apart.z;
      arm_a[0] = {zero, r_a.z, -r_a.y}, arm_a[1] = {-r_a.z, zero, r_a.x}, arm_a[2] = {r_a.y, -r_a.x, zero};
      arm_b[0] = {zero, r_b.z, -r_b.y}, arm_b[1] = {-r_b.z, zero, r_b.x}, arm_b[2] = {r_b.y, -r_b.x, zero};
    }
    const auto turn = [&](int row, const Vec3<L>& axis) { arm_a[row] = arm_b[row] = axis; };
    if constexpr (type == JointType::fixed || type == JointType::slider) {
      constexpr int first = Kinds::linear;
      const Quaternion<L> q = frame_a * conjugate(frame_b);
      const L twice = select(q.w < zero, L(T(-2)), L(T(2)));
      value[first] = twice * q.v.x, value[first + 1] = twice * q.v.y, value[first + 2] = twice * q.v.z;
      turn(first, {one, zero, zero}), turn(first + 1, {zero, one, zero}), turn(first + 2, {zero, zero, one});
    }
    if constexpr (type == JointType::slider) {
      const Vec3<L> to_b = r_a - apart;
      const auto slide = [&](int row, const Vec3<L>& n) {
        value[row] = dot(n, apart), l[row] = n;
        arm_a[row] = cross(to_b, n), arm_b[row] = cross(r_b, n);
      };
      slide(0, x[1]), slide(1, x[2]), slide(5, x[0]);
    }
    if constexpr (type == JointType::distance) {
      const L far = sqrt(dot(apart, apart));
      const auto any = L(T(1e-9)) < far;
      const L scale = one / select(any, far, one);
      l[0] = {select(any, scale * apart.x, zero), select(any, scale * apart.y, one),
              select(any, scale * apart.z, zero)};
      value[0] = far - length;
      arm_a[0] = cross(r_a, l[0]), arm_b[0] = cross(r_b, l[0]);
    }
    const auto along = [&](const Vec3<L>& n, const Vec3<L>& otherwise, L& size) {
      size = sqrt(dot(n, n));
      const auto any = L(T(1e-9)) < size;
      const Vec3<L> unit = (one / select(any, size, one)) * n;
      return Vec3<L>{select(any, unit.x, otherwise.x), select(any, unit.y, otherwise.y),
                     select(any, unit.z, otherwise.z)};
    };
    L size = zero;
    if constexpr (type == JointType::ball) {
      turn(3, along(cross(y[0], x[0]), x[1], size));
      value[3] = atan2(size, dot(y[0], x[0]));
    }
    if constexpr (type == JointType::universal) {
      value[3] = dot(x[0], y[1]);
      turn(3, along(cross(x[0], y[1]), x[2], size));
    }
    if constexpr (type == JointType::hinge) {
      const Vec3<L> tilt = cross(y[0], x[0]);
      value[3] = dot(x[1], tilt), value[4] = dot(x[2], tilt);
      turn(3, x[1]), turn(4, x[2]), turn(5, x[0]);
      value[5] = nearest_turn(atan2(dot(x[0], cross(y[1], x[1])), dot(y[1], x[1])), middle);
    }
  }

  /// The angle, or another by full turns, less than half a turn from `middle`.
  static LIMBER_INLINE L nearest_turn(L angle, L middle) {
    const L half(T(3.14159265358979323846)), whole(T(2.0 * 3.14159265358979323846)), zero(T(0));
    return angle - select(middle + half < angle, whole, zero) + select(angle < middle - half, whole, zero);
  }
  /// Value of the bounded row less another one of it.
  static LIMBER_INLINE L way(L now, L before) {
    return type == JointType::hinge ? nearest_turn(now - before, L(T(0))) : now - before;
  }
};

/// The block of a joint of every lane with its bodies.
template <JointType type, class L>
struct NetBlock {
  using T = typename L::Real;
  using Kinds = NetRowKinds<type>;
  static constexpr int count = Kinds::count;

  const NetView<T>& net;
  std::int32_t i;
  unsigned sides;
  T *slot, *more;
  MovingBody<L> a, b;
  Vec3<L> turned_a[count], turned_b[count];  ///< I^-1 arm
  L factor[count][count];                    ///< below the diagonal: L
  L scale[count];                            ///< 1/D

  LIMBER_INLINE NetBlock(const NetView<T>& view, std::int32_t first, unsigned moving)
      : net(view), i(first), sides(moving), slot(view.slot(first)), more(view.more_of(first)) {
    const L zero(T(0));
    const MovingBody<L> still{
        {zero, zero, zero}, {zero, zero, zero}, zero, {zero, zero, zero}, {zero, zero, zero}};
    a = (sides & net_side_a) ? load_body<L>(view.rows, view.row_a + first) : still;
    b = (sides & net_side_b) ? load_body<L>(view.rows, view.row_b + first) : still;
  }
  LIMBER_INLINE Quaternion<L> load_quaternion(int column) const {
    return {load_vector<L>(more, column), load<L>(more, column + 3)};
  }
  LIMBER_INLINE void store_quaternion(int column, const Quaternion<L>& q) {
    store_vector(more, column, q.v), store(more, column + 3, q.w);
  }

  /// Arms, frames and the error at the bodies' poses in the World.
  LIMBER_INLINE void place() {
    const L zero(T(0));
    const auto end = [&](bool moves, const std::int32_t* body, int at, int frame, int r, int turned) {
      const Vec3<L> own = load_vector<L>(slot, at);
      if (!moves) {
        store_vector(slot, r, Vec3<L>{zero, zero, zero});
        store_quaternion(turned, load_quaternion(frame));
        return own;
      }
      const Point<L> q = load_points(net.orientation, body + i, L());
      const Vec3<L> arm = rotate(q, own);
      store_vector(slot, r, arm);
      store_quaternion(turned, Quaternion<L>{q.p, q.w} * load_quaternion(frame));
      return load_points(net.position, body + i, L()).p + arm;
    };
    const Vec3<L> point_a = end(sides & net_side_a, net.a, net_at_a, net_frame_a, net_r_a, net_turned_a),
                  point_b = end(sides & net_side_b, net.b, net_at_b, net_frame_b, net_r_b, net_turned_b);
    store_vector(slot, net_error, point_a - point_b);
  }
  /// Rows at the poses of place().
  LIMBER_INLINE NetRows<type, L> rows_at_start() const {
    return {load_vector<L>(slot, net_error), load_vector<L>(slot, net_r_a), load_vector<L>(slot, net_r_b),
            load_quaternion(net_turned_a),   load_quaternion(net_turned_b), load<L>(more, net_length),
            load<L>(more, net_middle)};
  }
  /// Rows at the poses to which the displacements and turns lead.
  LIMBER_INLINE NetRows<type, L> rows_now() const {
    Vec3<L> turn_a = a.turn, turn_b = b.turn;
    const auto far = L(T(1)) < max(dot(turn_a, turn_a), dot(turn_b, turn_b));
    if (bits(far) != 0)
      turn_a = shortened(turn_a, T(most_net_turn)), turn_b = shortened(turn_b, T(most_net_turn));
    const Vec3<L> r_a = load_vector<L>(slot, net_r_a), r_b = load_vector<L>(slot, net_r_b);
    const Vec3<L> way_a = way_by_turn(turn_a, r_a), way_b = way_by_turn(turn_b, r_b);
    const Vec3<L> apart = load_vector<L>(slot, net_error) + ((a.shift + way_a) - (b.shift + way_b));
    return {apart,
            r_a + way_a,
            r_b + way_b,
            turn_quaternion(turn_a) * load_quaternion(net_turned_a),
            turn_quaternion(turn_b) * load_quaternion(net_turned_b),
            load<L>(more, net_length),
            load<L>(more, net_middle)};
  }

  LIMBER_INLINE void turn_arms(const NetRows<type, L>& rows) {
#pragma GCC unroll 6
    for (int r = 0; r < count; ++r)
      turned_a[r] = a.turned_by(rows.arm_a[r]), turned_b[r] = b.turned_by(rows.arm_b[r]);
  }
  /// K of two rows, without softness.
  LIMBER_INLINE L mass_of(const NetRows<type, L>& rows, int r, int s) const {
    L k = dot(rows.arm_a[r], turned_a[s]) + dot(rows.arm_b[r], turned_b[s]);
    if (r == s && !Kinds::turns(r)) k = (a.w + b.w) + k;  // directions of linear rows are orthogonal
    return k;
  }
  /// Computes and factors K. `held(r)`: 1, or 0 for rows that take no part.
  template <class Held>
  LIMBER_INLINE void factorize(const NetRows<type, L>& rows, L soft, L soft_turn, const Held& held) {
    // a row that depends on those before it leaves a pivot of rounding
    const L least(T(sizeof(T) == 4 ? 2e-6 : 1e-12)), zero(T(0)), one(T(1));
    L below[count][count];  // L D
#pragma GCC unroll 6
    for (int r = 0; r < count; ++r) {
      const L own = held(r);
#pragma GCC unroll 6
      for (int s = 0; s < r; ++s) {
        L k = (own * held(s)) * mass_of(rows, r, s);
#pragma GCC unroll 6
        for (int t = 0; t < s; ++t) k = k - below[r][t] * factor[s][t];
        below[r][s] = k, factor[r][s] = scale[s] * k;
      }
      L whole = own * mass_of(rows, r, r);
      if (Kinds::gives(r)) whole = whole + own * (Kinds::turns(r) ? soft_turn : soft);
      L pivot = whole;
#pragma GCC unroll 6
      for (int t = 0; t < r; ++t) pivot = pivot - below[r][t] * factor[r][t];
      const auto sound = least * whole < pivot;
      scale[r] = select(sound, one / select(sound, pivot, one), zero);
    }
  }
  /// Solves for the changes of the multipliers. `bounded(rest)`: the change of the last row, if the others
  /// have added `rest` to its value.
  template <class Bounded>
  LIMBER_INLINE void solve(const L (&missing)[count], L (&x)[count], const Bounded& bounded) const {
    L z[count];
#pragma GCC unroll 6
    for (int r = 0; r < Kinds::held; ++r) {
      z[r] = -missing[r];
#pragma GCC unroll 6
      for (int s = 0; s < r; ++s) z[r] = z[r] - factor[r][s] * z[s];
    }
    if constexpr (Kinds::bounded) {
      L rest(T(0));
#pragma GCC unroll 6
      for (int s = 0; s < count - 1; ++s) rest = rest + factor[count - 1][s] * z[s];
      x[count - 1] = bounded(rest, scale[count - 1]);
    }
#pragma GCC unroll 6
    for (int r = Kinds::held - 1; r >= 0; --r) {
      x[r] = scale[r] * z[r];
#pragma GCC unroll 6
      for (int s = r + 1; s < count; ++s) x[r] = x[r] - factor[s][r] * x[s];
    }
  }
  /// The change of a multiplier within the motor's torque and then within the bounds: each of the last three
  /// is what would be missing without it.
  static LIMBER_INLINE L within(L scale, L before, L drive, L motor, L low, L high) {
    const L most = max(min(before - scale * motor, drive), -drive) - before;
    return min(max(most, -(scale * low)), -(scale * high));
  }

  LIMBER_INLINE void apply(const NetRows<type, L>& rows, const L (&x)[count]) {
    const L zero(T(0));
    Vec3<L> impulse{zero, zero, zero}, turn_a = impulse, turn_b = impulse;
    if constexpr (Kinds::points) impulse = {x[0], x[1], x[2]};
#pragma GCC unroll 6
    for (int r = 0; r < count; ++r) {
      if (!Kinds::turns(r) && !Kinds::points) impulse = impulse + x[r] * rows.l[r];
      turn_a = turn_a + x[r] * turned_a[r], turn_b = turn_b + x[r] * turned_b[r];
    }
    a.shift = a.shift + a.w * impulse, a.turn = a.turn + turn_a;
    b.shift = b.shift - b.w * impulse, b.turn = b.turn - turn_b;
  }
  LIMBER_INLINE void store_bodies() {
    if (sides & net_side_a) store_body(net.rows, net.row_a + i, a);
    if (sides & net_side_b) store_body(net.rows, net.row_b + i, b);
  }
};

}  // namespace detail

/// Like warm_net(). Errors found at the start are mended at a bounded rate, beyond that which the row's last
/// impulse left.
template <JointType type, class L>
void warm_net_rows(const NetView<typename L::Real>& net, std::int32_t begin, std::int32_t end,
                   unsigned sides) {
  using T = typename L::Real;
  using Kinds = detail::NetRowKinds<type>;
  constexpr int count = Kinds::count;
  const L zero(T(0)), one(T(1));
  for (std::int32_t i = begin; i < end; i += L::width) {
    detail::NetBlock<type, L> block(net, i, sides);
    block.place();
    const detail::NetRows<type, L> rows = block.rows_at_start();
    block.turn_arms(rows);
    const L active = load<L>(block.slot, net_active), drive = load<L>(block.more, net_drive),
            low = load<L>(block.more, net_low), high = load<L>(block.more, net_high);
    L x[count];
#pragma GCC unroll 6
    for (int r = 0; r < count; ++r) {
      x[r] = active * load<L>(block.more, net_multipliers + r);
      store(block.more, net_multipliers + r, zero);
    }
    if constexpr (Kinds::bounded) {  // the world has turned against the row, settings may have changed
      L& last = x[count - 1];
      last = select(low < rows.value[count - 1], min(last, drive), last);
      last = select(rows.value[count - 1] < high, max(last, -drive), last);
    }
#pragma GCC unroll 6
    for (int r = 0; r < count; ++r) {
      L needed = zero;
#pragma GCC unroll 6
      for (int s = 0; s < count; ++s) needed = needed + block.mass_of(rows, r, s) * x[s];
      const bool turns = Kinds::turns(r);
      const L fastest = L(turns ? net.fastest_turn : net.fastest) + abs(needed);
      const L soft = load<L>(block.more, net_soft + turns),
              damped = load<L>(block.more, net_damping_rows + turns);
      const L start = rows.value[r];
      if (r < Kinds::held) {
        const L left = select(zero < soft, zero, start - max(min(start, fastest), -fastest));
        store(block.more, net_rest + r, (one - damped) * left + damped * start);
      } else {
        const L above = max(start - high, zero), below = min(start - low, zero);
        store(block.more, net_start, start);
        const auto gives = Kinds::gives(r) ? zero < soft : zero < zero;
        store(block.more, net_high_now, high + select(gives, damped * above, max(above - fastest, zero)));
        store(block.more, net_low_now, low + select(gives, damped * below, min(below + fastest, zero)));
      }
    }
    block.apply(rows, x);
    block.store_bodies();
  }
}

/// Like push_net(), with blocks at the present poses.
template <JointType type, class L>
void push_net_rows(const NetView<typename L::Real>& net, std::int32_t begin, std::int32_t end,
                   unsigned sides) {
  using T = typename L::Real;
  using Block = detail::NetBlock<type, L>;
  using Kinds = detail::NetRowKinds<type>;
  constexpr int count = Kinds::count;
  for (std::int32_t i = begin; i < end; i += L::width) {
    Block block(net, i, sides);
    const detail::NetRows<type, L> rows = block.rows_now();
    block.turn_arms(rows);
    const L soft = load<L>(block.more, net_soft), soft_turn = load<L>(block.more, net_soft + 1),
            active = load<L>(block.slot, net_active);
    block.factorize(rows, soft, soft_turn, [](int) { return L(T(1)); });
    L before[count], missing[count], x[count];
#pragma GCC unroll 6
    for (int r = 0; r < count; ++r) {
      before[r] = load<L>(block.more, net_multipliers + r);
      if (r < Kinds::held)
        missing[r] = (rows.value[r] - load<L>(block.more, net_rest + r)) +
                     (Kinds::turns(r) ? soft_turn : soft) * before[r];
    }
    block.solve(missing, x, [&](L rest, L scale) {
      const L value = rows.value[count - 1],
              give = Kinds::gives(count - 1) ? soft * before[count - 1] : L(T(0));
      const L way = detail::NetRows<type, L>::way(value, load<L>(block.more, net_start));
      return Block::within(scale, before[count - 1], load<L>(block.more, net_drive),
                           (way + rest) - load<L>(block.more, net_aim),
                           ((value + rest) - load<L>(block.more, net_low_now)) + give,
                           ((value + rest) - load<L>(block.more, net_high_now)) + give);
    });
#pragma GCC unroll 6
    for (int r = 0; r < count; ++r) {
      x[r] = active * x[r];
      store(block.more, net_multipliers + r, before[r] + x[r]);
    }
    block.apply(rows, x);
    block.store_bodies();
  }
}

/// Arms and frames at the substep's end.
template <JointType type, class L>
void weigh_net_rows(const NetView<typename L::Real>& net, std::int32_t begin, std::int32_t end,
                    unsigned sides) {
  for (std::int32_t i = begin; i < end; i += L::width) detail::NetBlock<type, L>(net, i, sides).place();
}

/// Like settle_net(). Rows with compliance are left alone. A limit that pressed is not left; another one is
/// not passed in the next substep. Both take energy: no impulse is more than ends the rate that the row may
/// not have, and none at all is among those that a limit allows.
template <JointType type, class L>
void settle_net_rows(const NetView<typename L::Real>& net, std::int32_t begin, std::int32_t end,
                     unsigned sides) {
  using T = typename L::Real;
  using Block = detail::NetBlock<type, L>;
  using Kinds = detail::NetRowKinds<type>;
  constexpr int count = Kinds::count;
  const L zero(T(0)), one(T(1));
  for (std::int32_t i = begin; i < end; i += L::width) {
    Block block(net, i, sides);
    const detail::NetRows<type, L> rows = block.rows_at_start();
    block.turn_arms(rows);
    const L active = load<L>(block.slot, net_active);
    const L held[2] = {select(zero < load<L>(block.more, net_soft), zero, one),
                       select(zero < load<L>(block.more, net_soft + 1), zero, one)};
    const auto takes_part = [&](int r) { return Kinds::gives(r) ? held[Kinds::turns(r)] : one; };
    block.factorize(rows, zero, zero, takes_part);
    L before[count], missing[count], x[count];
    const Vec3<L> apart = block.a.shift - block.b.shift;
#pragma GCC unroll 6
    for (int r = 0; r < count; ++r) {
      before[r] = load<L>(block.more, net_multipliers + r);
      L rate = dot(rows.arm_a[r], block.a.turn) - dot(rows.arm_b[r], block.b.turn);
      if (!Kinds::turns(r)) {
        if constexpr (Kinds::points)
          rate = rate + (r == 0 ? apart.x : r == 1 ? apart.y : apart.z);
        else
          rate = rate + dot(rows.l[r], apart);
      }
      missing[r] = rate;
    }
    block.solve(missing, x, [&](L rest, L scale) {
      const L rate = missing[count - 1] + rest, last = before[count - 1],
              drive = load<L>(block.more, net_drive);
      const L value = rows.value[count - 1];
      const L below = select(drive < last, zero, max(value - load<L>(block.more, net_low), zero)),
              above = select(last < -drive, zero, max(load<L>(block.more, net_high) - value, zero));
      return Block::within(scale, last, drive, rate - load<L>(block.more, net_aim), rate + below,
                           rate - above);
    });
#pragma GCC unroll 6
    for (int r = 0; r < count; ++r) {
      x[r] = (active * takes_part(r)) * x[r];
      store(block.more, net_multipliers + r, before[r] + x[r]);
    }
    block.apply(rows, x);
    block.store_bodies();
  }
}

/// Pointers to the kernels of one instruction set. Balls without bounds: [1] if both bodies of the joints can
/// move, [0] if one can. Rows: by JointType. begin and end are multiples of lane_group.
template <class T>
struct NetKernels {
  using Function = void (*)(const NetView<T>&, std::int32_t begin, std::int32_t end);
  Function warm[2], push[2], weigh[2], settle[2];

  using RowFunction = void (*)(const NetView<T>&, std::int32_t begin, std::int32_t end, unsigned sides);
  struct Rows {
    RowFunction warm, push, weigh, settle;
  } rows[joint_types];
};

template <JointType type, class L>
constexpr typename NetKernels<typename L::Real>::Rows net_row_kernels() {
  return {&warm_net_rows<type, L>, &push_net_rows<type, L>, &weigh_net_rows<type, L>,
          &settle_net_rows<type, L>};
}

}  // namespace limber
