// Shape matching (Mueller et al. 2005) of many clusters at once. Each lane has a column: particles of one
// cluster, at most as many as the group of columns has rows. With rest positions q, masses m and positions x,
//
//   c = sum m x / sum m,   A = sum m (x - c) (q - qbar)^T,   goal = c + R (q - qbar),   x += k (goal - x)
//
// where R is the rotation that maximises tr(R^T A), A's polar rotation with det R = +1 (worked cases
// shape_matching_rotation, _inverted of tests/vectors.json). For a cluster with several columns the sums of
// the columns are added in their order.
//
// Newton's method on the rotation group finds R, starting from the R of the last substep. With r_k, a_k the
// columns of R and A, the trace at R exp(w) is tr + w.g - w.B w/2, where
//
//   g = sum r_k x a_k,   B = tr(S) 1 - (S + S^T)/2,   S = sum a_k r_k^T
//
// (Mueller et al. 2016 use the number tr(S) for B, which converges linearly.) The trace has a single local
// maximum, and a step leads towards it if B is positive definite. Otherwise, after a collapse or far from the
// last rotation, the caller uses nearest_rotation().
#pragma once

#include "engine/constraints/stencil_traits.hpp"
#include "engine/constraints/stencil_view.hpp"

namespace limber {

/// Columns in groups of lane_group: row k of a group that begins at slot s has the slots s + lane_group k to
/// s + lane_group (k + 1) - 1. A slot that pads a column names a padding particle and has mass 0.
template <class T>
struct ColumnView {
  const std::int32_t* particle;
  const T* rest[3];  ///< q, m
  const T* mass;     ///< kg
};

/// Sums of a column: rows of lane_group numbers.
enum ColumnSum : int {
  sum_mass = 0,
  sum_stray = 1,    ///< m d, d = x - R0 q: displacement from the last pose (R0, middle)
  sum_rest = 4,     ///< m q
  sum_outer = 7,    ///< m x q^T, by columns of q
  sum_torque = 16,  ///< (R0 q) x m d
  column_sums = 19
};
/// Numbers of a cluster's pose: the columns of R, then the displacement of place_columns(), m.
inline constexpr int column_places = 12;

/// Factor on the mass of particles that cannot move, so that the cluster follows them.
inline constexpr double held_weight = 1000;

template <class L>
struct Rotation {
  Vec3<L> column[3];
};

/// The rotation of a unit quaternion {x, y, z, w}.
template <class L>
LIMBER_INLINE Rotation<L> rotation_lanes(const L (&q)[4]) {
  const L one(typename L::Real(1)), two(typename L::Real(2));
  const L x = two * q[0], y = two * q[1], z = two * q[2];
  const L xx = q[0] * x, yy = q[1] * y, zz = q[2] * z, xy = q[0] * y, xz = q[0] * z, yz = q[1] * z;
  const L wx = q[3] * x, wy = q[3] * y, wz = q[3] * z;
  return {{{one - yy - zz, xy + wz, xz - wy},
           {xy - wz, one - xx - zz, yz + wx},
           {xz + wy, yz - wx, one - xx - yy}}};
}

/// R q
template <class L>
LIMBER_INLINE Vec3<L> posed_by(const Rotation<L>& r, const L& x, const L& y, const L& z) {
  return x * r.column[0] + y * r.column[1] + z * r.column[2];
}

/// Positions of particles, rows of four numbers as in a Sweep (stencil.hpp), and the last pose of each
/// column, with which they are compared.
template <class T>
struct ColumnPlaces {
  const T* origin;   ///< m
  T* moved;          ///< m, displacement from the origin; inverse mass
  const T* middle;   ///< m: three rows of lane_group numbers, a place near each column's centre of mass
  const T* carried;  ///< m: three rows, displacement of `middle` with the cluster
  const T* turns;    ///< four rows: quaternion of R0
};

template <class L>
LIMBER_INLINE Vec3<L> column_vector(const typename L::Real* rows, int l) {
  return {L::load(rows + l), L::load(rows + lane_group + l), L::load(rows + 2 * lane_group + l)};
}

/// Computes the sums over the slots [begin, end), one group, with x relative to `middle`. Position and
/// rotation of a cluster are computed from d, which is zero for a cluster that has moved rigidly. Sums over x
/// itself would have rounding errors in proportion to the cluster's size, in the same direction in every
/// substep, by which the cluster would move and rotate without a force.
template <class L>
void sum_columns(const ColumnView<typename L::Real>& columns, std::int32_t begin, std::int32_t end,
                 const ColumnPlaces<typename L::Real>& places, typename L::Real* sums) {
  using T = typename L::Real;
  const L zero(T(0)), heavy{T(held_weight)};
  for (int l = 0; l < lane_group; l += L::width) {
    const Vec3<L> middle = column_vector<L>(places.middle, l), carried = column_vector<L>(places.carried, l);
    L turn[4];
    for (int k = 0; k < 4; ++k) turn[k] = L::load(places.turns + k * lane_group + l);
    const Rotation<L> r0 = rotation_lanes(turn);
    L mass = zero;
    Vec3<L> stray{zero, zero, zero}, rest = stray, torque = stray, outer[3] = {stray, stray, stray};
    for (std::int32_t i = begin + l; i < end; i += lane_group) {
      const Point<L> at = load_points(places.moved, columns.particle + i, L());
      const L own = L::load(columns.mass + i), m = select(zero < at.w, own, heavy * own);
      const L q[3] = {L::load(columns.rest[0] + i), L::load(columns.rest[1] + i),
                      L::load(columns.rest[2] + i)};
      const Vec3<L> from = load_points(places.origin, columns.particle + i, L()).p - middle;
      const Vec3<L> posed = posed_by(r0, q[0], q[1], q[2]), on = at.p - carried;
      const Vec3<L> md = m * ((from - posed) + on), mx = m * (from + on);
      mass = mass + m;
      stray = stray + md;
      torque = torque + cross(posed, md);
      rest = rest + Vec3<L>{m * q[0], m * q[1], m * q[2]};
      for (int k = 0; k < 3; ++k) outer[k] = outer[k] + q[k] * mx;
    }
    const auto put = [&](int row, const L& value) { value.store(sums + row * lane_group + l); };
    const auto put3 = [&](int row, const Vec3<L>& v) { put(row, v.x), put(row + 1, v.y), put(row + 2, v.z); };
    put(sum_mass, mass);
    put3(sum_stray, stray);
    put3(sum_rest, rest);
    for (int k = 0; k < 3; ++k) put3(sum_outer + 3 * k, outer[k]);
    put3(sum_torque, torque);
  }
}

/// Newton step w for R. `good` is 0 where B is not positive definite.
template <class L>
struct RotationStep {
  Vec3<L> w;
  L good;  ///< 1 or 0
};
/// g = sum r_k x a_k
template <class L>
LIMBER_INLINE Vec3<L> torque_of(const Rotation<L>& r, const Vec3<L> (&a)[3]) {
  return cross(r.column[0], a[0]) + cross(r.column[1], a[1]) + cross(r.column[2], a[2]);
}
/// Newton step from A = `a` with the Frobenius norm `norm`. `g`: the torque, which the caller computes with
/// little rounding.
template <class L>
LIMBER_INLINE RotationStep<L> rotation_step(const Rotation<L>& r, const Vec3<L> (&a)[3], const Vec3<L>& g,
                                            L norm) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1)), half(T(0.5));
  const Vec3<L>&r0 = r.column[0], &r1 = r.column[1], &r2 = r.column[2];
  const auto s = [&](L Vec3<L>::*i, L Vec3<L>::*j) {
    return a[0].*i * r0.*j + a[1].*i * r1.*j + a[2].*i * r2.*j;
  };
  using V = Vec3<L>;
  const L sxx = s(&V::x, &V::x), syy = s(&V::y, &V::y), szz = s(&V::z, &V::z);
  // The rotation of particles on a line about that line is undetermined; a small diagonal term keeps it
  // constant.
  const L more = L(T(sizeof(T) == 8 ? 1e-6 : 1e-3)) * norm;
  const L xx = syy + szz + more, yy = sxx + szz + more, zz = sxx + syy + more;
  const L xy = -half * (s(&V::x, &V::y) + s(&V::y, &V::x)), xz = -half * (s(&V::x, &V::z) + s(&V::z, &V::x)),
          yz = -half * (s(&V::y, &V::z) + s(&V::z, &V::y));
  const L c0 = yy * zz - yz * yz, c1 = xz * yz - xy * zz, c2 = xy * yz - xz * yy;
  const L minor = xx * yy - xy * xy, det = xx * c0 + xy * c1 + xz * c2;
  const L least = L(T(1e-10)) * norm * norm * norm;
  const L good = select(zero < xx, select(zero < minor, select(least < det, one, zero), zero), zero);
  const L inverse = good / select(least < det, det, one);
  const L d1 = xx * zz - xz * xz, d2 = xy * xz - xx * yz;
  const auto solved = [&](const V& b) {
    return inverse * V{c0 * b.x + c1 * b.y + c2 * b.z, c1 * b.x + d1 * b.y + d2 * b.z,
                       c2 * b.x + d2 * b.y + minor * b.z};
  };
  V w = solved(g);
  w = w + more * solved(w);  // restores nearly all that `more` took off: losing 1e-3 in each substep would
                             // stop a pendulum
  const L length = sqrt(dot(w, w));
  return {(one / max(one, length)) * w, good};
}

