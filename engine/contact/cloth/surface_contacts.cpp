#include "engine/contact/cloth/surface_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"

namespace limber::inline LIMBER_PRECISION {
namespace {

/// Share of the contact distance that must be left at the end of a substep; a tenth is far above rounding.
constexpr real least_slab = real(0.1);
/// Where they were closer than that already, they may come nearer by a fifth in a substep, but not down to a
/// few spacings of numbers as large as their coordinates. What is as close as that comes no nearer, but
/// for the rounding of what moves as one; what is no farther apart than two of them, touches.
constexpr real least_kept = real(0.8), few_spacings = real(32), touching_spacings = real(2);
/// From one frame to the next.
constexpr real stray_kept = real(0.9);
/// Rounds of growing zones after which everything moves as one.
constexpr int most_rounds = 100;
/// So often the steps that part what has torn are halved before what lies in the way moves with them: copies
/// that move as one stay in one place, and have no sides.
constexpr int most_shortenings = 7;

/// A pair that turns has no direction that separates it all the time; so often its path is cut in two.
constexpr int most_halvings = 5;

using L1 = Lanes<real, 1>;

/// From the second feature to the first, where they are nearest.
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

/// Whether slabs at least `least` wide separate the features all the way from `before` straight to `now`.
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

/// m, of numbers as large as the largest coordinate.
real spacing_at(const Vec3<L1> (&x)[4]) {
  real largest = 0;
  for (const Vec3<L1>& p : x)
    largest = std::max({largest, std::abs(p.x.v), std::abs(p.y.v), std::abs(p.z.v)});
  return std::numeric_limits<real>::epsilon() * largest;
}

/// m, by how much rounding can bring together what has moved as one (see ImpactZones): of either feature half
/// a spacing of every coordinate that has passed a power of two.
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

std::int32_t block_count(std::int32_t slots, std::int32_t size) { return (slots + size - 1) / size; }

}  // namespace

bool SurfaceContacts::enabled(const World& world) const {
  return world.settings.solver.contact->cloth_collision && !world.topology->triangles.empty();
}

void SurfaceContacts::reserve(const World& world) {
  search_.reserve(world);
  tangles_.reserve(world, search_.pairs(PairKind::vertex_triangle).size());
  zones_.reserve(world);
  for (PairBatch& batch : batches_) batch.reserve(world.particles.padded());
}

void SurfaceContacts::begin_frame(World& world, real dt, Team& team) {
  if (team.rank() == 0) {
    searches_ = 0, in_zones_ = 0, remembered_ = true;
    scale_kept(world, dt / real(world.settings.solver.step->substeps));
    search_.begin_frame();
  }
  const Share share = team.share(world.particles.padded(), particle_block);
  for (std::int64_t g = share.begin / stray_group; g < share.end / stray_group; ++g)
    world.particles.stray[std::size_t(g)] *= stray_kept;
  const auto& x = world.particles.position;
  const bool parted = world.contacts.parted;
  if (parted) {
    tangles_.rest(team);
    const Motion motion{world.particles.previous, x, world.particles.velocity, real(0), dt};
    search(world, motion, real(0), team);
    settle_parted(world, team);
  }
  tangles_.begin_frame(world, dt, team);
  const Motion motion{x, x, world.particles.velocity, real(0), dt};
  if (!parted) search(world, motion, real(0), team);
  if (parted && tangles_.active()) take_pairs(world, motion, team);
  team.barrier();
}

void SurfaceContacts::follow_tears(World& world, real elapsed, real remaining, Team& team) {
  const Particles& particles = world.particles;
  const Motion motion{particles.previous, particles.position, particles.velocity, real(0), remaining};
  search_.stray_from_tears(world, team);
  const bool followed = follow(world, motion, elapsed, team);
  if (!followed) search(world, motion, elapsed, team);
  settle_parted(world, team);
  if (followed) search_.forget_strays(team);
  team.barrier();
}

/// The copies of split vertices have been moved apart, but not through what lies beside them. All their steps
/// grow shorter alike, as they were chosen together.
void SurfaceContacts::settle_parted(World& world, Team& team) {
  if (team.rank() == 0) colliders_ = nullptr, walls_ = {};  // copies move by a hundredth of an edge
  for (int b = 0; b < batch_count_; ++b) aim_slots(b, true, world.particles.previous, team);
  team.barrier();
  int shortenings = 0;
  for (; shortenings < most_shortenings && find_crossing(world, team); ++shortenings)
    shorten_steps(world, team);
  if (shortenings == most_shortenings)
    for (int round = 0; round <= most_rounds && stop_crossing(world, round, team);) ++round;
  if (team.rank() == 0) world.contacts.parted = false;
  team.barrier();
}

/// Halves the way that every particle has come from where it was. Ends at a barrier.
void SurfaceContacts::shorten_steps(World& world, Team& team) {
  const Share share = team.share(world.particles.count, particle_block);
  for (std::size_t i = std::size_t(share.begin); i < std::size_t(share.end); ++i) {
    vec4& to = world.particles.position[i];
    const vec3 from(world.particles.previous[i]), step = vec3(to) - from;
    if (step != vec3(0)) to = vec4(from + step / real(2), to.w);
  }
  team.barrier();
}

void SurfaceContacts::search(World& world, const Motion& motion, real elapsed, Team& team) {
  search_.run(world, motion, team);
  if (team.rank() == 0) searched_ = elapsed, ++searches_;
  take_pairs(world, motion, team);
}

/// Looks only for what strays meet, if that is enough; on every rank the same answer.
bool SurfaceContacts::follow(World& world, const Motion& motion, real elapsed, Team& team) {
  const bool followed = search_.follow(world, motion, elapsed - searched_, tangles_.active(), team);
  if (followed && tangles_.active()) take_pairs(world, motion, team);
  if (followed && !tangles_.active()) take_strays(world, motion, team);
  return followed;
}

void SurfaceContacts::take_pairs(World& world, const Motion& motion, Team& team) {
  if (tangles_.active()) {
    for (int k = 0; k < pair_kinds; ++k)
      tangles_.release(PairKind(k), search_.pairs(PairKind(k)), motion.from, team);
    team.barrier();
  }
  remember(world, team);
  for (int k = 0; k < pair_kinds; ++k) {
    plan(world, k, pairs(PairKind(k)), team);
    plan(world, pair_kinds + k, {}, team);
  }
  team.barrier();
  for (int k = 0; k < pair_kinds; ++k) fill(k, pairs(PairKind(k)), team);
  team.barrier();
  for (int k = 0; k < pair_kinds; ++k) {
    recall(world, k, team);
    aim_slots(k, false, motion.from, team);
  }
}

/// After following strays: pairs without one stay where they are, in the slots of their colours.
void SurfaceContacts::take_strays(World& world, const Motion& motion, Team& team) {
  remember(world, team);
  for (int k = 0; k < pair_kinds; ++k) {
    const Share share = team.share(batches_[k].slots(), lane_group);
    batches_[k].retire(std::int32_t(share.begin), std::int32_t(share.end), search_.strays(),
                       world.particles.count);
  }
  for (int k = 0; k < pair_kinds; ++k)
    plan(world, pair_kinds + k, search_.pairs_of_strays(PairKind(k)), team);
  team.barrier();
  for (int k = 0; k < pair_kinds; ++k) fill(pair_kinds + k, search_.pairs_of_strays(PairKind(k)), team);
  team.barrier();
  for (int b = pair_kinds; b < batch_count_; ++b) {
    recall(world, b, team);
    aim_slots(b, false, motion.from, team);
  }
}

/// By one thread, another one for each kind.
void SurfaceContacts::plan(const World& world, int batch, std::span<const std::vector<SurfacePair>> lists,
                           const Team& team) {
  if (team.rank() != int(kind(batch)) % team.size()) return;
  batches_[batch].plan(lists, world.particles.count, kind(batch), kept_);
  const std::int32_t slots = batches_[batch].slots();
  crossing_[batch].resize(std::size_t(slots));
  crossing_count_[batch].assign(std::size_t(block_count(slots, block_slots_)), 0);
  turned_[batch].assign(std::size_t(slots), 0);
  if (bouncy(world)) bounces_[batch].assign(std::size_t(batches_[batch].contact_slots()), {});
}

void SurfaceContacts::fill(int batch, std::span<const std::vector<SurfacePair>> lists, const Team& team) {
  const Share share = team.share(std::int64_t(lists.size()));
  batches_[batch].fill(lists, share.begin, share.end);
}

std::int64_t SurfaceContacts::contacts() const {
  std::int64_t all = 0;
  for (const PairBatch& batch : batches_) all += batch.contacts();
  return all;
}
std::int64_t SurfaceContacts::watched() const {
  std::int64_t all = 0;
  for (const PairBatch& batch : batches_) all += batch.pairs();
  return all;
}

void SurfaceContacts::aim_slots(int batch, bool contacts, const AlignedVector<vec4>& places,
                                const Team& team) {
  PairBatch& pairs = batches_[batch];
  const std::int32_t first = contacts ? 0 : pairs.contact_slots();
  const std::int32_t end = contacts ? pairs.contact_slots() : pairs.slots();
  const Share share = team.share(end - first, block_slots_);
  if (share.begin == share.end) return;
  kernels_.aim[int(kind(batch))](pairs.view(), first + std::int32_t(share.begin),
                                 first + std::int32_t(share.end), flat(places));
}

void SurfaceContacts::aim(World& world, Team& team) {
  team.barrier();  // other threads' particles have been predicted
  if (team.rank() == 0) zoned_ = remembered_ = false;
  for (int b = 0; b < batch_count_; ++b) {
    const Share share = team.share(batches_[b].contact_slots(), block_slots_);
    if (share.begin < share.end)
      kernels_.aim_contacts[int(kind(b))](batches_[b].view(), std::int32_t(share.begin),
                                          std::int32_t(share.end), flat(world.particles.previous));
    if (tangles_.active()) batches_[b].start_anew(std::int32_t(share.begin), std::int32_t(share.end));
    aim_turned(b, world.particles.previous, team);
    if (bouncy(world)) aim_bounces(world, b, team);
  }
  real *points = flat(world.particles.position), *moved = flat(world.particles.moved);
  team.barrier();  // others' are aimed, and bounces have seen where particles were predicted
  for_colors(team, [&](int batch, std::int32_t begin, std::int32_t end) {
    kernels_.warm(batches_[batch].view(), begin, end, points, moved);
  });
}

/// The direction of a watched pair holds from one substep to the next, but not where a path was cut in two.
void SurfaceContacts::aim_turned(int batch, const AlignedVector<vec4>& places, const Team& team) {
  std::vector<std::uint8_t>& turned = turned_[batch];
  const Share blocks = team.share(block_count(std::int32_t(turned.size()), block_slots_));
  const std::int64_t end = std::min(blocks.end * block_slots_, std::int64_t(turned.size()));
  for (std::int64_t s = blocks.begin * block_slots_; s < end; ++s) {
    if (!turned[std::size_t(s)]) continue;
    turned[std::size_t(s)] = 0;
    if (s < batches_[batch].contact_slots()) continue;  // those have just been aimed, by whoever has them
    const SurfacePairView<real> pairs = batches_[batch].view();
    const auto aim = kind(batch) == PairKind::vertex_triangle ? aim_pairs<PairKind::vertex_triangle, L1>
                                                              : aim_pairs<PairKind::edge_edge, L1>;
    aim(pairs, std::int32_t(s), std::int32_t(s) + 1, flat(places));
  }
}

void SurfaceContacts::push(World& world, Team& team) {
  real *points = flat(world.particles.position), *moved = flat(world.particles.moved);
  if (tangles_.active()) {
    if (team.rank() == 0) tangles_.pull(world);
    team.barrier();
  }
  for_colors(team, [&](int batch, std::int32_t begin, std::int32_t end) {
    kernels_.push(batches_[batch].view(), begin, end, points, moved);
  });
}

/// On every rank the same answer.
bool SurfaceContacts::left_tubes(World& world, real elapsed, Team& team) {
  const Share share = team.share(world.particles.count, particle_block);
  if (!search_.covers(world.particles, share.begin, share.end, elapsed - searched_))
    left_.store(true, std::memory_order_relaxed);
  team.barrier();
  const bool left = left_.load(std::memory_order_relaxed);
  team.barrier();
  if (team.rank() == 0) left_.store(false, std::memory_order_relaxed);
  return left;  // a barrier follows in either case before it is set again
}

template <PairKind Kind>
bool SurfaceContacts::crosses(const World& world, int batch, std::int32_t slot) {
  const SurfacePairView<real> pairs = batches_[batch].view();
  aim_pairs<Kind, L1>(pairs, slot, slot + 1, flat(world.particles.previous));
  const Vec3<L1> n = {pairs.normal[0][slot], pairs.normal[1][slot], pairs.normal[2][slot]};
  Vec3<L1> before[4], now[4];
  for (int j = 0; j < 4; ++j) {
    before[j] = load_points(flat(world.particles.previous), pairs.vertices[j] + slot, L1()).p;
    now[j] = load_points(flat(world.particles.position), pairs.vertices[j] + slot, L1()).p;
  }
  const real was = slab_width<Kind>(n, before).v;
  const real spacing = std::max(spacing_at(before), spacing_at(now));
  if (!(was > touching_spacings * spacing)) return false;  // nothing to keep
  const real kept =
      std::min(was, std::max(least_kept * was, few_spacings * spacing)) - rounding_of_zones(before, now);
  const real least = std::min(least_slab * pairs.distance[slot], kept);
  if (slab_width<Kind>(n, now).v >= least) return false;
  turned_[batch][std::size_t(slot)] = 1;
  return !stay_apart<Kind>(before, now, least, most_halvings);
}

/// On every rank the same answer.
bool SurfaceContacts::find_crossing(const World& world, Team& team) {
  for (int batch = 0; batch < batch_count_; ++batch) {
    const SurfacePairView<real> view = batches_[batch].view();
    const std::int32_t slots = batches_[batch].slots();
    const Share blocks = team.share(block_count(slots, block_slots_));
    for (std::int64_t b = blocks.begin; b < blocks.end; ++b) {
      const std::int32_t begin = std::int32_t(b) * block_slots_, end = std::min(begin + block_slots_, slots);
      std::int32_t* out = crossing_[batch].data() + begin;
      const std::int32_t close = kernels_.find_close[int(kind(batch))](
          view, begin, end, flat(world.particles.position), least_slab, out);
      std::int32_t* const last = std::remove_if(out, out + close, [&](std::int32_t slot) {
        return kind(batch) == PairKind::vertex_triangle
                   ? !crosses<PairKind::vertex_triangle>(world, batch, slot)
                   : !crosses<PairKind::edge_edge>(world, batch, slot);
      });
      crossing_count_[batch][std::size_t(b)] = std::int32_t(last - out);
      if (last != out) crossed_.store(true, std::memory_order_relaxed);
    }
  }
  team.barrier();
  const bool crossed = crossed_.load(std::memory_order_relaxed);
  team.barrier();
  if (team.rank() == 0) crossed_.store(false, std::memory_order_relaxed);
  return crossed;
}

void SurfaceContacts::read_contacts(const World& world, std::vector<ContactMark>& out) {
  constexpr double slack = 1.05;  // those pushed lie about at their distance
  for (PairBatch& batch : batches_) {
    const SurfacePairView<real> view = batch.view();
    for (std::int32_t slot = 0; slot < batch.contact_slots(); ++slot) {
      if (!(view.distance[slot] > real(0))) continue;  // padding
      const glm::dvec3 n(view.normal[0][slot], view.normal[1][slot], view.normal[2][slot]);
      glm::dvec3 point(0.0);
      double gap = 0.0;
      for (int j = 0; j < 4; ++j) {
        const glm::dvec3 x(world.particles.position[std::size_t(view.vertices[j][slot])]);
        const double s = double(view.weight[j][slot]);
        point += 0.5 * std::abs(s) * x;  // halfway: the weights of either feature add up to one
        gap += s * glm::dot(n, x);
      }
      if (gap <= slack * double(view.distance[slot])) out.push_back({point, n, ContactBetween::surfaces});
    }
  }
}

void SurfaceContacts::merge_crossing(World& world, int round) {
  if (round == 0) zones_.clear();
  std::int32_t four[4];
  for (int batch = 0; batch < batch_count_; ++batch) {
    const SurfacePairView<real> view = batches_[batch].view();
    for (std::size_t b = 0; b < crossing_count_[batch].size(); ++b) {
      const std::int32_t* slot = crossing_[batch].data() + b * std::size_t(block_slots_);
      for (std::int32_t c = 0; c < crossing_count_[batch][b]; ++c) {
        for (int j = 0; j < 4; ++j) four[j] = view.vertices[j][slot[c]];
        zones_.join(four);
      }
    }
  }
  if (round == most_rounds) {
    world.contacts.tangle_watch =
        std::max(world.contacts.tangle_watch, ContactState::first_look);  // attachments may part even that
    for (const Index i : world.topology->external_to_internal)
      zones_.join({{world.topology->external_to_internal.front(), i}});
  }
  zones_.move(world, colliders_, walls_, substep_);
}

void SurfaceContacts::answer_walls(World& world, std::span<BodyWall> walls, real h,
                                   TouchedParts* touched, Team& team) {
  if (!zoned_) return;
  team.barrier();  // everybody's velocities are taken
  if (team.rank() == 0) zones_.answer(world, walls, h, touched);
  team.barrier();
}

bool SurfaceContacts::guard(World& world, const StaticContacts* colliders, std::span<BodyWall> walls,
                            const Moment& now, TouchedParts* touched, Team& team) {
  const Particles& particles = world.particles;
  const Motion motion{particles.previous, particles.position, particles.velocity, now.h, now.remaining};
  if (team.rank() == 0) colliders_ = colliders, walls_ = walls, substep_ = now.in_frame;
  for (int round = 0; round <= most_rounds; ++round) {
    if (left_tubes(world, now.elapsed, team)) {
      if (touched) tell_pushed(world, *touched, team);
      team.barrier();
      const bool followed = follow(world, motion, now.elapsed, team);
      if (!followed) {
        learn(world, motion, now.elapsed, team);
        search(world, motion, now.elapsed, team);
      }
      for (int b = 0; b < batch_count_; ++b) aim_slots(b, true, particles.previous, team);
      team.barrier();
      if (followed) search_.forget_strays(team);
    }
    if (!stop_crossing(world, round, team)) {
      if (now.remaining == real(0)) learn(world, motion, now.elapsed, team);
      return round > 0;
    }
  }
  return true;
}

void SurfaceContacts::learn(World& world, const Motion& motion, real elapsed, Team& team) {
  const Share share = team.share(world.particles.count, particle_block);
  search_.learn(world.particles, motion, elapsed - searched_, share.begin, share.end);
  team.barrier();
}

/// Whether anything would have crossed, on every rank the same; it has been moved then. Ends at a barrier.
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

}  // namespace limber::inline LIMBER_PRECISION
