#include "app/view/fluid_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/geometry/symmetric3.hpp"

namespace limber {
namespace {

/// Lengths in particle radii: support of the neighbours' weights; bounds of the semi-axes of an ellipsoid;
/// radius of the ball of a lone particle, which has the particle's volume.
constexpr float neighbour_reach = 4.0f, least_axis = 0.85f, most_axis = 2.6f, lone_axis = 1.24f;
/// Share of the way to the mean of its neighbours by which a particle moves. In the outermost layer of a half
/// space of particles on a lattice, that mean is 0.81 radii away and the standard deviation across the
/// surface is 0.98.
constexpr float moved_share = 0.6f, half_space_mean = 0.81f, half_space_deviation = 0.98f;
constexpr float surface = 1.2f;  ///< in radii, distance of the surface from the outermost layer before
                                 ///< smoothing
constexpr float axis_of_deviation = (surface + moved_share * half_space_mean) / half_space_deviation;
/// A particle is in the interior of the fluid if the sum of its neighbours' weights exceeds this (17 if they
/// fill space evenly) and their mean is closer than this, in radii.
constexpr float inside_weight = 13.0f, inside_mean = 0.3f;
/// Sums of weights between which a lone particle gradually becomes part of a fluid.
constexpr float lone_weight = 1.2f, joined_weight = 5.0f;

float smoothstep(float low, float high, float x) {
  const float t = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
  return t * t * (3.0f - 2.0f * t);
}

}  // namespace

/// Packs a cell's coordinates. Cells of one row along x have consecutive keys.
std::uint64_t FluidShapes::key_of(const glm::ivec3& cell) {
  constexpr int offset = 1 << 20;
  const auto part = [](int c) { return std::uint64_t(std::clamp(c + offset, 1, 2 * offset - 2)); };
  return part(cell.z) << 42 | part(cell.y) << 21 | part(cell.x);
}

void FluidShapes::sort_into_cells() {
  sorted_.clear();
  for (const glm::vec4& particle : particles_) {
    if (!(particle.w > 0.0f) || !(glm::dot(particle, particle) < 1e12f)) continue;
    const glm::vec3 at = glm::vec3(particle) / (neighbour_reach * radius_);
    const glm::ivec3 cell(glm::floor(glm::clamp(at, -1e6f, 1e6f)));
    sorted_.push_back({key_of(cell), cell, glm::vec3(particle)});
  }
  std::stable_sort(sorted_.begin(), sorted_.end(),
                   [](const Placed& a, const Placed& b) { return a.key < b.key; });
}

bool FluidShapes::update(std::span<const glm::vec4> particles, float radius) {
  if (radius == radius_ && particles.size() == particles_.size() &&
      std::memcmp(particles.data(), particles_.data(), particles.size_bytes()) == 0)
    return false;
  particles_.assign(particles.begin(), particles.end());
  radius_ = radius;
  ellipsoids_.clear();
  least_ = glm::vec3(1e9f), most_ = glm::vec3(-1e9f);
  if (!(radius > 0.0f)) return true;
  sort_into_cells();
  for (std::size_t k = 0; k < sorted_.size();) {
    const std::uint64_t key = sorted_[k].key;
    gather_around(sorted_[k].cell);
    for (; k < sorted_.size() && sorted_[k].key == key; ++k) {
      const glm::vec3 own = sorted_[k].position;
      add_shape(PointMoments::around(own, neighbour_reach * radius_, near_), own);
    }
  }
  return true;
}

/// Collects the particles in a cell and the 26 cells around it.
void FluidShapes::gather_around(const glm::ivec3& cell) {
  near_.clear();
  for (int row = 0; row < 9; ++row) {
    const std::uint64_t middle = key_of(cell + glm::ivec3(0, row % 3 - 1, row / 3 - 1));
    auto next = std::lower_bound(sorted_.begin(), sorted_.end(), middle - 1,
                                 [](const Placed& a, std::uint64_t key) { return a.key < key; });
    for (; next != sorted_.end() && next->key <= middle + 1; ++next) near_.add(next->position);
  }
  near_.pad();
}

void FluidShapes::add_shape(const PointMoments& moments, const glm::vec3& center) {
  const glm::vec3 mean = neighbour_reach * moments.mean();  // radii
  if (moments.weight > inside_weight && glm::dot(mean, mean) < inside_mean * inside_mean) return;
  const float joined = smoothstep(lone_weight, joined_weight, moments.weight);
  const SymmetricEigen own = eigen_symmetric(moments.covariance());
  Ellipsoid out;
  out.joined = joined;
  out.center = center + joined * moved_share * radius_ * mean;
  float longest = 0.0f;
  for (int k = 0; k < 3; ++k) {
    const float deviation = neighbour_reach * float(std::sqrt(std::max(own.values[k], 0.0)));
    const float axis = std::clamp(axis_of_deviation * deviation, least_axis, most_axis);
    const float length = radius_ * glm::mix(lone_axis, axis, joined);
    out.axes[k] = glm::vec4(length * glm::vec3(own.vectors[k]), 0.0f);
    longest = std::max(longest, length);
  }
  least_ = glm::min(least_, out.center - longest);
  most_ = glm::max(most_, out.center + longest);
  ellipsoids_.push_back(out);
}

}  // namespace limber
