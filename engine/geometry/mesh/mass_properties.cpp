#include "engine/geometry/mesh/mass_properties.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <numbers>

#include "engine/geometry/symmetric3.hpp"

namespace limber {
namespace {

constexpr double pi = std::numbers::pi;

glm::dmat3 diagonal(double x, double y, double z) { return glm::dmat3(x, 0, 0, 0, y, 0, 0, 0, z); }

/// From the integral of r r^T to that of r.r 1 - r r^T.
glm::dmat3 second_from(const glm::dmat3& spread) {
  return glm::dmat3(spread[0][0] + spread[1][1] + spread[2][2]) - spread;
}

/// Second moment about the origin of a unit of volume at `r`.
glm::dmat3 parallel_axes(const glm::dvec3& r) { return second_from(glm::outerProduct(r, r)); }

}  // namespace

MassProperties solid_mass_properties(ConvexKind kind, const glm::dvec3& size) {
  const double r = size.x, l = 2.0 * size.y;  // capsule and cylinder: length without caps
  MassProperties out;
  const auto around_y = [&](double axial, double across) { out.second = diagonal(across, axial, across); };
  switch (kind) {
    case ConvexKind::sphere: {
      out.volume = 4.0 / 3.0 * pi * r * r * r;
      const double moment = 0.4 * out.volume * r * r;
      out.second = diagonal(moment, moment, moment);
      break;
    }
    case ConvexKind::box: {
      const glm::dvec3 square = size * size;
      out.volume = 8.0 * size.x * size.y * size.z;
      const double third = out.volume / 3.0;
      out.second = diagonal(third * (square.y + square.z), third * (square.x + square.z),
                            third * (square.x + square.y));
      break;
    }
    case ConvexKind::cylinder:
      out.volume = pi * r * r * l;
      around_y(0.5 * out.volume * r * r, out.volume * (r * r / 4.0 + l * l / 12.0));
      break;
    case ConvexKind::capsule: {
      // two half balls, each with its centre of mass 3/8 r from its flat side
      const double tube = pi * r * r * l, ball = 4.0 / 3.0 * pi * r * r * r;
      out.volume = tube + ball;
      around_y(0.5 * tube * r * r + 0.4 * ball * r * r,
               tube * (r * r / 4.0 + l * l / 12.0) + ball * (0.4 * r * r + l * l / 4.0 + 0.375 * r * l));
      break;
    }
    case ConvexKind::hull:
      break;
  }
  return out;
}

MassProperties mesh_mass_properties(const TriMesh& mesh) {
  glm::dvec3 mean(0.0);
  for (const glm::dvec3& p : mesh.positions) mean += p;
  mean /= double(std::max<std::size_t>(mesh.positions.size(), 1));

  double volume = 0.0;     // x 6
  glm::dvec3 first(0.0);   // x 24
  glm::dmat3 spread(0.0);  // x 120, the integral of r r^T about the mean
  for (const Triangle& t : mesh.triangles) {
    const glm::dvec3 p[3] = {mesh.positions[std::size_t(t[0])] - mean,
                             mesh.positions[std::size_t(t[1])] - mean,
                             mesh.positions[std::size_t(t[2])] - mean};
    const double v = glm::dot(glm::cross(p[0], p[1]), p[2]);
    const glm::dvec3 sum = p[0] + p[1] + p[2];
    volume += v;
    first += v * sum;
    glm::dmat3 products = glm::outerProduct(sum, sum);
    for (const glm::dvec3& corner : p) products += glm::outerProduct(corner, corner);
    spread += v * products;
  }
  MassProperties out;
  out.volume = volume / 6.0;
  if (!(out.volume > 0.0)) return out;
  const glm::dvec3 offset = first / 24.0 / out.volume;
  out.center = mean + offset;
  out.second = second_from(spread / 120.0) - out.volume * parallel_axes(offset);
  return out;
}

MassProperties moved(const MassProperties& solid, const Placement& placement) {
  const glm::dmat3& R = placement.rotation;
  return {solid.volume, placement.position + R * solid.center, R * solid.second * glm::transpose(R)};
}

MassProperties compound(std::span<const MassProperties> parts, std::span<const double> densities) {
  const auto density = [&](std::size_t i) { return i < densities.size() ? densities[i] : 1.0; };
  MassProperties out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    out.volume += density(i) * parts[i].volume;
    out.center += density(i) * parts[i].volume * parts[i].center;
  }
  if (!(out.volume > 0.0)) return {};
  out.center /= out.volume;
  for (std::size_t i = 0; i < parts.size(); ++i)
    out.second +=
        density(i) * (parts[i].second + parts[i].volume * parallel_axes(parts[i].center - out.center));
  return out;
}

PrincipalInertia principal_inertia(const glm::dmat3& second) {
  // the axes of a ball, whose moments are equal, must not depend on rounding
  const double negligible = 1e-12 * (second[0][0] + second[1][1] + second[2][2]);
  glm::dmat3 cleaned = second;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (i != j && !(std::abs(second[i][j]) > negligible)) cleaned[i][j] = 0.0;
  const SymmetricEigen eigen = eigen_symmetric(cleaned);
  return {eigen.values, eigen.vectors};
}

}  // namespace limber
