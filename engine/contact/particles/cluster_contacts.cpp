#include "engine/contact/particles/cluster_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <glm/matrix.hpp>
#include <utility>

#include "engine/contact/particles/particle_pair.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/parallel/color_visits.hpp"
#include "engine/simd/lanes.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Sweeps per iteration: after a single sweep the load that remains on many contact points would let a pile
/// sag, and the impulse that remains would be the next overlap.
constexpr int cluster_sweeps = 4;
/// Share of an overlap that is removed in a substep, and share of the radius that remains overlapping: if
/// overlaps came and went by rounding, contacts would never be at rest.
constexpr real cluster_overlap_share = real(0.05), cluster_overlap_left = real(0.05);

using One = Lanes<real, 1>;
Vec3<One> lanes(const vec3& v) { return {One(v.x), One(v.y), One(v.z)}; }
Point<One> lanes(const vec4& v) { return {lanes(vec3(v)), One(v.w)}; }
vec3 number(const Vec3<One>& v) { return {v.x.v, v.y.v, v.z.v}; }

Symmetric inverse_of(const glm::dmat3& m) {
  const glm::dmat3 i = glm::inverse(m);
  return {real(i[0][0]), real(i[1][1]), real(i[2][2]), real(i[0][1]), real(i[0][2]), real(i[1][2])};
}

/// Inertia of a cluster in the rest pose. If the points lie in a line, the inertia about that line is set to
/// a thousandth of the others; no torque acts about it.
glm::dmat3 inertia_at_rest(const ParticleMatter& matter, const Solid& cluster) {
  glm::dmat3 sum(0.0);
  for (std::int32_t i = cluster.first; i < cluster.first + cluster.count; ++i) {
    const glm::dvec4 q(matter.rest[std::size_t(i)]);
    const glm::dvec3 r(q);
    sum += q.w * (glm::dmat3(glm::dot(r, r)) - glm::outerProduct(r, r));
  }
  const double spread = sum[0][0] + sum[1][1] + sum[2][2];
  return sum + glm::dmat3(1e-3 * spread);
}

Symmetric turned(const mat3& r, const Symmetric& m) {
  const mat3 full(m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz);
  const mat3 t = r * full * glm::transpose(r);
  return {t[0][0], t[1][1], t[2][2], t[0][1], t[0][2], t[1][2]};
}

/// Limits a kept multiplier to its length one substep earlier: an impact that is applied again would be a
/// bounce.
void keep_lasting(ClusterRow& row, const vec3& kept, real before) {
  const real length = glm::length(kept);
  row.before = length;
  const vec3 lasting = length > before ? before / length * kept : kept;
  row.normal_lambda = std::max(glm::dot(lasting, row.normal), real(0));
  row.friction_lambda =
      within_cone(lasting - glm::dot(lasting, row.normal) * row.normal, row.friction * row.normal_lambda);
}

}  // namespace

void ClusterContacts::reserve(const World& world) {
  const ParticleMatter& matter = world.topology->matter;
  const std::size_t clusters = matter.solids.size();
  inverse_.clear(), inverse_mass_.clear();
  for (const Solid& cluster : matter.solids) {
    inverse_.push_back(inverse_of(inertia_at_rest(matter, cluster)));
    real mass = 0;
    for (std::int32_t i = cluster.first; i < cluster.first + cluster.count; ++i)
      mass += matter.rest[std::size_t(i)].w;
    inverse_mass_.push_back(mass > real(0) ? 1 / mass : real(0));
  }
  rigid_.assign(std::size_t(world.particles.padded()), -1);
  turn_before_.assign(clusters, vec4(0, 0, 0, 1));
  motion_.assign(clusters, {});
  groups_.assign(clusters, {});
  color_of_.assign(clusters, 0);
  used_.assign(clusters + std::size_t(world.particles.padded()), 0);
  rows_.clear(), old_rows_.clear(), pairs_.clear();
}

