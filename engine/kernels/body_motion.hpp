// Motion of rigid bodies over lanes: the part of a substep that is the same for every body, whatever it
// touches.
//
// The unknowns of a substep are, per body, the displacement dx and the rotation vector theta
// (contact/bodies/body_contact.hpp). start: dx and theta of free motion, by the implicit midpoint rule for
// the angular momentum L. add_gravity: new velocities, and the changes by contacts of the last substep as a
// warm start. move: applies dx and theta to the poses. finish: adds to v and L the changes that dx and theta
// have against free motion, so that a body that nothing touched keeps both bit for bit.
#pragma once

#include <limits>

#include "engine/contact/bodies/body_contact.hpp"
#include "engine/simd/turns.hpp"

namespace limber {

/// Bodies per call of a kernel: a multiple of all widths.
inline constexpr int body_group = 16;

/// Sine of half an angle: if a body has rotated by more than that angle in this frame, the effective masses
/// of contact rows are computed again.
inline constexpr double weighed_turn = 0.1;

/// Response of contact points to the rotation of a body (contact/round_shapes.hpp).
enum class BodyForm : std::int32_t {
  any,     ///< contact points rotate with the body
  round,   ///< only the rotation across the y axis moves contact points
  sphere,  ///< contact points stay where they are
};

/// Arrays with four numbers per body. If a group has fewer than body_group bodies, its other lanes repeat the
/// last one.
template <class T>
struct BodyMotionView {
  T *position, *remainder, *orientation, *velocity, *angular_momentum;
  const T* inverse_inertia;
  T* rows;  ///< body_rows rows per body
  /// carried_*: changes of dx and L by contacts in the last substep, with which this one starts. fresh_*:
  /// changes of dx and theta in this substep that must not be carried over (BodySolver::leave_out); null:
  /// there are none.
  T *carried_shift, *carried_momentum, *fresh_shift, *fresh_turn;
  const T* frame_start;
  const BodyForm* form;
  const double *pushed, *turned;  ///< impulse (kg m) and rotation (rad) by joints in this substep, four
                                  ///< numbers per body; null: no joints
};

/// Parameters of a substep that are the same for all bodies.
template <class T>
struct BodyMotion {
  T h;                      ///< s
  T keep;                   ///< share of all velocities that damping leaves
  T gained[3];              ///< m/s, by gravity
  T farthest;               ///< m, bound of |dx|
  T most_speed, most_turn;  ///< m/s, bound of the speed; rad, bound of |theta|
  std::int32_t held;        ///< body that the user drags; -1: none
  T keep_held;              ///< share of the angular momentum of the dragged body that is left
};

namespace detail {

template <class L>
struct SymmetricLanes {
  L xx, yy, zz, xy, xz, yz;
  friend LIMBER_INLINE Vec3<L> operator*(const SymmetricLanes& m, const Vec3<L>& v) {
    return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
            m.xz * v.x + m.yz * v.y + m.zz * v.z};
  }
};

/// Positive if the principal moments `d` are not all equal, otherwise zero.
template <class L>
LIMBER_INLINE L unequal(const Vec3<L>& d) {
  return max(abs(d.x - d.y), abs(d.y - d.z));
}

/// R diag(d) R^T, like in_world() of state/bodies.hpp: for three equal numbers exactly d times the identity.
template <class L>
LIMBER_INLINE SymmetricLanes<L> in_world(const Quaternion<L>& q, const Vec3<L>& d) {
  const L zero(typename L::Real(0));
  const auto differ = zero < unequal(d);
  if (bits(differ) == 0) return {d.x, d.x, d.x, zero, zero, zero};
  Vec3<L> r[3];
  axes_of(q, r);
  const Vec3<L> x = d.x * r[0], y = d.y * r[1], z = d.z * r[2];
  return {select(differ, x.x * r[0].x + y.x * r[1].x + z.x * r[2].x, d.x),
          select(differ, x.y * r[0].y + y.y * r[1].y + z.y * r[2].y, d.x),
          select(differ, x.z * r[0].z + y.z * r[1].z + z.z * r[2].z, d.x),
          select(differ, x.x * r[0].y + y.x * r[1].y + z.x * r[2].y, zero),
          select(differ, x.x * r[0].z + y.x * r[1].z + z.x * r[2].z, zero),
          select(differ, x.y * r[0].z + y.y * r[1].z + z.y * r[2].z, zero)};
}

/// Whether all vectors of these squared lengths are clearly shorter than `most`: true for nearly all bodies.
template <class L>
LIMBER_INLINE bool all_short(const L& square, typename L::Real most) {
  using T = typename L::Real;
  return all(square < L(T(0.99) * most * most));
}

template <class L>
LIMBER_INLINE Vec3<L> shortened(const Vec3<L>& v, typename L::Real most) {
  const L square = dot(v, v), limit(most);
  if (all_short(square, most)) return v;
  const L length = sqrt(square);
  const auto longer = limit < length;
  const L share = select(longer, limit / select(longer, length, limit), L(typename L::Real(1)));
  return share * v;
}

/// sin(x)/x and cos(x) for z = x^2, by their Taylor series up to x^(2 terms).
template <int terms, class L>
LIMBER_INLINE void turn_series(const L& z, L& sine, L& cosine) {
  using T = typename L::Real;
  const L one(T(1));
  sine = cosine = one;
#pragma GCC unroll 8
  for (int k = 2 * terms; k >= 2; k -= 2) {
    sine = one - L(T(1.0 / (k * (k + 1)))) * z * sine;
    cosine = one - L(T(1.0 / (k * (k - 1)))) * z * cosine;
  }
}

/// Quaternion of a rotation vector, like turn_quaternion() of state/bodies.hpp.
template <class L>
LIMBER_INLINE Quaternion<L> turn_quaternion(const Vec3<L>& turn) {
  using T = typename L::Real;
  const L z = L(T(0.25)) * dot(turn, turn), short_square(T(0.04));
  L sine, cosine;
  turn_series<5>(z, sine, cosine);
  const auto few = z < short_square;
  if (!all(few)) {
    L long_sine, long_cosine;
    turn_series<8>(z, long_sine, long_cosine);
    sine = select(few, sine, long_sine), cosine = select(few, cosine, long_cosine);
  }
  return {(L(T(0.5)) * sine) * turn, cosine};
}

/// The rotation b followed by a, like rotated() of state/bodies.hpp.
template <class L>
LIMBER_INLINE Quaternion<L> rotated(const Quaternion<L>& a, const Quaternion<L>& b) {
  return {{a.w * b.v.x + a.v.x * b.w + a.v.y * b.v.z - a.v.z * b.v.y,
           a.w * b.v.y - a.v.x * b.v.z + a.v.y * b.w + a.v.z * b.v.x,
           a.w * b.v.z + a.v.x * b.v.y - a.v.y * b.v.x + a.v.z * b.w},
          a.w * b.w - a.v.x * b.v.x - a.v.y * b.v.y - a.v.z * b.v.z};
}

template <class L>
LIMBER_INLINE Quaternion<L> quaternion_of(const Point<L>& p) {
  return {p.p, p.w};
}

/// The part of add_gravity() behind the loads. `velocity`, `momentum`: at the substep's start; `w`: 1/kg;
/// `inverse`: 1/(kg m^2), halfway.
template <class L>
LIMBER_INLINE void fall(const BodyMotionView<typename L::Real>& view, const std::int32_t* at,
                        const std::int32_t* row, const BodyMotion<typename L::Real>& motion,
                        const Vec3<L>& velocity, const Point<L>& momentum, const L& w,
                        const SymmetricLanes<L>& inverse) {
  using T = typename L::Real;
  const L zero(T(0)), h(motion.h);
  alignas(64) T keep[L::width];
  for (int l = 0; l < L::width; ++l) keep[l] = at[l] == motion.held ? motion.keep_held : motion.keep;
  const Vec3<L> v =
      L(motion.keep) * velocity + Vec3<L>{L(motion.gained[0]), L(motion.gained[1]), L(motion.gained[2])};
  store_points(view.velocity, at, Point<L>{v, zero});
  const Vec3<L> kept = L::load(keep) * momentum.p;
  store_points(view.angular_momentum, at, Point<L>{kept, momentum.w});
  const Vec3<L> shift = h * v;
  store_points(view.rows + 4 * row_free, row, Point<L>{shift, zero});
  if (view.fresh_shift != nullptr) {
    const Point<L> none{{zero, zero, zero}, zero};
    store_points(view.fresh_shift, at, none), store_points(view.fresh_turn, at, none);
  }
  store_points(view.rows + 4 * row_shift, row,
               Point<L>{shift + load_points(view.carried_shift, at, L()).p, w});
  store_points(
      view.rows + 4 * row_turn, row,
      Point<L>{h * (inverse * kept) + h * (inverse * load_points(view.carried_momentum, at, L()).p), zero});
}

}  // namespace detail

