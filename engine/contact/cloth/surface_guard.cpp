// The part of SurfaceContacts that prevents crossings: the test after the iterations, impact zones for
// features that fail it, and the separation of copies of split vertices.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/contact/cloth/surface_contacts.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Share of the contact distance that must remain at the end of a substep; a tenth is far above rounding.
constexpr real least_slab = real(0.1);
/// Features that were already closer than this slab may approach by a fifth in a substep, but not below a few
/// spacings of floating-point numbers as large as their coordinates. Features closer than that approach no
/// further, except by the rounding of impact zones; features no farther apart than two spacings touch.
constexpr real least_kept = real(0.8), few_spacings = real(32), touching_spacings = real(2);
/// Rounds of growing zones after which all particles of a swarm move as one.
constexpr int most_rounds = 100;
/// The steps that separate torn copies are halved at most this many times before the features in their way
/// move with them: copies that move as one stay at one place and have no sides.
constexpr int most_shortenings = 7;

/// If no single direction separates a rotating pair for the whole substep, the substep is halved up to this
/// many times.
constexpr int most_halvings = 5;

using L1 = Lanes<real, 1>;

/// The unit vector from the second feature to the first at their nearest points.
template <PairKind Kind>
Vec3<L1> direction(const Vec3<L1> (&x)[4]) {
  const std::int32_t index[4] = {0, 1, 2, 3};
  real points[16], normal[3], weight[4];
  SurfacePairView<real> pair{};
  for (int j = 0; j < 4; ++j) {
    pair.vertices[j] = index + j, pair.weight[j] = weight + j;
    points[4 * j] = x[j].x.v, points[4 * j + 1] = x[j].y.v, points[4 * j + 2] = x[j].z.v,
               points[4 * j + 3] = 0;
  }
  for (int k = 0; k < 3; ++k) pair.normal[k] = normal + k;
  aim_pairs<Kind, L1>(pair, 0, 1, points);
  return {normal[0], normal[1], normal[2]};
}

/// Whether slabs of width `least` separate the features during the whole straight motion from `before` to
/// `now`.
template <PairKind Kind>
bool stay_apart(const Vec3<L1> (&before)[4], const Vec3<L1> (&now)[4], real least, int halvings) {
  const Vec3<L1> n = direction<Kind>(before);
  if (slab_width<Kind>(n, before).v >= least && slab_width<Kind>(n, now).v >= least) return true;
  if (halvings == 0) return false;
  Vec3<L1> middle[4];
  for (int j = 0; j < 4; ++j) middle[j] = L1(real(0.5)) * (before[j] + now[j]);
  return stay_apart<Kind>(before, middle, least, halvings - 1) &&
         stay_apart<Kind>(middle, now, least, halvings - 1);
}

/// m, spacing of floating-point numbers as large as the largest coordinate.
real spacing_at(const Vec3<L1> (&x)[4]) {
  real largest = 0;
  for (const Vec3<L1>& p : x)
    largest = std::max({largest, std::abs(p.x.v), std::abs(p.y.v), std::abs(p.z.v)});
  return std::numeric_limits<real>::epsilon() * largest;
}

/// m, bound of the approach by rounding of features that move as one (see ImpactZones): for each feature half
/// a spacing for every coordinate that has passed a power of two.
real rounding_of_zones(const Vec3<L1> (&before)[4], const Vec3<L1> (&now)[4]) {
  real sum = 0;
  for (L1 Vec3<L1>::*axis : {&Vec3<L1>::x, &Vec3<L1>::y, &Vec3<L1>::z}) {
    real largest = 0;
    for (int j = 0; j < 4; ++j) {
      const real from = (before[j].*axis).v, to = (now[j].*axis).v;
      if (std::ilogb(to) > std::ilogb(from)) largest = std::max(largest, std::abs(to));
    }
    sum += std::numeric_limits<real>::epsilon() * largest;
  }
  return sum;
}

}  // namespace

