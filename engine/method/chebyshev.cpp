#include "engine/method/chebyshev.hpp"

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/state/constraint_set.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

void Chebyshev::prepare(const World& world) {
  jacobi_.prepare(world);
  for (AlignedVector<vec4>* list : {&now_, &before_, &left_}) list->resize(world.particles.position.size());
  for_each_type([&](auto type) {
    const auto& rows = std::get<type>(*world.matter.constraints).lambda;
    lambda_now_[type].assign(rows.size() * rows[0].size(), real(0));
    lambda_before_[type].assign(rows.size() * rows[0].size(), real(0));
  });
}

/// Stores x_k and lambda_k before the next iteration changes them.
void Chebyshev::note(const World& world, bool first, const Team& team) {
  const Share particles = team.share(world.particles.padded(), particle_block);
  for (std::int64_t i = particles.begin; i < particles.end; ++i) {
    const std::size_t p = std::size_t(i);
    now_[p] = world.particles.moved[p];
    if (!first) before_[p] += now_[p] - left_[p];
  }
  for_each_type([&](auto type) {
    const auto& rows = std::get<type>(*world.matter.constraints).lambda;
    const Share slots = team.share(std::int64_t(rows[0].size()), lane_group);
    for (std::size_t k = 0; k < rows.size(); ++k)
      for (std::int64_t s = slots.begin; s < slots.end; ++s)
        lambda_now_[type][k * rows[0].size() + std::size_t(s)] = first ? real(0) : rows[k][std::size_t(s)];
  });
}

void Chebyshev::carry_on(World& world, const Team& team) {
  const Share particles = team.share(world.particles.padded(), particle_block);
  for (std::int64_t i = particles.begin; i < particles.end; ++i) {
    const std::size_t p = std::size_t(i);
    vec4& x = world.particles.moved[p];
    if (omega_ != real(1)) x = vec4(omega_ * (vec3(x) - vec3(before_[p])) + vec3(before_[p]), x.w);
    before_[p] = now_[p];
    left_[p] = x;
  }
  for_each_type([&](auto type) {
    auto& rows = std::get<type>(*world.matter.constraints).lambda;
    const Share slots = team.share(std::int64_t(rows[0].size()), lane_group);
    for (std::size_t k = 0; k < rows.size(); ++k)
      for (std::int64_t s = slots.begin; s < slots.end; ++s) {
        const std::size_t at = k * rows[0].size() + std::size_t(s);
        real &lambda = rows[k][std::size_t(s)], &before = lambda_before_[type][at];
        if (omega_ != real(1)) lambda = omega_ * (lambda - before) + before;
        before = lambda_now_[type][at];
      }
  });
}

void Chebyshev::iterate(World& world, const Sweep<real>& sweep, Team& team) {
  if (team.rank() == 0) {  // no thread reads these before the next barrier
    omega_ = sweep.first ? real(1)
                         : next_chebyshev_factor(omega_, iteration_,
                                                 real(world.settings.solver.method->chebyshev_radius));
    iteration_ = sweep.first ? 1 : iteration_ + 1;
  }
  note(world, sweep.first, team);
  team.barrier();
  jacobi_.iterate(world, sweep, team);
  team.barrier();
  carry_on(world, team);
}

}}  // namespace limber::LIMBER_PRECISION