/// Rotation of free bodies in a substep.
template <class L>
struct FreeTurn {
  Vec3<L> turn;                       ///< rad, rotation vector of the whole substep
  Quaternion<L> middle;               ///< orientation halfway
  detail::SymmetricLanes<L> inverse;  ///< 1/(kg m^2), inverse inertia there, in the world
};

/// Rotation in a substep of h s under the constant angular momentum L = `momentum`: omega = R I^-1 R^T L with
/// R halfway (implicit midpoint rule on the rotation group). The rule keeps L and, for a free body, the
/// energy, which explicit rules do not. `q`: orientation after the share `passed` of the substep; `inverse`:
/// principal inverse inertia.
template <class L>
LIMBER_INLINE FreeTurn<L> turn_through(const Quaternion<L>& q, typename L::Real passed,
                                       const Vec3<L>& inverse, const Vec3<L>& momentum, typename L::Real h,
                                       typename L::Real most_turn) {
  using T = typename L::Real;
  constexpr T epsilon = std::numeric_limits<T>::epsilon();
  constexpr int most_iterations = 12;
  const L zero(T(0)), one(T(1)), half(T(0.5)), hs(h), close(4 * epsilon * epsilon);
  FreeTurn<L> out{{}, q, detail::in_world(q, inverse)};
  out.turn = hs * (out.inverse * momentum);
  L runs = select(zero < detail::unequal(inverse), one, zero);
  for (int k = 0; k < most_iterations && bits(half < runs) != 0; ++k) {
    const Quaternion<L> middle = detail::rotated(
        detail::turn_quaternion(L(T(0.5) - passed) * detail::shortened(out.turn, most_turn)), q);
    const detail::SymmetricLanes<L> there = detail::in_world(middle, inverse);
    const Vec3<L> next = hs * (there * momentum), change = next - out.turn;
    const auto on = half < runs;
    const auto take = [&](L& old, const L& now) { old = select(on, now, old); };
    take(out.turn.x, next.x), take(out.turn.y, next.y), take(out.turn.z, next.z);
    take(out.middle.v.x, middle.v.x), take(out.middle.v.y, middle.v.y), take(out.middle.v.z, middle.v.z);
    take(out.middle.w, middle.w);
    take(out.inverse.xx, there.xx), take(out.inverse.yy, there.yy), take(out.inverse.zz, there.zz);
    take(out.inverse.xy, there.xy), take(out.inverse.xz, there.xz), take(out.inverse.yz, there.yz);
    runs = select(close * dot(next, next) < dot(change, change), runs, zero);
  }
  return out;
}