void ClusterContacts::begin_frame(const World& world) {
  const auto bouncy = [](const auto& one) { return one.restitution > 0; };
  bouncy_ = std::any_of(world.settings.materials.begin(), world.settings.materials.end(), bouncy) ||
            std::any_of(world.colliders.begin(), world.colliders.end(), bouncy);
  any_ = false;
  const auto& clusters = world.topology->matter.solids;
  for (std::size_t s = 0; s < clusters.size(); ++s) {
    const bool rigid = world.matter.cluster_stiffness[s] >= real(1);
    any_ |= rigid;
    std::fill_n(rigid_.begin() + clusters[s].first, clusters[s].count, rigid ? std::int32_t(s) : -1);
  }
}

bool ClusterContacts::add_pair(const ParticlePair& pair, real friction, real restitution) {
  const std::int32_t sa = rigid_at(pair.a), sb = rigid_at(pair.b);
  if (sa < 0 && sb < 0) return false;
  const bool swap = sa < 0 || (sb >= 0 && sb < sa);
  pairs_.push_back({swap ? pair.b : pair.a, swap ? pair.a : pair.b, friction, restitution});
  return true;
}

/// Sorts the pairs by cluster (stable) and gives them their kept multipliers.
void ClusterContacts::group(const World& world, const KeptContacts& kept) {
  for (Group& group : groups_) group.first_pair = group.end_pair = 0;
  for (const Pair& pair : pairs_) ++groups_[std::size_t(rigid_at(pair.a))].end_pair;
  std::int32_t at = 0;
  for (Group& group : groups_) {
    group.first_pair = at;
    at += std::exchange(group.end_pair, at);
  }
  sorted_.resize(pairs_.size());
  for (Pair& pair : pairs_) {
    const ParticleContact had = kept.find(world, pair.a, pair.b);
    pair.kept = had.kept, pair.before = had.before;
    sorted_[std::size_t(groups_[std::size_t(rigid_at(pair.a))].end_pair++)] = pair;
  }
  std::swap(pairs_, sorted_);
  color(world);
}

/// First fit over the clusters and particles that groups move. Groups beyond 64 colours come last and are
/// solved in order by one thread.
void ClusterContacts::color(const World& world) {
  const std::size_t clusters = world.topology->matter.solids.size();
  std::fill(used_.begin(), used_.end(), 0);
  const auto for_units = [&](std::size_t s, const auto& act) {
    act(used_[s]);
    for (std::int32_t p = groups_[s].first_pair; p < groups_[s].end_pair; ++p) {
      const std::int32_t b = pairs_[std::size_t(p)].b, other = rigid_at(b);
      act(used_[other >= 0 ? std::size_t(other) : clusters + std::size_t(b)]);
    }
  };
  const auto rigid = [&](std::size_t s) { return rigid_at(world.topology->matter.solids[s].first) >= 0; };
  for (std::size_t s = 0; s < clusters; ++s)
    color_of_[s] = rigid(s) ? take_first_free_color([&](const auto& act) { for_units(s, act); }) : -1;
  sort_by_color(color_of_, order_, color_begin_);
}

/// Calls act(cluster) in parallel and in any order; act must write nothing but the cluster itself.
template <class Act>
void ClusterContacts::for_clusters(const Team& team, const Act& act) const {
  const Share mine = team.share(std::int64_t(order_.size()));
  for (std::int64_t k = mine.begin; k < mine.end; ++k) act(std::size_t(order_[std::size_t(k)]));
}

/// Calls act(cluster) for all groups, colour after colour.
template <class Act>
void ClusterContacts::for_groups(ColorTurns& turns, const Act& act) const {
  visit_by_color(Visited::clusters, 0, color_begin_, 1, turns,
                 [&](std::size_t k) { act(std::size_t(order_[k])); });
}

