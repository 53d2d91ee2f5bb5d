#include "engine/parts/heat/heat_flow.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "engine/contact/colliders/collider_surface.hpp"
#include "engine/core/heat_law.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/parts/heat/frozen_chunks.hpp"
#include "engine/state/heat_state.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Reach of links between lumps in particle diameters: the nearest eighteen neighbours of a cubic lattice, so
/// that the links cover space evenly and a plane surface conducts like the inside.
constexpr double link_reach = 1.7;
/// Particles of different objects touch within this many times the sum of their thicknesses.
constexpr double touch_reach = 1.25;
/// A heat substep is this share of the longest stable step.
constexpr double caution = 0.5;
/// Largest number of heat substeps in a frame.
constexpr int most_substeps = 1000;
/// A lump whose asymmetry of neighbours is less than this share of that at a plane surface has no free
/// surface.
constexpr double least_free = 0.4;
/// The area of a ball divided by the square of its diameter: the surface of a single lump.
constexpr double round = 3.14159265358979323846;

/// A lump with less asymmetry than this lies in the bulk, where its links are corrected to conduct like the
/// medium.
constexpr double even = 0.2;

/// Weight of a link; s = distance / reach.
double falloff(double s) { return s < 1.0 ? (1.0 - s) * (1.0 - s) : 0.0; }

/// Sums over a cubic lattice of unit spacing.
struct LatticeSums {
  double square = 0.0;  ///< sum w x^2: conduction along x
  double facing = 0.0;  ///< for a particle at a plane surface: |sum w u/r| / sum w
};
LatticeSums lattice_sums() {
  LatticeSums sums;
  double near = 0.0;
  for (int x = -2; x <= 2; ++x)
    for (int y = -2; y <= 2; ++y)
      for (int z = -2; z <= 2; ++z) {
        const double r = std::sqrt(double(x * x + y * y + z * z));
        if (!(r > 0.0)) continue;
        const double w = falloff(r / link_reach);
        sums.square += w * x * x;
        if (z >= 0) near += w, sums.facing += w * z / r;
      }
  sums.facing /= near;
  return sums;
}

double harmonic(double a, double b) { return a + b > 0.0 ? 2.0 * a * b / (a + b) : 0.0; }

double diameter(const World& world) { return 2.0 * world.settings.solver.contact->particle_radius; }

bool is_lump(const World& world, std::int32_t i) {
  return world.topology->fluid.takes_part(i) || world.topology->matter.takes_part(i);
}

/// The inverse of the share of conduction that the links provide, bounded because a few links cannot stand
/// for a medium.
double bounded_correction(double share) { return 1.0 / std::clamp(share, 0.4, 2.5); }

/// Conductance factor: exchange at a lump's surface in series with conduction through half of the lump.
double through_half(double exchange, double conductivity, double radius) {
  if (!(exchange > 0.0) || !(conductivity > 0.0)) return 0.0;
  return 1.0 / (1.0 / exchange + radius / conductivity);
}

}  // namespace

bool HeatFlow::enabled(const World& world) { return !world.heat->empty(); }

