// Shape matching (Mueller et al. 2005) of many solids at once: a lane is a column, up to as many particles of
// one solid as its group has rows. With rest places q, masses m and places x,
//
//   c = sum m x / sum m,   A = sum m (x - c) (q - qbar)^T,   goal = c + R (q - qbar),   x += k (goal - x)
//
// where R is the rotation that maximises tr(R^T A), A's polar rotation with det R = +1 (vectors
// shape_matching_rotation, _inverted). A solid in several columns adds their sums up in the order of columns.
//
// R comes from the last one by Newton's method on the rotation group. At R exp(w) with r_k, a_k the columns
// of R and A the trace is tr + w.g - w.B w/2, where
//
//   g = sum r_k x a_k,   B = tr(S) 1 - (S + S^T)/2,   S = sum a_k r_k^T
//
// (Mueller et al. 2016 take the number tr(S) for B, which converges linearly.) It has one local maximum:
// where B is positive definite the step leads there. Where it is not, after a collapse or far from the last
// rotation, the caller takes nearest_rotation().
#pragma once

#include "engine/constraints/stencil.hpp"

namespace limber {

/// Columns in groups of lane_group: row k of a group that begins at slot s is the slots s + lane_group k ...;
/// slots that fill up a column name a padding particle, with mass 0.
template <class T>
struct ColumnView {
  const std::int32_t* particle;
  const T* rest[3];  ///< q, m
  const T* mass;     ///< kg
};

/// What a column's sums are: rows of lane_group numbers.
enum ColumnSum : int { sum_mass = 0, sum_place = 1, sum_rest = 4, sum_outer = 7, column_sums = 16 };
/// Where a solid is: columns of R, then c - R qbar in m.
inline constexpr int column_places = 12;

/// A held particle weighs this much more, so that the solid follows it.
inline constexpr double held_weight = 1000;

/// Sums of the slots [begin, end), a group: {m x, m q, m x q^T by columns of q}. `origin`: three rows of
/// lane_group numbers, a place near each column's centre of mass that the x are counted from, in m. Nearer is
/// better: what is rounded there pushes a solid along.
template <class L>
void sum_columns(const ColumnView<typename L::Real>& columns, std::int32_t begin, std::int32_t end,
                 const typename L::Real* origin, const typename L::Real* points, typename L::Real* sums) {
  using T = typename L::Real;
  const L zero(T(0)), heavy{T(held_weight)};
  for (int l = 0; l < lane_group; l += L::width) {
    const Vec3<L> from = {L::load(origin + l), L::load(origin + lane_group + l),
                          L::load(origin + 2 * lane_group + l)};
    L mass = zero;
    Vec3<L> place{zero, zero, zero}, rest = place, outer[3] = {place, place, place};
    for (std::int32_t i = begin + l; i < end; i += lane_group) {
      const Point<L> at = load_points(points, columns.particle + i, L());
      const L own = L::load(columns.mass + i), m = select(zero < at.w, own, heavy * own);
      const L q[3] = {L::load(columns.rest[0] + i), L::load(columns.rest[1] + i),
                      L::load(columns.rest[2] + i)};
      const Vec3<L> mx = m * (at.p - from);
      mass = mass + m;
      place = place + mx;
      rest = rest + Vec3<L>{m * q[0], m * q[1], m * q[2]};
      for (int k = 0; k < 3; ++k) outer[k] = outer[k] + q[k] * mx;
    }
    const auto put = [&](int row, const L& value) { value.store(sums + row * lane_group + l); };
    const auto put3 = [&](int row, const Vec3<L>& v) { put(row, v.x), put(row + 1, v.y), put(row + 2, v.z); };
    put(sum_mass, mass);
    put3(sum_place, place);
    put3(sum_rest, rest);
    for (int k = 0; k < 3; ++k) put3(sum_outer + 3 * k, outer[k]);
  }
}

template <class L>
struct Rotation {
  Vec3<L> column[3];
};

/// Of a unit quaternion {x, y, z, w}.
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

/// Newton's step w for R; not `good` where B is not positive definite.
template <class L>
struct RotationStep {
  Vec3<L> w;
  L good;  ///< 1 or 0
};
template <class L>
LIMBER_INLINE RotationStep<L> rotation_step(const Rotation<L>& r, const Vec3<L> (&a)[3], L norm) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1)), half(T(0.5));
  const Vec3<L>&r0 = r.column[0], &r1 = r.column[1], &r2 = r.column[2];
  const Vec3<L> g = cross(r0, a[0]) + cross(r1, a[1]) + cross(r2, a[2]);
  const auto s = [&](L Vec3<L>::*i, L Vec3<L>::*j) {
    return a[0].*i * r0.*j + a[1].*i * r1.*j + a[2].*i * r2.*j;
  };
  using V = Vec3<L>;
  const L sxx = s(&V::x, &V::x), syy = s(&V::y, &V::y), szz = s(&V::z, &V::z);
  // a line's turn about itself is nobody's choice: a little of the norm keeps it where it is
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
  V w{inverse * (c0 * g.x + c1 * g.y + c2 * g.z), inverse * (c1 * g.x + d1 * g.y + d2 * g.z),
      inverse * (c2 * g.x + d2 * g.y + minor * g.z)};
  const L length = sqrt(dot(w, w));
  return {(one / max(one, length)) * w, good};
}

