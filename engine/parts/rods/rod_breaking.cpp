#include "engine/parts/rods/rod_breaking.hpp"

#include <algorithm>
#include <cmath>

#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/state/elements.hpp"
#include "engine/state/rod_split.hpp"

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
  length_.assign(std::size_t(rods.turns()), 0.0), tension_ = length_;
  for (const RodSegment& segment : rods.segments) length_[std::size_t(segment.turn)] = double(segment.length);
  sites_.reserve(2 * rods.segments.size());
}

/// An overloaded segment is noted at its end; part() chooses the end.
void RodBreaking::find_pulled(const World& world) {
  const auto& batch = std::get<StencilBatch<RodStretch>>(world.topology->constraints);
  for (std::size_t s = 0; s < batch.id.size(); ++s) {
    if (batch.id[s] < 0) continue;
    const double limit = world.settings.materials[std::size_t(batch.object[s])].break_tension;
    if (!(limit > 0.0)) continue;
    const std::int32_t turn = batch.vertices[2][s] - world.topology->rods.first_row;
    const double tension = tension_[std::size_t(turn)] = tension_in(world, batch, s);
    if (tension > limit) sites_.push_back({tension / limit, turn, true});
  }
}

void RodBreaking::find_bent(const World& world) {
  const auto& batch = std::get<StencilBatch<RodBend>>(world.topology->constraints);
  const auto& state = std::get<StencilState<RodBend>>(world.matter.constraints);
  for (std::size_t s = 0; s < batch.id.size(); ++s) {
    if (batch.id[s] < 0) continue;
    const Material& material = world.settings.materials[std::size_t(batch.object[s])];
    if (!(material.break_curvature > 0.0) && !(material.break_twist > 0.0)) continue;
    const std::int32_t first_row = world.topology->rods.first_row, a = batch.vertices[0][s] - first_row,
                       b = batch.vertices[1][s] - first_row;
    const double at_a = length_[std::size_t(a)], at_b = length_[std::size_t(b)];
    auto C = Linearized<RodBend>(element_at(world, batch, s, 0.0)).C;
    for (std::size_t k = 0; k < 3; ++k)  // plastic deformation counts
      C[k] += double(rest_row(batch, state, k)[s]) - double(batch.rest[k][s]);
    const double length = 0.5 * (at_a + at_b), bent = std::hypot(C[0], C[1]) / length,
                 twisted = std::abs(C[2]) / length;
    double over = 0.0;
    if (material.break_curvature > 0.0) over = std::max(over, bent / material.break_curvature);
    if (material.break_twist > 0.0) over = std::max(over, twisted / material.break_twist);
    if (!(over > 1.0)) continue;
    const bool clamps_last = !(at_b > 0.0);  // then a segment before it, else at the end of the first one
    if (at_a > 0.0)
      sites_.push_back({over, a, !clamps_last});
    else
      sites_.push_back({over, b, true});
  }
}

bool RodBreaking::part(World& world) {
  sites_.clear();
  find_pulled(world);
  const std::size_t pulled = sites_.size();
  find_bent(world);
  if (sites_.empty()) return false;
  RodSplitter splitter(world);
  for (std::size_t k = 0; k < pulled; ++k) {
    Site& site = sites_[k];
    const auto beside = [&](bool at_end) {
      const std::int32_t turn = splitter.beside(site.turn, at_end);
      return turn < 0 ? -1.0 : std::max(tension_[std::size_t(turn)], 0.0);
    };
    site.at_end = beside(true) >= beside(false);
  }
  std::stable_sort(sites_.begin(), sites_.end(),
                   [](const Site& a, const Site& b) { return a.over > b.over; });
  std::vector<char> parted(world.topology->rods.runs.size(), 0);
  bool any = false;
  for (const Site& site : sites_) {
    const std::size_t run = std::size_t(splitter.run_of(site.turn));
    if (run >= parted.size() || parted[run] || !splitter.part(site.turn, site.at_end)) continue;
    parted[run] = 1, any = true;
  }
  return any;
}

}}  // namespace limber::LIMBER_PRECISION
