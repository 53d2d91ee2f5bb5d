#include "app/render/stage_look.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace limber {
namespace {

constexpr int directions = 2048;  // samples of the whole sphere

StageLook studio() {
  StageLook look;
  look.sun_radius = 0.06f;
  look.sun = 1.3f * glm::vec3(1.0f, 0.955f, 0.89f);
  look.horizon = {0.40f, 0.41f, 0.43f};
  look.zenith = {0.58f, 0.61f, 0.66f};
  look.lamp_towards = {0.8f, 0.35f, 0.5f};
  look.lamp = {0.25f, 0.25f, 0.26f};
  look.bounce = {0.20f, 0.195f, 0.19f};
  look.ground = look.ground_mark = {0.375f, 0.37f, 0.362f};
  look.far = {0.43f, 0.43f, 0.435f};
  look.above = {0.17f, 0.175f, 0.185f};
  look.corner = 0.3f;
  look.haze = 1.6f;
  return look;
}

StageLook checker() {
  StageLook look = studio();
  look.pattern = StageLook::Ground::checker;
  look.ground_mark = 0.9f * look.ground;
  return look;
}

StageLook grid() {
  StageLook look = studio();
  look.pattern = StageLook::Ground::grid;
  look.ground = {0.34f, 0.345f, 0.35f};
  look.ground_mark = 0.78f * look.ground;
  return look;
}

StageLook table() {
  StageLook look = studio();
  look.pattern = StageLook::Ground::wood;
  look.sun = 1.25f * glm::vec3(1.0f, 0.92f, 0.78f);
  look.horizon = {0.38f, 0.35f, 0.31f};
  look.zenith = {0.55f, 0.53f, 0.49f};
  look.lamp = {0.22f, 0.24f, 0.28f};
  look.bounce = {0.20f, 0.14f, 0.09f};
  look.ground = {0.25f, 0.172f, 0.112f};
  look.ground_mark = {0.19f, 0.125f, 0.078f};
  look.far = {0.14f, 0.115f, 0.095f};
  look.above = {0.035f, 0.03f, 0.027f};
  look.haze = 2.0f;
  return look;
}

StageLook night() {
  StageLook look = studio();
  look.sun = 0.95f * glm::vec3(0.62f, 0.78f, 1.0f);
  look.sun_radius = 0.03f;
  look.horizon = {0.05f, 0.06f, 0.085f};
  look.zenith = {0.075f, 0.09f, 0.14f};
  look.lamp_towards = {0.9f, 0.25f, -0.2f};
  look.lamp = {0.75f, 0.42f, 0.16f};
  look.bounce = {0.03f, 0.033f, 0.04f};
  look.ground = look.ground_mark = {0.10f, 0.104f, 0.115f};
  look.far = {0.030f, 0.036f, 0.052f};
  look.above = {0.006f, 0.008f, 0.014f};
  look.haze = 2.0f;
  look.exposure = 0.95f;
  return look;
}

StageLook paper() {
  StageLook look = studio();
  look.pattern = StageLook::Ground::white;
  look.sun = 0.58f * glm::vec3(1.0f, 0.98f, 0.95f);
  look.horizon = {0.44f, 0.44f, 0.45f};
  look.zenith = {0.54f, 0.55f, 0.57f};
  look.bounce = {0.36f, 0.36f, 0.36f};
  look.ground = look.ground_mark = look.far = look.above = glm::vec3(1.0f);
  look.corner = 0.0f;
  look.exposure = 0.75f;
  look.white = 0.99f;
  return look;
}

std::array<StageLook, stages.size()> all_looks() {
  std::array looks{studio(), checker(), grid(), table(), night(), paper()};
  for (StageLook& look : looks) {
    look.sun_towards = glm::normalize(look.sun_towards);
    look.lamp_towards = glm::normalize(look.lamp_towards);
  }
  return looks;
}

}  // namespace

const StageLook& look_of(Stage stage) {
  static const std::array<StageLook, stages.size()> looks = all_looks();
  return looks[std::size_t(stage)];
}

glm::vec3 light_from(const StageLook& look, const glm::vec3& direction) {
  if (direction.y < 0.0f) return look.bounce;
  const float lamp = std::max(glm::dot(direction, look.lamp_towards), 0.0f);
  return glm::mix(look.horizon, look.zenith, direction.y) + look.lamp * (lamp * lamp * lamp);
}

/// Integrates the real spherical harmonics up to second order over uniformly spread directions. Multiplies
/// each order by pi, 2 pi / 3 and pi / 4, the effect of convolution with a cosine, and divides by pi.
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
  // Divides by the mean squares of these polynomials on the sphere: 1, 1/3, 1/15, 4/5 of 3zz - 1, 4/15 of xx
  // - yy.
  constexpr std::array<float, 9> factors{
      1.0f, 2.0f, 2.0f, 2.0f, 0.25f * 15.0f, 0.25f * 15.0f, 0.25f * 1.25f, 0.25f * 15.0f, 0.25f * 3.75f};
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] *= factors[i];
  return sums;
}

}  // namespace limber
