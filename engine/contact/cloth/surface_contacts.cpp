#include "engine/contact/cloth/surface_contacts.hpp"

#include <algorithm>
#include <cmath>
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Share of Particles::stray that is kept from one frame to the next.
constexpr real stray_kept = real(0.9);
/// Ratio of the mean particle masses of two objects above which they are uneven.
constexpr double most_even_ratio = 4.0;

using L1 = Lanes<real, 1>;

}  // namespace

bool SurfaceContacts::enabled(const World& world) const {
  return world.settings.solver.contact->cloth_collision && world.topology->facets() > 0;
}

void SurfaceContacts::reserve(const World& world) {
  search_.reserve(world);
  tangles_.reserve(world, search_.pairs(PairKind::vertex_triangle).size());
  zones_.reserve(world);
  const std::size_t parts = std::size_t(search_.parts());  // groups of another number of parts start empty
  if (groups_.size() != parts) groups_ = std::vector<Group>(parts);
  for (Group& group : groups_) group.traits = 0, group.tangled = group.takes_anew = false;
  at_work_.clear(), at_work_.reserve(groups_.size());
  for (auto& used : used_) used.assign(std::size_t(world.particles.padded()), 0);
}

void SurfaceContacts::begin_frame(World& world, real dt, Team& team) {
  if (team.rank() == 0) {
    searches_ = 0, in_zones_ = 0, remembered_ = true;
    scale_kept(world, dt / real(world.settings.solver.step->substeps));
    search_.begin_frame();
  }
  team.barrier();
  const Share share = team.share(std::int64_t(world.particles.stray.size()));
  for (std::int64_t g = share.begin; g < share.end; ++g) world.particles.stray[std::size_t(g)] *= stray_kept;
  const auto& x = world.particles.position;
  const bool parted = world.contacts.parted;
  if (parted) {
    tangles_.rest(team);
    const Motion motion{world.particles.previous, x, world.particles.velocity, real(0), dt};
    search(world, motion, real(0), team);
    team.barrier();
    settle_parted(world, team);
  }
  tangles_.begin_frame(world, dt, team);
  const Motion motion{x, x, world.particles.velocity, real(0), dt};
  if (!parted) search(world, motion, real(0), team);
  team.barrier();
  if (parted && tangles_.active()) {
    take(world, motion, team);
    team.barrier();
  }
  if (team.rank() == 0) note_masses(world);
}

void SurfaceContacts::follow_tears(World& world, real elapsed, real remaining, Team& team) {
  const Particles& particles = world.particles;
  const Motion motion{particles.previous, particles.position, particles.velocity, real(0), remaining};
  search_.invalidate_split_particles(world, team);
  team.barrier();
  search(world, motion, elapsed, team);
  team.barrier();
  settle_parted(world, team);
  search_.forget_strays(team);
}

/// Searches the pairs of the objects that are due: all objects at the beginning of a frame, later those with
/// strays.
void SurfaceContacts::search(World& world, const Motion& motion, real elapsed, Team& team) {
  if (!search_.prepare(world, motion, elapsed, team)) return;
  search_.run(world, motion, elapsed, team);
  team.barrier();
  take(world, motion, team);
}

/// Gives the objects that are due their new pairs. If only strays of an object are followed, its pairs
/// without a stray keep their slots.
void SurfaceContacts::take(World& world, const Motion& motion, Team& team) {
  if (team.rank() == 0) list_groups();
  if (tangles_.active())
    for (int k = 0; k < pair_kinds; ++k)
      tangles_.release(PairKind(k), search_.pairs(PairKind(k)), motion.from, team);
  remember(world, team);
  team.barrier();
  for_slots(Which::all, true, team, [&](const Slots& slots) {
    if (slots.batch < pair_kinds && !slots.group.takes_anew)
      slots.pairs().retire(slots.begin, slots.end, search_.strays());
  });
  team.barrier();
  plan(world, team);
  team.barrier();
  if (team.rank() == 0) list_at_work();
  fill(team);
  team.barrier();
  for_slots(Which::all, true, team, [&](const Slots& slots) {
    if (slots.batch >= pair_kinds || slots.group.takes_anew) recall(world, slots);
  });
  for_slots(Which::watched, true, team, [&](const Slots& slots) {
    if (slots.batch >= pair_kinds || slots.group.takes_anew) aim_slots(slots, motion.from);
  });
}

