#include "engine/method/averaged_jacobi.hpp"

#include <algorithm>
#include "engine/constraints/constraint_types.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/parallel/visits.hpp"
#include "engine/state/constraint_set.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
void AveragedJacobi::prepare(const World& world) {
  moments_.prepare(world);
  for_each_type([&](auto type) {
    share_[type].assign(std::size_t(std::get<type>(*world.topology->constraints).slots()), real(0));
  });
  runs_ = all_slots(*world.topology->constraints);
}

void AveragedJacobi::load(const World& world, Team& team) { load_some(world, runs_, team); }

void AveragedJacobi::load_some(const World& world, const SlotRuns& runs, Team& team) {
  if (team.rank() == 0) {
    if (&runs != &runs_) runs_ = runs;
    moments_.list(world, runs_);
  }
  team.barrier();
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    const auto& batch = std::get<type>(*world.topology->constraints);
    const Share slots = team.share(batch.slots(), lane_group);
    for (std::int64_t s = slots.begin; s < slots.end; ++s) {
      std::int32_t most = 1;
      for (int j = 0; j < written_points<Type>(); ++j)
        most = std::max(most, moments_.count(std::size_t(batch.vertices[std::size_t(j)][std::size_t(s)])));
      if (!world.settings.solver.method->averaging) most = 1;
      share_[type][std::size_t(s)] = real(world.settings.solver.method->relaxation) / real(most);
    }
  });
}

void AveragedJacobi::iterate(World& world, const Sweep<real>& sweep, Team& team) {
  const real* points = flat(world.particles.moved);
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    const auto batch =
        view(std::get<type>(*world.topology->constraints), std::get<type>(*world.matter.constraints));
    if (!takes<Type>(sweep)) return;
    Corrections<Type, real> out{share_[type].data(), {}};
    for (int k = 0; k < 3 * written_points<Type>(); ++k) out.moment[k] = moments_.component(type, k);
    for_own_slots(runs_[type], team, [&](std::int32_t begin, std::int32_t end) {
      tell_visit(Visited::constraints, int(type), -1, begin, end);
      std::get<type>(kernels_.correct)(batch, begin, end, points, sweep, out);
    });
  });
  team.barrier();
  const Share particles = team.share(world.particles.rows(), particle_block);
  for (std::int64_t i = particles.begin; i < particles.end; ++i) {
    vec4& p = world.particles.moved[std::size_t(i)];
    p += vec4(p.w * moments_.sum(std::size_t(i)), real(0));
  }
}

}}  // namespace limber::LIMBER_PRECISION
