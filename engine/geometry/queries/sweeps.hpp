// Entry of a straight path into a primitive in its own frame: the continuous test of Mueller et al. 2006,
// section 3.4.
#pragma once

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include "engine/geometry/queries/primitives.hpp"

namespace limber {

/// The entry time of a path that never enters.
inline constexpr double never = 2.0;

// All functions return the share t in [0, 1] of the path from `a` to `a + step` (m) after which it enters,
// going inwards, or `never`. A start exactly on the surface with the step inwards enters at 0; a path that
// starts inside or only leaves enters nowhere.

/// The half space below y = height.
template <class Real>
Real plane_entry(const glm::vec<3, Real>& a, const glm::vec<3, Real>& step, Real height) {
  const Real above = a.y - height;
  if (!(step.y < Real(0)) || above < Real(0) || above > -step.y) return Real(never);
  return above / -step.y;
}

/// A sphere: the smaller root of |a + t step|^2 = radius^2, computed as c / (-b + sqrt(b^2 - ac)), without
/// cancellation.
template <class Real>
Real sphere_entry(const glm::vec<3, Real>& a, const glm::vec<3, Real>& step, Real radius) {
  const Real b = glm::dot(a, step), c = glm::dot(a, a) - radius * radius, square = glm::dot(step, step);
  if (!(b < Real(0)) || c < Real(0)) return Real(never);
  const Real root = b * b - square * c;
  if (root < Real(0)) return Real(never);
  const Real t = c / (std::sqrt(root) - b);
  return t <= Real(1) ? t : Real(never);
}

/// A capsule as in primitives.hpp: the cylinder between the centres of the caps, and the caps.
template <class Real>
Real capsule_entry(const glm::vec<3, Real>& a, const glm::vec<3, Real>& step, Real radius, Real half_length) {
  using Vector = glm::vec<3, Real>;
  const auto across = [](const Vector& v) { return Vector(v.x, Real(0), v.z); };
  const Vector tip(Real(0), half_length, Real(0));
  if (capsule_distance(a, radius, half_length).d < Real(0)) return Real(never);
  const Real side = sphere_entry(across(a), across(step), radius);
  if (side <= Real(1) && std::abs(a.y + side * step.y) <= half_length) return side;
  return std::min(sphere_entry(a - tip, step, radius), sphere_entry(a + tip, step, radius));
}

/// A cylinder as in primitives.hpp. The path enters at the later of its entries into the infinite cylinder
/// and into the slab between the caps, if it has left neither before.
template <class Real>
Real cylinder_entry(const glm::vec<3, Real>& a, const glm::vec<3, Real>& step, Real radius,
                    Real half_length) {
  Real enter = -Real(never), leave = Real(never);
  const Real square = step.x * step.x + step.z * step.z;
  const Real b = a.x * step.x + a.z * step.z, c = a.x * a.x + a.z * a.z - radius * radius;
  if (square > Real(0)) {
    const Real root = b * b - square * c;
    if (!(root > Real(0))) return Real(never);
    const Real q = b > Real(0) ? -b - std::sqrt(root) : -b + std::sqrt(root);  // without cancellation
    const Real one = q / square, other = q == Real(0) ? -one : c / q;
    enter = std::min(one, other), leave = std::max(one, other);
  } else if (c > Real(0)) {
    return Real(never);
  }
  if (step.y != Real(0)) {
    const Real near_cap = step.y > Real(0) ? -half_length : half_length;
    enter = std::max(enter, (near_cap - a.y) / step.y);
    leave = std::min(leave, (-near_cap - a.y) / step.y);
  } else if (std::abs(a.y) > half_length) {
    return Real(never);
  }
  return enter >= Real(0) && enter < leave && enter <= Real(1) ? enter : Real(never);
}

/// A box with sharp edges. The path enters at the last of its entries into the three slabs, if it has left
/// none before.
template <class Real>
Real sharp_box_entry(const glm::vec<3, Real>& a, const glm::vec<3, Real>& step,
                     const glm::vec<3, Real>& half_extents) {
  Real enter = -Real(never), leave = Real(never);
  for (int k = 0; k < 3; ++k) {
    if (step[k] == Real(0)) {
      if (std::abs(a[k]) > half_extents[k]) return Real(never);
      continue;
    }
    const Real near_side = step[k] > Real(0) ? -half_extents[k] : half_extents[k];
    enter = std::max(enter, (near_side - a[k]) / step[k]);
    leave = std::min(leave, (-near_side - a[k]) / step[k]);
  }
  return enter >= Real(0) && enter < leave && enter <= Real(1) ? enter : Real(never);
}

/// A box inflated by `radius`, with rounded edges and corners: three boxes, each inflated along one axis, and
/// a capsule along each edge (Ericson 2005, 5.5.7).
template <class Real>
Real box_entry(const glm::vec<3, Real>& a, const glm::vec<3, Real>& step,
               const glm::vec<3, Real>& half_extents, Real radius) {
  using Vector = glm::vec<3, Real>;
  if (!(radius > Real(0))) return sharp_box_entry(a, step, half_extents);
  if (box_distance(a, half_extents).d < radius) return Real(never);
  const Vector hull = half_extents + radius;
  if (box_distance(a, hull).d > Real(0) && sharp_box_entry(a, step, hull) > Real(1)) return Real(never);
  Real first = Real(never);
  for (int k = 0; k < 3; ++k) {
    Vector half = half_extents;
    half[k] += radius;
    first = std::min(first, sharp_box_entry(a, step, half));
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    for (const Real side_i : {-half_extents[i], half_extents[i]})
      for (const Real side_j : {-half_extents[j], half_extents[j]}) {
        // the capsule's frame: y along the edge
        const Vector start(a[i] - side_i, a[k], a[j] - side_j), way(step[i], step[k], step[j]);
        first = std::min(first, capsule_entry(start, way, radius, half_extents[k]));
      }
  }
  return first;
}

/// Any surface that is given by distance(point), m; the path enters where the distance falls to `radius`.
/// Sphere tracing with steps as long as the distance allows, but at least `shortest` m, so that a thinner
/// solid can be missed; then bisection.
template <class Real, class Distance>
Real traced_entry(const glm::vec<3, Real>& a, const glm::vec<3, Real>& step, Real radius, Real shortest,
                  const Distance& distance) {
  const Real length = std::sqrt(glm::dot(step, step));
  if (!(length > Real(0)) || distance(a) < radius) return Real(never);
  // an interpolated distance may grow by sqrt(3) per metre; t must grow however small `shortest` is
  const auto advance = [&](Real d) {
    return std::max(std::max(Real(0.577) * (d - radius), shortest) / length, Real(1e-6));
  };
  Real outside = 0, next = 0;
  for (bool last = false; !last;) {
    next = outside + advance(distance(a + outside * step));
    last = !(next < Real(1));
    next = std::min(next, Real(1));
    if (distance(a + next * step) < radius) {
      for (int i = 0; i < 24; ++i) {
        const Real middle = Real(0.5) * (outside + next);
        (distance(a + middle * step) < radius ? next : outside) = middle;
      }
      return outside;
    }
    outside = next;
  }
  return Real(never);
}

}  // namespace limber