/// Begins a substep: dx and theta of free motion without gravity, and the inverse inertia halfway. `falls`:
/// also what add_gravity() does.
template <bool falls, class L>
void start_flights(const BodyMotionView<typename L::Real>& view, const std::int32_t* body, std::int32_t count,
                   const BodyMotion<typename L::Real>& motion) {
  using T = typename L::Real;
  const L zero(T(0));
  for (std::int32_t i = 0; i < count; i += L::width) {
    const std::int32_t* const at = body + i;
    std::int32_t row[L::width];
    for (int l = 0; l < L::width; ++l) row[l] = body_rows * at[l];
    const Point<L> momentum = load_points(view.angular_momentum, at, L());
    const FreeTurn<L> turn =
        turn_through<L>(detail::quaternion_of(load_points(view.orientation, at, L())), T(0),
                        load_points(view.inverse_inertia, at, L()).p, momentum.p, motion.h, motion.most_turn);
    const Vec3<L> v = load_points(view.velocity, at, L()).p;
    const L w = load_points(view.position, at, L()).w;
    store_points(view.rows + 4 * row_middle, row, Point<L>{turn.middle.v, turn.middle.w});
    store_points(view.rows + 4 * row_diagonal, row,
                 Point<L>{{turn.inverse.xx, turn.inverse.yy, turn.inverse.zz}, zero});
    store_points(view.rows + 4 * row_mixed, row,
                 Point<L>{{turn.inverse.xy, turn.inverse.xz, turn.inverse.yz}, zero});
    if constexpr (falls) {
      detail::fall(view, at, row, motion, v, momentum, w, turn.inverse);
    } else {
      store_points(view.rows + 4 * row_shift, row, Point<L>{L(motion.h) * v, w});
      store_points(view.rows + 4 * row_turn, row, Point<L>{turn.turn, zero});
    }
  }
}

