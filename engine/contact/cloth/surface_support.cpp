// The part of SurfaceContacts for surfaces that lie on others which a collider supports: it keeps a heavy
// sheet from sinking into a light one.
//
// A sweep of push_pairs() lifts the heavy sheet by its share w_heavy / (w_heavy + w_light) of an overlap and
// presses the light sheet into the ground, which the collider undoes. The multiplier therefore grows only by
// the light mass times the overlap per substep, while a share of it is lost to the next substep: a sheet a
// hundred times as heavy as the light one rested at half of the thickness. If the sweep takes the collider's
// support into account, only the heavy mass counts.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "engine/contact/cloth/supported_pair.hpp"
#include "engine/contact/cloth/surface_contacts.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

void SurfaceContacts::note_masses(const World& world) {
  for (Group& group : groups_) group.lightest = group.heaviest = 0.0;
  for (std::int32_t p = 0; p < search_.parts(); ++p) {
    const ParticleRange& range = world.topology->objects[std::size_t(search_.object(p))];
    double sum = 0.0;
    std::int64_t count = 0;
    for (std::int32_t i = range.first; i < range.end(); ++i)
      if (const real w = world.particles.position[std::size_t(i)].w; w > real(0))
        sum += 1.0 / double(w), ++count;
    if (count == 0) continue;
    const double mean = sum / double(count);
    Group& group = groups_[std::size_t(search_.swarm(p))];
    group.lightest = group.lightest > 0.0 ? std::min(group.lightest, mean) : mean;
    group.heaviest = std::max(group.heaviest, mean);
  }
}

void SurfaceContacts::push_supported(World& world, StaticContacts& colliders, Team& team) {
  ColorTurns turns(team);
  for_colors(
      turns, [](const Group& group) { return (group.traits & uneven) != 0; },
      [&](const Slots& slots) { push_supported(world, colliders, slots); });
}

void SurfaceContacts::push_supported(World& world, StaticContacts& colliders, const Slots& slots) {
  const SurfacePairView<real> pairs = slots.pairs().view();
  for (std::size_t slot = std::size_t(slots.begin); slot < std::size_t(slots.end); ++slot) {
    if (!(pairs.distance[slot] > real(0))) continue;  // padding
    const vec3 n = pair_row(pairs.normal, slot), kept = pair_row(pairs.kept, slot);
    SupportedPair pair{pairs, slot, world.particles};
    if (kept == vec3(0) && glm::dot(n, pair.apart()) >= pairs.hold[slot]) continue;
    if (pair.find_support(colliders, n)) push_supported_pair(pair, n, kept);
  }
}

}}  // namespace limber::LIMBER_PRECISION
