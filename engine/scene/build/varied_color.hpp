// Colours of many similar objects.
#pragma once

#include <glm/common.hpp>
#include <glm/vec3.hpp>

#include "engine/parallel/random.hpp"

namespace limber {

/// A random colour near `color`: up to 30 % lighter or darker, with up to 22 % more red and less blue or the
/// reverse, and up to 10 % more or less green. `number` selects the random numbers.
inline glm::vec3 varied(const glm::vec3& color, std::uint64_t seed, std::uint64_t number) {
  const auto draw = [&](std::uint64_t k) { return float(random_signed(seed, 3 * number + k)); };
  const float light = 1.0f + 0.30f * draw(0), warm = 0.22f * draw(1), green = 0.10f * draw(2);
  return glm::clamp(color * light * glm::vec3(1.0f + warm, 1.0f + green, 1.0f - warm), 0.0f, 1.0f);
}

}  // namespace limber
