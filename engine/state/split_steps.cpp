// The part of Splitter that moves the copies of a vertex apart.
#include <algorithm>
#include <array>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>

#include "engine/geometry/queries/closest_features.hpp"
#include "engine/state/split.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

using Exact = Lanes<double, 1>;

/// Distance between copies and features of the other parts at the vertex, as a share of the step.
constexpr real least_apart = real(0.1);

vec3 unit_way(const vec3& d) {
  const real length = glm::length(d);
  return length > real(0) ? d / length : vec3(0);
}

Vec3<Exact> exact(const glm::dvec3& x) { return {Exact(x.x), Exact(x.y), Exact(x.z)}; }
double length_of(const Vec3<Exact>& d) { return sqrt(dot(d, d)).v; }

double distance_to(const std::array<glm::dvec3, 1>& q, const std::array<glm::dvec3, 3>& triangle) {
  const Vec3<Exact> t[3] = {exact(triangle[0]), exact(triangle[1]), exact(triangle[2])};
  const TriangleWeights<Exact> w = closest_on_triangle(exact(q[0]), t);
  return length_of(exact(q[0]) - w.b[0] * t[0] - w.b[1] * t[1] - w.b[2] * t[2]);
}

double distance_to(const std::array<glm::dvec3, 2>& p, const std::array<glm::dvec3, 2>& q) {
  const Vec3<Exact> a = exact(p[0]), b = exact(p[1]), c = exact(q[0]), d = exact(q[1]);
  const EdgeParameters<Exact> near = closest_on_edges(a, b, c, d);
  return length_of(a + near.s * (b - a) - c - near.t * (d - c));
}

/// Whether the boxes around the points lie farther apart than `least`, m.
template <std::size_t A, std::size_t B>
bool far_apart(const std::array<glm::dvec3, A>& a, const std::array<glm::dvec3, B>& b, double least) {
  glm::dvec3 low(a[0]), high(a[0]), other_low(b[0]), other_high(b[0]);
  for (const glm::dvec3& x : a) low = glm::min(low, x), high = glm::max(high, x);
  for (const glm::dvec3& x : b) other_low = glm::min(other_low, x), other_high = glm::max(other_high, x);
  return glm::any(glm::greaterThan(glm::max(low - other_high, other_low - high), glm::dvec3(least)));
}

}  // namespace

/// Finds for each copy of v a small step (tear_gap), because coincident features have no sides: the first
/// direction towards its part in which the copy meets neither another part nor the ring around the fan.
/// (ContactState::parted keeps other features away.) Returns false if more than one copy finds none.
bool Splitter::find_steps(std::int32_t v, int parts, int kept) {
  const real gap = tear_gap * mesh().surface.room[std::size_t(v)];
  const bool held = world_.particles.position[std::size_t(v)].w == real(0) && !attachment_of(v);
  steps_.assign(std::size_t(parts), vec3(0));
  load_ring();
  int staying = 0;
  for (int part = 0; part < parts; ++part) {
    vec3& step = steps_[std::size_t(part)];
    ways_.clear();
    if (part != kept || !held) list_ways(v, part);
    const auto way = std::find_if(ways_.begin(), ways_.end(), [&](const vec3& way) {
      step = gap * way;
      return !meets_others(part, double(least_apart * gap));
    });
    if (way != ways_.end()) continue;
    step = vec3(0);
    ++staying;
  }
  return staying <= 1;
}

/// Lists directions from v for the copy of a part: perpendicular to the line between the two edges at which
/// the part ends; along its inner edges and the medians of its triangles, on which hardly anything else can
/// lie; then 26 directions to all sides.
void Splitter::list_ways(std::int32_t v, int part) {
  const vec3 x(world_.particles.position[std::size_t(v)]);
  const auto toward = [&](std::int32_t u) {
    return unit_way(vec3(world_.particles.position[std::size_t(u)]) - x);
  };
  vec3 middle(0), line(0);
  real sign = 1;  // for the second of the two ends -1
  ways_.assign(1, vec3(0));
  for (const FanTriangle& f : fan_) {
    if (f.part != part) continue;
    for (std::int32_t u : {next(f), last(f)}) {
      middle += toward(u);
      if (const FanTriangle* other = across(f, u); other && other->part == part) {
        ways_.push_back(toward(u));
        continue;
      }
      line += sign * toward(u);
      sign = -sign;
    }
  }
  line = unit_way(line);
  ways_[0] = unit_way(middle - glm::dot(middle, line) * line);
  for (const FanTriangle& f : fan_)
    if (f.part == part) ways_.push_back(unit_way(toward(next(f)) + toward(last(f))));
  for (int k = 0; k < 27; ++k)
    if (k != 13) ways_.push_back(unit_way(vec3(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1)));
}

/// Finds the triangles around the fan: those that share, or before a tear shared, a corner with it.
void Splitter::load_ring() {
  ring_.clear();
  const auto known = [&](std::int32_t t) {
    const auto is = [&](const FanTriangle& f) { return f.number == t; };
    return std::any_of(fan_.begin(), fan_.end(), is) || std::any_of(ring_.begin(), ring_.end(), is);
  };
  const auto& next_copy = mesh().tears.next_copy;
  for (const FanTriangle& f : fan_)
    for (const std::int32_t u : corners_of(f)) {
      std::int32_t copy = u;
      do {
        for (std::int32_t t : mesh().triangles_at(copy))
          if (!known(t)) ring_.push_back({t, no_corner, 0});
        copy = next_copy[std::size_t(copy)];
      } while (copy != u);
    }
}