/// Lists the groups that are due and the lists from which they take their pairs. Serial.
void SurfaceContacts::list_groups() {
  const auto is_due = [&](std::int32_t part) { return search_.due(part) != SurfaceSearch::Due::nothing; };
  for (std::int32_t p = 0; p < search_.parts(); ++p) {
    Group& group = groups_[std::size_t(p)];
    group.lists.clear(), group.lists_of_strays.clear();
    if (is_due(p)) group.tangled = false;
  }
  for (std::int32_t p = 0; p < search_.parts(); ++p)
    if (is_due(p) && tangles_.active(search_.object(p)))
      groups_[std::size_t(search_.swarm(p))].tangled = true;
  bool any = false;
  for (std::int32_t p = 0; p < search_.parts(); ++p) {
    if (!is_due(p)) continue;
    Group& group = groups_[std::size_t(search_.swarm(p))];
    const bool searched = search_.due(p) == SurfaceSearch::Due::search;
    any |= searched;
    search_.drop_strays_of(p, group.tangled);
    groups_[std::size_t(p)].takes_anew =
        searched || group.tangled;  // swarms that joined another one have no lists of their own
    const auto [first, end] = search_.blocks_of(p);
    for (std::int32_t b = first; b < end; ++b) group.lists.push_back(b);
    for (std::int32_t b = first; b < end; ++b) group.lists_of_strays.push_back(search_.blocks() + b);
  }
  for (Group& group : groups_)
    if (group.tangled)
      group.lists.insert(group.lists.end(), group.lists_of_strays.begin(), group.lists_of_strays.end());
  searches_ += any;
}

void SurfaceContacts::list_at_work() {
  at_work_.clear();
  for (std::size_t g = 0; g < groups_.size(); ++g)
    if (std::any_of(std::begin(groups_[g].batches), std::end(groups_[g].batches),
                    [](const PairBatch& batch) { return batch.slots() > 0; }))
      at_work_.push_back(std::int32_t(g));
}

/// Plans the batches of the groups that are due; threads take groups and kinds in turn.
void SurfaceContacts::plan(const World& world, Team& team) {
  int task = 0;
  const bool bounce = bouncy(world);
  for (std::int32_t p = 0; p < search_.parts(); ++p) {
    if (search_.due(p) == SurfaceSearch::Due::nothing) continue;
    Group& group = groups_[std::size_t(p)];
    for (int batch = 0; batch < batch_count_; ++batch) {
      if (batch < pair_kinds && !group.takes_anew) continue;
      const int k = int(kind(batch));
      if ((task + k) % team.size() != team.rank()) continue;
      PairBatch& pairs = group.batches[batch];
      pairs.plan(lists_of(group, batch), world.particles.count, PairKind(k), kept_, used_[k]);
      const std::int32_t slots = pairs.slots();
      group.crossing[batch].resize(std::size_t(slots));
      group.crossing_count[batch].assign(std::size_t((slots + block_slots_ - 1) / block_slots_), 0);
      group.turned[batch].assign(std::size_t(slots), 0);
      if (bounce) group.bounces[batch].assign(std::size_t(pairs.contact_slots()), {});
    }
    task += pair_kinds;
  }
}

/// The lists of pairs for a batch; none for a batch of strays after a full search.
PairBatch::Lists SurfaceContacts::lists_of(const Group& group, int batch) const {
  const PairKind k = kind(batch);
  const auto all = group.tangled ? tangles_.kept(k) : search_.pairs(k);
  if (batch < pair_kinds) return {all, group.lists};
  return {all, group.takes_anew ? std::span<const std::int32_t>() : group.lists_of_strays};
}

void SurfaceContacts::fill(Team& team) {
  std::int64_t lists = 0;
  const auto for_batches = [&](const auto& visit) {
    for (std::int32_t p = 0; p < search_.parts(); ++p)
      if (search_.due(p) != SurfaceSearch::Due::nothing)
        for (int batch = 0; batch < batch_count_; ++batch) {
          Group& group = groups_[std::size_t(p)];
          if (batch >= pair_kinds || group.takes_anew) visit(group.batches[batch], lists_of(group, batch));
        }
  };
  for_batches([&](PairBatch&, const PairBatch::Lists& of) { lists += of.size(); });
  const Share share = team.share(lists);
  std::int64_t first = 0;
  for_batches([&](PairBatch& batch, const PairBatch::Lists& of) {
    batch.fill(of, std::clamp(share.begin - first, std::int64_t(0), of.size()),
               std::clamp(share.end - first, std::int64_t(0), of.size()));
    first += of.size();
  });
}

