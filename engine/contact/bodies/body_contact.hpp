// Contact of two rigid bodies, over lanes: up to four points with one normal n, from b to a.
//
// The unknowns of a substep are, per body, its displacement dx and rotation vector theta since the substep
// began. A point at r from the centre of mass moves by u = dx + theta x r. With s the separation of the
// contact point at the start,
//
//   C = n . (u_a - u_b) + s >= 0,   w = sum_bodies 1/m + (r x n)^T I^-1 (r x n)
//
// The contact is solved by XPBD on these linearised displacements. Multipliers are kept over substeps and
// frames, so that a sweep only corrects them. Each substep has two kinds of sweep (the soft step of Box2D v3
// and Box3D, E. Catto 2023):
//
// push: compliant and overdamped. It removes a share of the overlap, at a bounded speed; bodies move by its
//   result.
// settle: rigid, and without the overlap. Velocities are taken from its result, so that removing overlap adds
//   no energy.
//
// Friction acts on the whole manifold, at the mean of its points. Sliding friction is bounded by mu times the
// sum of the normal multipliers, twisting friction about n by mu times sum_k |r_k| lambda_k over the points
// (r_k from the mean), and rolling friction by the rolling resistance.
#pragma once

#include "engine/constraints/stencil_traits.hpp"
#include "engine/contact/cone.hpp"

namespace limber {

inline constexpr int contact_points = 4;

/// State of one body for the contact kernels: consecutive rows of four numbers.
enum BodyRow : int {
  row_shift,     ///< dx in m, inverse mass
  row_turn,      ///< theta in rad
  row_diagonal,  ///< I^-1 in the world: xx yy zz
  row_mixed,     ///< xy xz yz
  row_moved,     ///< m, displacement since the frame began, without this substep
  row_rotated,   ///< quaternion of the rotation since the frame began, without this substep
  row_middle,    ///< orientation in the middle of the substep
  row_free,      ///< dx without the impulses of contacts
  body_rows
};

/// Columns of the data of one contact. The data of lane_group contacts are interleaved, one number per lane.
enum ContactColumn : int {
  column_normal = 0,
  column_tangent = 3,
  column_points = 6,  ///< contact_points times PointColumn
  /// m, weighted mean of the points, from the centre of mass.
  column_middle_a = column_points + 11 * contact_points,
  column_middle_b = column_middle_a + 3,
  column_friction = column_middle_b + 3,     ///< Coulomb mu
  column_grip = column_friction + 1,         ///< (2 x 2 inverse mass of the tangents t, s)^-1: tt, ts, ss
  column_friction_lambda = column_grip + 3,  ///< kg m, multipliers along the tangents
  column_twist_mass = column_friction_lambda + 2,  ///< kg m^2
  column_twist = column_twist_mass + 1,            ///< kg m^2, multiplier
  column_rolling_arm = column_twist + 1,           ///< m
  column_rolling_mass = column_rolling_arm + 1,
  column_rolling = column_rolling_mass + 1,  ///< kg m^2, multipliers
  column_restitution = column_rolling + 3,
  contact_columns
};
enum PointColumn : int {
  point_at_a = 0,  ///< m, from the centre of mass at the frame's start
  point_at_b = 3,
  point_base = 6,        ///< m, separation - n . (at_a - at_b)
  point_separation = 7,  ///< m, now
  point_mass = 8,        ///< kg, 1/w
  point_push = 9,        ///< kg m, multiplier
  point_arm = 10,        ///< m, distance from the mean of the points
  point_columns
};
static_assert(point_columns == 11);

/// Columns of all contacts, one slot per contact, in blocks of lane_group slots. Unused slots of a block have
/// the normal 0.
template <class T>
struct BodyContactView {
  const std::int32_t *a,
      *b;  ///< index of the body's row_shift in the array of rows; b of a one-sided contact never moves
  T* data;

