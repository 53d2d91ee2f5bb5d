// Any closed triangle mesh as tetrahedra.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/core/expected.hpp"
#include "engine/geometry/tets/tet_embedding.hpp"
#include "engine/geometry/tets/tet_mesh.hpp"

namespace limber {

struct LatticeOptions {
  double cell = 0.1;  ///< m, of the cubes of the lattice, each of twelve tetrahedra; > 0
  /// false: the tetrahedra that touch the solid, all of one shape, with the mesh embedded in them. true: cut
  /// along the mesh; they nearly fill the solid, and their boundary is drawn.
  bool cut = false;
  /// Told how far the build is, from 0 to 1; returns false to give it up. May be empty.
  std::function<bool(double)> progress = {};
};

/// Tetrahedra and the surface that they carry.
struct TetSolid {
  TetMesh mesh;
  TriMesh skin;                        ///< at rest: drawn and colliding
  std::vector<EmbeddedPoint> carried;  ///< per vertex of the skin: the tetrahedron it follows
  double enclosed = 0.0;               ///< m^3, inside the skin; lattice tetrahedra hold more
  std::string facts;                   ///< for the user: counts and angles
  std::vector<std::string> notes;      ///< for the user: lost or joined parts
};

/// The boundary of a mesh as the skin that it carries.
TetSolid solid_with_own_skin(TetMesh mesh);

/// Fills a closed mesh with tetrahedra of a body-centred cubic lattice. Turns a mesh that is inside out.
/// Fails on an open mesh (with the number of its border edges), on cells so small that there would be more
/// than most_tets, and, if the lattice is cut, so large that nothing is left; both name a size that will do.
/// `names`: what messages call the parts of the mesh; errors have a line, but no file.
Expected<TetSolid> fill_with_tets(TriMesh mesh, const LatticeOptions& options, const MeshNames& names = {});

}  // namespace limber
