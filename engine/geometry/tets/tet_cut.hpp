// Tetrahedra up to a surface: isosurface stuffing.
#pragma once

#include <functional>
#include <glm/vec3.hpp>

#include "engine/geometry/tets/bcc_lattice.hpp"
#include "engine/geometry/tets/tet_mesh.hpp"

namespace limber {

/// The part of a lattice where `distance` is negative, cut along its zero surface (Labelle and Shewchuk 2007,
/// Isosurface stuffing, with cells of one size): a lattice vertex that lies near a cut of one of its edges
/// moves onto it; a tetrahedron that is still crossed is replaced by tetrahedra of its inner part. `distance`
/// is positive at the border of the lattice. Sharp edges are cut off, and parts without a vertex of the
/// lattice are lost.
TetMesh cut_lattice(const BccLattice& lattice, const std::function<double(const glm::dvec3&)>& distance);

}  // namespace limber
