// A sheet as the solid around it, for pictures of colliders with two sides.
#pragma once

#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// `mesh` pushed out by half the `thickness` (m) along its vertex normals to both sides, closed along its
/// borders: twice as many vertices, without uvs. A vertex in no triangle stays where it is.
TriMesh thickened(const TriMesh& mesh, double thickness);

}  // namespace limber
