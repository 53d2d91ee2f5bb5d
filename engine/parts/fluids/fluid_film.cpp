#include "engine/parts/fluids/fluid_film.hpp"

#include <algorithm>
#include <glm/geometric.hpp>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/motion.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr real full_share = real(0.3);  // share of heavier neighbours from which on a film has full thickness
constexpr real heavier_share = real(1.02);  // a neighbour must be this many times as heavy to count

}  // namespace

void FluidFilm::reserve(const World& world) { film_.assign(std::size_t(world.particles.padded()), real(0)); }

void FluidFilm::begin(const World& world) {
  const vec3 gravity(world.settings.solver.motion->gravity);
  const real strength = glm::length(gravity);
  up_ = strength > real(0) ? -gravity / strength : vec3(0);
}

void FluidFilm::measure(const World& world, const NeighbourLists& lists, std::span<const vec4> points,
                        std::span<const vec4> matter, std::span<const real> fluid,
                        const FluidKernel<real>& kernel, std::int64_t begin, std::int64_t end) {
  const real radius = real(world.settings.solver.contact->particle_radius);
  const NeighbourSlices near = lists.view();
  for (std::int64_t k = begin; k < end; ++k) {
    const std::size_t own = std::size_t(k);
    real all = 0, heavier = 0;
    const std::int32_t slice = std::int32_t(k / lane_group);
    for (std::int32_t c = 0; c < near.columns[slice]; ++c) {
      const std::int32_t at = near.column(slice, c)[k % lane_group];
      if (at >= lists.count()) break;
      const std::size_t other = std::size_t(at);
      if (other == own || fluid[other] == real(0)) continue;
      const vec3 between = vec3(points[own]) - vec3(points[other]);
      const real w = poly6(kernel, Lanes<real, 1>(glm::dot(between, between))).v;
      all += w;
      if (matter[other].w > heavier_share * matter[own].w) heavier += w;
    }
    film_[std::size_t(lists.particle(k))] =
        heavier > real(0) ? radius * std::min(heavier / (full_share * all), real(1)) : real(0);
  }
}

}}  // namespace limber::LIMBER_PRECISION
