// The share of the kernel support of a fluid particle that a convex solid fills.
#pragma once

#include <algorithm>
#include <cmath>

#include "engine/constraints/density.hpp"
#include "engine/geometry/convex/convex_kind.hpp"

namespace limber {

/// Half the side of the square that has the area of a circle of radius 1: sqrt(pi) / 2.
inline constexpr double square_of_circle = 0.886226925;

/// Share of a kernel support that a ball of radius R fills, with the ball's surface at the distance d (m)
/// from the particle: the integral of poly6 over the spherical caps at all distances r,
///
///   int 2 pi r^2 W (1 - cos a) dr,   cos a = (D^2 + r^2 - R^2) / (2 D r),   D = R + d.
template <class T>
T share_behind_ball(T support, T R, T d) {
  const T D = std::max(R + d, T(1e-6) * support) / support, beta = d * (d + R + R) / (support * support);
  const auto integral = [&](T x) {
    const T x2 = x * x, u = T(1) - x2, u4 = (u * u) * (u * u);
    const T square = x * x2 * (T(1) / T(3) - x2 * (T(3) / T(5) - x2 * (T(3) / T(7) - x2 / T(9))));
    return square + (beta * u4 / T(8) + u4 * (T(1) / T(8) - u / T(10))) / (D + D);
  };
  const T from = std::min(std::abs(d) / support, T(1)), to = std::min(D + R / support, T(1));
  const T x2 = from * from;  // below `from` the ball contains the whole sphere of radius r
  const T inner = from * x2 * (T(1) / T(3) - x2 * (T(3) / T(5) - x2 * (T(3) / T(7) - x2 / T(9))));
  const T share =
      T(315.0 / 32.0) * (std::max(integral(to) - integral(from), T(0)) + (d < T(0) ? inner + inner : T(0)));
  return std::min(share, T(1));
}

/// Ratio of the share that a cylinder fills to that of the box around its cross-section, for a particle
/// beside the cylinder. A cylinder is curved in one direction only, so it fills less than its box by half as
/// much as a ball does.
template <class T>
T curved_once(T support, T radius, T d) {
  const T e = T(square_of_circle) * radius, across = T(1) - T(2) * share_behind_plane(support, e);
  const T box =
      (share_behind_plane(support, d) - share_behind_plane(support, d + radius + radius)) * across * across;
  return box > T(1e-4) ? T(0.5) + T(0.5) * std::min(share_behind_ball(support, radius, d) / box, T(1)) : T(1);
}

/// Share of a box that replaces a cylinder: its cross-section is the square of equal area, at the same
/// distance. The particle is `out` m from the axis, at y along it.
template <class T>
T share_behind_boxed_cylinder(T support, T radius, T half_length, T out, T y) {
  const T e = T(square_of_circle) * radius;
  return share_behind_box<T>(support, {e, half_length, e}, {std::max(out - radius + e, T(0)), y, T(0)});
}

/// Share of the kernel support that a solid fills; `size` as in ConvexSolid, x: the particle in the solid's
/// frame, d: m, its distance from the surface. The error is below 0.04. A hull counts as a half space.
template <class T>
T share_behind_solid(T support, ConvexKind kind, const Vec3<T>& size, const Vec3<T>& x, T d) {
  switch (kind) {
    case ConvexKind::box:
      return share_behind_box(support, size, x);
    case ConvexKind::sphere:
      return share_behind_ball(support, size.x, d);
    case ConvexKind::capsule: {  // near its side a cylinder; around its ends more and more a ball
      const T past = std::clamp((std::abs(x.y) - size.y) / (size.x + std::max(d, T(0))), T(0), T(1));
      const T along = std::min(std::abs(x.y), size.y), out = size.x + d;
      const T side = share_behind_boxed_cylinder(support, size.x, size.y, out, along);
      return (T(1) - past) * side * curved_once(support, size.x, d) +
             past * share_behind_ball(support, size.x, d);
    }
    case ConvexKind::cylinder: {  // near its side a cylinder; in front of its ends flat
      const T out = std::sqrt(x.x * x.x + x.z * x.z), side = out - size.x, end = std::abs(x.y) - size.y;
      const T flat = std::clamp(T(0.5) + T(0.5) * (end - side) / size.x, T(0), T(1));
      return share_behind_boxed_cylinder(support, size.x, size.y, out, x.y) *
             (flat + (T(1) - flat) * curved_once(support, size.x, d));
    }
    case ConvexKind::hull:
      break;
  }
  return share_behind_plane(support, d);
}

}  // namespace limber
