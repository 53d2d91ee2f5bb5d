// Closest points of a point and a triangle, and of two edges, over Lanes and without branches.
#pragma once

#include <glm/vec3.hpp>

#include "engine/simd/lanes.hpp"
#include "engine/simd/points.hpp"

namespace limber {

template <class L>
LIMBER_INLINE L clamp01(L t) {
  using T = typename L::Real;
  return min(max(t, L(T(0))), L(T(1)));
}

/// Weights b of the triangle's corners with closest point sum b_i t_i, b_i >= 0, sum b_i = 1.
template <class L>
struct TriangleWeights {
  L b[3];
  typename L::Mask inside;  ///< the foot of the perpendicular lies in the triangle
};

/// The point of triangle t nearest to q: the foot of the perpendicular if it lies inside, otherwise the
/// nearest of the nearest points of the three edges. A degenerate triangle counts as its edges.
template <class L>
LIMBER_INLINE TriangleWeights<L> closest_on_triangle(const Vec3<L>& q, const Vec3<L> (&t)[3]) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1));
  // with cross products, because a c - b^2 of a sliver consists of rounding errors
  const Vec3<L> e0 = t[1] - t[0], e1 = t[2] - t[0], r = q - t[0], n = cross(e0, e1);
  const L area = dot(n, n);  // (2 A)^2
  const L inverse = one / select(zero < area, area, one);
  const L v = select(zero < area, dot(cross(r, e1), n) * inverse, -one), w = dot(cross(e0, r), n) * inverse;
  const L u = one - v - w;

  // edges k -> k+1, parameter s, squared distance
  L best_b[3] = {one, zero, zero}, best(T(-1));
  for (int k = 0; k < 3; ++k) {
    const Vec3<L> edge = t[(k + 1) % 3] - t[k], to = q - t[k];
    const L length = dot(edge, edge);
    const L s = clamp01(dot(edge, to) / select(zero < length, length, one));
    const Vec3<L> miss = to - s * edge;
    const L distance = dot(miss, miss);
    const auto nearer = k == 0 ? best < zero : distance < best;
    best = select(nearer, distance, best);
    best_b[k] = select(nearer, one - s, best_b[k]);
    best_b[(k + 1) % 3] = select(nearer, s, best_b[(k + 1) % 3]);
    best_b[(k + 2) % 3] = select(nearer, zero, best_b[(k + 2) % 3]);
  }
  const L lowest = min(u, min(v, w));
  const Vec3<L> miss = r - v * e0 - w * e1;
  const auto inside = zero < select(dot(miss, miss) < best, lowest, zero);
  return {{select(inside, u, best_b[0]), select(inside, v, best_b[1]), select(inside, w, best_b[2])}, inside};
}

/// Weights of the point of triangle `x` nearest to q, for a single triangle.
template <class T>
glm::vec<3, T> nearest_weights(const glm::vec<3, T>& q, const glm::vec<3, T> (&x)[3]) {
  using One = Lanes<T, 1>;
  const auto lanes = [](const glm::vec<3, T>& v) { return Vec3<One>{One(v.x), One(v.y), One(v.z)}; };
  const Vec3<One> corners[3] = {lanes(x[0]), lanes(x[1]), lanes(x[2])};
  const TriangleWeights<One> nearest = closest_on_triangle(lanes(q), corners);
  return {nearest.b[0].v, nearest.b[1].v, nearest.b[2].v};
}

/// Parameters of the nearest points p0 + s (p1 - p0) and q0 + t (q1 - q0).
template <class L>
struct EdgeParameters {
  L s, t;
  typename L::Mask inside;  ///< both points lie between the ends
};

/// The nearest points of two edges (Lumelsky 1985, as in Ericson, Real-Time Collision Detection, 5.1.9).
/// Of parallel edges one of the nearest pairs.
template <class L>
LIMBER_INLINE EdgeParameters<L> closest_on_edges(const Vec3<L>& p0, const Vec3<L>& p1, const Vec3<L>& q0,
                                                 const Vec3<L>& q1) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1));
  const Vec3<L> d1 = p1 - p0, d2 = q1 - q0, r = p0 - q0;
  const L a = dot(d1, d1), e = dot(d2, d2), b = dot(d1, d2), c = dot(d1, r), f = dot(d2, r);
  const L safe_a = select(zero < a, a, one), safe_e = select(zero < e, e, one);
  const Vec3<L> n = cross(d1, d2);  // more accurate than a e - b^2
  const L denominator = dot(n, n);
  const auto skew = L(T(1e-9)) * a * e < denominator;
  const L s0 = select(skew, clamp01(dot(cross(d2, r), n) / select(skew, denominator, one)), zero);
  const L t = clamp01((b * s0 + f) / safe_e);
  const L s = clamp01((b * t - c) / safe_a);
  const L lowest = min(min(s, one - s), min(t, one - t));
  return {s, t, zero < lowest};
}

}  // namespace limber
