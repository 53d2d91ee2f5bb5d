// A torus as a triangle mesh: a closed surface with a hole through it.
#pragma once

#include <cmath>
#include <numbers>

#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// A torus about the y axis: a tube of `tube_radius` m along a circle of `radius` m, `segments` >= 3 cells
/// along the circle and `sides` >= 3 around the tube. No uvs.
inline TriMesh make_torus(double radius, double tube_radius, int segments, int sides) {
  TriMesh mesh;
  for (int s = 0; s < segments; ++s) {
    const double turn = 2.0 * std::numbers::pi * s / segments;
    for (int k = 0; k < sides; ++k) {
      const double around = 2.0 * std::numbers::pi * k / sides;
      const double from_axis = radius + tube_radius * std::cos(around);
      mesh.positions.push_back(
          {from_axis * std::cos(turn), tube_radius * std::sin(around), from_axis * std::sin(turn)});
    }
  }
  for (Index s = 0; s < segments; ++s) {
    const Index here = s * sides, there = (s + 1) % segments * sides;
    for (Index k = 0; k < sides; ++k) {
      const Index next = (k + 1) % sides;
      mesh.triangles.push_back({here + k, here + next, there + next});
      mesh.triangles.push_back({here + k, there + next, there + k});
    }
  }
  return mesh;
}

}  // namespace limber
