// Fluids of several densities at walls: the film of a heavier one that creeps under a lighter one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <glm/geometric.hpp>
#include <span>
#include <vector>

#include "engine/contact/particles/neighbour_lists.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// A drop that lies on a wall below a heavier fluid is lifted by the pressure of that fluid in the film
/// beneath it. Particles cannot form a film thinner than they are: in the lowest layer nothing but the wall
/// carries them, whatever they weigh, and a lighter fluid there never rises. So a wall with normal n counts
/// as nearer to particle i, by
///
///   film_i(n) = R min(s_i / 0.3, 1) max(n . up, 0.1),   s_i = sum_heavier W_ij / sum_j W_ij
///
/// with the sums over its neighbours of all fluids but itself, and R the radius of particles: it makes room
/// for the heavier ones beside it to close in below. What wets a wall beside the drop is a tenth of that,
/// which frees what hangs in corners.
class FluidFilm {
 public:
  void reserve(const World& world);  ///< allocates; call between steps

  /// No film anywhere: all fluids weigh the same.
  void clear() { up_ = vec3(0); }

  /// For the particles [begin, end) of `lists`, once `points` (places, by place in the lists) and `matter`
  /// (kg in w) are known; `fluid` is 1 for particles of fluids. Each thread its own.
  void measure(const World& world, const NeighbourLists& lists, std::span<const vec4> points,
               std::span<const vec4> matter, std::span<const real> fluid, const FluidKernel<real>& kernel,
               std::int64_t begin, std::int64_t end);
  /// Before measure(), by one thread.
  void begin(const World& world);

  /// m, by which a wall with that normal is nearer to a particle.
  real thickness(std::size_t particle, const vec3& normal) const {
    if (up_ == vec3(0)) return 0;
    return film_[particle] * std::max(glm::dot(normal, up_), beside);
  }

 private:
  static constexpr real beside = real(0.1);

  std::vector<real> film_;  ///< m, per particle, of a wall below it
  vec3 up_{0};              ///< against gravity, unit; 0: there is none
};

}}  // namespace limber::LIMBER_PRECISION
