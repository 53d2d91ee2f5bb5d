#include "engine/geometry/convex/convex_solid.hpp"

#include <cmath>
#include <glm/geometric.hpp>

#include "engine/geometry/queries/sweeps.hpp"

namespace limber {
namespace {

glm::dvec3 nearest_on_edge(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& p) {
  const glm::dvec3 along = b - a;
  return a + std::clamp(glm::dot(p - a, along) / glm::dot(along, along), 0.0, 1.0) * along;
}

/// Signed distance of a hull. Inside, the nearest plane counts. Outside, the nearest point is in the inner
/// part of the face whose plane is farthest away, or on an edge of a face that is visible from p.
SurfaceDistance<double> hull_distance(const ConvexPolyhedron& hull, const glm::dvec3& p) {
  std::size_t top = 0;
  double highest = -INFINITY;
  for (std::size_t f = 0; f < hull.faces(); ++f) {
    const double height = glm::dot(hull.planes[f].normal, p) - hull.planes[f].offset;
    if (height > highest) highest = height, top = f;
  }
  const glm::dvec3 out = hull.planes[top].normal;
  if (!(highest > 0.0)) return {highest, out};

  glm::dvec3 nearest(0.0);
  double least = INFINITY;
  for (std::size_t f = 0; f < hull.faces(); ++f) {
    const HalfSpace& plane = hull.planes[f];
    const double height = glm::dot(plane.normal, p) - plane.offset;
    if (!(height > 0.0)) continue;
    const std::span<const Index> loop = hull.loop(Index(f));
    bool over = true;
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const glm::dvec3& a = hull.vertices[std::size_t(loop[i])];
      const glm::dvec3& b = hull.vertices[std::size_t(loop[(i + 1) % loop.size()])];
      if (glm::dot(glm::cross(b - a, plane.normal), p - a) <= 0.0) continue;
      over = false;
      const glm::dvec3 q = nearest_on_edge(a, b, p);
      if (glm::dot(p - q, p - q) < least) least = glm::dot(p - q, p - q), nearest = q;
    }
    if (over) return {height, plane.normal};
  }
  return detail::length_and_direction(p - nearest, out);
}

double hull_entry(const ConvexPolyhedron& hull, const glm::dvec3& a, const glm::dvec3& step) {
  double enter = -never, leave = never;
  for (const HalfSpace& plane : hull.planes) {
    const double height = glm::dot(plane.normal, a) - plane.offset, rate = glm::dot(plane.normal, step);
    if (rate == 0.0) {
      if (height > 0.0) return never;
      continue;
    }
    (rate < 0.0 ? enter : leave) =
        rate < 0.0 ? std::max(enter, height / -rate) : std::min(leave, -height / rate);
  }
  return enter >= 0.0 && enter < leave && enter <= 1.0 ? enter : never;
}

}  // namespace

Index support_vertex(const ConvexPolyhedron& hull, const glm::dvec3& direction) {
  std::size_t best = 0;
  double farthest = glm::dot(hull.vertices[0], direction);
  for (std::size_t i = 1; i < hull.vertices.size(); ++i) {
    const double along = glm::dot(hull.vertices[i], direction);
    if (along > farthest) farthest = along, best = i;
  }
  return Index(best);
}

template <class Real>
glm::vec<3, Real> support(const ConvexSolid<Real>& solid, const glm::vec<3, Real>& direction) {
  using Vector = glm::vec<3, Real>;
  const Vector& size = solid.size;
  const Vector up(Real(0), std::copysign(size.y, direction.y), Real(0));
  switch (solid.kind) {
    case ConvexKind::sphere:
      return size.x * detail::length_and_direction(direction, Vector(1, 0, 0)).n;
    case ConvexKind::capsule:
      return up + size.x * detail::length_and_direction(direction, Vector(1, 0, 0)).n;
    case ConvexKind::box:
      return {std::copysign(size.x, direction.x), up.y, std::copysign(size.z, direction.z)};
    case ConvexKind::cylinder:
      return up +
             size.x *
                 detail::length_and_direction(Vector(direction.x, Real(0), direction.z), Vector(1, 0, 0)).n;
    case ConvexKind::hull:

      return Vector(solid.hull->vertices[std::size_t(support_vertex(*solid.hull, glm::dvec3(direction)))]);
  }
  return Vector(Real(0));
}

template <class Real>
SurfaceDistance<Real> surface_distance(const ConvexSolid<Real>& solid, const glm::vec<3, Real>& p) {
  switch (solid.kind) {
    case ConvexKind::sphere:
      return sphere_distance(p, solid.size.x);
    case ConvexKind::capsule:
      return capsule_distance(p, solid.size.x, solid.size.y);
    case ConvexKind::box:
      return box_distance(p, solid.size);
    case ConvexKind::cylinder:
      return cylinder_distance(p, solid.size.x, solid.size.y);
    case ConvexKind::hull:
      break;
  }
  const SurfaceDistance<double> out = hull_distance(*solid.hull, glm::dvec3(p));
  return {Real(out.d), glm::vec<3, Real>(out.n)};
}

template <class Real>
Real path_entry(const ConvexSolid<Real>& solid, const glm::vec<3, Real>& a, const glm::vec<3, Real>& step) {
  switch (solid.kind) {
    case ConvexKind::sphere:
      return sphere_entry(a, step, solid.size.x);
    case ConvexKind::capsule:
      return capsule_entry(a, step, solid.size.x, solid.size.y);
    case ConvexKind::box:
      return sharp_box_entry(a, step, solid.size);
    case ConvexKind::cylinder:
      return cylinder_entry(a, step, solid.size.x, solid.size.y);
    case ConvexKind::hull:
      break;
  }
  return Real(hull_entry(*solid.hull, glm::dvec3(a), glm::dvec3(step)));
}

template <class Real>
Real bounding_radius(const ConvexSolid<Real>& solid) {
  switch (solid.kind) {
    case ConvexKind::sphere:
      return solid.size.x;
    case ConvexKind::capsule:
      return solid.size.x + solid.size.y;
    case ConvexKind::box:
      return glm::length(solid.size);
    case ConvexKind::cylinder:
      return std::sqrt(solid.size.x * solid.size.x + solid.size.y * solid.size.y);
    case ConvexKind::hull:
      break;
  }
  double square = 0.0;
  for (const glm::dvec3& v : solid.hull->vertices) square = std::max(square, glm::dot(v, v));
  return Real(std::sqrt(square));
}

#define LIMBER_CONVEX_SOLID(Real)                                                                         \
  template glm::vec<3, Real> support(const ConvexSolid<Real>&, const glm::vec<3, Real>&);                 \
  template SurfaceDistance<Real> surface_distance(const ConvexSolid<Real>&, const glm::vec<3, Real>&);    \
  template Real path_entry(const ConvexSolid<Real>&, const glm::vec<3, Real>&, const glm::vec<3, Real>&); \
  template Real bounding_radius(const ConvexSolid<Real>&);
LIMBER_CONVEX_SOLID(float)
LIMBER_CONVEX_SOLID(double)
#undef LIMBER_CONVEX_SOLID

}  // namespace limber
