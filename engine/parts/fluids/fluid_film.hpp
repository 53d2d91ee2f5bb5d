// The film that a heavy fluid forms under a lighter fluid at a wall.
#pragma once

#include <algorithm>
#include <cstdint>
#include <glm/geometric.hpp>
#include <span>
#include <vector>

#include "engine/contact/particles/neighbour_lists.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// A light drop on the ground below a heavier fluid rises, because the heavier fluid flows under it as a
/// film, whose pressure lifts it. Particles cannot form a film thinner than themselves: in the lowest layer
/// the wall carries every particle, whatever its weight, and a lighter fluid there would never rise.
/// Therefore a wall with normal n counts as nearer to particle i, by
///
///   film_i(n) = R min(s_i / 0.3, 1) max(n . up, 0.1),   s_i = sum_heavier W_ij / sum_j W_ij
///
/// with sums over the neighbours j of all fluids, and R the radius of particles. This lifts the light
/// particle by that distance, and heavier particles beside it flow in below. At a vertical wall the film is a
/// tenth as thick, which frees particles that hang in corners.
class FluidFilm {
 public:
  void reserve(const World& world);  ///< allocates; call between steps

  /// Removes all films. For scenes whose fluids have one density.
  void clear() { up_ = vec3(0); }

  /// Computes the films of the particles [begin, end) of `lists`. `points`: positions in the order of the
  /// lists; `matter`: mass in w, kg; `fluid`: 1 for particles of fluids. Each thread calls it for a range of
  /// its own.
  void measure(const World& world, const NeighbourLists& lists, std::span<const vec4> points,
               std::span<const vec4> matter, std::span<const real> fluid, const FluidKernel<real>& kernel,
               std::int64_t begin, std::int64_t end);
  /// Must be called before measure(). Serial.
  void begin(const World& world);

  /// m, distance by which a wall with that normal counts as nearer to a particle.
  real thickness(std::size_t particle, const vec3& normal) const {
    if (up_ == vec3(0)) return 0;
    return film_[particle] * std::max(glm::dot(normal, up_), beside);
  }

 private:
  static constexpr real beside = real(0.1);

  std::vector<real> film_;  ///< m, per particle, for a wall below it
  vec3 up_{0};              ///< unit vector against gravity; 0: no gravity
};

}}  // namespace limber::LIMBER_PRECISION
