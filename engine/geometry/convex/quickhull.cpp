#include "engine/geometry/convex/quickhull.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace limber {
namespace {

struct Facet {
  Triangle vertices;
  std::array<Index, 3> neighbours{no_index, no_index, no_index};
  glm::dvec3 normal{0.0};
  double offset = 0.0;
  std::vector<Index> outside;  ///< points outside this facet; each point is in one list only
  Index farthest = no_index;   ///< the farthest of these points
  double height = 0.0;         ///< m, of the farthest point over the facet
  bool alive = true;
};

class Quickhull {
 public:
  Quickhull(std::span<const glm::dvec3> points, double tolerance) : points_(points), tolerance_(tolerance) {}

  /// Finds the first tetrahedron. If the points are too flat, returns the shape in which they lie (for a
  /// message); otherwise an empty string.
  std::string start();
  /// Adds points. Returns false if rounding left the visible part without a simple border.
  bool grow(std::size_t most_vertices);
  TriangleHull result() const;

 private:
  struct Edge {
    Index from, to, beyond;  ///< beyond: the facet on the other side, which stays
  };

  const glm::dvec3& point(Index i) const { return points_[std::size_t(i)]; }
  Facet& facet(Index i) { return facets_[std::size_t(i)]; }
  double height_over(const Facet& f, Index p) const { return glm::dot(f.normal, point(p)) - f.offset; }

  template <class Measure>
  Index farthest_by(const Measure& measure) const;
  Index add_facet(Index a, Index b, Index c);
  void assign(Index p, Index first_facet);
  Index highest_facet() const;
  std::vector<Edge> find_horizon(Index start, Index eye);
  bool add_cone(const std::vector<Edge>& horizon, Index eye);

  std::span<const glm::dvec3> points_;
  double tolerance_;
  std::vector<Facet> facets_;
  std::vector<Index> dead_;  ///< facets that are visible from the new point
};

template <class Measure>
Index Quickhull::farthest_by(const Measure& measure) const {
  Index best = 0;
  double most = -INFINITY;
  for (Index i = 0; i < Index(points_.size()); ++i) {
    const double value = measure(point(i));
    if (value > most) most = value, best = i;
  }
  return best;
}

Index Quickhull::add_facet(Index a, Index b, Index c) {
  Facet f;
  f.vertices = {a, b, c};
  f.normal = glm::normalize(glm::cross(point(b) - point(a), point(c) - point(a)));
  f.offset = glm::dot(f.normal, point(a));
  facets_.push_back(std::move(f));
  return Index(facets_.size()) - 1;
}

/// Puts the point on the list of the facet, from `first_facet` on, over which it is highest.
void Quickhull::assign(Index p, Index first_facet) {
  Index best = no_index;
  double highest = tolerance_;
  for (Index i = first_facet; i < Index(facets_.size()); ++i) {
    const double height = height_over(facet(i), p);
    if (height > highest) highest = height, best = i;
  }
  if (best == no_index) return;
  Facet& f = facet(best);
  f.outside.push_back(p);
  if (highest > f.height) f.height = highest, f.farthest = p;
}

std::string Quickhull::start() {
  const double thin = 4.0 * tolerance_;
  const Index a = farthest_by([](const glm::dvec3& p) { return -p.x; });
  const Index b = farthest_by([&](const glm::dvec3& p) { return glm::length(p - point(a)); });
  const glm::dvec3 ab = point(b) - point(a);
  if (!(glm::length(ab) > thin)) return "point";
  const glm::dvec3 along = glm::normalize(ab);
  const auto off_line = [&](const glm::dvec3& p) { return glm::length(glm::cross(p - point(a), along)); };
  const Index c = farthest_by(off_line);
  if (!(off_line(point(c)) > thin)) return "line";
  const glm::dvec3 up = glm::normalize(glm::cross(ab, point(c) - point(a)));
  const auto off_plane = [&](const glm::dvec3& p) { return std::abs(glm::dot(p - point(a), up)); };
  const Index d = farthest_by(off_plane);
  if (!(off_plane(point(d)) > thin)) return "plane";

  const bool above = glm::dot(point(d) - point(a), up) > 0.0;
  const Index base[3] = {a, above ? c : b, above ? b : c};  // seen counter-clockwise from away from d
  add_facet(base[0], base[1], base[2]);
  for (int k = 0; k < 3; ++k) add_facet(base[(k + 1) % 3], base[k], d);
  for (Index k = 0; k < 3; ++k) {
    facet(0).neighbours[std::size_t(k)] = k + 1;
    facet(k + 1).neighbours = {0, 1 + (k + 2) % 3, 1 + (k + 1) % 3};
  }
  for (Index p = 0; p < Index(points_.size()); ++p) assign(p, 0);
  return {};
}

Index Quickhull::highest_facet() const {
  Index best = no_index;
  double highest = 0.0;
  for (std::size_t i = 0; i < facets_.size(); ++i)
    if (facets_[i].alive && facets_[i].height > highest) highest = facets_[i].height, best = Index(i);
  return best;
}

/// Marks the faces that the eye sees as dead, and returns their border.
std::vector<Quickhull::Edge> Quickhull::find_horizon(Index start, Index eye) {
  std::vector<Edge> horizon;
  dead_ = {start};
  facet(start).alive = false;
  for (std::size_t i = 0; i < dead_.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Index next = facet(dead_[i]).neighbours[k];
      if (!facet(next).alive || !(height_over(facet(next), eye) > tolerance_)) continue;
      facet(next).alive = false;
      dead_.push_back(next);
    }
  }
  for (const Index i : dead_) {
    const Facet& f = facet(i);
    for (std::size_t k = 0; k < 3; ++k)
      if (facet(f.neighbours[k]).alive)
        horizon.push_back({f.vertices[k], f.vertices[(k + 1) % 3], f.neighbours[k]});
  }
  return horizon;
}

