#include "engine/geometry/convex/convex_hull.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <optional>

#include "engine/geometry/convex/quickhull.hpp"

namespace limber {
namespace {

using Loop = std::vector<Index>;

/// Numbers the faces: triangles in one plane within the tolerance get the same number. Seeds are taken from
/// the largest triangle down, because its plane is the most accurate.
std::vector<Index> group_by_plane(const TriangleHull& hull, double tolerance) {
  const std::size_t count = hull.triangles.size();
  std::vector<Index> order(count), group(count, no_index), stack;
  std::vector<glm::dvec3> area(count);  // vectors, twice the size
  for (std::size_t t = 0; t < count; ++t) order[t] = Index(t), area[t] = hull.area_vector(Index(t));
  std::stable_sort(order.begin(), order.end(), [&](Index s, Index t) {
    const glm::dvec3 &a = area[std::size_t(s)], &b = area[std::size_t(t)];
    return glm::dot(a, a) > glm::dot(b, b);
  });
  Index groups = 0;
  for (const Index seed : order) {
    if (group[std::size_t(seed)] != no_index) continue;
    const glm::dvec3 normal = glm::normalize(area[std::size_t(seed)]);
    const glm::dvec3& origin = hull.corner(seed, 0);
    const auto in_plane = [&](Index t) {
      for (int k = 0; k < 3; ++k)
        if (std::abs(glm::dot(normal, hull.corner(t, k) - origin)) > tolerance) return false;
      return true;
    };
    group[std::size_t(seed)] = groups;
    stack = {seed};
    while (!stack.empty()) {
      const Index t = stack.back();
      stack.pop_back();
      for (const Index next : hull.neighbours[std::size_t(t)]) {
        if (group[std::size_t(next)] != no_index || !in_plane(next)) continue;
        group[std::size_t(next)] = groups;
        stack.push_back(next);
      }
    }
    ++groups;
  }
  return group;
}

/// The border of each group as a loop. Returns nothing if a border is not one simple loop.
std::optional<std::vector<Loop>> border_loops(const TriangleHull& hull, const std::vector<Index>& group) {
  const std::size_t groups = std::size_t(*std::max_element(group.begin(), group.end())) + 1;
  std::vector<std::map<Index, Index>> next(groups);  // along the border, from vertex to vertex
  for (std::size_t t = 0; t < group.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      if (group[std::size_t(hull.neighbours[t][k])] == group[t]) continue;
      const bool first =
          next[std::size_t(group[t])].emplace(hull.triangles[t][k], hull.triangles[t][(k + 1) % 3]).second;
      if (!first) return std::nullopt;
    }
  std::vector<Loop> loops(groups);
  for (std::size_t g = 0; g < groups; ++g) {
    if (next[g].empty()) return std::nullopt;
    const Index start = next[g].begin()->first;
    Index vertex = start;
    do {
      loops[g].push_back(vertex);
      vertex = next[g].at(vertex);
    } while (vertex != start && loops[g].size() <= next[g].size());
    if (loops[g].size() != next[g].size()) return std::nullopt;
  }
  return loops;
}

/// Drops vertices that belong to only two faces, because they lie within an edge, and then faces with fewer
/// than three corners, until nothing changes.
void drop_false_corners(std::vector<Loop>& loops, std::size_t vertices) {
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<int> uses(vertices, 0);
    for (const Loop& loop : loops)
      for (const Index v : loop) ++uses[std::size_t(v)];
    for (Loop& loop : loops)
      changed |= std::erase_if(loop, [&](Index v) { return uses[std::size_t(v)] < 3; }) > 0;
    changed |= std::erase_if(loops, [](const Loop& loop) { return loop.size() < 3; }) > 0;
  }
}

/// Normal of a flat or slightly bent loop, by Newell's sum.
glm::dvec3 loop_normal(const Loop& loop, const std::vector<glm::dvec3>& points) {
  glm::dvec3 sum(0.0);
  const glm::dvec3& origin = points[std::size_t(loop[0])];
  for (std::size_t i = 1; i + 1 < loop.size(); ++i)
    sum += glm::cross(points[std::size_t(loop[i])] - origin, points[std::size_t(loop[i + 1])] - origin);
  return glm::normalize(sum);
}

/// Numbers the vertices that are used, in their order, and appends faces with their planes.
ConvexPolyhedron with_faces(const std::vector<Loop>& loops, const std::vector<glm::dvec3>& points) {
  ConvexPolyhedron out;
  std::vector<Index> number(points.size(), no_index);
  for (const Loop& loop : loops)
    for (const Index v : loop) number[std::size_t(v)] = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (number[i] == no_index) continue;
    number[i] = Index(out.vertices.size());
    out.vertices.push_back(points[i]);
  }
  out.face_begin.push_back(0);
  for (const Loop& loop : loops) {
    out.planes.push_back({loop_normal(loop, points), 0.0});
    for (const Index v : loop) out.loops.push_back(number[std::size_t(v)]);
    out.face_begin.push_back(Index(out.loops.size()));
  }
  return out;
}