/// Calls act(contact) for the contacts of a cluster's particles with colliders, in their order.
template <class Act>
void ClusterContacts::for_contacts(const World& world, std::size_t s, StaticContacts& contacts,
                                   const Act& act) {
  if (world.colliders.empty()) return;
  const Solid& cluster = world.topology->matter.solids[s];
  const std::int32_t end = cluster.first + cluster.count;
  for (std::int32_t block = cluster.first / particle_block; block * particle_block < end; ++block)
    for (StaticContact& contact : contacts.of_block(block))
      if (contact.particle >= cluster.first && contact.particle < end) act(contact);
}

void ClusterContacts::take(const World& world, StaticContacts& contacts, Team& team) {
  if (team.rank() == 0) {
    colliders_ = &contacts;
    std::swap(rows_, old_rows_);
  }
  for_clusters(team, [&](std::size_t s) {
    Group& group = groups_[s];
    group.first_old = group.first_row, group.old = group.rows;
    group.touching = 0;
    turn_before_[s] = world.matter.cluster_rotations[s];
    for_contacts(world, s, contacts, [&](StaticContact& contact) {
      contact.taken = true;
      ++group.touching;
    });
  });
  team.barrier();
  if (team.rank() == 0) {
    std::int32_t rows = 0;
    for (std::int32_t s : order_) {
      Group& group = groups_[std::size_t(s)];
      group.first_row = rows;
      rows += group.end_pair - group.first_pair + group.touching;
    }
    rows_.resize(std::size_t(rows));
  }
}

/// Mass and inertia of a cluster in a substep. A cluster with one fixed particle rotates about it; with
/// several fixed particles it does not move.
ClusterMotion ClusterContacts::motion_of(const World& world, std::size_t s) const {
  const ParticleMatter& matter = world.topology->matter;
  const Solid& cluster = matter.solids[s];
  const auto& points = world.particles.position;
  std::int32_t held = -1, count = 0, free = cluster.first;
  for (std::int32_t i = cluster.first; i < cluster.first + cluster.count; ++i) {
    if (points[std::size_t(i)].w == real(0))
      held = i, ++count;
    else
      free = i;
  }
  const mat3 turn = rotation_of(world.matter.cluster_rotations[s]);
  const vec4 before = turn_before_[s];
  const vec4 since = rotated(world.matter.cluster_rotations[s], vec4(-vec3(before), before.w));
  ClusterMotion motion;
  motion.center = vec3(points[std::size_t(free)]) - turn * vec3(matter.rest[std::size_t(free)]);
  motion.rotated = (since.w < real(0) ? real(-2) : real(2)) * vec3(since);
  if (count > 1) return motion;
  if (count == 0) {
    motion.weigh(inverse_mass_[s], turned(turn, inverse_[s]));
    return motion;
  }
  const glm::dvec3 arm(matter.rest[std::size_t(held)]);
  const glm::dmat3 about =
      inertia_at_rest(matter, cluster) +
      (glm::dmat3(glm::dot(arm, arm)) - glm::outerProduct(arm, arm)) / double(inverse_mass_[s]);
  motion.center = vec3(points[std::size_t(held)]);
  motion.weigh(real(0), turned(turn, inverse_of(about)));
  return motion;
}

void ClusterContacts::aim(World& world, const AlignedVector<vec4>& outward, real h, const KeptContacts* kept,
                          Team& team) {
  for_clusters(team, [&](std::size_t s) { motion_[s] = motion_of(world, s); });
  team.barrier();
  for_clusters(team, [&](std::size_t s) {
    groups_[s].rows = 0;
    aim_pairs(world, outward, h, s);
    aim_colliders(world, h, kept, s);
  });
  team.barrier();
  ColorTurns turns(team);
  for_groups(turns, [&](std::size_t s) { warm(world, s); });
}

