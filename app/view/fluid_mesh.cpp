#include "app/view/fluid_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "app/view/fluid_grid.hpp"

namespace limber {
namespace {

/// Support of the kernel in particle radii, which are the sides of cubes, and f at a particle without
/// neighbours.
constexpr float reach = 4.0f, peak = 8.0f * 315.0f / (64.0f * 3.14159265f * reach * reach * reach);
constexpr float level = 0.55f, volume_power = -0.9f;
/// Taubin's filter: shrinks by the first factor, then inflates by the second, so many times.
constexpr float shrink = 0.5f, inflate = -0.52f;
constexpr int smoothings = 12, normal_smoothings = 4;
/// Farther particles, in radii, have no place in the grid's keys.
constexpr float farthest = 8e6f;

bool same(const auto& a, const auto& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0);
}

}  // namespace

glm::vec3 FluidBody::light() const {
  const glm::vec3 root(color & 255, color >> 8 & 255, color >> 16 & 255);
  return root * root / (255.0f * 255.0f);
}

bool FluidMeshes::update(const PointCloud& points) {
  const std::size_t first = std::min(points.fluid_first, points.size());
  const std::span spheres = std::span(points.spheres).subspan(first);
  const std::span colors = std::span(points.colors).subspan(first);
  if (same(spheres, spheres_) && same(colors, colors_)) return false;
  spheres_.assign(spheres.begin(), spheres.end());
  colors_.assign(colors.begin(), colors.end());
  vertices_.clear(), indices_.clear(), bodies_.clear();
  clear_ = {};
  least_ = glm::vec3(1e9f), most_ = glm::vec3(-1e9f);
  const float radius = points.fluid_radius;
  if (!(radius > 0.0f) || spheres_.empty()) return true;

  std::vector<std::uint32_t> kinds = colors_;
  std::sort(kinds.begin(), kinds.end());
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  const auto kind_of = [&](std::size_t i) {
    return std::size_t(std::lower_bound(kinds.begin(), kinds.end(), colors_[i]) - kinds.begin());
  };
  const auto each = [&](auto visit) {
    for (std::size_t i = 0; i < spheres_.size(); ++i) {
      const glm::vec3 at = glm::vec3(spheres_[i]) / radius;
      if (spheres_[i].w > 0.0f && glm::dot(at, at) < farthest * farthest) visit(i, at);
    }
  };
  FluidGrid grid(kinds.size());
  each([&](std::size_t, const glm::vec3& at) { grid.splat(0, at, reach, peak, 1.0f); });
  std::vector<float> volumes(spheres_.size());
  each([&](std::size_t i, const glm::vec3& at) {
    volumes[i] = std::pow(std::max(grid.density(0, at), 0.5f * peak), volume_power);
  });
  grid.clear_densities();
  each([&](std::size_t i, const glm::vec3& at) { grid.splat(kind_of(i), at, reach, peak, volumes[i]); });

  std::vector<std::uint8_t> wanted(kinds.size()), transparent(kinds.size());
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    std::fill(wanted.begin(), wanted.end(), std::uint8_t(0));
    wanted[k] = 1;
    FluidBody body = mesh(grid, wanted, radius);
    body.color = kinds[k];
    transparent[k] = !body.opaque();
    if (body.index_count > 0) bodies_.push_back(body);
  }
  const auto clear_kinds = std::count(transparent.begin(), transparent.end(), 1);
  if (clear_kinds > 1) clear_ = mesh(grid, transparent, radius);
  for (const FluidBody& body : bodies_)
    if (clear_kinds == 1 && !body.opaque()) clear_ = body;
  for (const Vertex& vertex : vertices_) {
    least_ = glm::min(least_, vertex.position);
    most_ = glm::max(most_, vertex.position);
  }
  return true;
}

FluidBody FluidMeshes::mesh(const FluidGrid& grid, std::span<const std::uint8_t> wanted, float radius) {
  const std::size_t first_vertex = vertices_.size(), first_index = indices_.size();
  std::vector<glm::vec3> positions;
  grid.surface(wanted, level, positions, indices_);
  for (const glm::vec3& at : positions) vertices_.push_back({radius * at, glm::vec3(0.0f)});
  for (std::size_t i = first_index; i < indices_.size(); ++i) indices_[i] += std::uint32_t(first_vertex);
  smooth(first_vertex, first_index);
  set_normals(first_vertex, first_index);
  return {0, std::uint32_t(first_index), std::uint32_t(indices_.size() - first_index)};
}

void FluidMeshes::smooth(std::size_t first_vertex, std::size_t first_index) {
  sums_.resize(vertices_.size());
  for (int round = 0; round < 2 * smoothings; ++round) {
    std::fill(sums_.begin() + std::ptrdiff_t(first_vertex), sums_.end(), glm::vec4(0.0f));
    for (std::size_t t = first_index; t < indices_.size(); t += 3)
      for (std::size_t k = 0; k < 3; ++k)
        sums_[indices_[t + k]] += glm::vec4(vertices_[indices_[t + (k + 1) % 3]].position, 1.0f);
    const float share = round % 2 == 0 ? shrink : inflate;
    for (std::size_t v = first_vertex; v < vertices_.size(); ++v)
      if (sums_[v].w > 0.0f)
        vertices_[v].position = glm::mix(vertices_[v].position, glm::vec3(sums_[v]) / sums_[v].w, share);
  }
}

/// Means of the triangles' normals, weighted by area, then of the neighbours' normals.
void FluidMeshes::set_normals(std::size_t first_vertex, std::size_t first_index) {
  for (std::size_t t = first_index; t < indices_.size(); t += 3) {
    const glm::vec3 a = vertices_[indices_[t]].position;
    const glm::vec3 normal =
        glm::cross(vertices_[indices_[t + 1]].position - a, vertices_[indices_[t + 2]].position - a);
    for (std::size_t k = 0; k < 3; ++k) vertices_[indices_[t + k]].normal += normal;
  }
  const auto normalize = [&] {
    for (std::size_t v = first_vertex; v < vertices_.size(); ++v) {
      glm::vec3& n = vertices_[v].normal;
      n = glm::dot(n, n) > 0.0f ? glm::normalize(n) : glm::vec3(0.0f, 1.0f, 0.0f);
    }
  };
  normalize();
  for (int round = 0; round < normal_smoothings; ++round) {
    for (std::size_t v = first_vertex; v < vertices_.size(); ++v)
      sums_[v] = glm::vec4(vertices_[v].normal, 0.0f);
    for (std::size_t t = first_index; t < indices_.size(); t += 3)
      for (std::size_t k = 0; k < 3; ++k)
        sums_[indices_[t + k]] += glm::vec4(vertices_[indices_[t + (k + 1) % 3]].normal, 0.0f);
    for (std::size_t v = first_vertex; v < vertices_.size(); ++v) vertices_[v].normal = glm::vec3(sums_[v]);
    normalize();
  }
}

}  // namespace limber
