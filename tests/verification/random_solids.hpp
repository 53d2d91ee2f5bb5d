// Convex solids of random kind, size and place, and their simplest descriptions: point clouds and formulas.
#pragma once

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <vector>

#include "engine/contact/bodies/manifold.hpp"
#include "engine/geometry/mesh/shapes.hpp"
#include "engine/parallel/random.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace manifold_test {

struct Random {
  std::uint64_t seed, counter = 0;
  double next() { return random_signed(seed, counter++); }
  glm::dvec3 in_cube() {
    const double x = next(), y = next();
    return {x, y, next()};
  }
  glm::dvec3 direction() {
    for (;;) {
      const glm::dvec3 v = in_cube();
      const double square = glm::dot(v, v);
      if (square < 1.0 && square > 1e-4) return v / std::sqrt(square);
    }
  }
  glm::dmat3 rotation() {
    const glm::dvec3 z = direction(), x = glm::normalize(glm::cross(direction(), z));
    return {x, glm::cross(z, x), z};
  }
};

/// A solid the way this test sees it: the points of a cloud, or a formula; nothing of the engine.
struct Solid {
  ConvexShape shape;
  std::vector<glm::dvec3> cloud;  ///< of a box or a hull
  Placed at;
  glm::dmat3 rotation{1.0};
  glm::dvec3 position{0.0};

  void place(const glm::dvec3& p, const glm::dmat3& R) {
    at = {vec3(p), mat3(R)};
    position = glm::dvec3(at.position), rotation = glm::dmat3(at.rotation);
  }
  /// Farthest point of the world along a direction.
  glm::dvec3 support(const glm::dvec3& direction) const {
    const glm::dvec3 d = direction * rotation, size(shape.size);
    const double y = d.y < 0 ? -size.y : size.y, across = std::hypot(d.x, d.z), length = glm::length(d);
    glm::dvec3 p(0.0);
    switch (shape.kind) {
      case ConvexKind::sphere:
        p = size.x / length * d;
        break;
      case ConvexKind::capsule:
        p = size.x / length * d + glm::dvec3(0, y, 0);
        break;
      case ConvexKind::cylinder:
        p = {across > 0 ? size.x * d.x / across : 0.0, y, across > 0 ? size.x * d.z / across : 0.0};
        break;
      default:
        double farthest = -INFINITY;
        for (const glm::dvec3& q : cloud)
          if (glm::dot(q, d) > farthest) farthest = glm::dot(q, d), p = q;
    }
    return position + rotation * p;
  }
  double extent() const {
    return std::abs(position.x) + std::abs(position.y) + std::abs(position.z) +
           double(bounding_radius(shape));
  }
  double thin() const {
    const glm::dvec3 s(shape.size);
    switch (shape.kind) {
      case ConvexKind::sphere:
      case ConvexKind::capsule:
        return s.x;
      case ConvexKind::cylinder:
        return std::min(s.x, s.y);
      case ConvexKind::box:
        return std::min({s.x, s.y, s.z});
      default:
        return shape.hull->inradius;
    }
  }
};

/// Distance by which a lies beyond b along a unit direction from b to a.
inline double separation(const Solid& a, const Solid& b, const glm::dvec3& n) {
  return glm::dot(n, a.support(-n) - b.support(n));
}

/// The greatest separation of any direction, searched from the best of many.
inline double greatest_separation(const Solid& a, const Solid& b, const glm::dvec3& hint, Random& random) {
  constexpr int starts = 3, samples = 120;
  std::array<std::pair<double, glm::dvec3>, starts> best;
  best.fill({-INFINITY, hint});
  for (int i = 0; i < samples; ++i) {
    const glm::dvec3 n = random.direction();
    const double s = separation(a, b, n);
    for (int k = 0; k < starts; ++k)
      if (s > best[std::size_t(k)].first) {
        for (int l = starts - 1; l > k; --l) best[std::size_t(l)] = best[std::size_t(l - 1)];
        best[std::size_t(k)] = {s, n};
        break;
      }
  }
  double greatest = -INFINITY;
  for (auto& [s, n] : best) {
    for (double step = 0.3; step > 1e-5; step *= 0.6)
      for (int k = 0; k < 8; ++k) {
        const glm::dvec3 other = glm::normalize(n + step * random.direction());
        const double there = separation(a, b, other);
        if (there > s) s = there, n = other;
      }
    greatest = std::max(greatest, s);
  }
  return greatest;
}

