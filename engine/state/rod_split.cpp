#include "engine/state/rod_split.hpp"

#include <algorithm>

#include "engine/core/settings/method.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/split.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

RodSplitter::RodSplitter(World& world) : world_(world) {
  const RodMatter& rods = world.topology->rods;
  segment_.assign(std::size_t(rods.turns()), -1), run_ = segment_;
  for (std::size_t r = 0; r < rods.runs.size(); ++r) number(std::int32_t(r));
}

void RodSplitter::number(std::int32_t run) {
  const RodMatter& rods = world_.topology->rods;
  const RodRun& all = rods.runs[std::size_t(run)];
  for (std::int32_t k = all.first; k < all.end(); ++k) {
    const std::size_t turn = std::size_t(rods.segments[std::size_t(k)].turn);
    segment_[turn] = k, run_[turn] = run;
  }
}

RodSplitter::Joint RodSplitter::joint_at(std::int32_t turn, bool at_end) const {
  const RodMatter& rods = world_.topology->rods;
  const std::int32_t k = segment_[std::size_t(turn)];
  if (k < 0) return {};
  const RodRun& run = rods.runs[std::size_t(run_[std::size_t(turn)])];
  Joint at = at_end ? Joint{k, k + 1} : Joint{k - 1, k};
  if (at.first < run.first) at.first = run.closed ? run.end() - 1 : -1;
  if (at.second >= run.end()) at.second = run.closed ? run.first : -1;
  if (at.first < 0 || at.second < 0) return {};
  const std::size_t point = std::size_t(rods.segments[std::size_t(at.second)].points[0]);
  if (!(world_.particles.position[point].w > real(0))) return {};
  return at;
}

std::int32_t RodSplitter::beside(std::int32_t turn, bool at_end) const {
  const Joint at = joint_at(turn, at_end);
  if (at.second < 0) return -1;
  return world_.topology->rods.segments[std::size_t(at_end ? at.second : at.first)].turn;
}

bool RodSplitter::part(std::int32_t turn, bool at_end) {
  const Joint at = joint_at(turn, at_end);
  if (at.second < 0) return false;
  const RodMatter& before = world_.topology->rods;
  const RodSegment first = before.segments[std::size_t(at.first)],
                   second = before.segments[std::size_t(at.second)];
  const std::int32_t kept = second.points[0], number_of_run = run_[std::size_t(turn)];
  const TearRoom::Object& room =
      world_.topology->tears.objects[std::size_t(world_.particles.object[std::size_t(kept)])];
  if (room.used >= room.spares) {
    full_ = true;
    return false;
  }
  if (!own_) own_ = &own_topology(world_);
  const std::int32_t made = take_spare(world_, *own_, kept);
  share_mass(kept, made, double(first.length), double(second.length));

  RodMatter& rods = own_->rods;
  rods.segments[std::size_t(at.second)].points[0] = made;
  if (rods.home[std::size_t(second.turn)] == Index(kept)) rods.home[std::size_t(second.turn)] = Index(made);
  auto& stretches = std::get<StencilBatch<RodStretch>>(*own_->constraints);
  for (std::size_t s = 0; s < stretches.id.size(); ++s)
    if (stretches.id[s] >= 0 && stretches.vertices[2][s] == rods.first_row + second.turn)
      stretches.vertices[0][s] = made;
  retire_joint(first.turn, second.turn);
  move_ties(kept, made, second.points[1]);

  RodRun& run = rods.runs[std::size_t(number_of_run)];
  if (run.closed) {
    const auto begin = rods.segments.begin() + run.first;
    std::rotate(begin, rods.segments.begin() + at.second, begin + run.count);
    run.closed = false;
    // they name segments by number, and the rotation has changed all numbers
    world_.contacts.surfaces.clear();
    write_facets(number_of_run), number(number_of_run);
    return true;
  }
  const RodRun rest{at.second, run.end() - at.second, run.object, false};
  run.count = at.second - run.first;
  rods.runs.push_back(rest);
  const std::int32_t last = std::int32_t(rods.runs.size()) - 1;
  for (const std::int32_t r : {number_of_run, last}) write_facets(r), number(r);
  return true;
}