  /// Column 0 of slot i. Column k of this slot is k * lane_group numbers behind it.
  LIMBER_INLINE T* slot(std::int32_t i) const {
    return data + std::int64_t(i / lane_group) * (contact_columns * lane_group) + i % lane_group;
  }
  static LIMBER_INLINE T* point(T* slot, int k) {
    return slot + (column_points + k * point_columns) * lane_group;
  }
};

/// Softness of the push sweep for one substep of h s.
template <class T>
struct ContactSoftness {
  T mass_scale = 1;     ///< w / (w + alpha/h^2)
  T share = 0;          ///< share of the overlap that is removed
  T impulse_scale = 0;  ///< 1 - mass_scale
  T most = 0;           ///< m, largest overlap that is removed
};

template <class L>
struct MovingBody {
  Vec3<L> shift, turn;
  L w;
  Vec3<L> diagonal, mixed;

  LIMBER_INLINE Vec3<L> at(const Vec3<L>& r) const { return shift + cross(turn, r); }
  LIMBER_INLINE Vec3<L> turned_by(const Vec3<L>& torque) const {
    return {diagonal.x * torque.x + mixed.x * torque.y + mixed.y * torque.z,
            mixed.x * torque.x + diagonal.y * torque.y + mixed.z * torque.z,
            mixed.y * torque.x + mixed.z * torque.y + diagonal.z * torque.z};
  }
  LIMBER_INLINE void push(const Vec3<L>& impulse, const Vec3<L>& r) {
    shift = shift + w * impulse;
    turn = turn + turned_by(cross(r, impulse));
  }
  LIMBER_INLINE void twist(const Vec3<L>& impulse) { turn = turn + turned_by(impulse); }
};

template <class L>
LIMBER_INLINE MovingBody<L> load_body(const typename L::Real* rows, const std::int32_t* index) {
  const Point<L> shift = load_points(rows + 4 * row_shift, index, L());
  return {shift.p, load_points(rows + 4 * row_turn, index, L()).p, shift.w,
          load_points(rows + 4 * row_diagonal, index, L()).p,
          load_points(rows + 4 * row_mixed, index, L()).p};
}
template <class L>
LIMBER_INLINE void store_body(typename L::Real* rows, const std::int32_t* index, const MovingBody<L>& body) {
  store_points(rows + 4 * row_shift, index, Point<L>{body.shift, body.w});
  store_points(rows + 4 * row_turn, index, Point<L>{body.turn, L(typename L::Real(0))});
}

template <class L>
LIMBER_INLINE L load(const typename L::Real* slot, int column) {
  return L::load(slot + column * lane_group);
}
template <class L>
LIMBER_INLINE void store(typename L::Real* slot, int column, L x) {
  x.store(slot + column * lane_group);
}
template <class L>
LIMBER_INLINE Vec3<L> load_vector(const typename L::Real* slot, int column) {
  return {load<L>(slot, column), load<L>(slot, column + 1), load<L>(slot, column + 2)};
}
template <class L>
LIMBER_INLINE void store_vector(typename L::Real* slot, int column, const Vec3<L>& v) {
  store(slot, column, v.x), store(slot, column + 1, v.y), store(slot, column + 2, v.z);
}

/// Rotated by the quaternion in a point row: r + 2 v x (v x r + w r).
template <class L>
LIMBER_INLINE Vec3<L> rotate(const Point<L>& q, const Vec3<L>& r) {
  const Vec3<L> t = cross(q.p, r) + q.w * r;
  const Vec3<L> c = cross(q.p, t);
  return r + (c + c);
}

template <class L>
LIMBER_INLINE L inverse_or_zero(L w) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1));
  return select(zero < w, one / select(zero < w, w, one), zero);
}