/// Adds facets from the eye to every edge of the horizon. Returns false if the horizon is not one simple
/// loop.
bool Quickhull::add_cone(const std::vector<Edge>& horizon, Index eye) {
  const Index first = Index(facets_.size());
  std::map<Index, Index> starting_at;
  for (const Edge& edge : horizon) {
    const Index f = add_facet(edge.from, edge.to, eye);
    if (!starting_at.emplace(edge.from, f).second) return false;
    facet(f).neighbours[0] = edge.beyond;
    Facet& beyond = facet(edge.beyond);
    for (std::size_t k = 0; k < 3; ++k)
      if (beyond.vertices[k] == edge.to && beyond.vertices[(k + 1) % 3] == edge.from)
        beyond.neighbours[k] = f;
  }
  for (std::size_t i = 0; i < horizon.size(); ++i) {
    const auto next = starting_at.find(horizon[i].to);
    if (next == starting_at.end()) return false;
    facet(first + Index(i)).neighbours[1] = next->second;
    facet(next->second).neighbours[2] = first + Index(i);
  }
  std::size_t around = 1;  // one loop, not two
  for (Index v = horizon[0].to; v != horizon[0].from && around <= horizon.size(); ++around)
    v = facet(starting_at.at(v)).vertices[1];
  return around == horizon.size();
}

bool Quickhull::grow(std::size_t most_vertices) {
  for (std::size_t vertices = 4; vertices < most_vertices; ++vertices) {
    const Index start = highest_facet();
    if (start == no_index) return true;
    const Index eye = facet(start).farthest, first_new = Index(facets_.size());
    const std::vector<Edge> horizon = find_horizon(start, eye);
    if (horizon.size() < 3 || !add_cone(horizon, eye)) return false;
    for (const Index i : dead_) {
      const std::vector<Index> orphans = std::move(facet(i).outside);
      for (const Index p : orphans)
        if (p != eye) assign(p, first_new);
    }
  }
  return true;
}

TriangleHull Quickhull::result() const {
  TriangleHull hull;
  hull.points.assign(points_.begin(), points_.end());
  std::vector<Index> number(facets_.size(), no_index);
  for (std::size_t i = 0; i < facets_.size(); ++i) {
    if (!facets_[i].alive) continue;
    number[i] = Index(hull.triangles.size());
    hull.triangles.push_back(facets_[i].vertices);
  }
  for (const Facet& f : facets_) {
    if (!f.alive) continue;
    hull.neighbours.push_back({});
    for (std::size_t k = 0; k < 3; ++k) hull.neighbours.back()[k] = number[std::size_t(f.neighbours[k])];
  }
  return hull;
}

}  // namespace

Expected<TriangleHull> quickhull(std::span<const glm::dvec3> points, double tolerance,
                                 std::size_t most_vertices) {
  Quickhull hull(points, tolerance);
  if (const std::string flat = hull.start(); !flat.empty())
    return Error{"a hull needs points in space: all " + std::to_string(points.size()) + " lie in one " + flat,
                 "", 0, ""};
  if (!hull.grow(most_vertices)) return TriangleHull{};
  return hull.result();
}

}  // namespace limber
