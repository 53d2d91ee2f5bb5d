// The kernels of a fluid, W of poly6 and grad W of spiky (Mueller et al. 2003), its cohesion (Akinci et al.
// 2013), and the share of a particle's support that a wall fills. All are functions of distances only.
#pragma once

#include "engine/core/fluid_viscosity.hpp"
#include "engine/simd/inverse_sqrt.hpp"
#include "engine/simd/points.hpp"

namespace limber {

/// Factor by which the volume V of a particle is smaller than the cube of two radii. With the whole cube, a
/// fluid at rest would rise above its initial lattice by this factor, because poly6 sums to less over
/// disordered neighbours. Measured; masses do not change.
inline constexpr double fluid_packing = 1.0165;

/// The kernels of support H (m) and the volume of a particle. All are functions of the distance r (m).
template <class T>
struct FluidKernel {
  T support, support2;  ///< H, H^2
  T poly6;              ///< 315 / (64 pi H^9)
  T spiky;              ///< 45 / (pi H^6)
  T cohesion;           ///< 32 / (pi H^9)
  T cohesion_inner;     ///< H^6 / 64
  T volume;             ///< m^3, V

  /// kg m^2: artificial pressure of a substep that keeps particles apart, k^ H^2 m.
  T spread(T share, T mass) const { return share * support2 * mass; }
  /// m^3, 1 / W(dq), dq as a share of H.
  T inverse_spread(T dq) const {
    const T left = (T(1) - dq * dq) * support2;
    return T(1) / (poly6 * left * left * left);
  }

  static constexpr double pi = 3.14159265358979323846;
  /// The kernels for particles of that radius (m).
  static constexpr FluidKernel of_radius(double radius) {
    return make(fluid_support_radii * radius, 8.0 * radius * radius * radius / fluid_packing);
  }
  static constexpr FluidKernel make(double support, double volume) {
    const double h3 = support * support * support, h6 = h3 * h3, h9 = h6 * h3;
    return {T(support),
            T(support * support),
            T(315.0 / (64.0 * pi * h9)),
            T(45.0 / (pi * h6)),
            T(32.0 / (pi * h9)),
            T(h6 / 64.0),
            T(volume)};
  }
};

/// W of poly6, 1/m^3, as a function of r^2.
template <class L, class T>
LIMBER_INLINE L poly6(const FluidKernel<T>& kernel, L r2) {
  const L left = max(L(kernel.support2) - r2, L(T(0)));
  return (L(kernel.poly6) * left) * (left * left);
}

/// -dW/dr of spiky, 1/m^4.
template <class L, class T>
LIMBER_INLINE L spiky_slope(const FluidKernel<T>& kernel, L r) {
  const L left = max(L(kernel.support) - r, L(T(0)));
  return L(kernel.spiky) * (left * left);
}

/// r (m) and 1/r from r^2. 1/r is bounded by 1e12, so that two particles in one place give finite numbers.
template <class L>
struct Length {
  L r, inverse;