/// v <- keep v + gained, L <- keep L. Sets dx and theta to the free motion plus the changes that contacts
/// made in the last substep (warm start).
template <class L>
void add_gravity(const BodyMotionView<typename L::Real>& view, const std::int32_t* body, std::int32_t count,
                 const BodyMotion<typename L::Real>& motion) {
  for (std::int32_t i = 0; i < count; i += L::width) {
    const std::int32_t* const at = body + i;
    std::int32_t row[L::width];
    for (int l = 0; l < L::width; ++l) row[l] = body_rows * at[l];
    const Vec3<L> d = load_points(view.rows + 4 * row_diagonal, row, L()).p,
                  m = load_points(view.rows + 4 * row_mixed, row, L()).p;
    detail::fall(view, at, row, motion, load_points(view.velocity, at, L()).p,
                 load_points(view.angular_momentum, at, L()), load_points(view.position, at, L()).w,
                 detail::SymmetricLanes<L>{d.x, d.y, d.z, m.x, m.y, m.z});
  }
}

/// Limits dx and theta to their bounds and applies them to the poses. Returns whether a body with unequal
/// principal moments has rotated so far in this frame that the effective masses of its rows must be computed
/// again (weighed_turn).
template <class L>
bool move_bodies(const BodyMotionView<typename L::Real>& view, const std::int32_t* body, std::int32_t count,
                 const BodyMotion<typename L::Real>& motion) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1));
  bool spun = false;
  for (std::int32_t i = 0; i < count; i += L::width) {
    const std::int32_t* const at = body + i;
    std::int32_t row[L::width];
    alignas(64) T seen[L::width],
        along[L::width];  // seen: 0 if contact points ignore rotation; along: 1 if they ignore that about y
    bool rolls = false;   // some body is round
    for (int l = 0; l < L::width; ++l) {
      row[l] = body_rows * at[l];
      const BodyForm form = view.form[at[l]];
      seen[l] = form == BodyForm::sphere ? T(0) : T(1), along[l] = form == BodyForm::round ? T(1) : T(0);
      rolls = rolls || form != BodyForm::any;
    }
    const Point<L> shift = load_points(view.rows + 4 * row_shift, row, L());
    const Vec3<L> dx = detail::shortened(shift.p, motion.farthest),
                  turn =
                      detail::shortened(load_points(view.rows + 4 * row_turn, row, L()).p, motion.most_turn);
    store_points(view.rows + 4 * row_shift, row, Point<L>{dx, shift.w});
    store_points(view.rows + 4 * row_turn, row, Point<L>{turn, zero});
    const Point<L> moved = load_points(view.rows + 4 * row_moved, row, L());
    const Vec3<L> way = moved.p + dx;
    store_points(view.rows + 4 * row_moved, row, Point<L>{way, moved.w});
    const Vec3<L> start = load_points(view.frame_start, at, L()).p, place = start + way;
    store_points(view.position, at, Point<L>{place, load_points(view.position, at, L()).w});
    store_points(view.remainder, at, Point<L>{(start - place) + way, zero});
    // a body with theta = 0 keeps its orientation bit for bit: rounding must not rotate it
    const auto turns = zero < max(abs(turn.x), max(abs(turn.y), abs(turn.z)));
    if (bits(turns) == 0) continue;
    const Quaternion<L> before = detail::quaternion_of(load_points(view.orientation, at, L())),
                        q = detail::turn_quaternion(turn);
    Quaternion<L> carrying = q;
    if (rolls) {
      Vec3<L> axis[3];
      axes_of(before, axis);
      const Vec3<L> visible = turn - (L::load(along) * dot(turn, axis[1])) * axis[1];
      carrying = detail::turn_quaternion(L::load(seen) * visible);
    }
    const Quaternion<L> now = detail::rotated(q, before);
    const L length = sqrt((now.v.x * now.v.x + now.v.y * now.v.y) + (now.v.z * now.v.z + now.w * now.w));
    store_points(
        view.orientation, at,
        Point<L>{{select(turns, now.v.x / length, before.v.x), select(turns, now.v.y / length, before.v.y),
                  select(turns, now.v.z / length, before.v.z)},
                 select(turns, now.w / length, before.w)});
    const Point<L> since = load_points(view.rows + 4 * row_rotated, row, L());
    const Quaternion<L> turned = detail::rotated(carrying, detail::quaternion_of(since));
    store_points(view.rows + 4 * row_rotated, row,
                 Point<L>{{select(turns, turned.v.x, since.p.x), select(turns, turned.v.y, since.p.y),
                           select(turns, turned.v.z, since.p.z)},
                          select(turns, turned.w, since.w)});
    const L differ = select(zero < detail::unequal(load_points(view.inverse_inertia, at, L()).p), one, zero);
    const L far = select(turns, differ * dot(turned.v, turned.v), zero);
    spun = spun || bits(L(T(weighed_turn) * T(weighed_turn)) < far) != 0;
  }
  return spun;
}