/// Computes the effective masses of all rows from the bodies' inverse inertia: at the start of a frame, and
/// again after bodies have rotated far.
template <class L>
void weigh_contacts(const BodyContactView<typename L::Real>& c, std::int32_t begin, std::int32_t end,
                    const typename L::Real* rows) {
  using T = typename L::Real;
  for (std::int32_t i = begin; i < end; i += L::width) {
    T* const slot = c.slot(i);
    const MovingBody<L> a = load_body<L>(rows, c.a + i), b = load_body<L>(rows, c.b + i);
    const Vec3<L> n = load_vector<L>(slot, column_normal), t = load_vector<L>(slot, column_tangent),
                  s = cross(n, t);
    const L both = a.w + b.w;
    for (int k = 0; k < contact_points; ++k) {
      T* const p = c.point(slot, k);
      const Vec3<L> ra = cross(load_vector<L>(p, point_at_a), n),
                    rb = cross(load_vector<L>(p, point_at_b), n);
      const L w = both * dot(n, n) + dot(ra, a.turned_by(ra)) + dot(rb, b.turned_by(rb));
      store(p, point_mass, inverse_or_zero(w));
    }
    const Vec3<L> ma = load_vector<L>(slot, column_middle_a), mb = load_vector<L>(slot, column_middle_b);
    const Vec3<L> at = cross(ma, t), as = cross(ma, s), bt = cross(mb, t), bs = cross(mb, s);
    const Vec3<L> wat = a.turned_by(at), was = a.turned_by(as), wbt = b.turned_by(bt), wbs = b.turned_by(bs);
    const L tt = both * dot(t, t) + dot(at, wat) + dot(bt, wbt);
    const L ss = both * dot(s, s) + dot(as, was) + dot(bs, wbs);
    const L ts = dot(at, was) + dot(bt, wbs);
    const L inverse = inverse_or_zero(tt * ss - ts * ts);
    store(slot, column_grip, inverse * ss), store(slot, column_grip + 1, -(inverse * ts));
    store(slot, column_grip + 2, inverse * tt);
    store(slot, column_twist_mass, inverse_or_zero(dot(n, a.turned_by(n)) + dot(n, b.turned_by(n))));
    // rolling has one mass for all axes: no eigenvalue exceeds the largest row sum
    const Vec3<L> d = a.diagonal + b.diagonal, m = a.mixed + b.mixed;
    const L xy = abs(m.x), xz = abs(m.y), yz = abs(m.z);
    const L most = max(max(d.x + xy + xz, d.y + xy + yz), d.z + xz + yz);
    store(slot, column_rolling_mass, select(L(T(0)) < dot(n, n), inverse_or_zero(most), L(T(0))));
  }
}

/// Warm start: applies the stored multipliers at the start of a frame.
template <bool TwoSided, class L>
void warm_contacts(const BodyContactView<typename L::Real>& c, std::int32_t begin, std::int32_t end,
                   typename L::Real* rows) {
  using T = typename L::Real;
  for (std::int32_t i = begin; i < end; i += L::width) {
    T* const slot = c.slot(i);
    MovingBody<L> a = load_body<L>(rows, c.a + i), b = load_body<L>(rows, c.b + i);
    const Vec3<L> n = load_vector<L>(slot, column_normal), t = load_vector<L>(slot, column_tangent);
    for (int k = 0; k < contact_points; ++k) {
      T* const p = c.point(slot, k);
      const Vec3<L> impulse = load<L>(p, point_push) * n;
      a.push(impulse, load_vector<L>(p, point_at_a));
      b.push(-impulse, load_vector<L>(p, point_at_b));
    }
    const Vec3<L> along = load<L>(slot, column_friction_lambda + 0) * t +
                          load<L>(slot, column_friction_lambda + 1) * cross(n, t);
    a.push(along, load_vector<L>(slot, column_middle_a));
    b.push(-along, load_vector<L>(slot, column_middle_b));
    const Vec3<L> spin = load<L>(slot, column_twist) * n + load_vector<L>(slot, column_rolling);
    a.twist(spin);
    b.twist(-spin);
    store_body(rows, c.a + i, a);
    if constexpr (TwoSided) store_body(rows, c.b + i, b);
  }
}

