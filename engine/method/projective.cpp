#include "engine/method/projective.hpp"

#include <algorithm>
#include <utility>

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/method/element_cliques.hpp"
#include "engine/method/gauss_seidel.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/elements.hpp"
#include "engine/state/schedule.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Largest w h^2/m: beyond it, rounding in the substitutions loses the slow modes.
constexpr double stiffest = sizeof(real) == sizeof(float) ? 1e5 : 1e12;

/// p u of a contact. With the factors of iterations that contacts disturb, an error of eigenvalue g = p u is
/// multiplied by the roots of z^2 - (1.3 - 4/3 g) z + 0.3, which stay within 1 up to g = 1.95: the rest is
/// left for entries of K^-1 that bending makes negative.
constexpr real eager = real(1.25);

/// Number of iterations after which the polynomial starts anew: its bound falls only with 1/k, that of its
/// powers geometrically.
constexpr int period = 20;

template <std::size_t type>
constexpr bool projected = has_projection<std::tuple_element_t<type, ConstraintTypes>>();

bool is_projected(std::size_t type) {
  bool found = false;
  for_each_type([&](auto t) { found |= t == type && projected<t>; });
  return found;
}

}  // namespace

void Projective::prepare(const World& world) {
  const std::size_t particles = world.particles.position.size();
  for (AlignedVector<vec4>* list : {&y_, &now_, &left_, &step_, &rows_}) list->assign(particles, vec4(0));
  pulls_.prepare(world);
  for_each_type([&](auto type) {
    const std::size_t slots = std::size_t(std::get<type>(*world.topology->constraints).slots());
    weight_[type].assign(slots, real(0));
    softness_[type].assign(slots, real(-1));
  });
  mass_.assign(particles, real(-1));
  inverse_h_squared_ = 0;
  list_constraints(world);
}

/// Lists the constraints that have a local step, and the schedule of all others.
void Projective::list_constraints(const World& world) {
  edition_ = world.topology->edition;
  for_each_type([&](auto type) {
    const std::int32_t slots = std::get<type>(*world.topology->constraints).slots();
    projected_[type].clear();
    if (projected<type> && slots > 0) projected_[type] = {{0, slots}};
  });
  const Schedule& all = world.topology->schedule;
  swept_ = {};
  for (const Phase& phase : all.phases) {
    const std::int32_t first_task = std::int32_t(swept_.tasks.size());
    for (std::int32_t t = phase.first_task; t < phase.first_task + phase.task_count; ++t) {
      const Task& task = all.tasks[std::size_t(t)];
      const std::int32_t first_segment = std::int32_t(swept_.segments.size());
      for (std::int32_t s = task.first_segment; s < task.first_segment + task.segment_count; ++s)
        if (const Segment& segment = all.segments[std::size_t(s)]; !is_projected(std::size_t(segment.type)))
          swept_.segments.push_back(segment);
      const std::int32_t kept = std::int32_t(swept_.segments.size()) - first_segment;
      if (kept > 0) swept_.tasks.push_back({first_segment, kept});
    }
    const std::int32_t kept = std::int32_t(swept_.tasks.size()) - first_task;
    if (kept > 0) swept_.phases.push_back({first_task, kept});
  }
  pulls_.list(world, projected_);
  pattern_ = pattern_of_constraints(world, is_projected);
  cholesky_.analyze(pattern_);
  std::fill(mass_.begin(), mass_.end(), real(-1));  // forces a new factorisation
}

/// Whether K has changed since it was factored; stores the values from which it is made.
bool Projective::notice_changes(const World& world, real inverse_h_squared) {
  bool changed = inverse_h_squared_ != inverse_h_squared;
  inverse_h_squared_ = inverse_h_squared;
  for (std::size_t i = 0; i < mass_.size(); ++i) {
    changed |= mass_[i] != world.particles.position[i].w;
    mass_[i] = world.particles.position[i].w;
  }
  for_each_type([&](auto type) {
    if (!projected<type>) return;
    const auto& softness = std::get<type>(*world.matter.constraints).softness[0];
    if (std::equal(softness.begin(), softness.end(), softness_[type].begin(), softness_[type].end())) return;
    softness_[type].assign(softness.begin(), softness.end());
    changed = true;
  });
  return changed;
}