/// Half extents or radius and half length between 0.2 and 1, some thin.
inline Solid random_solid(ConvexKind kind, Random& random, std::vector<ConvexPolyhedron>& hulls) {
  Solid out;
  const glm::dvec3 s = glm::dvec3(0.6) + 0.4 * random.in_cube();
  out.shape.kind = kind;
  out.shape.size = vec3(s);
  const glm::dvec3 half(out.shape.size);
  if (kind == ConvexKind::box)
    for (int c = 0; c < 8; ++c)
      out.cloud.push_back(half * glm::dvec3(c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1));
  if (kind == ConvexKind::hull) {
    const int count = 6 + int(8.0 * (1.0 + random.next()));
    for (int i = 0; i < count; ++i) out.cloud.push_back(half * random.direction());
    hulls.push_back(*convex_hull(out.cloud));
    out.shape.hull = &hulls.back();
  }
  return out;
}

constexpr ConvexKind kinds[] = {ConvexKind::sphere, ConvexKind::capsule, ConvexKind::box,
                                ConvexKind::cylinder, ConvexKind::hull};

struct Pair {
  Solid a, b;
};

/// A normal of a face, an axis, or any direction.
inline glm::dvec3 some_normal(const Solid& s, Random& random) {
  const double choice = random.next();
  if (choice < -0.3) return random.direction();
  if (s.shape.kind != ConvexKind::hull) return s.rotation[int(1.4999 * (1.0 + random.next()))];
  const auto& planes = s.shape.hull->planes;
  return s.rotation * planes[std::size_t(0.4999 * double(planes.size()) * (1.0 + random.next()))].normal;
}

/// A point of the corner, the edge or the face that is farthest along a direction.
inline glm::dvec3 some_support(const Solid& s, const glm::dvec3& direction, Random& random) {
  glm::dvec3 sum(0.0);
  for (int i = 0; i < 3; ++i) sum += s.support(direction + 1e-9 * random.direction()) / 3.0;
  return sum;
}

/// Two solids that touch, corner, edge or face, moved up to `deep` m into or 0.05 m off each other.
inline Pair random_pair(ConvexKind kind_a, ConvexKind kind_b, double deep, Random& random,
                        std::vector<ConvexPolyhedron>& hulls) {
  Pair out{random_solid(kind_a, random, hulls), random_solid(kind_b, random, hulls)};
  const glm::dvec3 place = 2.0 * random.in_cube();
  out.a.place(place, random.rotation());
  out.b.place(place, random.next() > 0.0 ? random.rotation() : out.a.rotation);
  glm::dvec3 n = some_normal(random.next() > 0.0 ? out.a : out.b, random);
  if (random.next() > 0.5) {
    const glm::dvec3 across = glm::cross(n, some_normal(out.b, random));
    if (glm::length(across) > 0.1) n = glm::normalize(across);
  }
  const double share = 0.5 * (1.0 + random.next()), gap = 0.05 - share * (deep + 0.05);
  const glm::dvec3 meet = some_support(out.a, -n, random) - some_support(out.b, n, random);
  out.b.place(out.b.position + meet - gap * n, out.b.rotation);
  return out;
}

inline double signed_distance(const Solid& s, const glm::dvec3& p) {
  const ConvexSolid<double> solid{s.shape.kind, glm::dvec3(s.shape.size), s.shape.hull};
  return surface_distance(solid, (p - s.position) * s.rotation).d;
}

}}}  // namespace limber::LIMBER_PRECISION::manifold_test
