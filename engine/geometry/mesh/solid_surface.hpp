// The surface of a convex solid as a triangle mesh.
#pragma once

#include "engine/geometry/convex/convex_hull.hpp"
#include "engine/geometry/convex/convex_kind.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// A closed surface, wound outwards, m in the solid's frame. `size` as in ConvexSolid; `hull` is read only
/// for a hull, where it must not be null. Round surfaces have their vertices on the solid (a sphere 1280
/// triangles, others 32 cells around), and so enclose up to 2 % less volume.
TriMesh solid_surface(ConvexKind kind, const glm::dvec3& size, const ConvexPolyhedron* hull);

}  // namespace limber
