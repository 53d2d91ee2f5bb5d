#include "engine/method/explicit_forces.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

void ExplicitForces::iterate(World& world, const Sweep<real>& sweep, Team& team) {
  if (!sweep.first) return;
  objective_.begin_at(world, world.particles.moved_before, sweep, team);
  team.barrier();
  objective_.evaluate_gradient(world, team);
  const Share mine = team.share(world.particles.padded(), particle_block);
  for (std::int64_t i = mine.begin; i < mine.end; ++i) {
    vec4& p = world.particles.moved[std::size_t(i)];
    const glm::dvec3 push =
        -double(p.w) / objective_.inverse_h_squared() * objective_.gradient[std::size_t(i)];
    p += vec4(vec3(push), real(0));
  }
  objective_.write_multipliers(world, team);
}

}}  // namespace limber::LIMBER_PRECISION
