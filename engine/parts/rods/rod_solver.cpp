#include "engine/parts/rods/rod_solver.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <type_traits>

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/parallel/visits.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/elements.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Sweeps skip all types with turns if rods are solved directly (takes()), so another such type would do
/// nothing.
template <class... Types>
constexpr bool all_are_solved(std::tuple<Types...>*) {
  return ((!has_turns<Types>() || std::is_same_v<Types, RodStretch> || std::is_same_v<Types, RodBend>)&&...);
}
static_assert(
    all_are_solved(static_cast<ConstraintTypes*>(nullptr)),
    "a new constraint type with turns needs rows in the direct solve of rods "
    "(kernels/rod_elimination.hpp): solver.rods is direct by default, and sweeps then skip the type");

constexpr std::size_t group_size = std::size_t(rod_group);

/// Index of the first number of place `at` in an array with `numbers` numbers per block and lane.
std::size_t first_of(std::size_t at, std::size_t numbers) {
  return numbers * (at - at % group_size) + at % group_size;
}

std::int32_t blocks_of(const RodRun& run) { return run.count + (run.closed ? 0 : 1); }

/// The rods by length, the longest first and rings last, so that rods of similar length are neighbours.
std::vector<std::size_t> by_length(const std::vector<RodRun>& runs) {
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return runs[a].closed != runs[b].closed ? runs[a].closed < runs[b].closed
                                            : blocks_of(runs[a]) > blocks_of(runs[b]);
  });
  return order;
}

/// Key of a run of segments: its numbers, and its first point, which differs between copies.
std::array<std::int32_t, 4> parts_of(const RodMatter& rods, const RodRun& run) {
  return {run.first, run.count, std::int32_t(run.closed), rods.segments[std::size_t(run.first)].points[0]};
}

}  // namespace

bool RodSolver::parted(const World& world) const {
  const RodMatter& rods = world.topology->rods;
  if (rods.runs.size() != runs_.size()) return true;
  for (std::size_t r = 0; r < runs_.size(); ++r)
    if (runs_[r] != parts_of(rods, rods.runs[r])) return true;
  return false;
}

bool RodSolver::enabled(const World& world) {
  const MethodSettings& method = *world.settings.solver.method;
  return !world.topology->rods.empty() && method.rods == RodSolve::direct && is_compliant(method.kind);
}

RodSolver::Slots::Slots(const Topology& topology) {
  const RodMatter& rods = topology.rods;
  for (auto* list : {&stretch, &bend_from, &bend_to}) list->assign(std::size_t(rods.turns()), -1);
  const auto list_by = [&](const auto& batch, std::size_t corner, std::vector<std::int32_t>& out) {
    for (std::int32_t s = 0; s < batch.slots(); ++s)
      if (batch.id[std::size_t(s)] >= 0)
        out[std::size_t(batch.vertices[corner][std::size_t(s)] - rods.first_row)] = s;
  };
  list_by(std::get<StencilBatch<RodStretch>>(*topology.constraints), 2, stretch);
  list_by(std::get<StencilBatch<RodBend>>(*topology.constraints), 0, bend_from);
  list_by(std::get<StencilBatch<RodBend>>(*topology.constraints), 1, bend_to);
}

RodSolver::Group::Group(const RodRun& longest) : blocks(blocks_of(longest)), ring(longest.closed) {
  const std::size_t numbers = group_size * std::size_t(blocks);
  for (auto* list : {&point, &turn, &stretch, &bend}) list->assign(numbers, -1);
  held_turn.assign(2 * group_size, -1), held_bend.assign(2 * group_size, -1);
  last.assign(group_size, 0);
  done.assign(6 * numbers, 0.0);
  pushed.assign(3 * numbers, 0.0);
  left.assign(3 * numbers, real(0)), weight.assign(numbers, real(0));
  ties.assign(group_size, 0), tension.assign(numbers, 0.0);
  answer.assign(6 * numbers, 0.0), tied.assign(3 * numbers, 0.0), way.assign(3 * numbers, 0.0);
}

/// Rings of a group have the same number of blocks; other rods have more than half as many as the longest.
bool RodSolver::Group::fits(const RodRun& run) const {
  return rods < rod_group && ring == run.closed &&
         (ring ? blocks == blocks_of(run) : 2 * blocks_of(run) > blocks);
}