/// Computes the rotations of one group of columns from its sums. `turns`: quaternions, four rows of
/// lane_group numbers; on entry the last ones, on return the new ones. `spread`: sum m |q|^2 per column, kg
/// m^2. Returns a bit for each column whose rotation was not found, and which the caller must find. A column
/// that has shrunk to a point keeps its rotation.
template <class L>
unsigned fit_rotations(const typename L::Real* sums, const typename L::Real* spread,
                       typename L::Real* turns) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1)), half(T(0.5));
  constexpr int steps = 4;
  // rad; the error after a step is of the order of its square
  const T settled = T(sizeof(T) == 8 ? 1e-5 : 1e-3);
  unsigned lost = 0;
  for (int l = 0; l < lane_group; l += L::width) {
    const auto row = [&](int r) { return L::load(sums + r * lane_group + l); };
    const auto row3 = [&](int r) { return Vec3<L>{row(r), row(r + 1), row(r + 2)}; };
    const L mass = row(sum_mass), inverse = one / select(zero < mass, mass, one);
    L q[4];
    for (int k = 0; k < 4; ++k) q[k] = L::load(turns + k * lane_group + l);
    const Rotation<L> r0 = rotation_lanes(q);
    const Vec3<L> all = row3(sum_rest), rest = inverse * all, stray = row3(sum_stray);
    const Vec3<L> place = stray + posed_by(r0, all.x, all.y, all.z);
    Vec3<L> torque = row3(sum_torque) - cross(posed_by(r0, rest.x, rest.y, rest.z), stray);
    const Vec3<L> a[3] = {row3(sum_outer) - rest.x * place, row3(sum_outer + 3) - rest.y * place,
                          row3(sum_outer + 6) - rest.z * place};
    const L norm = sqrt(dot(a[0], a[0]) + dot(a[1], a[1]) + dot(a[2], a[2]));
    const auto shaped = L(T(1e-5)) * L::load(spread + l) < norm;
    L open = select(shaped, one, zero), failed = zero;
    for (int i = 0; i < steps && bits(zero < open) != 0; ++i) {
      const RotationStep<L> step = rotation_step(rotation_lanes(q), a, torque, norm);
      const L h = half * open * step.good;
      const Vec3<L> w = h * step.w;
      const L turned[4] = {
          q[0] + (w.x * q[3] + w.y * q[2] - w.z * q[1]), q[1] + (w.y * q[3] + w.z * q[0] - w.x * q[2]),
          q[2] + (w.z * q[3] + w.x * q[1] - w.y * q[0]), q[3] - (w.x * q[0] + w.y * q[1] + w.z * q[2])};
      const L length =
          sqrt(turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2] + turned[3] * turned[3]);
      for (int k = 0; k < 4; ++k) q[k] = select(zero < open, turned[k] / length, q[k]);
      failed = max(failed, open * (one - step.good));
      open = select(dot(step.w, step.w) < L(settled * settled), zero, open) * step.good;
      torque = torque_of(rotation_lanes(q), a);
    }
    lost |= bits(zero < failed + open) << l;
    for (int k = 0; k < 4; ++k) q[k].store(turns + k * lane_group + l);
  }
  return lost;
}

