#include "engine/method/averaged_jacobi.hpp"

#include <algorithm>
#include <numeric>

#include "engine/core/settings.hpp"

namespace limber::inline LIMBER_PRECISION {
namespace {

/// Slots that one thread solves before it takes the next.
constexpr std::int32_t slots_at_once = 8 * lane_group;

/// Calls visit(slot, corner, particle) for every particle that a constraint of `batch` moves.
template <class Type, class Visit>
void for_each_term(const StencilBatch<Type>& batch, const Visit& visit) {
  for (std::int32_t s = 0; s < batch.slots(); ++s) {
    if (batch.id[std::size_t(s)] < 0) continue;
    for (int j = 0; j < written_points<Type>(); ++j)
      visit(s, j, batch.vertices[std::size_t(j)][std::size_t(s)]);
  }
}

}  // namespace

void AveragedJacobi::prepare(const World& world) {
  std::size_t terms = 0, moments = 0;
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    const std::size_t slots = std::size_t(std::get<type>(world.topology->constraints).slots());
    first_moment_[type] = std::int32_t(moments);
    moments += 3 * written_points<Type>() * slots;
    terms += written_points<Type>() * slots;
    share_[type].assign(slots, real(0));
  });
  moments_.assign(moments, real(0));
  terms_.resize(terms);
  first_term_.assign(std::size_t(world.particles.padded()) + 1, 0);
  next_term_.assign(std::size_t(world.particles.padded()) + 1, 0);
}

/// Counting sort of all terms by particle. Serial: it runs once a frame and after tears.
void AveragedJacobi::list_terms(const World& world) {
  const ConstraintSet& constraints = world.topology->constraints;
  std::fill(first_term_.begin(), first_term_.end(), 0);
  for_each_type([&](auto type) {
    for_each_term(std::get<type>(constraints),
                  [&](std::int32_t, int, std::int32_t i) { ++first_term_[std::size_t(i) + 1]; });
  });
  std::partial_sum(first_term_.begin(), first_term_.end(), first_term_.begin());
  std::copy(first_term_.begin(), first_term_.end(), next_term_.begin());
  for_each_type([&](auto type) {
    const auto& batch = std::get<type>(constraints);
    const std::int32_t slots = batch.slots();
    for_each_term(batch, [&](std::int32_t s, int j, std::int32_t i) {
      terms_[std::size_t(next_term_[std::size_t(i)]++)] = {first_moment_[type] + 3 * j * slots + s, slots};
    });
  });
}

void AveragedJacobi::load(const World& world, Team& team) {
  if (team.rank() == 0) list_terms(world);
  team.barrier();
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    const auto& batch = std::get<type>(world.topology->constraints);
    const Share slots = team.share(batch.slots(), lane_group);
    for (std::int64_t s = slots.begin; s < slots.end; ++s) {
      std::int32_t most = 1;
      for (int j = 0; j < written_points<Type>(); ++j) {
        const std::size_t i = std::size_t(batch.vertices[std::size_t(j)][std::size_t(s)]);
        most = std::max(most, first_term_[i + 1] - first_term_[i]);
      }
      share_[type][std::size_t(s)] = real(world.settings.solver->relaxation) / real(most);
    }
  });
  team.barrier();
}

void AveragedJacobi::iterate(World& world, const Sweep<real>& sweep, Team& team) {
  real* points = flat(world.particles.position);
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    const auto& batch = std::get<type>(world.topology->constraints);
    const std::int64_t slots = batch.slots();
    Corrections<Type, real> out{share_[type].data(), {}};
    for (int k = 0; k < 3 * written_points<Type>(); ++k)
      out.moment[k] = moments_.data() + first_moment_[type] + k * slots;
    const Share mine = team.share(slots, slots_at_once);
    std::get<type>(kernels_.correct)(view(batch, std::get<type>(world.matter.constraints)),
                                     std::int32_t(mine.begin), std::int32_t(mine.end), points, sweep, out);
  });
  team.barrier();
  const Share particles = team.share(world.particles.padded(), particle_block);
  for (std::int64_t i = particles.begin; i < particles.end; ++i) {
    vec3 moment(0);
    for (std::int32_t t = first_term_[std::size_t(i)]; t < first_term_[std::size_t(i) + 1]; ++t) {
      const real* at = moments_.data() + terms_[std::size_t(t)].first;
      const std::int32_t stride = terms_[std::size_t(t)].stride;
      moment += vec3(at[0], at[stride], at[2 * stride]);
    }
    vec4& p = world.particles.position[std::size_t(i)];
    p += vec4(p.w * moment, real(0));
  }
  team.barrier();
}

}  // namespace limber::inline LIMBER_PRECISION
