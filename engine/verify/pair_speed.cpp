#include "engine/verify/pair_speed.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "engine/contact/bodies/manifold.hpp"
#include "engine/geometry/mesh/shapes.hpp"
#include "engine/geometry/rigid_motion.hpp"
#include "engine/parallel/random.hpp"

#if !LIMBER_DOUBLE

namespace limber {
namespace {

constexpr int pair_count = 512;
constexpr int frames = 60;
constexpr real reach = real(0.02);  // m

struct TouchingPair {
  Placed a, b;
  Manifold manifold;
};

ConvexShape shape_of(ConvexKind kind, const ConvexPolyhedron& hull) {
  const vec3 size = kind == ConvexKind::box ? vec3(0.5f) : vec3(0.5f, 0.4f, 0);
  return {kind, size, kind == ConvexKind::hull ? &hull : nullptr};
}

/// Pairs in which b has a random pose and a is lowered onto it along y.
std::vector<TouchingPair> touching_pairs(const ConvexShape& a, const ConvexShape& b, double gap) {
  std::vector<TouchingPair> pairs(pair_count);
  const glm::dvec3 up(0.0, 1.0, 0.0);
  for (std::uint64_t i = 0; i < pairs.size(); ++i) {
    const auto random = [i](std::uint64_t k) { return random_signed(i, k); };
    TouchingPair& p = pairs[i];
    p.a.rotation = mat3(turn_about(up, random(0)));
    p.b.rotation = mat3(turn_about(up, random(1)));
    p.a.position = vec3(0.35 * random(2), 0.0, 0.35 * random(3));
    double low = 0.0, high = 4.0;
    for (int k = 0; k < 40; ++k) {
      const double middle = 0.5 * (low + high);
      p.a.position.y = real(middle);
      Manifold manifold;
      collide(a, p.a, b, p.b, real(0), manifold);
      (manifold.count > 0 ? low : high) = middle;
    }
    p.a.position.y = real(high + (gap > 0.0 ? gap : 0.0005));
  }
  return pairs;
}

}  // namespace

PairSpeed measure_pairs(ConvexKind kind_a, ConvexKind kind_b, double gap) {
  const ConvexPolyhedron hull = *convex_hull(make_icosphere(1, 0.5).positions);
  const ConvexShape a = shape_of(kind_a, hull), b = shape_of(kind_b, hull);
  std::vector<TouchingPair> pairs = touching_pairs(a, b, gap);
  PairSpeed out{pair_count, 1e30, 0.0};
  for (int frame = 0; frame < frames; ++frame) {
    const auto start = std::chrono::steady_clock::now();
    int points = 0;
    for (TouchingPair& p : pairs) {
      collide(a, p.a, b, p.b, reach, p.manifold);
      points += p.manifold.count;
    }
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
    out.nanoseconds = std::min(out.nanoseconds, taken.count() / pair_count);
    out.points = double(points) / pair_count;
  }
  return out;
}

}  // namespace limber

#endif