/// Computes the poses of the clusters of a group from their sums: R, and the displacement mean d + (R0 - R)
/// qbar of the centre of mass from `middle` + R qbar. `before`: the quaternions of R0.
template <class L>
void place_columns(const typename L::Real* sums, const typename L::Real* before,
                   const typename L::Real* turns, typename L::Real* places) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1));
  for (int l = 0; l < lane_group; l += L::width) {
    const auto row3 = [&](int r) {
      const T* at = sums + r * lane_group + l;
      return Vec3<L>{L::load(at), L::load(at + lane_group), L::load(at + 2 * lane_group)};
    };
    const L mass = L::load(sums + sum_mass * lane_group + l), inverse = one / select(zero < mass, mass, one);
    L q[4], q0[4];
    for (int k = 0; k < 4; ++k) q[k] = L::load(turns + k * lane_group + l);
    for (int k = 0; k < 4; ++k) q0[k] = L::load(before + k * lane_group + l);
    const Rotation<L> r = rotation_lanes(q), r0 = rotation_lanes(q0);
    const Vec3<L> rest = inverse * row3(sum_rest);
    const Vec3<L> shift = inverse * row3(sum_stray) +
                          (posed_by(r0, rest.x, rest.y, rest.z) - posed_by(r, rest.x, rest.y, rest.z));
    const Vec3<L> all[4] = {r.column[0], r.column[1], r.column[2], shift};
    for (int k = 0; k < 4; ++k) {
      T* to = places + 3 * k * lane_group + l;
      all[k].x.store(to), all[k].y.store(to + lane_group), all[k].z.store(to + 2 * lane_group);
    }
  }
}

