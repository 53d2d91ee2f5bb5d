#include "engine/method/hybrid.hpp"

#include <algorithm>
#include "engine/core/settings/method.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/schedule.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

bool is_loose(const Topology& topology, std::int32_t segment) {
  return std::any_of(topology.tears.loose.begin(), topology.tears.loose.end(),
                     [&](const LooseSlots& loose) { return loose.segment == segment; });
}

/// The constraint type, if a phase is one colour of the constraints across patches; otherwise -1.
std::int32_t type_across(const Schedule& schedule, const Phase& phase) {
  std::int32_t type = -1;
  for (std::int32_t t = 0; t < phase.task_count; ++t) {
    const Task& task = schedule.tasks[std::size_t(phase.first_task + t)];
    if (task.segment_count != 1) return -1;
    const std::int32_t its = schedule.segments[std::size_t(task.first_segment)].type;
    if (type >= 0 && type != its) return -1;
    type = its;
  }
  return type;
}

/// Adds a run of slots, or extends the last run if the slots follow it directly.
void add_run(std::vector<ColorRun>& runs, std::int32_t begin, std::int32_t end) {
  if (!runs.empty() && runs.back().end == begin)
    runs.back().end = end;
  else
    runs.push_back({begin, end});
}

}  // namespace

/// The colour of a segment is its index among the consecutive segments of its type in its task. If a colour
/// is a phase of its own, it is the index among the consecutive phases of its type.
void Hybrid::divide(const World& world) {
  const Schedule& all = world.topology->schedule;
  const std::int32_t cap = world.settings.solver.method->colour_cap;
  colours_.phases.clear(), colours_.tasks.clear(), colours_.segments.clear();
  for (std::vector<ColorRun>& runs : rest_) runs.clear();
  std::int32_t across = -1, phase_color = 0;
  for (const Phase& phase : all.phases) {
    const std::int32_t type = type_across(all, phase);
    phase_color = type >= 0 && type == across ? phase_color + 1 : 0;
    across = type;
    const std::int32_t first_task = std::int32_t(colours_.tasks.size());
    for (std::int32_t t = 0; t < phase.task_count; ++t) {
      const Task& task = all.tasks[std::size_t(phase.first_task + t)];
      const std::int32_t first_segment = std::int32_t(colours_.segments.size());
      std::int32_t color = phase_color, last_type = -1;
      for (std::int32_t k = task.first_segment; k < task.first_segment + task.segment_count; ++k) {
        const Segment& segment = all.segments[std::size_t(k)];
        if (last_type >= 0) color = segment.type == last_type ? color + 1 : 0;
        last_type = segment.type;
        if (color < cap || is_loose(*world.topology, k))
          colours_.segments.push_back(segment);
        else
          add_run(rest_[std::size_t(segment.type)], segment.begin, segment.end);
      }
      const std::int32_t kept = std::int32_t(colours_.segments.size()) - first_segment;
      if (kept > 0) colours_.tasks.push_back({first_segment, kept});
    }
    const std::int32_t kept = std::int32_t(colours_.tasks.size()) - first_task;
    if (kept > 0) colours_.phases.push_back({first_task, kept});
  }
}

void Hybrid::prepare(const World& world) {
  jacobi_.prepare(world);
  divide(world);
}

void Hybrid::load(const World& world, Team& team) {
  if (team.rank() == 0) divide(world);
  team.barrier();
  jacobi_.load_some(world, rest_, team);
}

void Hybrid::iterate(World& world, const Sweep<real>& sweep, Team& team) {
  ColorTurns turns(team);
  sweep_schedule(kernels_, colours_, *world.topology->constraints, *world.matter.constraints,
                 flat(world.particles.moved), sweep, turns);
  turns.finish();
  jacobi_.iterate(world, sweep, team);
}

}}  // namespace limber::LIMBER_PRECISION