void RodSolver::Group::add(const Topology& topology, const RodRun& run, const Slots& slots) {
  const RodMatter& all = topology.rods;
  const auto& stretches = std::get<StencilBatch<RodStretch>>(*topology.constraints);
  const std::size_t lane = std::size_t(rods++);
  const auto segment = [&](std::int32_t k) -> const RodSegment& {
    return all.segments[std::size_t(run.first + k)];
  };
  const auto at = [&](std::int32_t block) { return group_size * std::size_t(block) + lane; };
  for (std::int32_t k = 0; k < run.count; ++k) {
    const std::size_t number = std::size_t(segment(k).turn);
    point[at(k)] = segment(k).points[0];
    turn[at(k)] = all.first_row + segment(k).turn;
    stretch[at(k)] = slots.stretch[number];
    ropes |= stretch[at(k)] >= 0 && stretches.rest[1][std::size_t(stretch[at(k)])] > real(0);
    if (run.closed || k + 1 < run.count) bend[at(k)] = slots.bend_from[number];
  }
  last[lane] = run.count - 1;
  if (run.closed) return;
  point[at(run.count)] = segment(run.count - 1).points[1];
  const auto& bends = std::get<StencilBatch<RodBend>>(*topology.constraints);
  const auto hold = [&](std::size_t place, std::int32_t slot, std::size_t corner) {
    if (slot < 0) return;
    held_turn[place] = bends.vertices[corner][std::size_t(slot)], held_bend[place] = slot;
  };
  hold(lane, slots.bend_to[std::size_t(segment(0).turn)], 0);
  hold(group_size + lane, slots.bend_from[std::size_t(segment(run.count - 1).turn)], 1);
}

/// Finds the places of tied points in the groups, and counts them per rod.
void RodSolver::note_ties(const World& world) {
  place_.clear();
  if (world.user.point_ties.empty() || !enabled(world)) return;
  std::vector<std::uint8_t> tied(std::size_t(world.particles.padded()), 0);
  for (const PointTie& tie : world.user.point_ties)
    for (const TieEnd* end : {&tie.a, &tie.b})
      for (std::size_t k = 0; end->is_of_particles() && k < end->points.size(); ++k)
        if (end->weight[k] != real(0)) tied[std::size_t(end->points[k])] = 1;
  place_.resize(tied.size());
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    for (std::size_t k = 0; k < group.point.size(); ++k)
      if (group.point[k] >= 0 && tied[std::size_t(group.point[k])]) {
        place_[std::size_t(group.point[k])] = {std::int32_t(g), k};
        ++group.ties[k % group_size];
      }
  }
}

void RodSolver::prepare(const World& world, int threads) {
  groups_.clear(), runs_.clear();
  const Topology& topology = *world.topology;
  for (const RodRun& run : topology.rods.runs) runs_.push_back(parts_of(topology.rods, run));
  const auto& only_pulls = std::get<StencilBatch<RodStretch>>(*topology.constraints).rest[1];
  ropes_ = std::any_of(only_pulls.begin(), only_pulls.end(), [](real one) { return one > real(0); });
  if (topology.rods.empty()) return;
  const Slots slots(topology);
  for (const std::size_t r : by_length(topology.rods.runs)) {
    const RodRun& run = topology.rods.runs[r];
    if (groups_.empty() || !groups_.back().fits(run)) groups_.emplace_back(run);
    groups_.back().add(topology, run, slots);
  }
  note_ties(world);
  std::int64_t longest = 0;
  for (const Group& group : groups_)
    longest = std::max(longest, rod_scratch(group.blocks) / (group.rods == 1 ? rod_group : 1));
  scratch_.resize(std::size_t(threads));
  for (auto& scratch : scratch_) scratch.assign(std::size_t(longest), 0.0);
}

RodGroupView<real> RodSolver::view(World& world, Group& group) const {
  ConstraintState& state = *world.matter.constraints;
  const ConstraintSet& set = *world.topology->constraints;
  return {group.blocks,
          group.rods,
          group.ring,
          group.ropes,
          group.point.data(),
          group.turn.data(),
          group.stretch.data(),
          group.bend.data(),
          group.held_turn.data(),
          group.held_bend.data(),
          group.last.data(),
          group.done.data(),
          group.left.data(),
          group.pushed.data(),
          group.weight.data(),
          group.tension.data(),
          group.ties.data(),
          group.answer.data(),
          group.tied.data(),
          group.way.data(),
          limber::view(std::get<StencilBatch<RodStretch>>(set), std::get<StencilState<RodStretch>>(state)),
          limber::view(std::get<StencilBatch<RodBend>>(set), std::get<StencilState<RodBend>>(state))};
}

void RodSolver::begin_frame() {
  for (Group& group : groups_) std::fill(group.weight.begin(), group.weight.end(), real(0));
}

