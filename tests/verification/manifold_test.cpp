#include "engine/collision/manifold.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <glm/geometric.hpp>
#include <limits>
#include <vector>

#include "engine/parallel/random.hpp"

namespace limber::inline LIMBER_PRECISION {
namespace {

constexpr real eps = std::numeric_limits<real>::epsilon();

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
      case ConvexKind::sphere: p = size.x / length * d; break;
      case ConvexKind::capsule: p = size.x / length * d + glm::dvec3(0, y, 0); break;
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
  double extent() const { return std::abs(position.x) + std::abs(position.y) + std::abs(position.z) + double(bounding_radius(shape)); }
  double thin() const {
    const glm::dvec3 s(shape.size);
    switch (shape.kind) {
      case ConvexKind::sphere:
      case ConvexKind::capsule: return s.x;
      case ConvexKind::cylinder: return std::min(s.x, s.y);
      case ConvexKind::box: return std::min({s.x, s.y, s.z});
      default: return shape.hull->inradius;
    }
  }
};

/// How far a lies beyond b along a unit direction from b to a.
double separation(const Solid& a, const Solid& b, const glm::dvec3& n) {
  return glm::dot(n, a.support(-n) - b.support(n));
}

/// The greatest separation of any direction, searched from the best of many.
double greatest_separation(const Solid& a, const Solid& b, const glm::dvec3& hint, Random& random) {
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
Solid random_solid(ConvexKind kind, Random& random, std::vector<ConvexPolyhedron>& hulls) {
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

constexpr ConvexKind kinds[] = {ConvexKind::sphere, ConvexKind::capsule, ConvexKind::box, ConvexKind::cylinder,
                                ConvexKind::hull};

struct Pair {
  Solid a, b;
};

/// Two solids at random, up to `deep` m into or 0.1 m off each other.
Pair random_pair(ConvexKind kind_a, ConvexKind kind_b, double deep, Random& random,
                 std::vector<ConvexPolyhedron>& hulls) {
  Pair out{random_solid(kind_a, random, hulls), random_solid(kind_b, random, hulls)};
  out.a.place(2.0 * random.in_cube(), random.rotation());
  const glm::dmat3 R = random.next() > 0.0 ? random.rotation() : glm::dmat3(out.a.at.rotation);
  const glm::dvec3 way = random.direction();
  out.b.place(out.a.position, R);
  double off = 0.0;  // where a direction that is not the best one says they part
  for (int i = 0; i < 20; ++i) {
    out.b.place(out.a.position - off * way, R);
    off -= separation(out.a, out.b, way);
  }
  out.b.place(out.a.position - (off + 0.05 - (deep + 0.05) * 0.5 * (1.0 + random.next())) * way, R);
  return out;
}

struct Worst {
  double direction = 0, best = 0, on_a = 0, on_b = 0;
};

double signed_distance(const Solid& s, const glm::dvec3& p) {
  const ConvexSolid<double> solid{s.shape.kind, glm::dvec3(s.shape.size), s.shape.hull};
  return surface_distance(solid, (p - s.position) * s.rotation).d;
}

TEST(Explore, All) {
  for (const ConvexKind ka : kinds)
    for (const ConvexKind kb : kinds) {
      Worst w;
      int touching = 0, apart = 0;
      std::vector<ConvexPolyhedron> hulls;
      const int N = getenv("N") ? atoi(getenv("N")) : 40;
      hulls.reserve(std::size_t(4 * N));
      const double deep = getenv("DEEP") ? atof(getenv("DEEP")) : 0.03;
      double miss = 0;
      int wi = -1, oi = -1;
      for (int i = 0; i < N; ++i) {
        Random random{std::uint64_t(1000 * int(ka) + 100 * int(kb) + i * 10000)};
        Pair pair = random_pair(ka, kb, deep, random, hulls);
        Manifold m;
        collide(pair.a.shape, pair.a.at, pair.b.shape, pair.b.at, real(0.1), m);
        const glm::dvec3 n(m.normal);
        if (!(std::abs(glm::length(n) - 1) < 1e-5)) { ADD_FAILURE() << "normal"; continue; }
        const double truth = greatest_separation(pair.a, pair.b, n, random);
        if (m.count == 0) {
          ++apart;
          miss = std::max(miss, 0.1 - separation(pair.a, pair.b, n));
          if (0.1 - separation(pair.a, pair.b, n) > 1e-3) printf("MISS %d: s(n) %g truth %g axis %d\n", i, separation(pair.a, pair.b, n), truth, int(m.axis));
          continue;
        }
        ++touching;
        double least = 1e9;
        for (int k = 0; k < m.count; ++k) {
          least = std::min(least, double(m.points[k].separation));
          const glm::dvec3 p(m.points[k].point);
          const double half = 0.5 * double(m.points[k].separation);
          w.on_a = std::max(w.on_a, std::abs(signed_distance(pair.a, p + half * n)));
          if (std::abs(signed_distance(pair.b, p - half * n)) > w.on_b) oi = i;
          w.on_b = std::max(w.on_b, std::abs(signed_distance(pair.b, p - half * n)));
        }
        w.direction = std::max(w.direction, std::abs(least - separation(pair.a, pair.b, n)));
        double off = 0;
        for (int k = 0; k < m.count; ++k) {
          const glm::dvec3 p(m.points[k].point);
          const double half = 0.5 * double(m.points[k].separation);
          off = std::max({off, std::abs(signed_distance(pair.a, p + half * n)), std::abs(signed_distance(pair.b, p - half * n))});
        }
        const double sl = 1e-3 * std::min(pair.a.thin(), pair.b.thin());
        if (getenv("SHOW") && (off > 0.01 || truth - least > 2 * sl || least - separation(pair.a, pair.b, n) > 2 * sl)) {
          printf("  #%d axis %d count %d least %g s(n) %g truth %g slack %g off %g:", i, int(m.axis), m.count, least, separation(pair.a, pair.b, n), truth, sl, off);
          for (int k = 0; k < m.count; ++k) printf(" [%g f%x a %g b %g]", double(m.points[k].separation), m.points[k].feature, signed_distance(pair.a, glm::dvec3(m.points[k].point) + 0.5 * double(m.points[k].separation) * n), signed_distance(pair.b, glm::dvec3(m.points[k].point) - 0.5 * double(m.points[k].separation) * n));
          printf("\n");
        }
        if (truth - least > w.best) w.best = truth - least, wi = i;
      }
      printf("%d %d: touching %d apart %d (missed %.2g)  sep-vs-n %.2g  worse-than-best %.2g (%d)  on a %.2g on b %.2g (%d)\n",
             int(ka), int(kb), touching, apart, miss, w.direction, w.best, wi, w.on_a, w.on_b, oi);
    }
}

}  // namespace
}  // namespace limber::inline LIMBER_PRECISION