/// Moves the copies of split vertices apart, but not through features beside them. All their steps are
/// shortened by the same factor, because they were chosen together.
void SurfaceContacts::settle_parted(World& world, Team& team) {
  // Copies move by a hundredth of an edge: colliders and bodies do not matter.
  if (team.rank() == 0) colliders_ = nullptr, walls_ = {};
  for_slots(Which::contacts, true, team,
            [&](const Slots& slots) { aim_slots(slots, world.particles.previous); });
  team.barrier();
  int shortenings = 0;
  for (; shortenings < most_shortenings && find_crossing(world, team); ++shortenings) {
    shorten_steps(world, team);
    team.barrier();
  }
  if (shortenings == most_shortenings)
    for (int round = 0; round <= most_rounds && stop_crossing(world, round, team);) ++round;
  if (team.rank() == 0) world.contacts.parted = false;
}

/// Halves every particle's displacement since `previous`.
void SurfaceContacts::shorten_steps(World& world, Team& team) {
  const Share share = team.share(world.particles.count, particle_block);
  for (std::size_t i = std::size_t(share.begin); i < std::size_t(share.end); ++i) {
    vec4& to = world.particles.position[i];
    const vec3 from(world.particles.previous[i]), step = vec3(to) - from;
    if (step != vec3(0)) to = vec4(from + step / real(2), to.w);
  }
}

/// True if a particle has left its safe bound; the same on every rank.
bool SurfaceContacts::left_bounds(World& world, real elapsed, Team& team) {
  if (!search_.covers(world.particles, elapsed, team)) left_.store(true, std::memory_order_relaxed);
  team.barrier();
  const bool left = left_.load(std::memory_order_relaxed);
  team.barrier();
  if (team.rank() == 0) left_.store(false, std::memory_order_relaxed);
  return left;  // in either case a barrier follows before left_ is set again
}

template <PairKind Kind>
bool SurfaceContacts::crosses(const World& world, const Slots& slots, std::int32_t slot) {
  const SurfacePairView<real> pairs = slots.pairs().view();
  aim_pairs<Kind, L1>(pairs, slot, slot + 1, flat(world.particles.previous));
  const Vec3<L1> n = {pairs.normal[0][slot], pairs.normal[1][slot], pairs.normal[2][slot]};
  Vec3<L1> before[4], now[4];
  for (int j = 0; j < 4; ++j) {
    before[j] = load_points(flat(world.particles.previous), pairs.vertices[j] + slot, L1()).p;
    now[j] = load_points(flat(world.particles.position), pairs.vertices[j] + slot, L1()).p;
  }
  const real was = slab_width<Kind>(n, before).v;
  const real spacing = std::max(spacing_at(before), spacing_at(now));
  if (!(was > touching_spacings * spacing)) return false;  // they touch: no distance can be kept
  const real kept =
      std::min(was, std::max(least_kept * was, few_spacings * spacing)) - rounding_of_zones(before, now);
  const real least = std::min(least_slab * pairs.distance[slot], kept);
  if (slab_width<Kind>(n, now).v >= least) return false;
  slots.group.turned[slots.batch][std::size_t(slot)] = 1;
  return !stay_apart<Kind>(before, now, least, most_halvings);
}

/// True if a pair crosses; the same on every rank.
bool SurfaceContacts::find_crossing(const World& world, Team& team) {
  for_slots(Which::all, false, team, [&](const Slots& slots) { find_crossing_in(world, slots); });
  team.barrier();
  const bool crossed = crossed_.load(std::memory_order_relaxed);
  team.barrier();
  if (team.rank() == 0) crossed_.store(false, std::memory_order_relaxed);
  return crossed;
}

/// Finds the crossing pairs in a block of slots.
void SurfaceContacts::find_crossing_in(const World& world, const Slots& slots) {
  std::int32_t* const out = slots.group.crossing[slots.batch].data() + slots.begin;
  const std::int32_t close = kernels_.find_close[int(kind(slots.batch))](
      slots.pairs().view(), slots.begin, slots.end, flat(world.particles.position), least_slab, out);
  std::int32_t* const last = std::remove_if(out, out + close, [&](std::int32_t slot) {
    return kind(slots.batch) == PairKind::vertex_triangle
               ? !crosses<PairKind::vertex_triangle>(world, slots, slot)
               : !crosses<PairKind::edge_edge>(world, slots, slot);
  });
  slots.group.crossing_count[slots.batch][std::size_t(slots.begin / block_slots_)] = std::int32_t(last - out);
  if (last != out) crossed_.store(true, std::memory_order_relaxed);
}

