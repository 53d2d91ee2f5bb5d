// Generated closed surfaces: every vertex once, two triangles over every edge, counter-clockwise from
// outside.
#pragma once

#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// A sphere of `radius` m about the origin: an icosahedron split `subdivisions` times, each time into four
/// (20 * 4^subdivisions nearly equal triangles). No uvs.
TriMesh make_icosphere(int subdivisions, double radius);

/// A box of `half_extents` m about the origin, every edge in `divisions` equal parts. No uvs.
TriMesh make_box(const glm::dvec3& half_extents, int divisions);

/// A capsule of `radius` m around the segment from (0, -half_length, 0) to (0, half_length, 0): `segments` >=
/// 3 cells around, `rings` rows of cells on each cap, and on the cylinder as many rows of that height as fit.
/// No uvs.
TriMesh make_capsule(double radius, double half_length, int segments, int rings);

/// A cylinder of `radius` m about the y axis, from -half_length to half_length, `segments` >= 3 cells around.
/// No uvs.
TriMesh make_cylinder(double radius, double half_length, int segments);

}  // namespace limber
