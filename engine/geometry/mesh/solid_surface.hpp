// The surface of a convex solid as a triangle mesh.
#pragma once

#include "engine/geometry/convex/convex_hull.hpp"
#include "engine/geometry/convex/convex_kind.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// Closed and wound outwards, m in the solid's frame. `size` as ConvexSolid; `hull` for a hull only, and then
/// not null. Round solids are inscribed: a sphere of 1280 triangles or 32 cells around hold up to 2 % less.
TriMesh solid_surface(ConvexKind kind, const glm::dvec3& size, const ConvexPolyhedron* hull);

}  // namespace limber