void Projective::weigh(const World& world) {
  const double floor = world.settings.solver.method->compliance_floor;
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    if constexpr (projected<type>) {
      const auto& batch = std::get<type>(*world.topology->constraints);
      for (std::size_t s = 0; s < batch.id.size(); ++s) {
        weight_[type][s] = 0;
        if (batch.id[s] < 0) continue;
        const Element<Type> element = element_at(world, batch, s, floor);
        double lightest = 0.0, coupled = 0.0;  // 1/kg; the largest diagonal entry of A^T A
        DoubleLane rest[Type::rest_count], a[Type::projected_rows][Type::arity];
        for (int r = 0; r < Type::rest_count; ++r) rest[r] = element.rest[std::size_t(r)];
        Type::difference(rest, a);
        for (std::size_t j = 0; j < Type::arity; ++j) {
          double sum = 0.0;
          for (int r = 0; r < Type::projected_rows; ++r) sum += a[r][j].v * a[r][j].v;
          coupled = std::max(coupled, sum);
          lightest = std::max(lightest, double(mass_[std::size_t(element.particle[j])]));
        }
        if (lightest == 0.0 || coupled == 0.0) continue;
        const double most = stiffest * double(inverse_h_squared_) / (lightest * coupled);
        weight_[type][s] = real(std::min(projection_weight(element), most));
      }
    }
  });
}

/// Assembles and factors K. Fixed particles get an identity block.
void Projective::factor(const World& world) {
  std::vector<double> values(std::size_t(pattern_.entries()), 0.0);
  for (std::int32_t i = 0; i < pattern_.size(); ++i) {
    const double w = double(mass_[std::size_t(i)]);
    values[std::size_t(pattern_.diagonal(i))] = w == 0.0 ? 1.0 : double(inverse_h_squared_) / w;
  }
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    if constexpr (projected<type>) {
      const auto& batch = std::get<type>(*world.topology->constraints);
      const auto& state = std::get<type>(*world.matter.constraints);
      for (std::size_t s = 0; s < batch.id.size(); ++s) {
        if (weight_[type][s] == real(0)) continue;
        DoubleLane rest[Type::rest_count], a[Type::projected_rows][Type::arity];
        for (std::size_t r = 0; r < Type::rest_count; ++r) rest[r] = double(rest_row(batch, state, r)[s]);
        Type::difference(rest, a);
        for (std::size_t j = 0; j < Type::arity; ++j)
          for (std::size_t k = 0; k <= j; ++k) {
            const std::int32_t p = batch.vertices[j][s], q = batch.vertices[k][s];
            if (mass_[std::size_t(p)] == real(0) || mass_[std::size_t(q)] == real(0)) continue;
            double sum = 0.0;
            for (int r = 0; r < Type::projected_rows; ++r) sum += a[r][j].v * a[r][k].v;
            values[std::size_t(pattern_.entry(p, q))] += double(weight_[type][s]) * sum;
          }
      }
    }
  });
  if (cholesky_.factor(values)) substitution_.adopt(cholesky_.factor_numbers());
  ++factored_;
}

void Projective::load(const World& world, Team& team) {
  if (team.rank() == 0) {
    if (world.topology->edition != edition_) list_constraints(world);
    for (Segment& segment : swept_.segments)  // tears extend these segments by loose springs
      for (const LooseSlots& loose : world.topology->tears.loose)
        if (loose.segment >= 0 && segment.begin == loose.begin &&
            segment.type == world.topology->schedule.segments[std::size_t(loose.segment)].type)
          segment.end = loose.end;
    const StepSettings& step = *world.settings.solver.step;
    const real h = real(step.dt / step.substeps);
    if (notice_changes(world, real(1) / (h * h))) {
      weigh(world);
      factor(world);
    }
  }
}

/// Calls act(contact, particle) for the contacts of this thread's particles whose multipliers are part of F.
template <class Act>
void Projective::for_contacts(const World& world, const Share& mine, const Act& act) const {
  if (!contacts_) return;
  for (std::int64_t b = mine.begin / particle_block; b * particle_block < mine.end; ++b)
    for (StaticContact& contact : contacts_->of_block(std::int32_t(b)))
      if (StaticContacts::keeps(world, contact)) act(contact, std::size_t(contact.particle));
}

/// Reads x_k, and adds the displacements by others since the last iteration to y. Displacements by contacts
/// of F are left out: the multipliers stand for them.
void Projective::take_start(const World& world, bool first, const Team& team) {
  const Share mine = team.share(world.particles.padded(), particle_block);
  bool moved = false;
  for (std::int64_t i = mine.begin; i < mine.end; ++i) {
    const std::size_t p = std::size_t(i);
    now_[p] = world.particles.moved[p];
    if (first) {
      y_[p] = now_[p];
    } else {
      y_[p] += now_[p] - left_[p];
      moved |= vec3(now_[p]) != vec3(left_[p]);
    }
  }
  for_contacts(world, mine, [&](StaticContact& contact, std::size_t p) {
    y_[p] -= vec4(std::exchange(contact.displaced, vec3(0)), real(0));
    moved |= contact.normal_kept > real(0);
  });
  if (moved) moved_by_others_.store(true, std::memory_order_relaxed);
}

