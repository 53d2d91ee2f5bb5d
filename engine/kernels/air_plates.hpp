// Forces of the air on triangles over lanes (parts/air/wind.hpp has the laws and the shares of mass).
#pragma once

#include <cstdint>

#include "engine/simd/points.hpp"

namespace limber {

/// Triangles per call of a kernel: a multiple of all widths.
inline constexpr int plate_block = 64;

/// Arrays of triangles; those behind the last one name padding particles and have no mass.
template <class T>
struct AirPlates {
  const T *position, *velocity;  ///< m, m/s: four numbers per particle
  const std::int32_t* corners[3];
  const T* mass;    ///< kg that moves with a triangle; 0: all corners are held
  const T* closed;  ///< 1: of a closed skin, on which the air presses from outside only
  const T* air;     ///< m/s, four numbers per triangle: velocity of the fields; null: none
  T* thirds;        ///< N s, four numbers per triangle: a third of its impulse
  T* motion;        ///< m/s, four numbers per triangle: against the air; null: not asked for
};

/// Parameters that are the same for all triangles. `normal`, `tangent`, `drag`, `lift`: 1/2 rho C, N s^2/m^4.
template <class T>
struct PlateAir {
  T steady[3];        ///< m/s
  T h;                ///< s
  T normal, tangent;  ///< of the law `plate`
  T drag, lift;       ///< of the law `lift_drag`
};

namespace detail {

template <class L>
LIMBER_INLINE Vec3<L> divided(Vec3<L> v, L by) {
  return {v.x / by, v.y / by, v.z / by};
}

/// Velocity after h s of a mass m that moves at v relative to the air and has a plate of area A and normal n:
///
///   m dv/dt = -|v| A (C_n (v.n) n + C_t v_t)
///
/// with C in N s^2/m^4. `per_mass` is h A / m. No component changes its sign, so |v| never grows.
template <class L>
LIMBER_INLINE Vec3<L> slowed_by_plate(Vec3<L> v, Vec3<L> n, L normal, L tangent, L per_mass) {
  using T = typename L::Real;
  const L speed = sqrt(dot(v, v)), along = dot(n, v), one(T(1));
  return v - min(per_mass * tangent * speed, one) * (v - along * n) -
         (min(per_mass * normal * speed, one) * along) * n;
}

/// Velocity after h s under the law `lift_drag`. Drag shortens v. Lift rotates v in the plane of v and n,
/// away from n, without changing its length.
template <class L>
LIMBER_INLINE Vec3<L> turned_by_lift(Vec3<L> v, Vec3<L> n, L drag, L lift, L per_mass) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1)), speed = sqrt(dot(v, v));
  const Vec3<L> d = divided(v, select(zero < speed, speed, one));
  const L s = dot(n, d), steep = abs(s);
  const Vec3<L> across = steep * d - select(s < zero, -one, one) * n;  // of length sqrt(1 - s^2)
  const L kept = one - min(per_mass * drag * speed * steep, one);
  // Tangent of half the angle, which gives sine and cosine without the C library.
  const L half = min(per_mass * lift * speed * steep * L(T(0.5)), L(T(0.5)));
  const L length = sqrt(dot(across, across));
  const L turn = half * length, scale = one / (one + turn * turn);
  const L sine = (turn + turn) / select(zero < length, length, one);
  return (kept * speed * scale) * ((one - turn * turn) * d + sine * across);
}

}  // namespace detail

/// Writes a third of the impulse of the air on each of the triangles [begin, end), multiples of plate_block.
template <bool lifts, class L>
void blow_plates(const AirPlates<typename L::Real>& plates, const PlateAir<typename L::Real>& air,
                 std::int32_t begin, std::int32_t end) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1)), three(T(3));
  const Vec3<L> steady{L(air.steady[0]), L(air.steady[1]), L(air.steady[2])};
  std::int32_t row[16];
  for (std::int32_t t = begin; t < end; t += L::width) {
    for (int lane = 0; lane < L::width; ++lane) row[lane] = t + lane;
    Vec3<L> x[3], v[3];
    for (int k = 0; k < 3; ++k) {
      x[k] = load_points(plates.position, plates.corners[k] + t, L()).p;
      v[k] = load_points(plates.velocity, plates.corners[k] + t, L()).p;
    }
    const Vec3<L> twice = cross(x[1] - x[0], x[2] - x[0]);
    const L double_area = sqrt(dot(twice, twice)), mass = L::load(plates.mass + t);
    const L known = select(zero < double_area, double_area, one), heavy = select(zero < mass, mass, one);
    const Vec3<L> n = detail::divided(twice, known);
    Vec3<L> u = detail::divided(v[0] + v[1] + v[2], three) - steady;
    if (plates.air) u = u - load_points(plates.air, row, L()).p;
    const L per_mass = L(air.h) * (double_area / L(T(2))) / heavy;
    const L pressed = select(dot(u, n) < zero, one - L::load(plates.closed + t), one);
    const Vec3<L> after =
        lifts ? detail::turned_by_lift(u, n, pressed * L(air.drag), pressed * L(air.lift), per_mass)
              : detail::slowed_by_plate(u, n, pressed * L(air.normal), L(air.tangent), per_mass);
    const L whole = select(zero < double_area, mass, zero), moved = lifts ? pressed * whole : whole;
    store_points(plates.thirds, row, Point<L>{detail::divided(moved * (after - u), three), zero});
    if (plates.motion) store_points(plates.motion, row, Point<L>{u, zero});
  }
}

template <class T>
struct AirKernels {
  using Blow = void (*)(const AirPlates<T>& plates, const PlateAir<T>& air, std::int32_t begin,
                        std::int32_t end);
  Blow slow, turn;  ///< by the laws `plate` and `lift_drag`
};

}  // namespace limber