/// Friction of a manifold. `pushed`: sum of the points' normal multipliers. `torque`: sum of these
/// multipliers times the points' distances from their mean; mu times `torque` bounds the twisting friction
/// about the normal.
template <bool TwoSided, class L>
LIMBER_INLINE void apply_friction(typename L::Real* slot, const Vec3<L>& n, L pushed, L torque, bool rolling,
                                  MovingBody<L>& a, MovingBody<L>& b) {
  const L zero(typename L::Real(0));
  const L mu = load<L>(slot, column_friction);
  {
    const L old = load<L>(slot, column_twist), most = mu * torque;
    const L now = within_bound(old - load<L>(slot, column_twist_mass) * dot(n, a.turn - b.turn), most);
    store(slot, column_twist, now);
    a.twist((now - old) * n);
    if constexpr (TwoSided) b.twist((old - now) * n);
  }
  if (rolling) {
    const Vec3<L> old = load_vector<L>(slot, column_rolling);
    const Vec3<L> now = within_cone(old - load<L>(slot, column_rolling_mass) * (a.turn - b.turn),
                                    load<L>(slot, column_rolling_arm) * pushed);
    store_vector(slot, column_rolling, now);
    a.twist(now - old);
    if constexpr (TwoSided) b.twist(old - now);
  }
  const Vec3<L> ra = load_vector<L>(slot, column_middle_a), rb = load_vector<L>(slot, column_middle_b);
  const Vec3<L> t = load_vector<L>(slot, column_tangent), side = cross(n, t), slid = a.at(ra) - b.at(rb);
  const L along = dot(t, slid), across = dot(side, slid), mixed = load<L>(slot, column_grip + 1);
  const L old_t = load<L>(slot, column_friction_lambda + 0),
          old_s = load<L>(slot, column_friction_lambda + 1);
  const Vec3<L> now =
      within_cone<L>({old_t - (load<L>(slot, column_grip + 0) * along + mixed * across),
                      old_s - (mixed * along + load<L>(slot, column_grip + 2) * across), zero},
                     mu * pushed);
  store(slot, column_friction_lambda, now.x), store(slot, column_friction_lambda + 1, now.y);
  const Vec3<L> impulse = (now.x - old_t) * t + (now.y - old_s) * side;
  a.push(impulse, ra);
  if constexpr (TwoSided) b.push(-impulse, rb);
}

template <bool TwoSided, class L>
void push_contacts(const BodyContactView<typename L::Real>& c, std::int32_t begin, std::int32_t end,
                   typename L::Real* rows, const ContactSoftness<typename L::Real>& soft, bool rolling) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1)), mass_scale(soft.mass_scale), share(soft.mass_scale * soft.share),
      impulse_scale(soft.impulse_scale), most(-soft.most);
  for (std::int32_t i = begin; i < end; i += L::width) {
    T* const slot = c.slot(i);
    MovingBody<L> a = load_body<L>(rows, c.a + i), b = load_body<L>(rows, c.b + i);
    const Vec3<L> n = load_vector<L>(slot, column_normal);
    L pushed = zero, torque = zero;
    for (int k = 0; k < contact_points; ++k) {
      T* const p = c.point(slot, k);
      const Vec3<L> ra = load_vector<L>(p, point_at_a), rb = load_vector<L>(p, point_at_b);
      const L s = load<L>(p, point_separation), old = load<L>(p, point_push);
      const auto apart = zero < s;
      const L bias = select(apart, s, max(share * s, most));
      const L C = select(apart, one, mass_scale) * dot(n, a.at(ra) - b.at(rb)) + bias;
      const L now = max(old - load<L>(p, point_mass) * C - select(apart, zero, impulse_scale) * old, zero);
      store(p, point_push, now);
      const Vec3<L> impulse = (now - old) * n;
      a.push(impulse, ra);
      if constexpr (TwoSided) b.push(-impulse, rb);
      pushed = pushed + now;
      torque = torque + now * load<L>(p, point_arm);
    }
    apply_friction<TwoSided>(slot, n, pushed, torque, rolling, a, b);
    store_body(rows, c.a + i, a);
    if constexpr (TwoSided) store_body(rows, c.b + i, b);
  }
}

