#include "app/render/drawings.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <numeric>

namespace limber {
namespace {

constexpr double golden_angle = 2.399963229728653;
constexpr double tent = 0.75;  // px, half width

double fraction(double x) { return x - std::floor(x); }

/// Maps a uniform number in [0, 1) to a tent distribution of half width 1.
double to_tent(double x) { return x < 0.5 ? std::sqrt(2.0 * x) - 1.0 : 1.0 - std::sqrt(2.0 - 2.0 * x); }

/// A step through `count` places, near their golden section and coprime to `count`, so that it visits every
/// place and successive places are far apart.
int mixing_step(int count) {
  int step = std::max(1, int(std::lround(0.6180339887498949 * double(count))));
  while (std::gcd(step, count) != 1) ++step;
  return step;
}

/// Place of `k` in a permutation of `count` places.
int mixed(int k, int count) { return int(std::int64_t(k) * mixing_step(count) % count); }

glm::vec2 sunflower(int petal, int count) {
  const double radius = std::sqrt((petal + 0.5) / count), turn = golden_angle * petal;
  return glm::vec2(radius * glm::dvec2(std::cos(turn), std::sin(turn)));
}

}  // namespace

Drawing drawing_of(int k, int count) {
  if (count <= 1) return {};
  Drawing out;
  const glm::dvec2 place(fraction(0.5 + 0.7548776662466927 * k), fraction(0.5 + 0.5698402909980532 * k));
  out.pixel = glm::vec2(tent * glm::dvec2(to_tent(place.x), to_tent(place.y)));
  out.sun = sunflower(mixed(k, count), count);
  out.lens = sunflower(mixed(mixed(k, count), count), count);
  const int layer = mixed(mixed(mixed(k, count), count), count);  // exponential distribution of depths:
                                                                  // exp(-depth)
  out.depth = float(-std::log((layer + 0.5) / count));
  out.many = count >= least_unfiltered;
  if (count < least_sky_samples) return out;
  for (int i = 0; i < skies; ++i) {
    const int place = skies * k + i;
    const double up = (place + 0.5) / (skies * count), out_of = std::sqrt(1.0 - up * up);
    const double around = golden_angle * place;
    out.sky[std::size_t(i)] = glm::vec3(glm::dvec3(out_of * std::cos(around), up, out_of * std::sin(around)));
  }
  return out;
}

glm::vec3 on_disc_about(const glm::vec3& towards, float radius, const glm::vec2& on_disc) {
  const glm::vec3 side = glm::normalize(glm::cross(
      towards, std::abs(towards.y) < 0.9f ? glm::vec3(0.0f, 1.0f, 0.0f) : glm::vec3(1.0f, 0.0f, 0.0f)));
  const glm::vec3 over = glm::cross(side, towards);
  return glm::normalize(towards + std::tan(radius) * (on_disc.x * side + on_disc.y * over));
}

}  // namespace limber
