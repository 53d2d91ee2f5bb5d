#include "engine/parts/tearing/soft_breaking.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <numeric>

#include "engine/state/soft_parts.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// The entry by which a member leaves a cluster; -1: it leaves none.
std::int32_t leaves(const World& world, std::size_t member, const std::vector<glm::dvec3>& center) {
  const SoftMatter& matter = world.topology->matter.soft;
  const SoftLaw& law = world.matter.soft.laws[std::size_t(matter.member_solid[member])];
  if (!(law.break_strain > real(0))) return -1;
  const vec4* rest = rest_of(matter, world.matter.soft).data();
  const auto goal = [&](std::size_t e) {
    const std::size_t c = std::size_t(matter.entry_cluster[e]);
    return center[c] + glm::dmat3(rotation_of(world.matter.soft.clusters[c].rotation)) * glm::dvec3(rest[e]);
  };
  const auto visit = [&](const auto& act) {
    for (std::int32_t k = matter.member_entry[member]; k < matter.member_entry[member + 1]; ++k)
      if (const std::size_t e = std::size_t(matter.member_entries[std::size_t(k)]); rest[e].w > real(0))
        act(e);
  };
  int count = 0;
  glm::dvec3 sum(0.0);
  visit([&](std::size_t e) { sum += goal(e), ++count; });
  if (count < 2) return -1;
  std::int32_t worst = -1;
  double most = double(law.break_strain) * double(law.size), farthest = 0.0;
  visit([&](std::size_t e) {
    const glm::dvec3 own = goal(e);
    const double far = glm::distance(own, (sum - own) / double(count - 1));
    // If two goals are equally far, the cluster in which the particle is farther out counts.
    const double reach = glm::length(glm::dvec3(rest[e]));
    if (far > most * (1.0 + 1e-9) || (worst >= 0 && far > most * (1.0 - 1e-9) && reach > farthest))
      worst = std::int32_t(e), most = far, farthest = reach;
  });
  return worst;
}

}  // namespace

bool SoftBreaking::enabled(const World& world) {
  return std::any_of(world.matter.soft.laws.begin(), world.matter.soft.laws.end(),
                     [](const SoftLaw& law) { return law.break_strain > real(0); });
}

void SoftBreaking::reserve(const World& world) {
  center_.assign(world.topology->matter.soft.clusters(), glm::dvec3(0.0));
  leaving_.assign(world.topology->matter.soft.member_particle.size(), -1);
}

void SoftBreaking::look(const World& world, Team& team) {
  const SoftMatter& matter = world.topology->matter.soft;
  const vec4* rest = rest_of(matter, world.matter.soft).data();
  const Share clusters = team.share(std::int64_t(center_.size()));
  for (std::int64_t k = clusters.begin; k < clusters.end; ++k) {
    center_[std::size_t(k)] = center_of_cluster(world, rest, std::size_t(k));
  }
  team.barrier();
  const Share members = team.share(std::int64_t(leaving_.size()));
  for (std::int64_t m = members.begin; m < members.end; ++m)
    leaving_[std::size_t(m)] = leaves(world, std::size_t(m), center_);
}

bool SoftBreaking::part(World& world) {
  SoftParter parter(world);
  for (std::size_t m = 0; m < leaving_.size(); ++m)
    if (leaving_[m] >= 0) parter.leave(m, leaving_[m]);
  return parter.finish();
}

}}  // namespace limber::LIMBER_PRECISION