template <class WeightOf>
void RodSolver::set_weights(World& world, const Team& team, const WeightOf& weight_of) {
  const Share mine = team.share(std::int64_t(groups_.size()));
  for (std::int64_t g = mine.begin; g < mine.end; ++g) {
    const Group& group = groups_[std::size_t(g)];
    for (std::size_t k = 0; k < group.point.size(); ++k) {
      if (group.point[k] < 0) continue;
      const std::size_t i = std::size_t(group.point[k]);
      if (!(world.particles.position[i].w > real(0))) continue;
      world.particles.position[i].w = world.particles.moved[i].w = weight_of(group, k, i);
    }
  }
}

void RodSolver::lend_weights(World& world, real h, bool first, Team& team) {
  if (first && !place_.empty()) {
    const RodSweep<real> all = sweep(world, h, Pass::first, true, team);
    const Share mine = team.share(std::int64_t(groups_.size()));
    for (std::int64_t g = mine.begin; g < mine.end; ++g)
      kernels_.measure_rods(view(world, groups_[std::size_t(g)]), all);
    team.barrier();
  }
  set_weights(world, team, [&](const Group& group, std::size_t k, std::size_t i) {
    return group.weight[k] > real(0) ? group.weight[k] : world.particles.inverse_mass[i];
  });
}

void RodSolver::take_weights(World& world, const Team& team) {
  set_weights(world, team,
              [&](const Group&, std::size_t, std::size_t i) { return world.particles.inverse_mass[i]; });
}

RodSweep<real> RodSolver::sweep(World& world, real h, Pass pass, bool met, const Team& team) {
  Particles& particles = world.particles;
  return {flat(particles.origin),
          flat(particles.moved),
          flat(particles.position),
          particles.inverse_mass.data(),
          flat(particles.moved_before),
          flat(particles.predicted),
          1.0 / double(h),
          pass == Pass::first,
          met,
          pass == Pass::pushed,
          scratch_[std::size_t(team.rank())].data()};
}

void RodSolver::solve(World& world, real h, Pass pass, bool met, const Team& team) {
  const RodSweep<real> all = sweep(world, h, pass, met, team);
  const Share mine = team.share(std::int64_t(groups_.size()));
  tell_visit(Visited::rods, int(pass), 0, mine.begin, mine.end);
  for (std::int64_t g = mine.begin; g < mine.end; ++g)
    kernels_.solve_rods(view(world, groups_[std::size_t(g)]), all);
}

std::optional<glm::dmat3> RodSolver::answer_of(std::int32_t particle) const {
  if (place_.empty() || place_[std::size_t(particle)].group < 0) return std::nullopt;
  const auto& [group, at] = place_[std::size_t(particle)];
  const double* const lower = groups_[std::size_t(group)].answer.data() + first_of(at, 6);
  glm::dmat3 out;
  for (int i = 0, n = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j, ++n) out[i][j] = out[j][i] = lower[std::size_t(n) * group_size];
  return out;
}

void RodSolver::pull(Particles& particles, std::int32_t particle, const glm::dvec3& impulse) {
  const auto& [number, at] = place_[std::size_t(particle)];
  Group& group = groups_[std::size_t(number)];
  const vec4 before = particles.position[std::size_t(particle)];
  particles.position[std::size_t(particle)] += vec4(vec3(*answer_of(particle) * impulse), real(0));
  const glm::dvec3 way(glm::dvec3(particles.position[std::size_t(particle)]) - glm::dvec3(before));
  for (int i = 0; i < 3; ++i) {
    const std::size_t k = first_of(at, 3) + std::size_t(i) * group_size;
    group.tied[k] += impulse[i], group.way[k] += way[i];
  }
}

void RodSolver::store(World& world, real h, const Team& team) const {
  const double h2 = double(h) * double(h);
  const auto write = [&]<class Type>(const StencilBatch<Type>& batch) {
    auto& lambda = std::get<StencilState<Type>>(*world.matter.constraints).lambda;
    const Share slots = team.share(batch.slots(), lane_group);
    for (std::int64_t s = slots.begin; s < slots.end; ++s) {
      if (batch.id[std::size_t(s)] < 0) continue;
      const Element<Type> e = element_at(world, batch, std::size_t(s), 0.0);
      const ElementLane<Type> lane(e);
      const auto g = evaluate_at<Type, DoubleLane>(lane.at, lane.rest, lane.softness);
      const auto force = times_stiffness<Type>(e, {g.C[0].v, g.C[1].v, g.C[2].v});
      for (std::size_t k = 0; k < force.size(); ++k) lambda[k][std::size_t(s)] = real(-h2 * force[k]);
    }
  };
  write(std::get<StencilBatch<RodStretch>>(*world.topology->constraints));
  write(std::get<StencilBatch<RodBend>>(*world.topology->constraints));
}

}}  // namespace limber::LIMBER_PRECISION
