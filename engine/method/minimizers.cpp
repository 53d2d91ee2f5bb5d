#include "engine/method/minimizers.hpp"

#include <algorithm>

#include "engine/method/element_cliques.hpp"

namespace limber::inline LIMBER_PRECISION {

void Descent::iterate(World& world, const Sweep<real>& sweep, Team& team) {
  constexpr double longest = 1.0,
                   shortest = 1e-6;  // a longer step is seldom taken, a shorter one goes nowhere
  objective_.begin(world, sweep, team);
  if (sweep.first) {
    objective_.evaluate_scale(world, team);
    if (team.rank() == 0) step_ = longest;
  }
  objective_.evaluate_gradient(world, team);
  const Share mine = team.share(world.particles.padded(), particle_block);
  for (std::int64_t i = mine.begin; i < mine.end; ++i) {
    const std::size_t p = std::size_t(i);
    objective_.direction[p] = -1.0 / objective_.scale[p] * objective_.gradient[p];
  }
  team.barrier();
  const double taken = objective_.search(world, step_, team);
  objective_.finish(world, team);
  if (team.rank() == 0) step_ = std::clamp(2.0 * taken, shortest, longest);
  team.barrier();
}

void Newton::prepare(const World& world) {
  objective_.prepare(world);
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    constexpr std::size_t n = 3 * Type::arity;
    hessian_[type].assign(n * (n + 1) / 2 * std::size_t(std::get<type>(world.topology->constraints).slots()),
                          0.0);
  });
  analyze(world);
}

void Newton::analyze(const World& world) {
  edition_ = world.topology->edition;
  pattern_ = pattern_of_constraints(world, [](std::size_t) { return true; });
  coordinates_ = pattern_.three_times();
  factor_.analyze(coordinates_);
  values_.assign(std::size_t(coordinates_.entries()), 0.0);
  unknown_.assign(3 * std::size_t(pattern_.size()), 0.0);
}

void Newton::load(const World& world, Team& team) {
  if (team.rank() == 0 && world.topology->edition != edition_) analyze(world);
  objective_.load(world, team);
}

void Newton::evaluate_hessians(const World& world, Team& team) {
  objective_.for_own_elements(world, 0.0, team, [&](auto type, std::size_t s, const auto& element) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    constexpr std::size_t n = 3 * Type::arity;
    const ElementMatrix<Type> matrix = energy_hessian(element, HessianKind::positive);
    double* at = hessian_[type].data() + s * (n * (n + 1) / 2);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) *at++ = matrix[i][j];
  });
  team.barrier();
}

/// Serial, in the order of types and slots. A held particle has the identity in its place.
void Newton::assemble(const World& world) {
  std::fill(values_.begin(), values_.end(), 0.0);
  const auto held = [&](std::int32_t i) { return world.particles.position[std::size_t(i)].w == real(0); };
  for (std::int32_t i = 0; i < pattern_.size(); ++i)
    for (int a = 0; a < 3; ++a)
      values_[std::size_t(coordinates_.diagonal(3 * i + a))] =
          held(i) ? 1.0 : objective_.inverse_h_squared() / double(world.particles.position[std::size_t(i)].w);
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    constexpr int n = 3 * Type::arity;
    const auto& batch = std::get<type>(world.topology->constraints);
    for (std::size_t s = 0; s < batch.id.size(); ++s) {
      if (batch.id[s] < 0) continue;
      const double* at = hessian_[type].data() + s * (std::size_t(n) * (n + 1) / 2);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j, ++at) {
          const std::int32_t p = batch.vertices[std::size_t(i / 3)][s],
                             q = batch.vertices[std::size_t(j / 3)][s];
          if (*at == 0.0 || held(p) || held(q)) continue;
          values_[std::size_t(pattern_.entry_of_three(p, i % 3, q, j % 3))] += *at;
        }
    }
  });
}

void Newton::solve() {
  solved_ = factor_.factor(values_);
  const std::size_t particles = unknown_.size() / 3;
  for (std::size_t p = 0; p < particles; ++p)
    for (int a = 0; a < 3; ++a) unknown_[3 * p + std::size_t(a)] = -objective_.gradient[p][a];
  if (solved_) factor_.solve(unknown_);
  for (std::size_t p = 0; p < particles; ++p)
    objective_.direction[p] = {unknown_[3 * p], unknown_[3 * p + 1], unknown_[3 * p + 2]};
}

void Newton::iterate(World& world, const Sweep<real>& sweep, Team& team) {
  objective_.begin(world, sweep, team);
  objective_.evaluate_gradient(world, team);
  evaluate_hessians(world, team);
  if (team.rank() == 0) {
    assemble(world);
    solve();
  }
  team.barrier();
  objective_.search(world, 1.0, team);
  objective_.finish(world, team);
}

}  // namespace limber::inline LIMBER_PRECISION