  LIMBER_INLINE explicit Length(L r2) : inverse(inverse_sqrt(max(r2, L(typename L::Real(1e-24))))) {
    r = r2 * inverse;
  }
};

/// -dW/dr / r of spiky, 1/m^5, as a function of r^2; times u it is -grad W.
template <class L, class T>
LIMBER_INLINE L slope_along(const FluidKernel<T>& kernel, L r2) {
  const Length<L> length(r2);
  return spiky_slope(kernel, length.r) * length.inverse;
}

/// C(r) of Akinci et al. 2013, 1/m^3: attraction between particles; negative (repulsion) at short distances.
template <class L, class T>
LIMBER_INLINE L cohesion(const FluidKernel<T>& kernel, L r) {
  const L left = max(L(kernel.support) - r, L(T(0)));
  const L product = left * r, cube = product * (product * product);
  const L near = (cube + cube) - L(kernel.cohesion_inner);
  return L(kernel.cohesion) * select(r + r < L(kernel.support), near, cube);
}

/// The share of the support, weighted with poly6, that lies behind a plane d m away: the integral of
/// 315 / (256 H^9) (H^2 - z^2)^4 from d to H. 1/2 at the plane, 0 from H on; continuously differentiable.
template <class T>
constexpr T share_behind_plane(T support, T d) {
  const T x = d < -support ? T(-1) : d > support ? T(1) : d / support, x2 = x * x;
  const T sum = x * (T(1) - x2 * (T(4) / T(3) - x2 * (T(6) / T(5) - x2 * (T(4) / T(7) - x2 / T(9)))));
  return T(0.5) - T(315.0 / 256.0) * sum;
}

/// 1/m, decrease of the share behind a plane per metre of distance d (m), with the spiky kernel, which all
/// gradients use: 2 pi int_d^H W r dr. Its integral from 0 to H is 1/2. Inside the wall the slope is that at
/// the plane.
template <class T>
constexpr T slope_before_plane(T support, T d) {
  const T left = T(1) - (d < T(0) ? T(0) : d > support ? T(1) : d / support), left2 = left * left;
  return left2 * left2 * (T(7.5) - T(6) * left) / support;
}

/// Share of the support that counts as filled by a wall d m from a particle: S(d)^2 / S(r), with S the share
/// behind a plane and r the radius. A particle that lies on the wall (d = r) has the plain share, so that a
/// fluid at rest keeps its density up to the wall, but twice the slope of the plain share.
template <class T>
constexpr T share_before_wall(T support, T d) {
  const T share = share_behind_plane(support, d);
  return share * share / share_behind_plane(T(1), T(1.0 / fluid_support_radii));
}

/// 1/m, decrease of share_before_wall() per metre of distance, with the plain slope of the spiky kernel. The
/// layer of particles on a wall, 2 r thick, carries 2 r times this slope at r = 0.95 of its pressure.
template <class T>
constexpr T slope_before_wall(T support, T d) {
  return T(2) * share_behind_plane(support, d) / share_behind_plane(T(1), T(1.0 / fluid_support_radii)) *
         slope_before_plane(support, d);
}

/// Share of the support that a box of the given half extents fills, for a particle at x in the box's frame
/// (m): the product over the axes of the share between two planes. Poly6 does not separate into such a
/// product, but nearly: the result is exact in front of a face, and 1/4 and 1/8 at an edge and a corner.
template <class T>
constexpr T share_behind_box(T support, const Vec3<T>& half_extents, const Vec3<T>& x) {
  const auto between = [&](T e, T at) {
    return share_behind_plane(support, at - e) - share_behind_plane(support, at + e);
  };
  return between(half_extents.x, x.x) * between(half_extents.y, x.y) * between(half_extents.z, x.z);
}

/// 1/m, attraction of a particle by a wall d m away: the sum of the adhesion of Akinci et al. 2013 over
/// boundary particles on a plane,
///
///   g(d) ~ d int_d^H A(r) dr,   A(r) ~ (-4 r^2/H + 6 r - 2 H)^(1/4) between H/2 and H,
///
/// with the first power in place of the power 1/4, so that the inner integral is a polynomial. The integral
/// of the result over d is 1.
template <class T>
constexpr T attraction_of_plane(T support, T d) {
  const T x = d / support;
  if (!(x > T(0)) || !(x < T(1))) return T(0);
  const T u = x > T(0.5) ? x + x - T(1) : T(0);
  return x * (T(1) - u * u * (T(3) - (u + u))) / (T(0.2875) * support);
}

/// Force (N) with which a wall d m away attracts a particle of `radius` (m), for an `adhesion` in N/m: each
/// particle covers a square of two radii.
template <class T>
constexpr T adhesion_of_plane(T adhesion, T radius, T d) {
  return T(4) * adhesion * radius * radius * attraction_of_plane(T(fluid_support_radii) * radius, d);
}

}  // namespace limber
