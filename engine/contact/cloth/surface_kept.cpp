// The part of SurfaceContacts that keeps multipliers of surface pairs from one search to the next.
#include "engine/contact/cloth/surface_contacts.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Rescales the multipliers, which are forces times h^2, to a new h.
void SurfaceContacts::scale_kept(World& world, real h) const {
  const real before = world.contacts.surface_step;
  world.contacts.surface_step = h;
  if (before == h || !(before > real(0))) return;
  const real factor = (h / before) * (h / before);
  for (SurfaceContact& contact : world.contacts.surfaces) contact.kept *= factor, contact.before *= factor;
}

/// Stores the contacts that push before their slots are overwritten.
void SurfaceContacts::remember(World& world, Team& team) {
  if (team.rank() == 0) {
    if (!remembered_) list_kept(world);
    remembered_ = true;
    kept_.index(world.contacts.surfaces);
  }
}

/// Stores these contacts in the World, in the order of their slots.
void SurfaceContacts::list_kept(World& world) {
  world.contacts.surfaces.clear();
  const auto list = [&](Group& group, int batch) {
    const SurfacePairView<real> pairs = group.batches[batch].view();
    const std::int32_t slots = group.batches[batch].contact_slots();
    for (std::int32_t s = 0; s < slots; ++s) {
      if (!is_kept(pairs, s)) continue;
      world.contacts.surfaces.push_back(
          {{pairs.vertices[0][s], pairs.vertices[1][s], pairs.vertices[2][s], pairs.vertices[3][s]},
           kind(batch) == PairKind::edge_edge ? 1 : 0,
           vec3(pairs.kept[0][s], pairs.kept[1][s], pairs.kept[2][s]),
           pairs.before[s],
           {pairs.anchor[0][s], pairs.anchor[1][s]}});
    }
  };
  for (const std::int32_t g : at_work_)
    for (int batch = 0; batch < batch_count_; ++batch) list(groups_[std::size_t(g)], batch);
}

/// Gives new slots the multipliers of the former contacts of their features.
void SurfaceContacts::recall(const World& world, const Slots& slots) {
  if (world.contacts.surfaces.empty()) return;
  const SurfacePairView<real> pairs = slots.pairs().view();
  const std::int32_t end = std::min(slots.end, slots.pairs().contact_slots());
  for (std::int32_t s = slots.begin; s < end; ++s) {
    const std::int32_t number = kept_.find(kind(slots.batch), slots.pairs().vertices(s));
    if (number < 0) continue;
    const SurfaceContact& had = world.contacts.surfaces[std::size_t(number)];
    for (int k = 0; k < 3; ++k) pairs.kept[k][s] = had.kept[k];
    for (std::size_t k = 0; k < 2; ++k) pairs.anchor[k][s] = had.anchor[k];
    pairs.before[s] = had.before;
  }
}

void SurfaceContacts::end_frame(World& world, const Team& team) {
  if (team.rank() == 0 && !remembered_) list_kept(world);
}

}}  // namespace limber::LIMBER_PRECISION