/// Computes v and L from dx and theta. Stores the changes that contacts made, with which the next substep
/// starts. Changes by joints (which keep multipliers) and `fresh` ones (coupling rows start from zero) are
/// left out. If dx or theta exceeds its bound, nothing is carried over. Returns false if a number is not
/// finite.
template <class L>
bool finish_bodies(const BodyMotionView<typename L::Real>& view, const std::int32_t* body, std::int32_t count,
                   const BodyMotion<typename L::Real>& motion) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1)), h(motion.h);
  bool finite = true;
  for (std::int32_t i = 0; i < count; i += L::width) {
    const std::int32_t* const at = body + i;
    std::int32_t row[L::width];
    for (int l = 0; l < L::width; ++l) row[l] = body_rows * at[l];
    const auto by_joints = [&](const double* from) -> Vec3<L> {
      if (from == nullptr) return {zero, zero, zero};
      alignas(64) T numbers[4 * L::width];
      std::int32_t lane[L::width];
      for (int l = 0; l < L::width; ++l) {
        lane[l] = l;
        for (int k = 0; k < 4; ++k) numbers[4 * l + k] = T(from[4 * std::int64_t(at[l]) + k]);
      }
      return load_points(numbers, lane, L()).p;
    };
    const Vec3<L> shift = load_points(view.rows + 4 * row_shift, row, L()).p,
                  whole = load_points(view.rows + 4 * row_turn, row, L()).p,
                  turn = detail::shortened(whole, motion.most_turn),
                  inverse = load_points(view.inverse_inertia, at, L()).p;
    const Point<L> momentum = load_points(view.angular_momentum, at, L()),
                   speed = load_points(view.velocity, at, L());
    const L w = load_points(view.position, at, L()).w;
    const Vec3<L> alone = load_points(view.rows + 4 * row_free, row, L()).p;
    const L turned_far = dot(whole, whole), shifted_far = dot(shift, shift);
    L beyond = zero;
    if (!detail::all_short(turned_far, motion.most_turn) || !detail::all_short(shifted_far, motion.farthest))
      beyond = max(select(L(motion.most_turn) < sqrt(turned_far), one, zero),
                   select(L(motion.farthest) < sqrt(shifted_far), one, zero));
    const auto within = beyond < one;
    const Vec3<L> way = shift - alone, none{zero, zero, zero};
    const bool fresh = view.fresh_shift != nullptr, joined = view.turned != nullptr;
    Vec3<L> carried = way;
    if (fresh) carried = carried - load_points(view.fresh_shift, at, L()).p;
    if (joined) carried = carried - w * by_joints(view.pushed);
    const auto kept = [&](const Vec3<L>& v) -> Point<L> {
      return {{select(within, v.x, zero), select(within, v.y, zero), select(within, v.z, zero)}, zero};
    };
    store_points(view.carried_shift, at, kept(carried));
    const Quaternion<L> middle = detail::quaternion_of(load_points(view.rows + 4 * row_middle, row, L()));
    const Vec3<L> changed = turn - h * (detail::in_world(middle, inverse) * momentum.p);
    const detail::SymmetricLanes<L> inertia = detail::in_world(
        middle, Vec3<L>{inverse_or_zero(inverse.x), inverse_or_zero(inverse.y), inverse_or_zero(inverse.z)});
    const auto momentum_of = [&](const Vec3<L>& x) -> Vec3<L> {
      const Vec3<L> v = inertia * x;
      return {v.x / h, v.y / h, v.z / h};
    };
    const Vec3<L> gained = momentum_of(changed);
    Vec3<L> by_contacts = gained;
    if (fresh || joined)
      by_contacts = momentum_of(changed - by_joints(view.turned) -
                                (fresh ? load_points(view.fresh_turn, at, L()).p : none));
    store_points(view.carried_momentum, at, kept(by_contacts));
    // v changes by the difference from free motion, so that a body that nothing touched keeps v bit for bit
    const Vec3<L> v =
        detail::shortened(speed.p + Vec3<L>{way.x / h, way.y / h, way.z / h}, motion.most_speed);
    const Vec3<L> now = momentum.p + gained;
    store_points(view.velocity, at, Point<L>{v, zero});
    store_points(view.angular_momentum, at, Point<L>{now, zero});
    const L sum = dot(v, v) + dot(now, now) + dot(turn, turn);
    finite = finite && all(abs(sum) < L(std::numeric_limits<T>::infinity()));
  }
  return finite;
}

template <class T>
struct BodyMotionKernels {
  /// `body`: indices of body_group bodies. The kernel processes the first `count`; the others repeat the last
  /// of these.
  template <class Result>
  using Function = Result (*)(const BodyMotionView<T>&, const std::int32_t* body, std::int32_t count,
                              const BodyMotion<T>&);
  Function<void> start, add_gravity, start_and_fall;
  Function<bool> move;    ///< whether effective masses must be computed again
  Function<bool> finish;  ///< false if a number is not finite
};

}  // namespace limber