void RodSplitter::share_mass(std::int32_t kept, std::int32_t made, double first, double second) {
  Particles& particles = world_.particles;
  const double w = double(particles.inverse_mass[std::size_t(kept)]), whole = first + second;
  const double share = own_->tears.share[std::size_t(kept)];
  const auto give = [&](std::int32_t i, double part) {
    own_->tears.share[std::size_t(i)] = share * part;
    particles.inverse_mass[std::size_t(i)] = real(w / part);
    set_weight(particles, std::size_t(i), 0);
    free_particle(world_, i);
  };
  give(made, second / whole);
  give(kept, first / whole);
}

/// Retires the bend constraint between the turns a and b. Its slot keeps the turns, so that the colouring
/// remains valid; id -1 and no stiffness switch it off.
void RodSplitter::retire_joint(std::int32_t a, std::int32_t b) {
  auto& batch = std::get<StencilBatch<RodBend>>(*own_->constraints);
  auto& state = std::get<StencilState<RodBend>>(*world_.matter.constraints);
  const std::int32_t row = own_->rods.first_row;
  const real none = no_stiffness(is_compliant(world_.settings.solver.method->kind));
  for (std::size_t s = 0; s < batch.id.size(); ++s) {
    if (batch.id[s] < 0 || batch.vertices[0][s] != row + a || batch.vertices[1][s] != row + b) continue;
    batch.id[s] = batch.object[s] = -1;
    --batch.constraints;
    for (auto& softness : state.softness) softness[s] = none;
    for (auto& lambda : state.lambda) lambda[s] = real(0);
    if (!state.damping.empty()) state.damping[s] = real(0);
  }
}

/// Rewrites the facets of a run. Each point is owned by the first segment that has it, as in add_segments().
void RodSplitter::write_facets(std::int32_t run) {
  constexpr std::uint8_t first_vertex = 1, second_vertex = 2, edge = 8;
  const RodRun& all = own_->rods.runs[std::size_t(run)];
  Surface& surface = own_->surface;
  for (std::int32_t k = all.first; k < all.end(); ++k)
    for (const std::int32_t point : own_->rods.segments[std::size_t(k)].points)
      surface.segments_at[std::size_t(point)] = {-1, -1};
  for (std::int32_t k = all.first; k < all.end(); ++k) {
    const std::int32_t facet = std::int32_t(own_->triangles.size()) + k;
    surface.owned[std::size_t(facet)] =
        std::uint8_t(first_vertex | edge | (k + 1 == all.end() ? second_vertex : 0));
    for (const std::int32_t point : own_->rods.segments[std::size_t(k)].points) {
      auto& here = surface.segments_at[std::size_t(point)];
      here[here[0] < 0 ? 0 : 1] = facet;
    }
  }
}

/// Replaces the particle `from` by its copy `to` in ties to points within the second segment, which has the
/// particle `beside`.
void RodSplitter::move_ties(std::int32_t from, std::int32_t to, std::int32_t beside) {
  for (PointTie& tie : world_.user.point_ties)
    for (TieEnd* end : {&tie.a, &tie.b}) {
      if (!end->is_of_particles()) continue;
      const auto has = [&](std::int32_t i) {
        for (std::size_t k = 0; k < end->points.size(); ++k)
          if (end->weight[k] != real(0) && end->points[k] == i) return true;
        return false;
      };
      if (!has(beside)) continue;
      for (std::size_t k = 0; k < end->points.size(); ++k)
        if (end->weight[k] != real(0) && end->points[k] == from) end->points[k] = to;
    }
}

}}  // namespace limber::LIMBER_PRECISION
