#include "engine/method/gauss_seidel.hpp"

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/parallel/visits.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/schedule.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

bool coloured(const World& world) { return is_coloured(world.settings.solver.method->order); }

}  // namespace

const ConstraintSet& GaussSeidel::constraints(const World& world) const {
  return coloured(world) ? *world.topology->constraints : own_.constraints;
}

const Schedule& GaussSeidel::schedule(const World& world) const {
  return coloured(world) ? world.topology->schedule : own_.schedule;
}

void GaussSeidel::prepare(const World& world) {
  if (coloured(world)) return;
  const std::shared_ptr<const Topology>& untorn =
      world.topology->untorn ? world.topology->untorn : world.topology;
  if (source_ == untorn) return;
  source_ = untorn;
  own_ = lay_out(raw_constraints(*untorn), untorn->objects, untorn->enclosures, world.particles.count,
                 untorn->rods, Order::sequential);
  for_each_type([&](auto type) {
    const auto& theirs = std::get<type>(*untorn->constraints);
    const auto& own = std::get<type>(own_.constraints);
    std::vector<std::int32_t> slot_of(std::size_t(theirs.constraints));
    for (std::int32_t s = 0; s < theirs.slots(); ++s)
      if (const std::int32_t id = theirs.id[std::size_t(s)]; id >= 0) slot_of[std::size_t(id)] = s;
    slot_[type].clear();
    for (const std::int32_t id : own.id) slot_[type].push_back(id < 0 ? -1 : slot_of[std::size_t(id)]);
  });
  add_loose(*untorn);
  for_each_type([&](auto type) {
    std::get<type>(state_).damping.assign(slot_[type].size(), real(0));
    std::get<type>(state_).resize(slot_[type].size());
  });
}

/// Adds slots for the springs that tears will add. They are visited last, as in the World.
void GaussSeidel::add_loose(const Topology& untorn) {
  loose_segment_.fill(-1);
  for (std::size_t k = 0; k < untorn.tears.loose.size(); ++k) {
    const LooseSlots& loose = untorn.tears.loose[k];
    if (loose.segment < 0) continue;
    const std::int32_t number = untorn.schedule.segments[std::size_t(loose.segment)].type;
    for_each_type([&](auto type) {
      if (number != std::int32_t(type)) return;
      const auto& theirs = std::get<type>(*untorn.constraints);
      auto& own = std::get<type>(own_.constraints);
      const std::int32_t begin = own.slots();
      const auto append = [&](auto& to, const auto& from) {
        to.insert(to.end(), from.begin() + loose.begin, from.begin() + loose.capacity);
      };
      for (std::size_t j = 0; j < own.vertices.size(); ++j) append(own.vertices[j], theirs.vertices[j]);
      for (std::size_t r = 0; r < own.rest.size(); ++r) append(own.rest[r], theirs.rest[r]);
      append(own.id, theirs.id), append(own.object, theirs.object);
      append(own.compliance_scale, theirs.compliance_scale);
      for (std::int32_t s = loose.begin; s < loose.capacity; ++s) slot_[type].push_back(s);
      Schedule& schedule = own_.schedule;
      loose_segment_[k] = std::int32_t(schedule.segments.size());
      schedule.phases.push_back({std::int32_t(schedule.tasks.size()), 1});
      schedule.tasks.push_back({loose_segment_[k], 1});
      schedule.segments.push_back({number, begin, begin});
    });
  }
}

void GaussSeidel::load(const World& world, Team& team) {
  if (coloured(world)) return;
  const Topology& topology = *world.topology;
  for_each_type([&](auto type) {
    const auto& theirs = std::get<type>(*topology.constraints);
    auto& own = std::get<type>(own_.constraints);
    const Share slots = team.share(std::int64_t(slot_[type].size()), lane_group);
    for (std::int64_t s = slots.begin; s < slots.end; ++s) {
      const std::int32_t from = slot_[type][std::size_t(s)];
      if (from < 0) continue;
      for (std::size_t j = 0; j < own.vertices.size(); ++j)
        own.vertices[j][std::size_t(s)] = theirs.vertices[j][std::size_t(from)];
      const auto& their_state = std::get<type>(*world.matter.constraints);
      for (std::size_t r = 0; r < own.rest.size(); ++r)
        own.rest[r][std::size_t(s)] = rest_row(theirs, their_state, r)[std::size_t(from)];
      for (std::size_t k = 0; k < their_state.softness.size(); ++k)
        std::get<type>(state_).softness[k][std::size_t(s)] = their_state.softness[k][std::size_t(from)];
      std::get<type>(state_).damping[std::size_t(s)] =
          their_state.damping.empty() ? real(0) : their_state.damping[std::size_t(from)];
    }
  });
  for (std::size_t k = 0; k < loose_segment_.size() && team.rank() == 0; ++k) {
    if (loose_segment_[k] < 0) continue;
    Segment& segment = own_.schedule.segments[std::size_t(loose_segment_[k])];
    segment.end = segment.begin + topology.tears.loose[k].end - topology.tears.loose[k].begin;
  }
}

