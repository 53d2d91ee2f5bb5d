#include "engine/parts/rods/rod_breaking.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/elements.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

bool breaks(const Material& m) {
  return m.break_tension > 0.0 || m.break_curvature > 0.0 || m.break_twist > 0.0;
}

/// N, tension of the segment in a slot.
double tension_in(const World& world, const StencilBatch<RodStretch>& batch, std::size_t slot) {
  const Element<RodStretch> e = element_at(world, batch, slot, 0.0);
  return times_stiffness(e, Linearized<RodStretch>(e).C)[2];
}

}  // namespace

bool RodBreaking::enabled(const World& world) {
  return !world.topology->rods.empty() && !world.topology->tears.empty() &&
         is_compliant(world.settings.solver.method->kind) &&
         std::any_of(world.settings.materials.begin(), world.settings.materials.end(), breaks);
}

void RodBreaking::reserve(const World& world) {
  const RodMatter& rods = world.topology->rods;
  const std::size_t turns = std::size_t(rods.turns());
  length_.assign(turns, 0.0), run_.assign(turns, -1);
  pulled_.assign(turns, 0.0f), bent_ = held_ = pulled_;
  since_.assign(rods.runs.size(), -1);
  for (std::size_t r = 0; r < rods.runs.size(); ++r)
    for (std::int32_t s = rods.runs[r].first; s < rods.runs[r].end(); ++s) {
      const RodSegment& segment = rods.segments[std::size_t(s)];
      length_[std::size_t(segment.turn)] = double(segment.length);
      run_[std::size_t(segment.turn)] = std::int32_t(r);
    }
}

/// Whether the loads of a run in substep `now` count; `over`: one of them exceeds its limit. All threads that
/// see an overload of a run in one substep store the same number.
bool RodBreaking::counts(std::int32_t run, std::int32_t now, bool over) {
  const std::atomic_ref since(since_[std::size_t(run)]);
  const std::int32_t first = since.load(std::memory_order_relaxed);
  if (first >= 0 && first != now) return false;
  if (over) since.store(now, std::memory_order_relaxed);
  return true;
}

void RodBreaking::note_pulls(const World& world, std::int32_t now, Share slots) {
  const auto& batch = std::get<StencilBatch<RodStretch>>(*world.topology->constraints);
  for (std::int64_t k = slots.begin; k < slots.end; ++k) {
    const std::size_t s = std::size_t(k);
    if (batch.id[s] < 0) continue;
    const double limit = world.settings.materials[std::size_t(batch.object[s])].break_tension;
    if (!(limit > 0.0)) continue;
    const std::size_t turn = std::size_t(batch.vertices[2][s] - world.topology->rods.first_row);
    const double over = tension_in(world, batch, s) / limit;
    if (counts(run_[turn], now, over > 1.0)) pulled_[turn] = float(over);
  }
}

void RodBreaking::note_bends(const World& world, std::int32_t now, Share slots) {
  const auto& batch = std::get<StencilBatch<RodBend>>(*world.topology->constraints);
  const auto& state = std::get<StencilState<RodBend>>(*world.matter.constraints);
  for (std::int64_t n = slots.begin; n < slots.end; ++n) {
    const std::size_t s = std::size_t(n);
    if (batch.id[s] < 0) continue;
    const Material& material = world.settings.materials[std::size_t(batch.object[s])];
    if (!(material.break_curvature > 0.0) && !(material.break_twist > 0.0)) continue;
    const std::int32_t first_row = world.topology->rods.first_row;
    const std::size_t a = std::size_t(batch.vertices[0][s] - first_row),
                      b = std::size_t(batch.vertices[1][s] - first_row);
    auto C = Linearized<RodBend>(element_at(world, batch, s, 0.0)).C;
    for (std::size_t k = 0; k < 3; ++k)  // plastic deformation counts
      C[k] += double(rest_row(batch, state, k)[s]) - double(batch.rest[k][s]);
    const double length = 0.5 * (length_[a] + length_[b]), bent = std::hypot(C[0], C[1]) / length,
                 twisted = std::abs(C[2]) / length;
    double over = 0.0;
    if (material.break_curvature > 0.0) over = std::max(over, bent / material.break_curvature);
    if (material.break_twist > 0.0) over = std::max(over, twisted / material.break_twist);
    const bool after_clamp = !(length_[a] > 0.0);
    if (!counts(run_[after_clamp ? b : a], now, over > 1.0)) continue;
    (after_clamp ? held_[b] : bent_[a]) = float(over);
  }
}

