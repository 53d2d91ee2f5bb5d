#include "engine/method/minimizers.hpp"

#include <algorithm>

#include "engine/constraints/constraint_types.hpp"
#include "engine/method/element_cliques.hpp"
#include "engine/state/constraint_set.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

void Descent::iterate(World& world, const Sweep<real>& sweep, Team& team) {
  constexpr double longest = 1.0,
                   shortest = 1e-6;  // longer steps are seldom accepted, shorter ones make no progress
  objective_.begin(world, sweep, team);
  team.barrier();
  if (sweep.first) {
    objective_.start_no_higher(world, team);
    team.barrier();
    objective_.evaluate_scale(world, team);
    if (team.rank() == 0) step_ = longest;
    team.barrier();
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
}

void Newton::prepare(const World& world) {
  objective_.prepare(world);
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    constexpr std::size_t n = 3 * Type::arity;
    hessian_[type].assign(n * (n + 1) / 2 * std::size_t(std::get<type>(*world.topology->constraints).slots()),
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
  first_.assign(std::size_t(world.particles.padded()), glm::dvec3(0.0));
  pressed_.assign(std::size_t(world.particles.padded()) * StaticContacts::most_per_particle, 0);
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
}

/// Assembles H. Serial, in the order of types and slots. A fixed particle gets an identity block.
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
    const auto& batch = std::get<type>(*world.topology->constraints);
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

/// Flags the contacts that press: those with depth > 0 at x + step * direction, and with `kept` also those
/// flagged before. Returns whether the flags changed.
bool Newton::find_pressed(const World& world, double step, bool kept) {
  bool changed = false;
  objective_.for_contacts(world, 0, world.particles.padded(), step, [&](const Objective::ContactAt& at) {
    const char now = at.depth > 0.0 || (kept && pressed_[at.place]);
    changed |= pressed_[at.place] != now;
    pressed_[at.place] = now;
  });
  return changed;
}

/// direction -= H^-1 grad F at x + step * direction, with the factor computed last. Pressing contacts are in
/// H as springs that act in both directions.
void Newton::solve(const World& world, double step) {
  const std::size_t particles = unknown_.size() / 3;
  for (std::size_t p = 0; p < particles; ++p)
    for (int a = 0; a < 3; ++a) unknown_[3 * p + std::size_t(a)] = -objective_.gradient[p][a];
  objective_.for_contacts(world, 0, world.particles.padded(), step, [&](const Objective::ContactAt& at) {
    const double push = pressed_[at.place] ? at.k * at.depth : 0.0;
    const glm::dvec3 force = push * at.normal - objective_.friction(at.place).at(at.slip);
    for (int a = 0; a < 3; ++a) unknown_[3 * std::size_t(at.contact.particle) + std::size_t(a)] += force[a];
  });
  if (solved_) factor_.solve(unknown_);
  for (std::size_t p = 0; p < particles; ++p)
    objective_.direction[p] = step * objective_.direction[p] +
                              glm::dvec3(unknown_[3 * p], unknown_[3 * p + 1], unknown_[3 * p + 2]);
}

/// Factors and solves until the contacts that press at the end of the step are those for which it was
/// computed.
void Newton::solve_with_contacts(const World& world) {
  constexpr int free_rounds = 6;  // in later rounds contacts are only added, so that the iteration ends
  constexpr int most_rounds = 16;
  smooth_ = values_;
  find_pressed(world, 0.0, false);
  for (int n = 0; n < most_rounds; ++n) {
    if (n > 0) values_ = smooth_;
    objective_.for_contacts(world, 0, world.particles.padded(), 0.0, [&](const Objective::ContactAt& at) {
      const double across = objective_.friction(at.place).stiffness, along = pressed_[at.place] ? at.k : 0.0;
      if (across == 0.0 && along == 0.0) return;
      const std::int32_t i = at.contact.particle;
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b <= a; ++b)
          values_[std::size_t(pattern_.entry_of_three(i, a, i, b))] +=
              (along - across) * at.normal[a] * at.normal[b] + (a == b ? across : 0.0);
    });
    solved_ = factor_.factor(values_);
    solve(world, 0.0);
    if (!solved_ || n + 1 == most_rounds || !find_pressed(world, 1.0, n >= free_rounds)) return;
  }
}

void Newton::iterate(World& world, const Sweep<real>& sweep, Team& team) {
  objective_.begin(world, sweep, team);
  if (sweep.first) {
    team.barrier();
    objective_.start_no_higher(world, team);
    team.barrier();
  } else {
    find_friction(world, team);
  }
  step(world, team);
  if (sweep.first)  // first the pressing contacts, then friction with all of them sticking, then with sliding
    for (int n = 0; n < 2 && find_friction(world, team); ++n) step(world, team);
  objective_.finish(world, team);
}

/// Returns whether any friction acts. Ends at a barrier.
bool Newton::find_friction(const World& world, Team& team) {
  team.barrier();  // all threads' positions must be those of the last step
  if (team.rank() == 0) rubs_ = objective_.find_friction(world);
  team.barrier();
  return rubs_;
}

/// One step of Newton's method.
void Newton::step(World& world, Team& team) {
  objective_.evaluate_gradient(world, team);
  evaluate_hessians(world, team);
  team.barrier();
  if (team.rank() == 0) {
    assemble(world);
    solve_with_contacts(world);
  }
  team.barrier();
  if (!step_corrected(world, team)) objective_.search(world, 1.0, team);
}

/// Corrects the step until F falls, then takes the whole step. Returns false, with the direction unchanged,
/// if corrections do not make F fall.
bool Newton::step_corrected(const World& world, Team& team) {
  constexpr int most_corrections = 6;
  const double start = objective_.value(world, 0.0, team), fall = objective_.slope(world, team);
  const bool solved = solved_;
  if (!solved || !Objective::promises(fall, start)) return false;
  const Share mine = team.share(world.particles.padded(), particle_block);
  std::copy(objective_.direction.begin() + mine.begin, objective_.direction.begin() + mine.end,
            first_.begin() + mine.begin);
  for (int n = 0;; ++n) {
    if (objective_.falls(world, 1.0, start, fall, team)) {
      objective_.go(1.0, world, team);
      return true;
    }
    if (n == most_corrections) break;
    objective_.evaluate_gradient(world, team, 1.0);
    team.barrier();
    if (team.rank() == 0) solve(world, 1.0);
    team.barrier();
  }
  std::copy(first_.begin() + mine.begin, first_.begin() + mine.end,
            objective_.direction.begin() + mine.begin);
  team.barrier();
  objective_.evaluate_gradient(world, team);
  return false;
}

}}  // namespace limber::LIMBER_PRECISION
