// Quality of the tetrahedra of a mesh.
#pragma once

#include <string>

#include "engine/geometry/tets/tet_mesh.hpp"

namespace limber {

struct TetQuality {
  std::size_t tets = 0, vertices = 0;
  double volume = 0.0;             ///< m^3, of all
  double smallest_volume = 0.0;    ///< m^3
  double smallest_dihedral = 0.0;  ///< degrees; a regular tetrahedron has 70.53 at each of its edges
  double largest_dihedral = 0.0;   ///< degrees
  double worst_shape = 0.0;  ///< smallest 6 sqrt(2) V / l^3, l: root mean square of the edges; regular: 1
};

TetQuality tet_quality(const TetMesh& mesh);

/// "1280 tetrahedra with 309 vertices, dihedral angles from 31.2 to 109 degrees".
std::string to_text(const TetQuality& quality);

}  // namespace limber
