#include "engine/parts/air/air_fields.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "engine/core/settings/wind.hpp"
#include "engine/core/trigonometry.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr double one_radian = 0.15915494309189533577;  // revolutions
constexpr double degree = 0.017453292519943295769;     // rad

/// Random numbers in [0, 1) from a seed (splitmix64).
class Draw {
 public:
  explicit Draw(int seed) : state_(std::uint64_t(seed) * 0x9e3779b97f4a7c15u + 0x1234567u) {}
  double operator()() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return double((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }
  glm::dvec3 direction() {
    glm::dvec3 d;
    do d = 2.0 * glm::dvec3((*this)(), (*this)(), (*this)()) - 1.0;
    while (!(glm::dot(d, d) > 0.01 && glm::dot(d, d) <= 1.0));
    return d / std::sqrt(glm::dot(d, d));
  }

 private:
  std::uint64_t state_;
};

Eddies make_eddies(int seed) {
  Draw draw(seed);
  Eddies out;
  for (int j = 0; j < Eddies::waves; ++j) {
    // Ratio of the largest eddies' size to this one's.
    const double size = 1.0 + 3.0 * double(j) / (Eddies::waves - 1);
    const glm::dvec3 k = draw.direction();
    glm::dvec3 a = glm::cross(k, draw.direction());
    while (!(glm::dot(a, a) > 0.01)) a = glm::cross(k, draw.direction());
    out.wave[std::size_t(j)] = {a / std::sqrt(glm::dot(a, a)), k * size, (draw() - 0.5) * 2.0 * size, draw()};
  }
  return out;
}

glm::dvec3 unit(const glm::dvec3& d) {
  const double squared = glm::dot(d, d);
  return squared > 0.0 ? d / std::sqrt(squared) : glm::dvec3(0, 1, 0);
}

/// A random signal between 0 and 1: three sine waves with periods between about a half and twice `period`;
/// `turns`: time over `period`.
double swell(int seed, double turns) {
  Draw draw(seed);
  double sum = 0.0;
  for (const double rate : {1.0, 0.6180339887, 1.7320508076})
    sum += sin_turns(rate * (0.9 + 0.2 * draw()) * turns + draw());
  return 0.5 + sum / 6.0;
}

glm::dvec3 vortex_at(const glm::dvec3& x, const glm::dvec3& center, const glm::dvec3& direction,
                     double radius) {
  const glm::dvec3 axis = unit(direction), r = x - center;
  const glm::dvec3 across = r - glm::dot(r, axis) * axis;
  const double q = glm::dot(across, across) / (radius * radius);
  return glm::cross(axis, across) / radius * (2.0 / (1.0 + q));
}

/// Speed of a jet relative to that at its opening: the jet's momentum is constant, so its speed falls as its
/// radius grows.
double jet_at(const AirField& fan, const glm::dvec3& x) {
  const glm::dvec3 axis = unit(fan.direction), r = x - fan.position;
  const double along = glm::dot(r, axis);
  if (along < 0.0) return 0.0;
  const double sine = sin_turns(fan.cone_degrees * degree * one_radian);
  const double radius = fan.radius + along * sine / std::sqrt(1.0 - sine * sine);
  const glm::dvec3 across = r - along * axis;
  const double q = glm::dot(across, across) / (radius * radius);
  if (q >= 1.0) return 0.0;
  return fan.speed * fan.radius / radius * (1.0 - q * q);
}

glm::dvec3 eddies_at(const Eddies& eddies, const AirField& field, const glm::dvec3& x, double time) {
  glm::dvec3 sum(0);
  for (const Eddies::Wave& wave : eddies.wave)
    sum += wave.along * sin_turns(glm::dot(wave.number, x) / (2.0 * field.length) +
                                  0.5 * wave.rate * time / field.period + wave.phase);
  return sum * (field.speed * std::sqrt(2.0 / Eddies::waves));
}

}  // namespace

void AirFields::reserve(const WindSettings& wind) {
  eddies_.resize(wind.fields.size());
  seeds_.assign(wind.fields.size(), -1);
  refresh(wind);
}

void AirFields::refresh(const WindSettings& wind) {
  for (std::size_t i = 0; i < seeds_.size() && i < wind.fields.size(); ++i) {
    if (wind.fields[i].type != AirFieldType::turbulence || seeds_[i] == wind.fields[i].seed) continue;
    seeds_[i] = wind.fields[i].seed;
    eddies_[i] = make_eddies(seeds_[i]);
  }
}

glm::dvec3 AirFields::velocity(const WindSettings& wind, const glm::dvec3& x, double time) const {
  glm::dvec3 sum(0);
  for (std::size_t i = 0; i < wind.fields.size(); ++i) {
    const AirField& field = wind.fields[i];
    switch (field.type) {
      case AirFieldType::uniform:
        sum += field.velocity;
        break;
      case AirFieldType::gusts:
        sum += field.velocity * swell(field.seed, time / field.period);
        break;
      case AirFieldType::vortex:
        sum += field.speed * vortex_at(x, field.position, field.direction, field.radius);
        break;
      case AirFieldType::fan:
        sum += unit(field.direction) * jet_at(field, x);
        break;
      case AirFieldType::turbulence:
        sum += eddies_at(eddies_[i], field, x, time);
        break;
    }
  }
  return sum;
}

glm::dvec3 steady_air(const WindSettings& wind, double time) {
  return wind.velocity * (1.0 + wind.gust_amplitude * sin_turns(time / wind.gust_period));
}

void read_air(const WindSettings& wind, double time, std::span<const glm::dvec3> places,
              std::span<glm::dvec3> out) {
  AirFields fields;
  fields.reserve(wind);
  for (std::size_t i = 0; i < places.size(); ++i)
    out[i] = wind.enabled ? steady_air(wind, time) + fields.velocity(wind, places[i], time) : glm::dvec3(0);
}

glm::dvec3 strength_at(const ForceField& force, const glm::dvec3& x) {
  const glm::dvec3 r = x - force.position;
  const auto fade = [&](const glm::dvec3& way) {
    return std::max(0.0, 1.0 - std::sqrt(glm::dot(way, way)) / force.radius);
  };
  switch (force.type) {
    case ForceFieldType::uniform:
      return force.strength * unit(force.direction);
    case ForceFieldType::point: {
      const double squared = glm::dot(r, r);
      return squared > 0.0 ? -force.strength * fade(r) / std::sqrt(squared) * r : glm::dvec3(0);
    }
    case ForceFieldType::vortex: {
      const glm::dvec3 axis = unit(force.direction), across = r - glm::dot(r, axis) * axis;
      const double squared = glm::dot(across, across);
      if (!(squared > 0.0)) return glm::dvec3(0);
      return force.strength * fade(across) / std::sqrt(squared) * glm::cross(axis, across);
    }
    case ForceFieldType::box: {
      const glm::dvec3 h = force.half_extents;
      const bool inside = std::abs(r.x) <= h.x && std::abs(r.y) <= h.y && std::abs(r.z) <= h.z;
      return inside ? force.strength * unit(force.direction) : glm::dvec3(0);
    }
  }
  return glm::dvec3(0);
}

}}  // namespace limber::LIMBER_PRECISION