void Projective::pull(World& world, const Team& team) {
  const real *points = flat(world.particles.moved), *origin = flat(world.particles.origin);
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    if (projected_[type].empty()) return;
    const auto batch =
        view(std::get<type>(*world.topology->constraints), std::get<type>(*world.matter.constraints));
    LocalStep<Type, real> out{weight_[type].data(), {}};
    for (int k = 0; k < 3 * written_points<Type>(); ++k) out.pull[k] = pulls_.component(type, k);
    for_own_slots(projected_[type], team, [&](std::int32_t begin, std::int32_t end) {
      std::get<type>(kernels_.local_step)(batch, begin, end, origin, points, out);
    });
  });
}

Projective::Factors Projective::factors(bool accelerated) const {
  if (!accelerated) return {0, 1};
  const real k = real(iteration_);
  if (iteration_ == 1) return {0, real(4) / 3};
  if (moved_by_others_.load(std::memory_order_relaxed)) return {real(0.3), real(4) / 3};
  return {(2 * k - 3) / (2 * k + 1), (8 * k - 4) / (2 * k + 1)};
}

void Projective::carry_on(World& world, bool accelerated, const Team& team) {
  const auto [last, further] = factors(accelerated);
  const Share mine = team.share(world.particles.padded(), particle_block);
  for (std::int64_t i = mine.begin; i < mine.end; ++i) {
    const std::size_t p = std::size_t(i);
    const vec3 step = last * vec3(step_[p]) + further * vec3(rows_[p]);
    step_[p] = vec4(step, real(0));
    left_[p] = now_[p] + step_[p];
    world.particles.moved[p] = left_[p];
  }
}

void Projective::iterate(World& world, const Sweep<real>& sweep, Team& team) {
  if (team.rank() == 0) {  // no thread reads these before the next barrier
    iteration_ = sweep.first || iteration_ == period ? 1 : iteration_ + 1;
    if (sweep.first) moved_by_others_.store(false, std::memory_order_relaxed);
  }
  take_start(world, sweep.first, team);
  pull(world, team);
  team.barrier();
  const Share mine = team.share(world.particles.padded(), particle_block);
  for (std::int64_t i = mine.begin; i < mine.end; ++i) {
    const std::size_t p = std::size_t(i);
    const real w = now_[p].w;
    const vec3 away =
        w == real(0) ? vec3(0) : (inverse_h_squared_ / w) * (vec3(now_[p]) - vec3(y_[p])) + pulls_.sum(p);
    rows_[p] = vec4(-away, real(0));
  }
  for_contacts(world, mine, [&](const StaticContact& contact, std::size_t p) {
    if (now_[p].w == real(0)) return;
    const real force = inverse_h_squared_ / now_[p].w;
    rows_[p] += vec4(force * (contact.normal_kept * contact.normal + contact.friction_kept), real(0));
    if (sweep.first) rows_[p].w = force;
  });
  team.barrier();
  substitution_.solve(rows_, team);
  team.barrier();
  if (sweep.first)
    for_contacts(world, mine, [&](StaticContact& contact, std::size_t p) {
      if (now_[p].w != real(0)) contact.gain = eager / std::clamp(rows_[p].w, real(1 / stiffest), real(1));
    });
  carry_on(world, world.settings.solver.method->accelerated, team);
  if (swept_.segments.empty()) return;
  team.barrier();
  ColorTurns turns(team);
  sweep_schedule(kernels_, swept_, *world.topology->constraints, *world.matter.constraints,
                 flat(world.particles.moved), sweep, turns);
}

/// Writes lambda = -h^2 A^-1 C of the constraints that have a local step.
void Projective::store(World& world, const Team& team) const {
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    if constexpr (projected<type>) {
      const auto& batch = std::get<type>(*world.topology->constraints);
      auto& lambda = std::get<type>(*world.matter.constraints).lambda;
      const Share mine = team.share(batch.slots(), lane_group);
      for (std::int64_t i = mine.begin; i < mine.end; ++i) {
        const std::size_t s = std::size_t(i);
        if (weight_[type][s] == real(0)) continue;
        const Element<Type> element =
            element_at(world, batch, s, world.settings.solver.method->compliance_floor);
        const Linearized<Type> c(element);
        const auto force = times_stiffness(element, c.C);
        for (std::size_t k = 0; k < force.size(); ++k)
          lambda[k][s] = c.acts() ? real(-force[k] / double(inverse_h_squared_)) : real(0);
      }
    }
  });
}

}}  // namespace limber::LIMBER_PRECISION