template <bool TwoSided, class L>
void settle_contacts(const BodyContactView<typename L::Real>& c, std::int32_t begin, std::int32_t end,
                     typename L::Real* rows, bool rolling) {
  using T = typename L::Real;
  const L zero(T(0));
  for (std::int32_t i = begin; i < end; i += L::width) {
    T* const slot = c.slot(i);
    MovingBody<L> a = load_body<L>(rows, c.a + i), b = load_body<L>(rows, c.b + i);
    const Point<L> qa = load_points(rows + 4 * row_rotated, c.a + i, L()),
                   qb = load_points(rows + 4 * row_rotated, c.b + i, L());
    const Vec3<L> moved =
        load_points(rows + 4 * row_moved, c.a + i, L()).p - load_points(rows + 4 * row_moved, c.b + i, L()).p;
    const Vec3<L> n = load_vector<L>(slot, column_normal);
    // With restitution a pair keeps its speed until it touches: its gap counts a million times.
    const L ahead = select(zero < load<L>(slot, column_restitution), L(T(1e6)), L(T(1)));
    L pushed = zero, torque = zero;
    for (int k = 0; k < contact_points; ++k) {
      T* const p = c.point(slot, k);
      const Vec3<L> ra = load_vector<L>(p, point_at_a), rb = load_vector<L>(p, point_at_b);
      const L s = load<L>(p, point_base) + dot(n, moved + (rotate(qa, ra) - rotate(qb, rb)));
      store(p, point_separation, s);
      const L old = load<L>(p, point_push);
      const L C = dot(n, a.at(ra) - b.at(rb)) + ahead * max(s, zero);
      const L now = max(old - load<L>(p, point_mass) * C, zero);
      store(p, point_push, now);
      const Vec3<L> impulse = (now - old) * n;
      a.push(impulse, ra);
      if constexpr (TwoSided) b.push(-impulse, rb);
      pushed = pushed + now;
      torque = torque + now * load<L>(p, point_arm);
    }
    apply_friction<TwoSided>(slot, n, pushed, torque, rolling, a, b);
    store_body(rows, c.a + i, a);
    if constexpr (TwoSided) store_body(rows, c.b + i, b);
  }
}

/// Computes the separations of all points at the current poses of the bodies.
template <class L>
void measure_contacts(const BodyContactView<typename L::Real>& c, std::int32_t begin, std::int32_t end,
                      const typename L::Real* rows) {
  using T = typename L::Real;
  for (std::int32_t i = begin; i < end; i += L::width) {
    T* const slot = c.slot(i);
    const Point<L> qa = load_points(rows + 4 * row_rotated, c.a + i, L()),
                   qb = load_points(rows + 4 * row_rotated, c.b + i, L());
    const Vec3<L> moved =
        load_points(rows + 4 * row_moved, c.a + i, L()).p - load_points(rows + 4 * row_moved, c.b + i, L()).p;
    const Vec3<L> n = load_vector<L>(slot, column_normal);
    for (int k = 0; k < contact_points; ++k) {
      T* const p = c.point(slot, k);
      const Vec3<L> ra = load_vector<L>(p, point_at_a), rb = load_vector<L>(p, point_at_b);
      store(p, point_separation, load<L>(p, point_base) + dot(n, moved + (rotate(qa, ra) - rotate(qb, rb))));
    }
  }
}

/// Pointers to these kernels for one instruction set. Index 1: both sides of the contacts can move; index 0:
/// one side can.
template <class T>
struct BodyContactKernels {
  void (*weigh)(const BodyContactView<T>&, std::int32_t begin, std::int32_t end, const T* rows);
  void (*warm[2])(const BodyContactView<T>&, std::int32_t begin, std::int32_t end, T* rows);
  void (*push[2])(const BodyContactView<T>&, std::int32_t begin, std::int32_t end, T* rows,
                  const ContactSoftness<T>&, bool rolling);
  void (*settle[2])(const BodyContactView<T>&, std::int32_t begin, std::int32_t end, T* rows, bool rolling);
  void (*measure)(const BodyContactView<T>&, std::int32_t begin, std::int32_t end, const T* rows);
};

}  // namespace limber