void HeatFlow::reserve(const World& world) {
  parts_.clear();
  if (!enabled(world)) return;
  const std::size_t count = std::size_t(world.particles.count);
  parts_ = world.heat->mesh->parts;
  phase_.assign(count, 0);
  const double d = diameter(world);
  double widest = 0.0;
  bool lumps = false;
  for (std::size_t i = 0; i < count; ++i) {
    parts_[i].lump = is_lump(world, std::int32_t(i));
    lumps |= parts_[i].lump;
    if (parts_[i].lump) parts_[i].touching = d * d;
    if (!parts_[i].lump) phase_[i] = world.particles.object[i] + 1;
    widest = std::max(widest, 2.0 * touch_reach * material_of(world, std::int32_t(i)).thickness);
  }
  bodies_.reserve(world);
  skins_.assign(BodyWarmth::enabled(world) ? count : 0, {});
  reach_ = real(std::max(lumps ? link_reach * d : 0.0, widest));
  const LatticeSums sums = lattice_sums();
  volume_ = d * d * d;
  link_length_ = link_reach * d;
  weight_ = 2.0 * d / sums.square;  // because sum w x^2 / 2 must be the volume of a lump
  facing_ = sums.facing;
  members_.reserve(count);
  search_.reserve(count);
  edges_of_.assign(count, 0);
  for (const HeatMesh::Edge& edge : world.heat->mesh->edges)
    ++edges_of_[std::size_t(edge.a)], ++edges_of_[std::size_t(edge.b)];
  row_.assign(count + 1, 0), next_.assign(count, 0);
  links_.reserve(2 * world.heat->mesh->edges.size() + 24 * count);
  places_.assign(count, glm::dvec3(0.0));
  mass_.assign(count, 0.0), supplied_.assign(count, 0.0), free_.assign(count, 0.0);
  spread_.assign(count, 0.0);
  outside_.assign(count, 0.0), warmth_.assign(count, 0.0), touched_.assign(count, 0);
}

void HeatFlow::search(World& world, Team& team) {
  if (team.rank() == 0) {
    members_.clear();
    for (std::int32_t i = 0; i < world.particles.count; ++i)
      if (!is_parked(world.topology->fluid, world.matter.fluid, i) &&
          world.topology->internal_to_external[std::size_t(i)] >= 0)
        members_.push_back(i);
  }
  team.barrier();
  const Swarm everywhere = Swarm::everywhere(reach_);
  search_.find(world, members_, world.particles.position, phase_, {{&everywhere, 1}, {}}, team);
}

/// Makes the rows of links: edges of meshes, then pairs of near particles, in the order in which they were
/// found.
void HeatFlow::link(const World& world) {
  std::fill(next_.begin(), next_.end(), std::size_t(0));
  const auto for_all = [&](const auto& act) {
    for (const HeatMesh::Edge& edge : world.heat->mesh->edges) act(edge.a, edge.b, edge.length);
    for (const auto& list : search_.pairs())
      for (const ParticlePair& pair : list) act(pair.a, pair.b, 0.0);
  };
  for_all([&](std::int32_t a, std::int32_t b, double) { ++next_[std::size_t(a)], ++next_[std::size_t(b)]; });
  std::size_t end = 0;
  for (std::size_t i = 0; i < next_.size(); ++i) {
    row_[i] = end;
    end += next_[i];
    next_[i] = row_[i];
  }
  row_.back() = end;
  links_.resize(end);
  for_all([&](std::int32_t a, std::int32_t b, double length) {
    links_[next_[std::size_t(a)]++] = {b, length};
    links_[next_[std::size_t(b)]++] = {a, length};
  });
}

/// Computes the share of a lump's surface that is free, from the asymmetry of its neighbours and walls: |sum
/// w u/r| / sum w, as a multiple of the value at a plane. Also counts the particles of other objects that
/// each particle touches.
void HeatFlow::note_surfaces(const World& world, const StaticContacts* contacts, const Share& mine) {
  const double d = diameter(world);
  for (std::int64_t k = mine.begin; k < mine.end; ++k) {
    const std::size_t i = std::size_t(k);
    const double w = double(world.particles.inverse_mass[i]);
    mass_[i] = w > 0.0 ? 1.0 / w : 0.0;
    touched_[i] = 0, free_[i] = parts_[i].free_area;
    const glm::dvec3 x = places_[i];
    glm::dvec3 away(0.0);
    double square = 0.0, near = 0.0;
    for (std::size_t l = row_[i] + edges_of_[i]; l < row_[i + 1]; ++l) {
      const std::size_t j = std::size_t(links_[l].to);
      const glm::dvec3 u = x - places_[j];
      const double r = glm::length(u);
      if (!(r > 0.0)) continue;
      if (parts_[i].lump && parts_[j].lump) {
        const double w = falloff(r / link_length_);
        away += w / r * u, square += w * r * r, near += w;
      }
      if (!(parts_[i].lump && parts_[j].lump) &&
          r < touch_reach * (material_of(world, std::int32_t(i)).thickness +
                             material_of(world, std::int32_t(j)).thickness))
        ++touched_[i];
    }
    if (!parts_[i].lump) continue;
    if (near > 0.0) away /= facing_ * near;
    spread_[i] = glm::length(away) < even ? bounded_correction(weight_ * square / (6.0 * volume_)) : 0.0;
    if (contacts)
      for (const StaticContact& contact : contacts->of_particle(std::int32_t(i))) {
        const double gap = glm::dot(glm::dvec3(contact.normal), x) - double(contact.offset);
        if (gap < 0.5 * d) away += glm::dvec3(contact.normal);
      }
    const double open = glm::length(away);
    free_[i] = !(near > 0.0) ? round * d * d : open > least_free ? d * d * std::min(open, round) : 0.0;
  }
}