/// Makes rows for the pairs that can meet in this substep.
void ClusterContacts::aim_pairs(World& world, const AlignedVector<vec4>& outward, real h, std::size_t s) {
  Group& group = groups_[s];
  const Particles& particles = world.particles;
  const real radius = real(world.settings.solver.contact->particle_radius);
  const real most = real(world.settings.solver.contact->depenetration_speed) * h;
  for (std::int32_t k = group.first_pair; k < group.end_pair; ++k) {
    Pair& pair = pairs_[std::size_t(k)];
    const std::size_t a = std::size_t(pair.a), b = std::size_t(pair.b);
    const vec3 xa(particles.previous[a]), xb(particles.previous[b]);
    const vec3 pa(particles.position[a]), pb(particles.position[b]);
    const ParticleGap<One> gap = field_gap(lanes(xa - xb), lanes(outward[a]), lanes(outward[b]), One(radius));
    const vec3 n = number(gap.n);
    const real gap_now = gap.s.v + glm::dot(n, (pa - xa) - (pb - xb));
    const vec3 had = std::exchange(pair.kept, vec3(0));
    if (std::min(gap.s.v, gap_now) > radius && had == vec3(0)) continue;
    ClusterRow& row = rows_[std::size_t(group.first_row + group.rows++)];
    row = {};
    row.a = pair.a, row.b = pair.b;
    row.cluster_a = std::int32_t(s), row.cluster_b = rigid_at(pair.b);
    row.source = k;
    row.normal = n;
    row.point_a = real(0.5) * (pb - pa), row.point_b = -row.point_a;
    row.arm_a = pa + row.point_a - motion_[s].center;
    if (row.cluster_b >= 0) row.arm_b = pb + row.point_b - motion_[std::size_t(row.cluster_b)].center;
    row.gap = std::max(gap.s.v, real(0));  // overlaps are removed by lifts
    row.friction = pair.friction;
    row.restitution = pair.restitution;
    row.approach = gap_now - gap.s.v;
    const real overlap = -gap.s.v - cluster_overlap_left * radius;
    row.want =
        overlap > real(0) ? std::min(cluster_overlap_share * overlap, most) : std::min(-gap.s.v, real(0));
    row.weigh(sides_of(row, motion_.data(), loose(world)).inverse_mass_along(row.normal));
    keep_lasting(row, had, pair.before);
  }
}

/// Makes the rows of a cluster's contacts with colliders. Kept multipliers come from the World in a frame's
/// first substep, later from the rows of the substep before.
void ClusterContacts::aim_colliders(World& world, real h, const KeptContacts* kept, std::size_t s) {
  Group& group = groups_[s];
  const real most = real(world.settings.solver.contact->depenetration_speed) * h;
  std::int32_t number = 0;
  for_contacts(world, s, *colliders_, [&](StaticContact& contact) {
    const std::size_t i = std::size_t(contact.particle);
    const vec3 x(world.particles.previous[i]), p(world.particles.position[i]);
    ClusterRow& row = rows_[std::size_t(group.first_row + group.rows++)];
    row = {};
    row.a = contact.particle, row.b = KeptContacts::partner(contact.collider);
    row.cluster_a = std::int32_t(s), row.cluster_b = -1;
    row.source = number++;
    row.normal = contact.normal;
    row.point_a = -real(world.settings.solver.contact->particle_radius) * contact.normal;
    row.arm_a = p + row.point_a - motion_[s].center;
    row.slide = contact.slide;
    const real gap = glm::dot(contact.normal, x + contact.slide) - contact.offset;
    row.gap = std::max(gap, real(0));
    row.friction = contact.friction;
    row.restitution = contact.restitution;
    row.approach = contact.approach;
    row.want = std::min(-gap, most);
    row.weigh(sides_of(row, motion_.data(), loose(world)).inverse_mass_along(row.normal));
    const ParticleContact had = kept ? kept->find(world, row.a, row.b) : was_kept(group, row);
    keep_lasting(row, had.kept, had.before);
  });
}