namespace {

template <class Chosen>
bool any_chosen(const Schedule& schedule, const Phase& phase, const Chosen& chosen) {
  for (std::int32_t t = 0; t < phase.task_count; ++t) {
    const Task& task = schedule.tasks[std::size_t(phase.first_task + t)];
    for (std::int32_t s = 0; s < task.segment_count; ++s)
      if (chosen(schedule.segments[std::size_t(task.first_segment + s)])) return true;
  }
  return false;
}

/// Like sweep_schedule(), but only for the segments for which chosen() is true; phases without such segments
/// are skipped.
template <class Chosen>
void sweep_chosen(const KernelTable<real>& kernels, const Schedule& schedule,
                  const ConstraintSet& constraints, ConstraintState& state, real* points,
                  const Sweep<real>& sweep, ColorTurns& turns, const Chosen& chosen) {
  const auto project_segment = [&](const Segment& segment) {
    if (!chosen(segment)) return;
    for_each_type([&](auto type) {
      using Type = std::tuple_element_t<type, ConstraintTypes>;
      if (segment.type != std::int32_t(type) || !takes<Type>(sweep)) return;
      tell_visit(Visited::constraints, segment.type, segment.object, segment.begin, segment.end);
      std::get<type>(kernels.project)(view(std::get<type>(constraints), std::get<type>(state)), segment.begin,
                                      segment.end, points, sweep);
    });
  };
  const std::size_t phases = schedule.phases.size();
  for (std::size_t p = 0; p < phases; ++p) {
    const Phase& phase = schedule.phases[sweep.backward ? phases - 1 - p : p];
    if (!any_chosen(schedule, phase, chosen)) continue;
    const Share tasks = turns.next(phase.task_count, false);
    for (std::int64_t t = tasks.begin; t < tasks.end; ++t) {
      const Task& task = schedule.tasks[std::size_t(phase.first_task + t)];
      for (std::int32_t s = 0; s < task.segment_count; ++s)
        project_segment(schedule.segments[std::size_t(task.first_segment +
                                                      (sweep.backward ? task.segment_count - 1 - s : s))]);
    }
  }
}

constexpr auto every_segment = [](const Segment&) { return true; };

}  // namespace

void sweep_schedule(const KernelTable<real>& kernels, const Schedule& schedule,
                    const ConstraintSet& constraints, ConstraintState& state, real* points,
                    const Sweep<real>& sweep, ColorTurns& turns) {
  sweep_chosen(kernels, schedule, constraints, state, points, sweep, turns, every_segment);
}

/// Copies the rest values that have flowed in the last substep.
bool GaussSeidel::load_flowed(const World& world, const Team& team) {
  bool any = false;
  for_each_type([&](auto type) {
    const auto& flowed = std::get<type>(*world.matter.constraints).flowed;
    if (flowed.empty()) return;
    any = true;
    auto& own = std::get<type>(own_.constraints);
    const Share slots = team.share(std::int64_t(slot_[type].size()), lane_group);
    for (std::int64_t s = slots.begin; s < slots.end; ++s)
      if (const std::int32_t from = slot_[type][std::size_t(s)]; from >= 0)
        for (std::size_t r = 0; r < own.rest.size(); ++r)
          own.rest[r][std::size_t(s)] = flowed.rest[r][std::size_t(from)];
  });
  return any;
}

void GaussSeidel::iterate(World& world, const Sweep<real>& sweep, Team& team) {
  if (sweep.first && !coloured(world) && load_flowed(world, team)) team.barrier();
  ConstraintState& state = coloured(world) ? *world.matter.constraints : state_;
  ColorTurns turns(team);
  const auto visit = [&](const Sweep<real>& once, const auto& chosen) {
    sweep_chosen(kernels_, schedule(world), constraints(world), state, flat(world.particles.moved), once,
                 turns, chosen);
  };
  visit(sweep, every_segment);
  Sweep<real> back = sweep;
  back.first = false, back.backward = !sweep.backward;
  if (sweeps_back(world.settings.solver)) return visit(back, every_segment);
  const auto held = [&](const Segment& segment) {
    return segment.object >= 0 && strains_skin(world, std::size_t(segment.object));
  };
  visit(back, held);
}

void GaussSeidel::store(World& world, const Team& team) const {
  if (coloured(world)) return;
  for_each_type([&](auto type) {
    const Share slots = team.share(std::int64_t(slot_[type].size()), lane_group);
    for (std::int64_t s = slots.begin; s < slots.end; ++s)
      if (const std::int32_t to = slot_[type][std::size_t(s)]; to >= 0)
        for (std::size_t k = 0; k < std::get<type>(state_).lambda.size(); ++k)
          std::get<type>(*world.matter.constraints).lambda[k][std::size_t(to)] =
              std::get<type>(state_).lambda[k][std::size_t(s)];
  });
}

}}  // namespace limber::LIMBER_PRECISION