std::int64_t SurfaceContacts::contacts() const {
  std::int64_t all = 0;
  for (const Group& group : groups_)
    for (const PairBatch& batch : group.batches) all += batch.contacts();
  return all;
}
std::int64_t SurfaceContacts::watched() const {
  std::int64_t all = 0;
  for (const Group& group : groups_)
    for (const PairBatch& batch : group.batches) all += batch.pairs();
  return all;
}

void SurfaceContacts::aim_slots(const Slots& slots, const AlignedVector<vec4>& places) {
  kernels_.aim[int(kind(slots.batch))](slots.pairs().view(), slots.begin, slots.end, flat(places));
}

void SurfaceContacts::aim(World& world, Team& team) {
  if (team.rank() == 0) zoned_ = remembered_ = false;
  const real* places = flat(world.particles.previous);
  const bool bounce = bouncy(world);
  for_slots(Which::contacts, false, team, [&](const Slots& slots) {
    kernels_.aim_contacts[int(kind(slots.batch))](slots.pairs().view(), slots.begin, slots.end, places);
    if (slots.group.tangled) slots.pairs().start_anew(slots.begin, slots.end);
    if (bounce) aim_bounces(world, slots);
  });
  for_slots(Which::all, false, team,
            [&](const Slots& slots) { aim_turned(slots, world.particles.previous); });
  real *points = flat(world.particles.position), *moved = flat(world.particles.moved);
  team.barrier();  // all pairs must be aimed, and bounces computed from predicted positions
  ColorTurns turns(team);
  for_colors(turns, [&](const Slots& slots) {
    kernels_.warm(slots.pairs().view(), slots.begin, slots.end, points, moved);
  });
}

/// The direction of a watched pair stays valid from one substep to the next, except for pairs whose path was
/// cut in two (`turned`): they get a new one.
void SurfaceContacts::aim_turned(const Slots& slots, const AlignedVector<vec4>& places) {
  std::vector<std::uint8_t>& turned = slots.group.turned[slots.batch];
  for (std::int32_t s = slots.begin; s < slots.end; ++s) {
    if (!std::exchange(turned[std::size_t(s)], std::uint8_t(0))) continue;
    if (s < slots.pairs().contact_slots()) continue;  // contacts have been aimed in aim()
    const auto aim = kind(slots.batch) == PairKind::vertex_triangle ? aim_pairs<PairKind::vertex_triangle, L1>
                                                                    : aim_pairs<PairKind::edge_edge, L1>;
    aim(slots.pairs().view(), s, s + 1, flat(places));
  }
}

void SurfaceContacts::note_traits(std::span<const std::uint8_t> traits) {
  for (Group& group : groups_) group.traits = group.heaviest > most_even_ratio * group.lightest ? uneven : 0;
  for (std::int32_t p = 0; p < search_.parts(); ++p)
    groups_[std::size_t(search_.swarm(p))].traits |= traits[std::size_t(search_.object(p))];
}

void SurfaceContacts::push(World& world, std::uint8_t asked, std::uint8_t having, Team& team) {
  real *points = flat(world.particles.position), *moved = flat(world.particles.moved);
  if (tangles_.active()) {
    if (team.rank() == 0) tangles_.pull(world);
    team.barrier();
  }
  const auto takes = [&](const Group& group) { return (group.traits & asked) == having; };
  ColorTurns turns(team);
  for_colors(turns, takes, [&](const Slots& slots) {
    kernels_.push(slots.pairs().view(), slots.begin, slots.end, points, moved);
  });
}

void SurfaceContacts::read_contacts(const World& world, std::vector<ContactMark>& out) {
  constexpr double slack = 1.05;  // contacts that push lie about at their distance
  const auto read = [&](PairBatch& batch) {
    const SurfacePairView<real> view = batch.view();
    for (std::int32_t slot = 0; slot < batch.contact_slots(); ++slot) {
      if (!(view.distance[slot] > real(0))) continue;  // padding
      const glm::dvec3 n(view.normal[0][slot], view.normal[1][slot], view.normal[2][slot]);
      glm::dvec3 point(0.0);
      double gap = 0.0;
      for (int j = 0; j < 4; ++j) {
        const glm::dvec3 x(world.particles.position[std::size_t(view.vertices[j][slot])]);
        const double s = double(view.weight[j][slot]);
        point += 0.5 * std::abs(s) * x;  // midpoint: the weights of either feature add up to one
        gap += s * glm::dot(n, x);
      }
      if (gap <= slack * double(view.distance[slot])) out.push_back({point, n, ContactBetween::surfaces});
    }
  };
  for (Group& group : groups_)
    for (PairBatch& batch : group.batches) read(batch);
}

}}  // namespace limber::LIMBER_PRECISION
