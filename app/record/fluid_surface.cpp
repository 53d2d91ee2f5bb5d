#include "app/record/fluid_surface.hpp"

#include <array>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <vector>

#include "app/view/fluid_grid.hpp"

namespace limber {
namespace {

/// Support of the kernel in particle radii, which are the sides of cubes, and f at one particle.
constexpr float kernel_reach = 3.0f, kernel_peak = 8.0f * 315.0f / (64.0f * 3.14159265f * 27.0f);
constexpr float lowest_level = 0.2f, highest_level = 0.8f;
constexpr int halvings = 10;

/// The surface at a level, radii from `origin`.
TriMesh surface_at(const FluidGrid& grid, float level, const glm::dvec3& origin) {
  std::vector<glm::vec3> positions;
  std::vector<std::uint32_t> indices;
  grid.surface(std::array<std::uint8_t, 1>{1}, level, positions, indices);
  TriMesh mesh;
  for (const glm::vec3& x : positions) mesh.positions.push_back(origin + glm::dvec3(x));
  for (std::size_t k = 0; k < indices.size(); k += 3)
    mesh.triangles.push_back({Index(indices[k]), Index(indices[k + 1]), Index(indices[k + 2])});
  return mesh;
}

}  // namespace

double enclosed_volume(const TriMesh& mesh) {
  if (mesh.positions.empty()) return 0.0;
  const glm::dvec3 origin = mesh.positions.front();
  double sum = 0.0;
  for (const Triangle& t : mesh.triangles) {
    const auto corner = [&](std::size_t k) { return mesh.positions[std::size_t(t[k])] - origin; };
    sum += glm::dot(corner(0), glm::cross(corner(1), corner(2)));
  }
  return sum / 6.0;
}

TriMesh fluid_surface(std::span<const glm::dvec3> particles, double radius) {
  if (particles.empty()) return {};
  FluidGrid grid(1);
  const glm::dvec3 origin = glm::floor(particles.front() / radius);  // keeps single precision far from 0
  for (const glm::dvec3& x : particles) {
    const glm::vec3 at(x / radius - origin);
    grid.splat(0, at, kernel_reach, kernel_peak, 1.0f);
    grid.add_ball(at);
  }
  const double wanted = 8.0 * double(particles.size());
  float low = lowest_level, high = highest_level;
  for (int halving = 0; halving < halvings; ++halving) {  // the volume decreases with the level
    const float level = 0.5f * (low + high);
    (enclosed_volume(surface_at(grid, level, origin)) > wanted ? low : high) = level;
  }
  TriMesh mesh = surface_at(grid, 0.5f * (low + high), origin);
  for (glm::dvec3& x : mesh.positions) x *= radius;
  return mesh;
}

}  // namespace limber