void RodBreaking::note(const World& world, int in_frame, Team& team) {
  if (in_frame == 0) {
    const Share runs = team.share(std::int64_t(since_.size()));
    std::fill(since_.begin() + runs.begin, since_.begin() + runs.end, -1);
  }
  team.barrier();  // also for the positions of other threads
  const auto& set = *world.topology->constraints;
  note_pulls(world, in_frame, team.share(std::get<StencilBatch<RodStretch>>(set).slots(), lane_group));
  note_bends(world, in_frame, team.share(std::get<StencilBatch<RodBend>>(set).slots(), lane_group));
}

/// The place at which a run breaks under tension: `over` is at most 1 if no segment is overloaded.
RodBreaking::Site RodBreaking::pulled_most(const World& world, const RodSplitter& splitter,
                                           const RodRun& run) const {
  Site most{0.0, -1, true};
  for (std::int32_t s = run.first; s < run.end(); ++s) {
    const std::int32_t turn = world.topology->rods.segments[std::size_t(s)].turn;
    const double over = double(pulled_[std::size_t(turn)]);
    if (over > most.over) most = {over, turn, true};
  }
  if (most.turn < 0) return most;
  const auto beside = [&](bool at_end) {
    const std::int32_t turn = splitter.beside(most.turn, at_end);
    return turn < 0 ? -1.0 : std::max(double(pulled_[std::size_t(turn)]), 0.0);
  };
  most.at_end = beside(true) >= beside(false);
  return most;
}

/// Adds the places at which a run breaks because it is bent or twisted, in its order.
void RodBreaking::list_bent(const World& world, const RodRun& run, std::vector<Site>& out) const {
  Site most{0.0, -1, true};
  const auto end_stretch = [&] {
    if (most.over > 1.0) out.push_back(most);
    most.over = 0.0;
  };
  const auto add = [&](const Site& site) {
    if (site.over < double(near)) end_stretch();
    if (site.over > most.over) most = site;
  };
  for (std::int32_t s = run.first; s < run.end(); ++s) {
    const std::int32_t turn = world.topology->rods.segments[std::size_t(s)].turn;
    const bool clamped_at_end = !run.closed && s + 1 == run.end();
    if (s == run.first) add({double(held_[std::size_t(turn)]), turn, true});
    add({double(bent_[std::size_t(turn)]), turn, !clamped_at_end});
  }
  end_stretch();
}

bool RodBreaking::part(World& world) {
  if (std::all_of(since_.begin(), since_.end(), [](std::int32_t since) { return since < 0; })) return false;
  RodSplitter splitter(world);
  std::vector<Site> sites;
  for (std::size_t r = 0; r < since_.size(); ++r) {
    if (since_[r] < 0) continue;
    const RodRun& run = world.topology->rods.runs[r];
    const std::size_t first = sites.size();
    list_bent(world, run, sites);
    double bent = 0.0;
    for (std::size_t k = first; k < sites.size(); ++k) bent = std::max(bent, sites[k].over);
    if (const Site pulled = pulled_most(world, splitter, run); pulled.over > 1.0 && pulled.over > bent)
      sites.resize(first), sites.push_back(pulled);
  }
  std::stable_sort(sites.begin(), sites.end(), [](const Site& a, const Site& b) { return a.over > b.over; });
  bool any = false;
  for (const Site& site : sites) any |= splitter.part(site.turn, site.at_end);
  return any;
}

}}  // namespace limber::LIMBER_PRECISION