/// Offsets, centre and radii from vertices and normals.
void measure(ConvexPolyhedron& hull) {
  hull.center = glm::dvec3(0.0);
  for (const glm::dvec3& v : hull.vertices) hull.center += v / double(hull.vertices.size());
  hull.circumradius = 0.0;
  for (const glm::dvec3& v : hull.vertices)
    hull.circumradius = std::max(hull.circumradius, glm::length(v - hull.center));
  hull.inradius = INFINITY;
  for (HalfSpace& plane : hull.planes) {
    plane.offset = -INFINITY;
    for (const glm::dvec3& v : hull.vertices)
      plane.offset = std::max(plane.offset, glm::dot(plane.normal, v));
    hull.inradius = std::min(hull.inradius, plane.offset - glm::dot(plane.normal, hull.center));
  }
}

/// Fills in edges, the faces around each vertex and measures. Returns false if an edge is not between two
/// faces.
bool complete(ConvexPolyhedron& hull) {
  struct Side {
    Index corner, face;
  };
  std::map<std::pair<Index, Index>, Side> sides;  // directed edges
  std::vector<std::vector<Index>> around(hull.vertices.size());
  for (std::size_t f = 0; f < hull.faces(); ++f) {
    const Index begin = hull.face_begin[f], end = hull.face_begin[f + 1];
    for (Index c = begin; c < end; ++c) {
      const Index v = hull.loops[std::size_t(c)], w = hull.loops[std::size_t(c + 1 < end ? c + 1 : begin)];
      if (!sides.emplace(std::pair(v, w), Side{c, Index(f)}).second) return false;
      around[std::size_t(v)].push_back(Index(f));
    }
  }
  hull.loop_edges.assign(hull.loops.size(), no_index);
  for (const auto& [ends, side] : sides) {
    const auto twin = sides.find({ends.second, ends.first});
    if (twin == sides.end()) return false;
    if (ends.first > ends.second) continue;
    hull.loop_edges[std::size_t(side.corner)] = hull.loop_edges[std::size_t(twin->second.corner)] =
        Index(hull.edges.size());
    hull.edges.push_back({{ends.first, ends.second}, {side.face, twin->second.face}});
  }
  hull.corner_begin.assign(1, 0);
  for (const std::vector<Index>& faces : around) {
    hull.corner_faces.insert(hull.corner_faces.end(), faces.begin(), faces.end());
    hull.corner_begin.push_back(Index(hull.corner_faces.size()));
  }
  measure(hull);
  return true;
}

/// Whether every corner of a face is in its plane within `tolerance`, and Euler's V - E + F = 2 holds.
bool is_sound(const ConvexPolyhedron& hull, double tolerance) {
  if (hull.faces() < 4 || hull.vertices.size() + hull.faces() != hull.edges.size() + 2) return false;
  for (std::size_t f = 0; f < hull.faces(); ++f)
    for (const Index v : hull.loop(Index(f)))
      if (hull.planes[f].offset - glm::dot(hull.planes[f].normal, hull.vertices[std::size_t(v)]) > tolerance)
        return false;
  return hull.inradius > 0.0;
}

