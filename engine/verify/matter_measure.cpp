#include "engine/verify/matter_measure.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/trigonometric.hpp>
#include <limits>
#include <numeric>
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/motion.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr std::size_t sectors = 12, most_rings = 10000;
constexpr double foot = 0.25, top = 0.7;  // shares of the height

struct GrainPlace {
  double away, height;  ///< m
  std::size_t sector;
};

glm::dvec3 upwards(const World& world) {
  const glm::dvec3 g = world.settings.solver.motion->gravity;
  const double length = glm::length(g);
  return length > 0.0 ? -g / length : glm::dvec3(0.0, 1.0, 0.0);
}

/// Cylindrical coordinates of the grains about the middle of all grains.
std::vector<GrainPlace> grain_places(const World& world) {
  const ParticleMatter& matter = world.topology->matter;
  std::vector<glm::dvec3> places;
  for (std::int32_t i : matter.members)
    if (matter.phase[std::size_t(i)] == 0) places.emplace_back(world.particles.position[std::size_t(i)]);
  const glm::dvec3 up = upwards(world);
  const glm::dvec3 side = glm::normalize(
      glm::cross(up, std::abs(up.x) < 0.9 ? glm::dvec3(1.0, 0.0, 0.0) : glm::dvec3(0.0, 0.0, 1.0)));
  const glm::dvec3 other = glm::cross(up, side);
  const glm::dvec3 middle = std::accumulate(places.begin(), places.end(), glm::dvec3(0.0)) /
                            double(std::max<std::size_t>(places.size(), 1));
  std::vector<GrainPlace> out;
  for (const glm::dvec3& x : places) {
    const double u = glm::dot(x - middle, side), v = glm::dot(x - middle, other);
    const double turn = 0.5 + std::atan2(v, u) / glm::two_pi<double>();
    out.push_back({std::hypot(u, v), glm::dot(x, up), std::min(std::size_t(turn * sectors), sectors - 1)});
  }
  return out;
}

/// Mean, over the sectors of each ring, of the highest grain; `lowest` for an empty ring.
std::vector<double> ring_heights(const std::vector<GrainPlace>& grains, double width, double lowest) {
  double farthest = 0.0;
  for (const GrainPlace& grain : grains) farthest = std::max(farthest, grain.away);
  const std::size_t rings = std::min<std::size_t>(std::size_t(farthest / width) + 1, most_rings);
  constexpr double none = -std::numeric_limits<double>::max();
  std::vector<double> highest(rings * sectors, none), out(rings, lowest);
  for (const GrainPlace& grain : grains) {
    const std::size_t ring = std::size_t(grain.away / width);
    if (ring >= rings) continue;
    double& cell = highest[ring * sectors + grain.sector];
    cell = std::max(cell, grain.height);
  }
  for (std::size_t ring = 0; ring < rings; ++ring) {
    double sum = 0.0;
    int occupied = 0;
    for (std::size_t k = 0; k < sectors; ++k)
      if (const double height = highest[ring * sectors + k]; height > none) sum += height, ++occupied;
    if (occupied > 0) out[ring] = sum / occupied;
  }
  return out;
}

}  // namespace

double deepest_particle_overlap(const World& world) {
  const ParticleMatter& matter = world.topology->matter;
  const double diameter = 2.0 * world.settings.solver.contact->particle_radius;
  std::vector<std::int32_t> order = matter.members;
  const auto at = [&](std::int32_t i) -> const vec4& { return world.particles.position[std::size_t(i)]; };
  std::sort(order.begin(), order.end(),
            [&](std::int32_t a, std::int32_t b) { return at(a).x != at(b).x ? at(a).x < at(b).x : a < b; });
  double least = diameter * diameter;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const vec4& x = at(order[i]);
    const std::int32_t phase = matter.phase[std::size_t(order[i])];
    for (std::size_t j = i + 1; j < order.size() && double(at(order[j]).x - x.x) < diameter; ++j) {
      if (phase != 0 && matter.phase[std::size_t(order[j])] == phase) continue;
      if (x.w == real(0) && at(order[j]).w == real(0)) continue;
      if (!particles_touch(world, order[i], order[j])) continue;
      const glm::dvec3 d(at(order[j]) - x);
      least = std::min(least, glm::dot(d, d));
    }
  }
  return diameter - std::sqrt(least);
}

std::optional<double> slope_of_grains(const World& world) {
  const std::vector<GrainPlace> grains = grain_places(world);
  if (grains.empty()) return std::nullopt;
  const double width = 2.0 * world.settings.solver.contact->particle_radius;
  const auto [low, high] = std::minmax_element(
      grains.begin(), grains.end(), [](const auto& a, const auto& b) { return a.height < b.height; });
  const double lowest = low->height;
  const std::vector<double> heights = ring_heights(grains, width, lowest);
  const double highest = *std::max_element(heights.begin(), heights.end()) - lowest;
  double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;  // least squares
  for (std::size_t ring = 0; ring < heights.size(); ++ring) {
    const double away = width * (double(ring) + 0.5), height = heights[ring] - lowest;
    if (!(height >= foot * highest && height <= top * highest)) continue;
    n += 1.0, x += away, y += height, xx += away * away, xy += away * height;
  }
  const double spread = n * xx - x * x;
  return spread > 0.0 ? glm::degrees(std::atan2(x * y - n * xy, spread)) : 0.0;
}

}}  // namespace limber::LIMBER_PRECISION
