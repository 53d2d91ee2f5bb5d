#include "engine/geometry/tets/bcc_lattice.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <utility>

namespace limber {
namespace {

glm::ivec3 unpacked(std::int64_t number, const glm::ivec3& size) {
  const std::int64_t row = size.x, layer = row * size.y;
  return {int(number % row), int(number / row % size.y), int(number / layer)};
}

glm::ivec3 unit_step(int axis) {
  glm::ivec3 out(0);
  out[axis] = 1;
  return out;
}

/// The corners of a face in order around it: offsets along the next axis and the one after.
constexpr std::array<std::array<int, 2>, 4> face_ring{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};

}  // namespace

glm::dvec3 BccLattice::position(Number vertex) const {
  const Number corners = corner_count();
  if (vertex < corners) return origin + cell * glm::dvec3(unpacked(vertex, cells + 1));
  return origin + cell * (glm::dvec3(unpacked(vertex - corners, cells)) + 0.5);
}

bool BccLattice::exists(Number tet) const {
  const glm::ivec3 at = unpacked(tet / 12, cells);
  const int axis = int(tet % 12 / 4);
  return at[axis] + 1 < cells[axis];
}

std::array<BccLattice::Number, 4> BccLattice::tet(Number tet) const {
  const glm::ivec3 at = unpacked(tet / 12, cells);
  const int axis = int(tet % 12 / 4), across = (axis + 1) % 3, up = (axis + 2) % 3;
  const std::size_t side = std::size_t(tet % 4);
  const auto face_corner = [&](const std::array<int, 2>& offset) {
    glm::ivec3 c = at + unit_step(axis);
    c[across] += offset[0];
    c[up] += offset[1];
    return corner(c);
  };
  return {centre(at), centre(at + unit_step(axis)), face_corner(face_ring[side]),
          face_corner(face_ring[(side + 1) % 4])};
}

BccLattice::Number BccLattice::tet_at(const glm::dvec3& p) const {
  const glm::dvec3 place = (p - origin) / cell;
  glm::ivec3 at = glm::clamp(glm::ivec3(glm::floor(place)), glm::ivec3(0), cells - 1);
  const glm::dvec3 offset = place - (glm::dvec3(at) + 0.5);  // from the cube's centre
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(offset[k]) > std::abs(offset[axis])) axis = k;
  if (offset[axis] < 0.0) --at[axis];  // the face belongs to the cube before
  const double u = offset[(axis + 1) % 3], v = offset[(axis + 2) % 3];
  const int side = std::abs(u) > std::abs(v) ? (u > 0.0 ? 1 : 3) : (v > 0.0 ? 2 : 0);
  return 12 * cube(at) + 4 * axis + side;
}

BccLattice lattice_around(const glm::dvec3& low, const glm::dvec3& high, double cell) {
  BccLattice lattice;
  lattice.cell = cell;
  lattice.cells = glm::ivec3(glm::ceil((high - low) / cell)) + 2;
  lattice.origin = 0.5 * (low + high) - 0.5 * cell * glm::dvec3(lattice.cells);
  return lattice;
}

}  // namespace limber