std::optional<ConvexPolyhedron> polyhedron(const TriangleHull& triangles, double tolerance) {
  std::optional<std::vector<Loop>> loops = border_loops(triangles, group_by_plane(triangles, tolerance));
  if (!loops) return std::nullopt;
  drop_false_corners(*loops, triangles.points.size());
  if (loops->size() < 4) return std::nullopt;
  ConvexPolyhedron hull = with_faces(*loops, triangles.points);
  if (!complete(hull) || !is_sound(hull, 8.0 * tolerance)) return std::nullopt;
  return hull;
}

ConvexPolyhedron in_place(ConvexPolyhedron hull, double scale, const glm::dvec3& middle) {
  for (glm::dvec3& v : hull.vertices) v = middle + scale * v;
  measure(hull);
  return hull;
}

}  // namespace

Expected<ConvexPolyhedron> convex_hull(std::span<const glm::dvec3> points, std::size_t most_vertices) {
  glm::dvec3 low(INFINITY), high(-INFINITY);
  for (const glm::dvec3& p : points) {
    if (!std::isfinite(p.x + p.y + p.z)) return Error{"a point of the hull is not finite", "", 0, ""};
    low = glm::min(low, p), high = glm::max(high, p);
  }
  if (points.size() < 4)
    return Error{"a hull needs at least 4 points, there are " + std::to_string(points.size()), "", 0, ""};
  // Points come from files in single precision: the tolerance is eight of its rounding errors, for an extent
  // of 1.
  const glm::dvec3 middle = 0.5 * (low + high);
  const double extent = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
  const double scale = extent > 0.0 ? extent : 1.0;
  std::vector<glm::dvec3> unit(points.begin(), points.end());
  for (glm::dvec3& p : unit) p = (p - middle) / scale;
  double tolerance = 8.0 * 0x1p-24;
  for (int attempt = 0; attempt < 8; ++attempt, tolerance *= 3.0) {
    const Expected<TriangleHull> triangles =
        quickhull(unit, tolerance, std::max<std::size_t>(most_vertices, 4));
    if (!triangles) return triangles.error();
    if (triangles->triangles.empty()) continue;
    std::optional<ConvexPolyhedron> hull = polyhedron(*triangles, tolerance);
    if (hull) return in_place(*std::move(hull), scale, middle);
  }
  return Error{"the points have no hull that rounding leaves convex", "", 0,
               "weld points that nearly coincide"};
}

ConvexPolyhedron moved_hull(ConvexPolyhedron hull, const glm::dvec3& center, const glm::dmat3& to_local) {
  for (glm::dvec3& v : hull.vertices) v = to_local * (v - center);
  for (HalfSpace& plane : hull.planes) plane.normal = to_local * plane.normal;
  measure(hull);
  return hull;
}

TriMesh hull_mesh(const ConvexPolyhedron& hull) {
  TriMesh mesh;
  mesh.positions = hull.vertices;
  for (std::size_t f = 0; f < hull.faces(); ++f) {
    const std::span<const Index> loop = hull.loop(Index(f));
    for (std::size_t i = 1; i + 1 < loop.size(); ++i)
      mesh.triangles.push_back({loop[0], loop[i], loop[i + 1]});
  }
  return mesh;
}

ConvexPolyhedron box_polyhedron(const glm::dvec3& half_extents) {
  std::vector<glm::dvec3> corners;
  for (int v = 0; v < 8; ++v)
    corners.push_back(half_extents * glm::dvec3(v & 1 ? 1 : -1, v & 2 ? 1 : -1, v & 4 ? 1 : -1));
  ConvexPolyhedron box = with_faces(
      {{1, 3, 7, 5}, {0, 4, 6, 2}, {2, 6, 7, 3}, {0, 1, 5, 4}, {4, 5, 7, 6}, {0, 2, 3, 1}}, corners);
  complete(box);
  return box;
}

}  // namespace limber