/// Corners of a triangle of the fan or the ring, with the copy of the split vertex before or after its step.
TrianglePoints Splitter::places(const FanTriangle& f, bool stepped) const {
  TrianglePoints x;
  for (int j = 0; j < 3; ++j) {
    const vec3 place(world_.particles.position[std::size_t(corners_of(f)[std::size_t(j)])]);
    x[std::size_t(j)] = glm::dvec3(stepped && j == f.corner ? place + steps_[std::size_t(f.part)] : place);
  }
  return x;
}

/// Whether, after the step, a triangle of the part intersects one of another part or of the ring, or comes
/// nearer than `least` (m) to it.
bool Splitter::meets_others(int part, double least) const {
  for (const FanTriangle& f : fan_) {
    if (f.part != part) continue;
    const TrianglePoints x = places(f, true);
    const auto meets = [&](const FanTriangle& g) {
      if (g.part == part) return false;
      const TrianglePoints y = places(g, true);
      return !far_apart(x, y, least) && (pierces_with_an_edge(f, x, g, y) ||
                                         pierces_with_an_edge(g, y, f, x) || come_near(f, x, g, y, least));
    };
    if (std::any_of(fan_.begin(), fan_.end(), meets) || std::any_of(ring_.begin(), ring_.end(), meets))
      return true;
  }
  return false;
}

/// Whether corner j of f and corner k of g are the same vertex; copies of the split vertex are not.
bool Splitter::same_corner(const FanTriangle& f, int j, const FanTriangle& g, int k) const {
  return corners_of(f)[std::size_t(j)] == corners_of(g)[std::size_t(k)] && (j != f.corner || k != g.corner);
}
/// Whether the edge from corner j of f and the edge from corner k of g share a vertex.
bool Splitter::share_corner(const FanTriangle& f, int j, const FanTriangle& g, int k) const {
  const int a = (j + 1) % 3, b = (k + 1) % 3;
  return same_corner(f, j, g, k) || same_corner(f, j, g, b) || same_corner(f, a, g, k) ||
         same_corner(f, a, g, b);
}
bool Splitter::has_corner(const FanTriangle& g, const FanTriangle& f, int j) const {
  return same_corner(f, j, g, 0) || same_corner(f, j, g, 1) || same_corner(f, j, g, 2);
}

/// Whether an edge of f, at x, pierces g, at y.
bool Splitter::pierces_with_an_edge(const FanTriangle& f, const TrianglePoints& x, const FanTriangle& g,
                                    const TrianglePoints& y) const {
  for (int j = 0; j < 3; ++j) {
    const int k = (j + 1) % 3;
    if (!has_corner(g, f, j) && !has_corner(g, f, k) && pierces(x[std::size_t(j)], x[std::size_t(k)], y))
      return true;
  }
  return false;
}

/// Whether the steps bring a feature of f, now at x, nearer than `least` (m) to one of g, at y, and to less
/// than half of the former distance; for copies that coincided only the first condition counts.
bool Splitter::come_near(const FanTriangle& f, const TrianglePoints& x, const FanTriangle& g,
                         const TrianglePoints& y, double least) const {
  const TrianglePoints x0 = places(f, false), y0 = places(g, false);
  const auto near = [&](const auto& a, const auto& b, const auto& a0, const auto& b0) {
    if (far_apart(a, b, least)) return false;
    const double now = distance_to(a, b), before = distance_to(a0, b0);
    return now < least && (before == 0.0 || now < 0.5 * before);
  };
  using Point = std::array<glm::dvec3, 1>;
  const auto edge = [](const TrianglePoints& t, std::size_t j) {
    return std::array<glm::dvec3, 2>{t[j], t[(j + 1) % 3]};
  };
  for (std::size_t j = 0; j < 3; ++j) {
    if (!has_corner(g, f, int(j)) && near(Point{x[j]}, y, Point{x0[j]}, y0)) return true;
    if (!has_corner(f, g, int(j)) && near(Point{y[j]}, x, Point{y0[j]}, x0)) return true;
    for (std::size_t k = 0; k < 3; ++k)
      if (!share_corner(f, int(j), g, int(k)) && near(edge(x, j), edge(y, k), edge(x0, j), edge(y0, k)))
        return true;
  }
  return false;
}

Attachment* Splitter::attachment_of(std::int32_t i) {
  auto& list = world_.user.attachments;
  const auto at = std::lower_bound(list.begin(), list.end(), i,
                                   [](const Attachment& a, std::int32_t p) { return a.particle < p; });
  return at != list.end() && at->particle == i ? &*at : nullptr;
}

/// Moves a copy by its step. An attached particle keeps the step in its attachment.
void Splitter::move_copy(std::int32_t i, const vec3& step) {
  if (step == vec3(0)) return;
  if (Attachment* const pin = attachment_of(i)) {
    mat3 turn(1);
    if (pin->collider >= 0) turn = world_.colliders[std::size_t(pin->collider)].rotation;
    if (pin->body >= 0) turn = rotation_of(world_.bodies.orientation[std::size_t(pin->body)]);
    pin->rest += glm::dvec3(step * turn);
  }
  move_particle(world_.particles, std::size_t(i), step);
}

}}  // namespace limber::LIMBER_PRECISION