/// Factor that makes the links of lump i conduct like the medium along the unit vector n: V over sum_j w
/// (u.n)^2 of the fuller side. At a plane surface, links across the surface are used as they are, and links
/// along it replace the missing ones; if neighbours are less regular than a lattice, the sum takes that into
/// account.
double HeatFlow::correction(std::size_t i, const glm::dvec3& n) const {
  if (spread_[i] > 0.0) return spread_[i];
  const glm::dvec3 x = places_[i];
  double before = 0.0, behind = 0.0;
  for (std::size_t l = row_[i] + edges_of_[i]; l < row_[i + 1]; ++l) {
    const std::size_t j = std::size_t(links_[l].to);
    if (!parts_[j].lump) continue;
    const glm::dvec3 u = places_[j] - x;
    const double along = glm::dot(u, n), w = falloff(glm::length(u) / link_length_);
    (along > 0.0 ? before : behind) += w * along * along;
  }
  return bounded_correction(weight_ * std::max(before, behind) / volume_);
}

/// W/K, conductance of a pair. With V the volume of a lump on its lattice and w the weight of a link, lumps
/// of one conductivity k conduct like the medium that they represent: sum_j w x^2 / 2 = V.
double HeatFlow::pair_conductance(const World& world, std::size_t a, std::size_t b) const {
  const glm::dvec3 u = places_[b] - places_[a];
  const double r = glm::length(u);
  const Material &first = material_of(world, std::int32_t(a)), &second = material_of(world, std::int32_t(b));
  if (parts_[a].lump && parts_[b].lump) {
    const double w = falloff(r / link_length_);
    if (!(w > 0.0) || !(r > 0.0)) return 0.0;
    const glm::dvec3 n = u / r;
    return weight_ * harmonic(first.conductivity, second.conductivity) * w * 0.5 *
           (correction(a, n) + correction(b, n));
  }
  if (!(r < touch_reach * (first.thickness + second.thickness))) return 0.0;
  const auto area = [&](std::size_t i) { return parts_[i].touching / std::max(touched_[i], 1); };
  return world.settings.heat->contact * std::min(area(a), area(b));
}

void HeatFlow::conduct(const World& world, const Share& mine) {
  for (std::int64_t k = mine.begin; k < mine.end; ++k) {
    const std::size_t i = std::size_t(k);
    const double own = material_of(world, std::int32_t(k)).conductivity;
    for (std::size_t l = row_[i]; l < row_[i + 1]; ++l) {
      Link& link = links_[l];
      const std::size_t j = std::size_t(link.to);
      link.conductance = l < row_[i] + edges_of_[i] ? own * link.conductance
                                                    : pair_conductance(world, std::min(i, j), std::max(i, j));
    }
  }
}

