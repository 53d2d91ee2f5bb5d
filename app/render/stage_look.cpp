#include "app/render/stage_look.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace limber {
namespace {

constexpr int directions = 2048;  // of a whole sphere

StageLook daylight() {
  StageLook look;
  look.sun_towards = glm::normalize(look.sun_towards);
  look.lamp_towards = glm::normalize(look.lamp_towards);
  look.sun = 1.25f * glm::vec3(1.0f, 0.93f, 0.82f);
  look.horizon = {0.46f, 0.51f, 0.58f};
  look.zenith = {0.44f, 0.54f, 0.68f};
  look.lamp = {0.22f, 0.24f, 0.27f};
  look.bounce = {0.24f, 0.23f, 0.22f};
  look.far = {0.57f, 0.632f, 0.70f};
  look.above = {0.165f, 0.265f, 0.42f};
  return look;
}

}  // namespace

const StageLook& default_look() {
  static const StageLook look = daylight();
  return look;
}

glm::vec3 light_from(const StageLook& look, const glm::vec3& direction) {
  if (direction.y < 0.0f) return look.bounce;
  const float lamp = std::max(glm::dot(direction, look.lamp_towards), 0.0f);
  return glm::mix(look.horizon, look.zenith, direction.y) + look.lamp * (lamp * lamp * lamp);
}

/// Of the real spherical harmonics up to the second order, integrated over evenly spread directions, each
/// order times pi, 2 pi / 3 and pi / 4, which is what a cosine does to it, over pi.
std::array<glm::vec3, 9> light_by_normal(const StageLook& look) {
  std::array<glm::vec3, 9> sums{};
  constexpr double golden_angle = 2.399963229728653;
  for (int k = 0; k < directions; ++k) {
    const double y = 1.0 - (2.0 * k + 1.0) / directions, out = std::sqrt(1.0 - y * y);
    const glm::vec3 w(glm::dvec3(out * std::cos(golden_angle * k), y, out * std::sin(golden_angle * k)));
    const glm::vec3 light = light_from(look, w);
    const std::array<float, 9> basis{
        1.0f, w.y, w.z, w.x, w.x * w.y, w.y * w.z, 3.0f * w.z * w.z - 1.0f, w.x * w.z, w.x * w.x - w.y * w.y};
    for (std::size_t i = 0; i < basis.size(); ++i) sums[i] += light * (basis[i] / float(directions));
  }
  // Over the mean squares of these polynomials on the sphere: 1, 1/3, 1/15, 4/5 of 3zz - 1, 4/15 of xx - yy.
  constexpr std::array<float, 9> factors{
      1.0f, 2.0f, 2.0f, 2.0f, 0.25f * 15.0f, 0.25f * 15.0f, 0.25f * 1.25f, 0.25f * 15.0f, 0.25f * 3.75f};
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] *= factors[i];
  return sums;
}

}  // namespace limber
