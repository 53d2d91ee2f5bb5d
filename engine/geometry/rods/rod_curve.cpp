#include "engine/geometry/rods/rod_curve.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include "engine/simd/turns.hpp"

namespace limber {
namespace {

using L = Lanes<double, 1>;
using Q = Quaternion<L>;

Q lane(const glm::dvec4& q) { return {{q.x, q.y, q.z}, q.w}; }
glm::dvec4 plain(const Q& q) { return {q.v.x.v, q.v.y.v, q.v.z.v, q.w.v}; }

/// The smallest rotation that takes the unit vector a to b.
glm::dvec4 least_turn(const glm::dvec3& a, const glm::dvec3& b) {
  const double cosine = glm::dot(a, b);
  if (cosine < -1.0 + 1e-12) {  // half a revolution about any perpendicular axis
    const glm::dvec3 across = glm::cross(a, std::abs(a.x) < 0.9 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0));
    return glm::dvec4(glm::normalize(across), 0.0);
  }
  const glm::dvec4 q(glm::cross(a, b), 1.0 + cosine);
  return q / std::sqrt(glm::dot(q, q));
}

}  // namespace

std::vector<glm::dvec3> line_points(double length, int segments) {
  std::vector<glm::dvec3> out;
  for (int i = 0; i <= segments; ++i) out.emplace_back(length * i / segments, 0.0, 0.0);
  return out;
}

std::vector<glm::dvec3> helix_points(double length, double coil_radius, double pitch, int segments) {
  std::vector<glm::dvec3> out;
  const double around = 2.0 * glm::pi<double>() * coil_radius,
               turn = std::sqrt(around * around + pitch * pitch);
  for (int i = 0; i <= segments; ++i) {
    const double turns = length / turn * i / segments, angle = 2.0 * glm::pi<double>() * turns;
    out.emplace_back(pitch * turns, coil_radius * std::cos(angle), coil_radius * std::sin(angle));
  }
  return out;
}

std::vector<glm::dvec3> ring_points(double length, int segments) {
  std::vector<glm::dvec3> out;
  // the chords add up to the length
  const double half = glm::pi<double>() / segments, radius = length / (2.0 * segments * std::sin(half));
  for (int i = 0; i < segments; ++i)
    out.emplace_back(radius * std::cos(2.0 * half * i), 0.0, radius * std::sin(2.0 * half * i));
  return out;
}

std::vector<glm::dvec3> resampled(std::span<const glm::dvec3> points, int segments) {
  std::vector<double> along{0.0};
  for (std::size_t i = 1; i < points.size(); ++i)
    along.push_back(along.back() + glm::distance(points[i - 1], points[i]));
  std::vector<glm::dvec3> out;
  for (int i = 0; i <= segments; ++i) {
    const double s = along.back() * i / segments;
    const auto after = std::upper_bound(along.begin() + 1, along.end() - 1, s);
    const std::size_t k = std::size_t(after - along.begin());
    const double piece = along[k] - along[k - 1];
    out.push_back(glm::mix(points[k - 1], points[k], piece > 0.0 ? (s - along[k - 1]) / piece : 0.0));
  }
  return out;
}

std::vector<glm::dvec4> bishop_frames(std::span<const glm::dvec3> points, bool closed) {
  const std::size_t segments = closed ? points.size() : points.size() - 1;
  std::vector<glm::dvec4> out;
  glm::dvec3 before(0.0);
  for (std::size_t i = 0; i < segments; ++i) {
    const glm::dvec3 tangent = glm::normalize(points[(i + 1) % points.size()] - points[i]);
    if (i == 0) {
      const glm::dvec3 up = std::abs(tangent.y) < 0.99 ? glm::dvec3(0, 1, 0) : glm::dvec3(0, 0, 1);
      const glm::dvec3 first = glm::normalize(glm::cross(up, tangent));
      const glm::dvec3 axes[3] = {first, glm::cross(tangent, first), tangent};
      // from the matrix with those columns
      const glm::dvec4 lead = least_turn({0, 0, 1}, tangent);
      Vec3<L> now[3];
      axes_of(lane(lead), now);
      const glm::dvec3 mine(now[0].x.v, now[0].y.v, now[0].z.v);
      const double angle = std::atan2(glm::dot(glm::cross(mine, axes[0]), tangent), glm::dot(mine, axes[0]));
      const glm::dvec4 about(std::sin(angle / 2) * tangent, std::cos(angle / 2));
      out.push_back(plain(lane(about) * lane(lead)));
    } else {
      out.push_back(plain(lane(least_turn(before, tangent)) * lane(out.back())));
    }
    out.back() /= std::sqrt(glm::dot(out.back(), out.back()));
    before = tangent;
  }
  return out;
}

glm::dvec4 rolled(const glm::dvec4& q, double angle) {
  return plain(lane(q) * Q{{0.0, 0.0, std::sin(0.5 * angle)}, std::cos(0.5 * angle)});
}

glm::dvec3 rotation_between(const glm::dvec4& a, const glm::dvec4& b) {
  L k;
  const Vec3<L> r = rotation_vector(conjugate(lane(a)) * lane(b), k);
  return {r.x.v, r.y.v, r.z.v};
}

}  // namespace limber