/// Makes links from the free surface of particles to the air, and to colliders that have a temperature.
void HeatFlow::surround(const World& world, const Share& mine) {
  const HeatSettings& settings = *world.settings.heat;
  const double r = 0.5 * diameter(world);
  for (std::int64_t k = mine.begin; !skins_.empty() && k < mine.end; ++k) {
    const std::size_t i = std::size_t(k);
    const Material& material = material_of(world, std::int32_t(k));
    const bool there = !is_parked(world.topology->fluid, world.matter.fluid, std::int32_t(k));
    skins_[i] = {there ? parts_[i].touching : 0.0,
                 parts_[i].lump ? through_half(settings.contact, material.conductivity, r) : settings.contact,
                 1.5 * double(material.thickness)};
  }
  if (!skins_.empty()) bodies_.touch(world, skins_, mine);
  for (std::int64_t k = mine.begin; k < mine.end; ++k) {
    const std::size_t i = std::size_t(k);
    const Material& material = material_of(world, std::int32_t(k));
    outside_[i] = warmth_[i] = 0.0;
    if (is_parked(world.topology->fluid, world.matter.fluid, std::int32_t(k))) continue;
    const double half = parts_[i].lump ? r : 0.0;
    const auto exchanged = [&](double coefficient) {
      return half > 0.0 ? through_half(coefficient, material.conductivity, half) : coefficient;
    };
    outside_[i] = std::max(free_[i] - bodies_.covered(i), 0.0) * exchanged(settings.exchange);
    warmth_[i] = outside_[i] * settings.ambient;
    const double contact = parts_[i].touching * exchanged(settings.contact);
    for (std::size_t c = 0; c < std::min(settings.colliders.size(), world.colliders.size()); ++c) {
      if (!(settings.colliders[c] > -273.15)) continue;
      const double gap = double(closest(world.colliders[c], vec3(world.particles.position[i])).distance) -
                         double(material.thickness);
      if (gap > 0.5 * double(material.thickness)) continue;
      if (!particle_touches_collider(world, std::int32_t(k), c)) continue;
      outside_[i] += contact;
      warmth_[i] += contact * settings.colliders[c];
    }
  }
}

void HeatFlow::exchange(World& world, double dt, Team& team) {
  HeatState& heat = *world.heat;
  const Share mine = team.share(world.particles.count, particle_block);
  double limit = std::numeric_limits<double>::max();  // s
  for (std::int64_t k = mine.begin; k < mine.end; ++k) {
    const std::size_t i = std::size_t(k);
    supplied_[i] = 0.0;
    double all = outside_[i] + bodies_.linked(i);
    for (std::size_t l = row_[i]; l < row_[i + 1]; ++l) all += std::abs(links_[l].conductance);
    const double capacity = mass_[i] * material_of(world, std::int32_t(k)).heat_capacity;
    if (all > 0.0 && capacity > 0.0) limit = std::min(limit, caution * capacity / all);
  }
  limits_[std::size_t(team.rank())] = limit;
  team.barrier();
  if (team.rank() == 0) {
    double least = *std::min_element(limits_.begin(), limits_.begin() + team.size());
    if (BodyWarmth::enabled(world)) least = std::min(least, bodies_.limit());
    const double wanted = dt * world.settings.heat->speed, needed = std::ceil(wanted / least);
    substeps_ = int(std::clamp(needed, 1.0, double(most_substeps)));
    heat.substeps = substeps_;
    heat.reached = std::min(1.0, double(most_substeps) / std::max(needed, 1.0));
    step_ = wanted * heat.reached / substeps_;
  }
  team.barrier();
  for (int s = 0; s < substeps_; ++s) {
    if (s > 0) team.barrier();
    for (std::int64_t k = mine.begin; k < mine.end; ++k) {
      const std::size_t i = std::size_t(k);
      heat.temperature[i] = HeatLaw::of(material_of(world, std::int32_t(k))).temperature(heat.enthalpy[i]);
    }
    if (team.rank() == 0 && BodyWarmth::enabled(world)) bodies_.take(world);
    team.barrier();
    if (team.rank() == 0 && BodyWarmth::enabled(world)) bodies_.step(world, heat.temperature, step_);
    for (std::int64_t k = mine.begin; k < mine.end; ++k) {
      const std::size_t i = std::size_t(k);
      const double own = heat.temperature[i];
      double within = bodies_.into(i, own);  // W
      for (std::size_t l = row_[i]; l < row_[i + 1]; ++l)
        within += links_[l].conductance * (heat.temperature[std::size_t(links_[l].to)] - own);
      if (!(mass_[i] > 0.0)) {  // a particle of fixed temperature supplies the heat that its neighbours take
        supplied_[i] -= step_ * within;
        continue;
      }
      const double from_outside = warmth_[i] - outside_[i] * own;
      supplied_[i] += step_ * from_outside;
      heat.enthalpy[i] += step_ * (within + from_outside) / mass_[i];
    }
  }
}

