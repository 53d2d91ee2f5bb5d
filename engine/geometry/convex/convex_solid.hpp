// Convex solids in their own frames, in either precision: support points, rays and distances.
#pragma once

#include "engine/geometry/convex/convex_hull.hpp"
#include "engine/geometry/convex/convex_kind.hpp"
#include "engine/geometry/queries/primitives.hpp"

namespace limber {

template <class Real>
struct ConvexSolid {
  ConvexKind kind = ConvexKind::sphere;
  /// m: sphere {radius}, box half extents, capsule and cylinder {radius, half length}; a hull has none.
  glm::vec<3, Real> size{0};
  const ConvexPolyhedron* hull = nullptr;  ///< hull; owned by the Topology
};

/// A point of the solid farthest along `direction`, of any length; some point of it for the zero vector.
template <class Real>
glm::vec<3, Real> support(const ConvexSolid<Real>& solid, const glm::vec<3, Real>& direction);

/// The vertex of a hull that is farthest along `direction`; of several the one with the smallest index.
Index support_vertex(const ConvexPolyhedron& hull, const glm::dvec3& direction);

/// Signed distance to the surface and direction away from it, as in primitives.hpp: a unit vector for every
/// finite `p`.
template <class Real>
SurfaceDistance<Real> surface_distance(const ConvexSolid<Real>& solid, const glm::vec<3, Real>& p);

/// The share t in [0, 1] of the path from `a` to `a + step` at which it enters, or `never`, as in sweeps.hpp.
template <class Real>
Real path_entry(const ConvexSolid<Real>& solid, const glm::vec<3, Real>& a, const glm::vec<3, Real>& step);

/// Largest distance of a point of the solid from the origin, m.
template <class Real>
Real bounding_radius(const ConvexSolid<Real>& solid);

}  // namespace limber
