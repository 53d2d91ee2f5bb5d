#include "engine/geometry/field/material_share.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/parallel/random.hpp"

namespace limber {
namespace {

/// Random number from 0 to 1 of a point of the lattice of the noise.
double lattice_number(int seed, const glm::i64vec3& at) {
  std::uint64_t counter = 0;
  for (int k = 0; k < 3; ++k) counter = random_bits(counter, std::uint64_t(at[k]));
  return 0.5 + 0.5 * random_signed(std::uint64_t(seed), counter);
}

/// Value noise: cubic blend of the random numbers at the eight corners of a cell.
double noise(int seed, const glm::dvec3& place) {
  const glm::dvec3 cell = glm::floor(place), within = place - cell;
  const glm::dvec3 blend = within * within * (3.0 - 2.0 * within);
  const glm::i64vec3 first(cell);
  double sum = 0.0;
  for (int corner = 0; corner < 8; ++corner) {
    glm::i64vec3 at = first;
    double weight = 1.0;
    for (int k = 0; k < 3; ++k) {
      const int side = corner >> k & 1;
      at[k] += side;
      weight *= side ? blend[k] : 1.0 - blend[k];
    }
    sum += weight * lattice_number(seed, at);
  }
  return sum;
}

/// 1 inside, falling linearly to 0 at a distance of `edge` outside.
double faded(double outside, double edge) {
  if (outside <= 0.0) return 1.0;
  return edge > 0.0 ? std::max(1.0 - outside / edge, 0.0) : 0.0;
}

}  // namespace

double share_at(const FieldSource& source, const glm::dvec3& place, const glm::dvec3& color) {
  switch (source.type) {
    case FieldSourceType::everywhere:
      return 1.0;
    case FieldSourceType::box: {
      const glm::dvec3 over = glm::abs(place - source.position) - source.half_extents;
      return faded(glm::length(glm::max(over, glm::dvec3(0.0))), source.edge);
    }
    case FieldSourceType::sphere:
      return faded(glm::distance(place, source.position) - source.radius, source.edge);
    case FieldSourceType::gradient: {
      const glm::dvec3 way = source.to - source.from;
      const double squared = glm::dot(way, way);
      return squared > 0.0 ? std::clamp(glm::dot(place - source.from, way) / squared, 0.0, 1.0) : 0.0;
    }
    case FieldSourceType::noise:
      return noise(source.seed, place / source.length);
    case FieldSourceType::colors:
      return std::clamp(color[int(source.channel)], 0.0, 1.0);
  }
  return 0.0;
}

double factor_at(std::span<const FieldSource> sources, MaterialField field, const glm::dvec3& place,
                 const glm::dvec3& color) {
  double factor = info_of(field).standard;
  for (const FieldSource& source : sources)
    if (source.quantity == field)
      factor *= source.elsewhere + share_at(source, place, color) * (source.value - source.elsewhere);
  return std::clamp(factor, least_factor, most_factor);
}

}  // namespace limber
