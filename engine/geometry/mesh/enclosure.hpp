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

/// Volume V = (1/6) sum (p1 x p2) . p3 over the triangles (Mueller et al. 2006, eq. 14, with the factor 1/6),
/// about the mean of the positions, and the sum of the areas.
Enclosure enclosed(std::span<const Triangle> triangles, std::span<const glm::dvec3> positions);

/// Reverses triangles so that neighbours run along their common edge in opposite directions. In each part
/// that is connected over edges of two triangles, the smaller number of triangles is reversed. Returns how
/// many. An edge where this is impossible (a Moebius strip) stays as it was found.
int orient_alike(TriMesh& mesh);

/// Reverses an inside-out surface and returns its enclosure. Fails, changing nothing, on a surface with a
/// border (with the number of its edges, and one of them), with neighbours wound against each other, or
/// without a volume. `names`: names of the parts in messages (ObjMesh::names()); errors have a line, but no
/// file.
Expected<Enclosure> enclose(TriMesh& mesh, const MeshNames& names = {});

}  // namespace limber