/// Moves the particles of the slots [begin, end), one group, towards their goals by the share `stiffness`,
/// one number per column. Particles with inverse mass zero stay.
template <class L>
void match_columns(const ColumnView<typename L::Real>& columns, std::int32_t begin, std::int32_t end,
                   const typename L::Real* goals, const typename L::Real* stiffness,
                   const ColumnPlaces<typename L::Real>& places) {
  using T = typename L::Real;
  const L zero(T(0));
  for (int l = 0; l < lane_group; l += L::width) {
    const auto row3 = [&](int r) {
      const T* at = goals + r * lane_group + l;
      return Vec3<L>{L::load(at), L::load(at + lane_group), L::load(at + 2 * lane_group)};
    };
    const Rotation<L> r{{row3(0), row3(3), row3(6)}};
    const Vec3<L> shift = row3(9), middle = column_vector<L>(places.middle, l),
                  carried = column_vector<L>(places.carried, l);
    const L k = L::load(stiffness + l);
    for (std::int32_t i = begin + l; i < end; i += lane_group) {
      Point<L> at = load_points(places.moved, columns.particle + i, L());
      const Vec3<L> from = load_points(places.origin, columns.particle + i, L()).p - middle;
      const Vec3<L> posed = posed_by(r, L::load(columns.rest[0] + i), L::load(columns.rest[1] + i),
                                     L::load(columns.rest[2] + i));
      at.p = at.p + select(zero < at.w, k, zero) * (shift - ((from - posed) + (at.p - carried)));
      store_points(places.moved, columns.particle + i, at);
    }
  }
}

/// Pointers to these kernels for one instruction set.
template <class T>
struct ShapeMatchingKernels {
  void (*sum)(const ColumnView<T>&, std::int32_t begin, std::int32_t end, const ColumnPlaces<T>&, T* sums);
  unsigned (*fit)(const T* sums, const T* spread, T* turns);
  void (*place)(const T* sums, const T* before, const T* turns, T* goals);
  void (*match)(const ColumnView<T>&, std::int32_t begin, std::int32_t end, const T* goals,
                const T* stiffness, const ColumnPlaces<T>&);
};

}  // namespace limber
