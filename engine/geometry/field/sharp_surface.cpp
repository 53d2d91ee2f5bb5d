#include "engine/geometry/field/sharp_surface.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

namespace limber {
namespace {

constexpr double on_surface = 1e-3;  // cells: nearer than that a triangle's own normal is better than the way

/// Six times the volume, negative for a mesh that is wound inwards.
double enclosed(const TriMesh& mesh) {
  double sum = 0.0;
  for (const Triangle& t : mesh.triangles)
    sum += glm::dot(mesh.positions[std::size_t(t[0])],
                    glm::cross(mesh.positions[std::size_t(t[1])], mesh.positions[std::size_t(t[2])]));
  return sum;
}

}  // namespace

SharpSurface::SharpSurface(const TriMesh& mesh, const SignedDistanceField& field, double shell)
    : tree_(mesh), field_(field), shell_(shell), outward_(enclosed(mesh) < 0.0 ? -1.0 : 1.0) {}

SurfaceDistance<double> SharpSurface::at(const glm::dvec3& p, const SurfaceDistance<double>& rough,
                                         double within) const {
  const TriangleTree::Nearest near = tree_.nearest(p, within + 0.5 * shell_);
  if (!(near.distance < within + 0.5 * shell_))
    return rough.d < 0.0 ? rough : SurfaceDistance<double>{std::max(rough.d, within), rough.n};
  const glm::dvec3 away = p - near.point;
  const bool at_it = near.distance < on_surface * field_.cell;
  if (shell_ > 0.0) {
    if (at_it) return rough;
    return {near.distance - 0.5 * shell_, away / near.distance};
  }
  const glm::dvec3 normal = outward_ * near.normal;
  const double side = glm::dot(away, normal) < 0.0 ? -1.0 : 1.0;
  if ((rough.d < 0.0) != (side < 0.0) && !at_it && (std::abs(tree_.winding_number(p)) > 0.5) != (side < 0.0))
    return rough;
  return {side * near.distance, at_it ? normal : side / near.distance * away};
}

}  // namespace limber
