// Direction and size of the distance or overlap of two convex bodies (GJK, EPA), in double.
#pragma once

#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>

#include "engine/geometry/convex/convex_solid.hpp"

namespace limber {

/// The core of a solid, without its rounding: a sphere's centre, a capsule's axis, otherwise the whole solid
/// or a slightly smaller one.
struct ConvexCore {
  ConvexKind kind = ConvexKind::sphere;
  glm::dvec3 size{0.0};  ///< m: capsule {, half length}, box half extents, cylinder {radius, half length}
  const ConvexPolyhedron* hull = nullptr;
  double share = 1.0;   ///< hull: scale about its centre
  double radius = 0.0;  ///< m, of the sphere or capsule around the core

  glm::dvec3 support(const glm::dvec3& direction) const;
};

ConvexCore core_of(const ConvexSolid<double>& solid);

/// The core of the solid, made thinner on all sides by a twentieth of its least half extent, so that the
/// inner cores of two solids with a small overlap do not overlap. Spheres and capsules keep their core.
ConvexCore inner_core_of(const ConvexSolid<double>& solid);

/// Half of the smallest thickness of a solid, m.
double least_extent(const ConvexSolid<double>& solid);

/// Two cores in the frame of the first.
struct CorePair {
  const ConvexCore& a;
  const ConvexCore& b;
  const glm::dmat3& rotation;  ///< of b
  const glm::dvec3& position;  ///< of b

  glm::dvec3 support_a(const glm::dvec3& direction) const { return a.support(direction); }
  glm::dvec3 support_b(const glm::dvec3& direction) const {
    return rotation * b.support(direction * rotation) + position;
  }
  /// Support point of a - b.
  glm::dvec3 support(const glm::dvec3& direction) const {
    return support_a(direction) - support_b(-direction);
  }
  /// m, distance of the two solids (cores with their radii) along the unit vector `normal` from b to a;
  /// negative where they overlap along it.
  double separation(const glm::dvec3& normal) const {
    return glm::dot(normal, support(-normal)) - a.radius - b.radius;
  }
};

struct CoreGap {
  enum class State { apart, beyond, overlapping };
  State state = State::overlapping;
  glm::dvec3 normal{0.0, 1.0, 0.0};  ///< unit, from b to a; not for overlapping cores
  double distance = 0.0;             ///< m, of the cores; beyond: a lower bound
};

/// Distance of two cores (Gilbert, Johnson and Keerthi 1988). `beyond` as soon as the distance certainly
/// exceeds `limit`, `overlapping` also below 1e-8 of their size. `start` is the first direction from b to a
/// tried.
CoreGap core_gap(const CorePair& pair, const glm::dvec3& start, double limit);

/// The direction along which overlapping cores overlap least, by the expanding polytope of van den Bergen
/// 2001 within 1e-4 of the depth; false if the pair is too flat to have one. `normal` is from b to a.
bool least_overlap(const CorePair& pair, glm::dvec3& normal);

}  // namespace limber