ParticleContact ClusterContacts::was_kept(const Group& group, const ClusterRow& row) const {
  for (std::int32_t k = group.first_old; k < group.first_old + group.old; ++k)
    if (const ClusterRow& old = old_rows_[std::size_t(k)]; old.a == row.a && old.b == row.b)
      return {row.a, row.b, old.lambda(), old.before};
  return {row.a, row.b};
}

void ClusterContacts::warm(World& world, std::size_t s) {
  const Group& group = groups_[s];
  for (std::int32_t k = group.first_row; k < group.first_row + group.rows; ++k)
    sides_of(rows_[std::size_t(k)], motion_.data(), loose(world)).push(rows_[std::size_t(k)].lambda());
}

/// Updates the rows for the present positions of their clusters.
void ClusterContacts::refresh(const World& world, std::size_t s) {
  const Group& group = groups_[s];
  const Particles& particles = world.particles;
  const auto moved = [&](std::int32_t i, std::int32_t cluster, const vec3& contact_point) {
    return way_of(particles, std::size_t(i)) +
           glm::cross(motion_[std::size_t(cluster)].rotated, contact_point);
  };
  for (std::int32_t k = group.first_row; k < group.first_row + group.rows; ++k) {
    ClusterRow& row = rows_[std::size_t(k)];
    row.moved = moved(row.a, row.cluster_a, row.point_a) - row.slide;
    if (row.cluster_b >= 0) row.moved -= moved(row.b, row.cluster_b, row.point_b);
  }
}

void ClusterContacts::sweep(World& world, bool overlaps, std::size_t s) {
  const Group& group = groups_[s];
  for (std::int32_t k = group.first_row; k < group.first_row + group.rows; ++k) {
    ClusterRow& row = rows_[std::size_t(k)];
    if (overlaps) lift_overlap(row, motion_.data(), loose(world));
    project_contact(row, true, sides_of(row, motion_.data(), loose(world)));
  }
}

/// Moves the cluster's particles and stores the impulses of its contacts with colliders. Shape matching makes
/// an exact rotation of the linearised one later.
void ClusterContacts::move(World& world, std::size_t s) {
  Group& group = groups_[s];
  std::int32_t number = 0;
  for (std::int32_t k = group.first_row; k < group.first_row + group.rows; ++k) {
    const ClusterRow& row = rows_[std::size_t(k)];
    if (row.b < 0) continue;
    Pair& pair = pairs_[std::size_t(row.source)];
    pair.kept = row.lambda(), pair.before = row.before;
  }
  if (group.touching > 0)
    for_contacts(world, s, *colliders_, [&](StaticContact& contact) {
      const ClusterRow& row = rows_[std::size_t(group.first_row + group.rows - group.touching + number++)];
      contact.pushed = row.normal_lambda * world.particles.position[std::size_t(row.a)].w;
    });
  carry(world, s);
}

void ClusterContacts::carry(World& world, std::size_t s) {
  ClusterMotion& motion = motion_[s];
  if (!motion.moves()) return;  // most clusters of a pile in the air touch nothing
  const Solid& cluster = world.topology->matter.solids[s];
  for (std::int32_t i = cluster.first; i < cluster.first + cluster.count; ++i) {
    const vec4& p = world.particles.position[std::size_t(i)];
    if (p.w == real(0)) continue;
    const vec3 arm = vec3(p) - motion.center, lifted = displacement(motion.lift, arm);
    move_particle(world.particles, std::size_t(i), displacement(motion.frame, arm) + lifted);
    world.particles.previous[std::size_t(i)] += vec4(lifted, real(0));
  }
  motion.center += vec3(motion.frame[row_shift]) + vec3(motion.lift[row_shift]);
  motion.rotated += vec3(motion.frame[row_turn]);
  motion.clear();
}

