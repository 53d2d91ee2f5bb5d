// A surface carried by tetrahedra around it.
#pragma once

#include <array>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "engine/geometry/tets/bcc_lattice.hpp"
#include "engine/geometry/tets/tet_mesh.hpp"

namespace limber {

/// A point that moves with four vertices: sum weights[k] x[vertices[k]]. The weights add up to 1; none is
/// negative if the point is inside the tetrahedron.
struct EmbeddedPoint {
  Tet vertices{};
  std::array<double, 4> weights{};

  template <class Vector>
  Vector at(std::span<const Vector> x) const {
    using Real = typename Vector::value_type;
    Vector out(Real(0));
    for (std::size_t k = 0; k < 4; ++k) out += Real(weights[k]) * x[std::size_t(vertices[k])];
    return out;
  }
};

/// Barycentric coordinates of `p` in the tetrahedron of these four corners, which is not flat.
std::array<double, 4> barycentric(const std::array<glm::dvec3, 4>& corners, const glm::dvec3& p);

/// The tetrahedra of a lattice that touch the solid inside a closed surface, and the surface's vertices in
/// them.
struct LatticeEmbedding {
  TetMesh mesh;
  std::vector<EmbeddedPoint> points;  ///< per vertex of the surface
};

/// Embeds a surface, which must be closed, wound outwards (enclose()) and inside `lattice` by a cube
/// (lattice_around()). Tetrahedra that any triangle touches are taken. The others lie on one side of the
/// surface; those inside are taken as well (generalised winding number).
LatticeEmbedding embed_in_lattice(const TriMesh& surface, const BccLattice& lattice);

}  // namespace limber
