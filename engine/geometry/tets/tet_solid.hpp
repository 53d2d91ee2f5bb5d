// Fills any closed triangle mesh with tetrahedra.
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
  /// false: all tetrahedra that touch the solid, of one shape, with the mesh embedded in them. true:
  /// tetrahedra cut along the mesh; they nearly fill the solid, and their boundary is drawn.
  bool cut = false;
  /// Called with the progress of the build, from 0 to 1; returns false to cancel it. May be empty.
  std::function<bool(double)> progress = {};
};

/// Tetrahedra and the surface that they carry.
struct TetSolid {
  TetMesh mesh;
  TriMesh skin;                        ///< at rest: drawn and colliding
  std::vector<EmbeddedPoint> carried;  ///< per vertex of the skin: its place in a tetrahedron
  double enclosed = 0.0;               ///< m^3, volume inside the skin; that of lattice tetrahedra is larger
  std::string facts;                   ///< for the user: counts and angles
  std::vector<std::string> notes;      ///< for the user: lost or joined parts
};

/// A solid whose skin is the boundary of its tetrahedra.
TetSolid solid_with_own_skin(TetMesh mesh);

/// Fills a closed mesh with tetrahedra of a body-centred cubic lattice. Turns a mesh that is inside out.
/// Fails on an open mesh (with the number of its border edges), on cells so small that there would be more
/// than most_tets, and, if the lattice is cut, so large that nothing is left; both name a size that will do.
/// `names`: what messages call the parts of the mesh; errors have a line, but no file.
Expected<TetSolid> fill_with_tets(TriMesh mesh, const LatticeOptions& options, const MeshNames& names = {});

}  // namespace limber