/// Writes the cluster's velocity and angular velocity into `frame` and `lift`; bounces change only `frame`.
void ClusterContacts::take_velocity(const World& world, std::size_t s) {
  const ParticleMatter& matter = world.topology->matter;
  const Solid& cluster = matter.solids[s];
  ClusterMotion& motion = motion_[s];
  const auto mass = [&](std::int32_t i) { return matter.rest[std::size_t(i)].w; };
  const real w = motion.frame[row_shift].w;
  if (w > real(0)) {
    vec3 center(0), momentum(0);
    for (std::int32_t i = cluster.first; i < cluster.first + cluster.count; ++i) {
      center += mass(i) * vec3(world.particles.position[std::size_t(i)]);
      momentum += mass(i) * vec3(world.particles.velocity[std::size_t(i)]);
    }
    motion.center = w * center;
    motion.frame[row_shift] = vec4(w * momentum, w);
  }
  vec3 angular(0);
  for (std::int32_t i = cluster.first; i < cluster.first + cluster.count; ++i)
    angular += mass(i) * glm::cross(vec3(world.particles.position[std::size_t(i)]) - motion.center,
                                    vec3(world.particles.velocity[std::size_t(i)]));
  motion.frame[row_turn] = vec4(inverse_inertia_of(motion.frame) * angular, real(0));
  motion.lift[row_shift] = motion.frame[row_shift], motion.lift[row_turn] = motion.frame[row_turn];
}

void ClusterContacts::bounce_rows(World& world, real h, std::size_t s) {
  const Group& group = groups_[s];
  bounce_group(
      h, real(glm::length(world.settings.solver.motion->gravity)),
      [&](const auto& act) {
        for (std::int32_t r = 0; r < group.rows; ++r) act(rows_[std::size_t(group.first_row + r)]);
      },
      [&](const ClusterRow& row) {
        return velocity_sides_of(row, motion_.data(), loose(world), row.slide / h);
      });
}

void ClusterContacts::give_velocity(World& world, std::size_t s) {
  ClusterMotion& motion = motion_[s];
  motion.frame[row_shift] -= vec4(vec3(motion.lift[row_shift]), real(0));
  motion.frame[row_turn] -= motion.lift[row_turn];
  const Solid& cluster = world.topology->matter.solids[s];
  if (vec3(motion.frame[row_shift]) != vec3(0) || vec3(motion.frame[row_turn]) != vec3(0)) {
    const real fastest = real(world.settings.solver.motion->max_speed);
    for (std::int32_t i = cluster.first; i < cluster.first + cluster.count; ++i) {
      const vec4& p = world.particles.position[std::size_t(i)];
      vec4& v = world.particles.velocity[std::size_t(i)];
      if (p.w == real(0)) continue;
      v += vec4(displacement(motion.frame, vec3(p) - motion.center), real(0));
      if (const real speed = glm::length(vec3(v)); speed > fastest) v *= fastest / speed;
    }
  }
  motion.clear();
}

void ClusterContacts::bounce(World& world, real h, Team& team) {
  take_velocities(world, team);
  team.barrier();
  ColorTurns turns(team);
  for_groups(turns, [&](std::size_t s) { bounce_rows(world, h, s); });
  turns.finish();
  give_velocities(world, team);
}

void ClusterContacts::take_velocities(const World& world, const Team& team) {
  for_clusters(team, [&](std::size_t s) { take_velocity(world, s); });
}

void ClusterContacts::give_velocities(World& world, const Team& team) {
  for_clusters(team, [&](std::size_t s) { give_velocity(world, s); });
}

void ClusterContacts::solve(World& world, bool first, Team& team) {
  for_clusters(team, [&](std::size_t s) { refresh(world, s); });
  team.barrier();
  ColorTurns turns(team);
  for (int k = 0; k < cluster_sweeps; ++k) for_groups(turns, [&](std::size_t s) { sweep(world, first, s); });
  turns.finish();
  for_clusters(team, [&](std::size_t s) { move(world, s); });
}

}}  // namespace limber::LIMBER_PRECISION
