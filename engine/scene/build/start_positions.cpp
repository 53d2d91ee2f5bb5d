#include "engine/scene/build/start_positions.hpp"

#include <algorithm>
#include <glm/common.hpp>
#include <limits>

#include "engine/parallel/random.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber {

std::vector<glm::dvec3> start_positions(Start start, std::span<const glm::dvec3> rest, std::uint64_t seed) {
  glm::dvec3 low(std::numeric_limits<double>::max()), high = -low;
  for (const glm::dvec3& x : rest) low = glm::min(low, x), high = glm::max(high, x);
  const glm::dvec3 middle = 0.5 * (low + high), half = 0.5 * (high - low);
  const double spread = 1e-3 * std::max(half.x, std::max(half.y, half.z));
  std::vector<glm::dvec3> out(rest.begin(), rest.end());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t counter = 3 * std::uint64_t(i);
    const glm::dvec3 noise(random_signed(~seed, counter), random_signed(~seed, counter + 1),
                           random_signed(~seed, counter + 2));  // ~seed: not the jitter's sequence
    if (start == Start::point) out[i] = middle + spread * noise;
    if (start == Start::plane) out[i].y = middle.y + spread * noise.y;
    if (start == Start::random) out[i] = middle + half * noise;
  }
  return out;
}

}  // namespace limber