/// Rotations of one group from its sums. `turns`: quaternions, four rows of lane_group numbers, the last ones
/// and then the new; `spread`: sum m |q|^2 per column, kg m^2. Returns a bit per column whose rotation is not
/// found: the caller's turn. One that has shrunk to a point keeps its rotation.
template <class L>
unsigned fit_rotations(const typename L::Real* sums, const typename L::Real* spread,
                       typename L::Real* turns) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1)), half(T(0.5));
  constexpr int steps = 4;
  const T settled = T(sizeof(T) == 8 ? 1e-5 : 1e-3);  // rad; the error of a step is that of the square
  unsigned lost = 0;
  for (int l = 0; l < lane_group; l += L::width) {
    const auto row = [&](int r) { return L::load(sums + r * lane_group + l); };
    const auto row3 = [&](int r) { return Vec3<L>{row(r), row(r + 1), row(r + 2)}; };
    const L mass = row(sum_mass), inverse = one / select(zero < mass, mass, one);
    const Vec3<L> place = row3(sum_place), rest = inverse * row3(sum_rest);
    const Vec3<L> a[3] = {row3(sum_outer) - rest.x * place, row3(sum_outer + 3) - rest.y * place,
                          row3(sum_outer + 6) - rest.z * place};
    const L norm = sqrt(dot(a[0], a[0]) + dot(a[1], a[1]) + dot(a[2], a[2]));
    const auto shaped = L(T(1e-5)) * L::load(spread + l) < norm;
    L q[4], open = select(shaped, one, zero), failed = zero;
    for (int k = 0; k < 4; ++k) q[k] = L::load(turns + k * lane_group + l);
    for (int i = 0; i < steps && bits(zero < open) != 0; ++i) {
      const RotationStep<L> step = rotation_step(rotation_lanes(q), a, norm);
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
    }
    lost |= bits(zero < failed + open) << l;
    for (int k = 0; k < 4; ++k) q[k].store(turns + k * lane_group + l);
  }
  return lost;
}

/// Where the solids of a group are, from sums and rotations.
template <class L>
void place_columns(const typename L::Real* sums, const typename L::Real* turns,
                   const typename L::Real* origin, typename L::Real* places) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1));
  for (int l = 0; l < lane_group; l += L::width) {
    const auto row3 = [&](int r) {
      const T* at = sums + r * lane_group + l;
      return Vec3<L>{L::load(at), L::load(at + lane_group), L::load(at + 2 * lane_group)};
    };
    const L mass = L::load(sums + sum_mass * lane_group + l), inverse = one / select(zero < mass, mass, one);
    L q[4];
    for (int k = 0; k < 4; ++k) q[k] = L::load(turns + k * lane_group + l);
    const Rotation<L> r = rotation_lanes(q);
    const Vec3<L> rest = inverse * row3(sum_rest);
    const Vec3<L> from = {L::load(origin + l), L::load(origin + lane_group + l),
                          L::load(origin + 2 * lane_group + l)};
    const Vec3<L> c = from + inverse * row3(sum_place);
    const Vec3<L> shift = c - (rest.x * r.column[0] + rest.y * r.column[1] + rest.z * r.column[2]);
    const Vec3<L> all[4] = {r.column[0], r.column[1], r.column[2], shift};
    for (int k = 0; k < 4; ++k) {
      T* to = places + 3 * k * lane_group + l;
      all[k].x.store(to), all[k].y.store(to + lane_group), all[k].z.store(to + 2 * lane_group);
    }
  }
}

/// Moves the particles of the slots [begin, end), a group, by the share `stiffness` of their way to the goal,
/// a number per column. Held ones stay.
template <class L>
void match_columns(const ColumnView<typename L::Real>& columns, std::int32_t begin, std::int32_t end,
                   const typename L::Real* places, const typename L::Real* stiffness,
                   typename L::Real* points) {
  using T = typename L::Real;
  const L zero(T(0));
  for (int l = 0; l < lane_group; l += L::width) {
    const auto row3 = [&](int r) {
      const T* at = places + r * lane_group + l;
      return Vec3<L>{L::load(at), L::load(at + lane_group), L::load(at + 2 * lane_group)};
    };
    const Vec3<L> r0 = row3(0), r1 = row3(3), r2 = row3(6), shift = row3(9);
    const L k = L::load(stiffness + l);
    for (std::int32_t i = begin + l; i < end; i += lane_group) {
      Point<L> at = load_points(points, columns.particle + i, L());
      const Vec3<L> goal = shift + (L::load(columns.rest[0] + i) * r0 + L::load(columns.rest[1] + i) * r1 +
                                    L::load(columns.rest[2] + i) * r2);
      at.p = at.p + select(zero < at.w, k, zero) * (goal - at.p);
      store_points(points, columns.particle + i, at);
    }
  }
}

/// These kernels of one instruction set.
template <class T>
struct ShapeMatchingKernels {
  void (*sum)(const ColumnView<T>&, std::int32_t begin, std::int32_t end, const T* origin, const T* points,
              T* sums);
  unsigned (*fit)(const T* sums, const T* spread, T* turns);
  void (*place)(const T* sums, const T* turns, const T* origin, T* places);
  void (*match)(const ColumnView<T>&, std::int32_t begin, std::int32_t end, const T* places,
                const T* stiffness, T* points);
};

}  // namespace limber
