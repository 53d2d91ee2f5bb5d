// Signed distances to a triangle mesh on a grid: a closed mesh is a solid, an open one a shell.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <glm/vec3.hpp>
#include <vector>

#include "engine/core/expected.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"
#include "engine/geometry/queries/primitives.hpp"
#include "engine/parallel/pool.hpp"

namespace limber {

/// Distances at the nodes of a grid around a mesh, negative inside, trilinear between them. Where the
/// distance is smooth the interpolation errs by at most cell^2/8 times the sum of its second derivatives
/// along the axes (a surface of curvature k at least 1/k away from its centre: cell^2 k / 4); an edge is
/// rounded over a cell.
struct SignedDistanceField {
  glm::dvec3 origin{0.0};     ///< m, of node (0, 0, 0)
  double cell = 1.0;          ///< m
  glm::ivec3 nodes{0};        ///< at least 2 along each axis
  std::vector<float> values;  ///< m, x fastest

  std::size_t index(int x, int y, int z) const {
    return (std::size_t(z) * std::size_t(nodes.y) + std::size_t(y)) * std::size_t(nodes.x) + std::size_t(x);
  }

  /// Distance and unit direction away from the surface at any finite point. Outside the grid, from the
  /// nearest point of its box: never more than the true distance, because the surface is on the box's other
  /// side.
  template <class Real>
  SurfaceDistance<Real> at(const glm::vec<3, Real>& p) const;
};

/// Padding around the mesh, so that the box's faces are outside it.
inline constexpr int field_padding = 3;  ///< in cells

/// Measures the exact distance at every node, on all threads of `pool`: `resolution` cells on the longest
/// side of the mesh. The sign is the generalised winding number's, |w| > 1/2, so a mesh may be wound inwards
/// or intersect itself; it is evaluated only next to the surface and carried along each row of nodes beyond,
/// since it cannot change within a node's own distance. Fails on an open mesh ("42 boundary edges") and on an
/// edge of more than two triangles.
///
/// A `shell` > 0, in the mesh's units, accepts any triangles: the field is the distance to them minus half
/// the shell, so they are a sheet that thick, without an inside. Between nodes the distance to a sheet itself
/// is not smooth, so a shell under two cells fails, and so does one over a quarter of the longest side.
Expected<SignedDistanceField> build_distance_field(const TriMesh& mesh, int resolution, Pool& pool,
                                                   double shell = 0.0,
                                                   const std::function<bool(double)>& progress = {});

template <class Real>
SurfaceDistance<Real> SignedDistanceField::at(const glm::vec<3, Real>& p) const {
  using Vector = glm::vec<3, Real>;
  const Vector start(origin);
  const Real size = Real(cell);
  Vector away, f;  // from the grid's box to p; place within the cell
  glm::ivec3 i;
  for (int k = 0; k < 3; ++k) {
    const Real g = (p[k] - start[k]) / size, last = Real(nodes[k] - 1);
    const Real inside = g > Real(0) ? std::min(g, last) : Real(0);  // 0 for a NaN too: never out of bounds
    away[k] = (g - inside) * size;
    i[k] = std::min(int(inside), nodes[k] - 2);
    f[k] = inside - Real(i[k]);
  }
  const std::size_t row = std::size_t(nodes.x), layer = row * std::size_t(nodes.y);
  const float* v = values.data() + index(i.x, i.y, i.z);
  const auto along_x = [&](std::size_t at, Real& slope) {
    const Real a = Real(v[at]), b = Real(v[at + 1]);
    slope = b - a;
    return a + f.x * slope;
  };
  Real s00, s10, s01, s11;
  const Real v00 = along_x(0, s00), v10 = along_x(row, s10);
  const Real v01 = along_x(layer, s01), v11 = along_x(layer + row, s11);
  const auto mix = [](Real a, Real b, Real t) { return a + t * (b - a); };
  const Real low = mix(v00, v10, f.y), high = mix(v01, v11, f.y);
  const Real d = mix(low, high, f.z);
  const Vector gradient(mix(mix(s00, s10, f.y), mix(s01, s11, f.y), f.z), mix(v10 - v00, v11 - v01, f.z),
                        high - low);
  const Vector n = detail::length_and_direction(gradient, Vector(Real(0), Real(1), Real(0))).n;
  if (away == Vector(Real(0))) return {d, n};
  // No point q of the surface in the box is nearer than |away|^2 + |c - q|^2, c being the box's nearest
  // point.
  SurfaceDistance<Real> out = detail::length_and_direction(away + d * n, n);
  out.d = std::sqrt(away.x * away.x + away.y * away.y + away.z * away.z + d * d);
  return out;
}

}  // namespace limber
