// Volume and area of a closed surface.
#pragma once

#include <span>
#include <vector>

#include "engine/core/expected.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// Volume and area of a surface without a border whose triangles all run counter-clockwise seen from outside.
struct Enclosure {
  double volume = 0.0;  ///< m^3; 0: the surface encloses nothing
  double area = 0.0;    ///< m^2
};

/// The volume V = (1/6) sum (p1 x p2) . p3 over the triangles, with p from the mean of the positions (Mueller
/// et al. 2006, eq. 14, with the factor 1/6), and the sum of their areas.
Enclosure enclosed(std::span<const Triangle> triangles, std::span<const glm::dvec3> positions);

/// Reverses triangles so that two neighbours pass along their common edge in opposite directions, as on a
/// surface wound one way. The mesh is taken in parts that are connected over edges of two triangles; in each
/// part, the fewer triangles are reversed. Returns the number of reversed triangles. Where this is impossible
/// (a Moebius strip), some edges stay wound against each other.
int orient_alike(TriMesh& mesh);

/// Returns the enclosure of a closed surface, after reversing all triangles if the surface is inside out.
/// Fails, changing nothing, if the surface has a border (the error counts its edges and names one), if
/// neighbours are wound against each other, or if the volume is zero. `names`: names of the parts in messages
/// (ObjMesh::names()); errors have a line, but no file.
Expected<Enclosure> enclose(TriMesh& mesh, const MeshNames& names = {});

}  // namespace limber