void SurfaceContacts::merge_crossing(World& world, int round) {
  if (round == 0) zones_.clear();
  for (const std::int32_t g : at_work_) {
    const Group& group = groups_[std::size_t(g)];
    bool crossed = false;
    for (int batch = 0; batch < batch_count_; ++batch)
      for (std::size_t b = 0; b < group.crossing_count[batch].size(); ++b) {
        const std::int32_t* slot = group.crossing[batch].data() + b * std::size_t(block_slots_);
        for (std::int32_t c = 0; c < group.crossing_count[batch][b]; ++c)
          zones_.join(group.batches[batch].vertices(slot[c]));
        crossed |= group.crossing_count[batch][b] > 0;
      }
    if (crossed && round == most_rounds) join_all(world, g);
  }
  zones_.move(world, colliders_, walls_, substep_);
}

/// Puts all particles of a swarm into one zone.
void SurfaceContacts::join_all(World& world, std::int32_t group) {
  world.contacts.tangle_watch = std::max(
      world.contacts.tangle_watch, ContactState::first_look);  // attachments may separate even such a zone
  std::int32_t first = -1;
  for (std::int32_t p = group; p < search_.parts(); ++p)
    if (search_.swarm(p) == group)
      search_.for_particles(p, [&](std::int32_t i) {
        if (world.topology->internal_to_external[std::size_t(i)] < 0) return;
        if (first < 0) first = i;
        zones_.join({{first, i}});
      });
}

void SurfaceContacts::answer_walls(World& world, std::span<BodyWall> walls, real h, TouchedParts* touched,
                                   Team& team) {
  if (!zoned_) return;
  team.barrier();  // all threads must have computed their velocities
  if (team.rank() == 0) zones_.answer(world, walls, h, touched);
}

bool SurfaceContacts::guard(World& world, const StaticContacts* colliders, std::span<BodyWall> walls,
                            const Moment& now, TouchedParts* touched, Team& team) {
  const Particles& particles = world.particles;
  const Motion motion{particles.previous, particles.position, particles.velocity, now.h, now.remaining};
  if (team.rank() == 0) colliders_ = colliders, walls_ = walls, substep_ = now.in_frame;
  for (int round = 0; round <= most_rounds; ++round) {
    if (left_bounds(world, now.elapsed, team) && search_.prepare(world, motion, now.elapsed, team)) {
      if (touched) tell_pushed(world, *touched, true, team);
      search_.learn(world.particles, motion, now.elapsed, false, team);
      team.barrier();
      search_.run(world, motion, now.elapsed, team);
      team.barrier();
      take(world, motion, team);
      team.barrier();
      for_slots(Which::contacts, true, team,
                [&](const Slots& slots) { aim_slots(slots, particles.previous); });
      team.barrier();
      search_.forget_strays(team);
    }
    if (!stop_crossing(world, round, team)) {
      if (now.remaining == real(0)) {
        search_.learn(world.particles, motion, now.elapsed, true, team);
        team.barrier();  // pieces are not the threads' own shares of particles
      }
      return round > 0;
    }
  }
  return true;
}

/// Moves features that would have crossed as zones. Returns whether there were any, the same on every rank.
/// Ends at a barrier.
bool SurfaceContacts::stop_crossing(World& world, int round, Team& team) {
  if (!find_crossing(world, team)) return false;
  if (team.rank() == 0) {
    merge_crossing(world, round);
    zoned_ = true;
    in_zones_ += std::int64_t(zones_.members().size());
  }
  team.barrier();
  return true;
}

}}  // namespace limber::LIMBER_PRECISION