/// A particle melts at six tenths of its melting range and freezes at four tenths.
void HeatFlow::change_phases(World& world, Team& team) {
  constexpr double melts_at = 0.6, freezes_at = 0.4;
  HeatState& heat = *world.heat;
  const Share mine = team.share(world.particles.count, particle_block);
  std::int64_t changed = 0;
  for (std::int64_t k = mine.begin; k < mine.end; ++k) {
    const std::size_t i = std::size_t(k);
    const Material& material = material_of(world, std::int32_t(k));
    const HeatLaw law = HeatLaw::of(material);
    heat.temperature[i] = law.temperature(heat.enthalpy[i]);
    if (!material.melts || !world.topology->fluid.takes_part(std::int32_t(k)) ||
        is_parked(world.topology->fluid, world.matter.fluid, std::int32_t(k)))
      continue;
    const double molten = law.molten(heat.enthalpy[i]);
    const bool frozen = heat.frozen[i] ? molten < melts_at : molten < freezes_at;
    if (frozen == (heat.frozen[i] != 0)) continue;
    heat.frozen[i] = frozen ? 1 : 0;
    ++changed;
  }
  changed_[std::size_t(team.rank())] = changed;
  team.barrier();
  if (team.rank() == 0) {
    for (int t = 0; t < team.size(); ++t) heat.changes += changed_[std::size_t(t)];
    for (const std::int32_t i : members_) heat.supplied += supplied_[std::size_t(i)];
    const bool changes =
        std::any_of(changed_.begin(), changed_.begin() + team.size(), [](std::int64_t n) { return n > 0; });
    if (changes || loses_members(world)) group_frozen(world, search_, grouping_);
  }
}

void HeatFlow::begin(World& world, Team& team) {
  if (world.heat->grouped) return;  // search() has barriers between this and what group_frozen() sets
  search(world, team);
  team.barrier();
  if (team.rank() == 0) group_frozen(world, search_, grouping_);
}

void HeatFlow::run(World& world, const StaticContacts* contacts, double dt, Team& team) {
  search(world, team);
  team.barrier();
  if (team.rank() == 0) {
    link(world);
    if (limits_.size() < std::size_t(team.size())) limits_.resize(std::size_t(team.size()));
    if (changed_.size() < std::size_t(team.size())) changed_.resize(std::size_t(team.size()));
  }
  team.barrier();
  const Share mine = team.share(world.particles.count, particle_block);
  for (std::int64_t k = mine.begin; k < mine.end; ++k)
    places_[std::size_t(k)] = place_of(world.particles, std::size_t(k));
  team.barrier();
  note_surfaces(world, contacts, mine);
  team.barrier();
  conduct(world, mine);
  surround(world, mine);
  team.barrier();
  if (BodyWarmth::enabled(world)) {
    if (team.rank() == 0) bodies_.link(world);
    team.barrier();
  }
  exchange(world, dt, team);
  team.barrier();
  change_phases(world, team);
}

}}  // namespace limber::LIMBER_PRECISION
