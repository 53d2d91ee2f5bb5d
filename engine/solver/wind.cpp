#include "engine/solver/wind.hpp"

#include <algorithm>
#include <cmath>

#include "engine/core/settings/wind.hpp"
#include "engine/core/trigonometry.hpp"

namespace limber::inline LIMBER_PRECISION {
namespace {

constexpr std::int64_t triangle_block = 64;

}  // namespace

void Wind::reserve(const World& world) { thirds_.assign(world.topology->triangles.size(), vec4(0)); }

void Wind::apply(World& world, double time, real h, Team& team) {
  const WindSettings& wind = *world.settings.wind;
  const Topology& topology = *world.topology;
  const auto& x = world.particles.position;
  auto& v = world.particles.velocity;
  const Plate plate{real(0.5 * wind.air_density * wind.drag), real(0.5 * wind.air_density * wind.lift)};
  const vec3 air(wind.velocity * (1.0 + wind.gust_amplitude * sin_turns(time / wind.gust_period)));

  team.barrier();  // triangles read particles of other threads
  const Share triangles = team.share(std::int64_t(topology.triangles.size()), triangle_block);
  for (std::int64_t t = triangles.begin; t < triangles.end; ++t) {
    const auto [a, b, c] = topology.triangles[std::size_t(t)];
    const vec4 velocity = (v[std::size_t(a)] + v[std::size_t(b)] + v[std::size_t(c)]) / real(3);
    const vec3 force = plate_force(vec3(x[std::size_t(a)]), vec3(x[std::size_t(b)]), vec3(x[std::size_t(c)]),
                                   vec3(velocity) - air, plate);
    thirds_[std::size_t(t)] = vec4(force / real(3), real(0));
  }
  team.barrier();
  const Share particles = team.share(world.particles.padded(), particle_block);
  for (std::int64_t i = particles.begin; i < std::min<std::int64_t>(particles.end, world.particles.count);
       ++i) {
    const real w = x[std::size_t(i)].w;
    if (w == real(0)) continue;
    vec3 force(0);
    for (std::int32_t t : topology.triangles_at(std::int32_t(i))) force += vec3(thirds_[std::size_t(t)]);
    vec3 dv = h * w * force;
    const vec3 relative = vec3(v[std::size_t(i)]) - air;
    const real change = glm::dot(dv, dv), most = glm::dot(relative, relative);
    if (change > most) dv *= std::sqrt(most / change);
    v[std::size_t(i)] += vec4(dv, real(0));
  }
}

}  // namespace limber::inline LIMBER_PRECISION
