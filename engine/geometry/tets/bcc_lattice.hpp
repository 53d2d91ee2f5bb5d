// The body-centred cubic lattice and its tetrahedra.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/vec3.hpp>

#include "engine/geometry/tets/tet_mesh.hpp"

namespace limber {

/// A grid of cubes with a vertex at every corner and at every centre. A tetrahedron joins the centres of two
/// neighbouring cubes and the ends of an edge of their common face: all are congruent, with two edges of one
/// cube's length, four of sqrt(3)/2 of it, and dihedral angles of 90 (twice) and 60 degrees (four times).
/// Nothing is stored: vertices and tetrahedra are numbers.
struct BccLattice {
  glm::dvec3 origin{0.0};  ///< m, of the corner of cube (0, 0, 0)
  double cell = 1.0;       ///< m
  glm::ivec3 cells{1};     ///< cubes along each axis

  using Number = std::int64_t;

  Number corner_count() const { return Number(cells.x + 1) * (cells.y + 1) * (cells.z + 1); }
  Number cube_count() const { return Number(cells.x) * cells.y * cells.z; }
  Number vertex_count() const { return corner_count() + cube_count(); }

  Number corner(const glm::ivec3& at) const {
    return at.x + Number(cells.x + 1) * (at.y + Number(cells.y + 1) * at.z);
  }
  Number cube(const glm::ivec3& at) const { return at.x + Number(cells.x) * (at.y + Number(cells.y) * at.z); }
  Number centre(const glm::ivec3& at) const { return corner_count() + cube(at); }
  glm::dvec3 position(Number vertex) const;

  /// Twelve numbers for each cube: four around the face to the next cube along each axis. The last cube along
  /// an axis has no next cube, so its four numbers are unused.
  Number tet_count() const { return 12 * cube_count(); }
  bool exists(Number tet) const;
  /// Vertices of the tetrahedron, positively oriented: the two centres first.
  std::array<Number, 4> tet(Number tet) const;

  /// The tetrahedron that `p` lies in, which is at least half a cube within the grid.
  Number tet_at(const glm::dvec3& p) const;
};

/// The lattice of cubes of `cell` m around a box: a cube more on each side, so that every point of the box
/// is in a tetrahedron.
BccLattice lattice_around(const glm::dvec3& low, const glm::dvec3& high, double cell);

}  // namespace limber
