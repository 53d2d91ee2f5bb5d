#include "engine/parts/heat/frozen_chunks.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include "engine/core/find_root.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/geometry/nearest_rotation.hpp"
#include "engine/state/bodies.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Reach of the bonds between frozen neighbours, in particle diameters.
constexpr double bond_reach = 1.5;
/// Number of sweeps over the contacts of a chunk with colliders.
constexpr int contact_sweeps = 8;
/// A fixed particle counts this many times as heavy as its chunk.
constexpr double held_weight = 1e4;

double mass_of(const World& world, std::int32_t i) {
  return 1.0 / double(world.particles.inverse_mass[std::size_t(i)]);
}

bool can_hold(const World& world, std::int32_t i) {
  return world.heat->frozen[std::size_t(i)] != 0 && world.particles.inverse_mass[std::size_t(i)] > real(0) &&
         !is_parked(world.topology->fluid, world.matter.fluid, i);
}

/// Whether two neighbours are bonded.
bool hold(const World& world, std::int32_t a, std::int32_t b, double reach) {
  const HeatState& heat = *world.heat;
  if (!can_hold(world, a) || !can_hold(world, b)) return false;
  const std::int32_t of_a = heat.chunk[std::size_t(a)], of_b = heat.chunk[std::size_t(b)];
  if (of_a >= 0 && of_b >= 0 && of_a != of_b) return false;
  if (!heat.grouped && world.particles.object[std::size_t(a)] != world.particles.object[std::size_t(b)])
    return false;  // of different objects that lie side by side at the start
  return glm::length(place_of(world.particles, std::size_t(a)) - place_of(world.particles, std::size_t(b))) <
         reach;
}

/// Sets mass, rest positions and inertia of a chunk from the present positions of its particles.
void take_rest(const World& world, HeatState& heat, FrozenChunk& chunk) {
  glm::dvec3 center(0.0);
  const std::int32_t* const member = &heat.members[std::size_t(chunk.first)];
  for (std::int32_t k = 0; k < chunk.count; ++k) {
    const double m = mass_of(world, member[k]);
    chunk.mass += m;
    center += m * place_of(world.particles, std::size_t(member[k]));
  }
  center /= chunk.mass;
  const double r = world.settings.solver.contact->particle_radius;
  glm::dmat3 inertia(0.0);
  for (std::int32_t k = 0; k < chunk.count; ++k) {
    const double m = mass_of(world, member[k]);
    const glm::dvec3 q = place_of(world.particles, std::size_t(member[k])) - center;
    heat.rest[std::size_t(member[k])] = q;
    for (int c = 0; c < 3; ++c) {
      // With the inertia of balls, so that it is never singular.
      inertia[c][c] += m * (glm::dot(q, q) + 0.4 * r * r);
      for (int l = 0; l < 3; ++l) inertia[c][l] -= m * q[c] * q[l];
    }
  }
  const glm::dmat3 inverse = glm::inverse(inertia);
  chunk.inverse_diagonal = {inverse[0][0], inverse[1][1], inverse[2][2]};
  chunk.inverse_beside = {inverse[1][2], inverse[0][2], inverse[0][1]};
}

}  // namespace

bool loses_members(const World& world) {
  return std::any_of(world.heat->members.begin(), world.heat->members.end(),
                     [&](std::int32_t i) { return is_parked(world.topology->fluid, world.matter.fluid, i); });
}

void group_frozen(World& world, const NeighbourSearch& search, FrozenGrouping& scratch) {
  HeatState& heat = *world.heat;
  const std::size_t count = std::size_t(world.particles.count);
  scratch.root.resize(count), scratch.count.assign(count, 0);
  for (std::size_t i = 0; i < count; ++i) scratch.root[i] = std::int32_t(i);
  const auto parent = [&](std::int32_t i) -> std::int32_t& { return scratch.root[std::size_t(i)]; };
  const double reach = bond_reach * 2.0 * world.settings.solver.contact->particle_radius;
  for (const auto& list : search.pairs())
    for (const ParticlePair& pair : list) {
      if (!hold(world, pair.a, pair.b, reach)) continue;
      const std::int32_t a = find_root(pair.a, parent), b = find_root(pair.b, parent);
      scratch.root[std::size_t(std::max(a, b))] = std::min(a, b);
    }
  for (std::size_t i = 0; i < count; ++i) {
    scratch.root[i] = find_root(std::int32_t(i), parent);
    ++scratch.count[std::size_t(scratch.root[i])];
  }
  heat.chunks.clear();
  std::int32_t end = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t root = std::size_t(scratch.root[i]);
    if (root == i && scratch.count[i] > 1) {
      FrozenChunk& chunk = heat.chunks.emplace_back();
      chunk.first = end;
      end += scratch.count[i];
      heat.chunk[i] = std::int32_t(heat.chunks.size()) - 1;
    } else {
      heat.chunk[i] = root == i ? -1 : heat.chunk[root];
    }
  }
  heat.members.resize(std::size_t(end));
  for (std::size_t i = 0; i < count; ++i) {
    if (heat.chunk[i] < 0) continue;
    FrozenChunk& chunk = heat.chunks[std::size_t(heat.chunk[i])];
    heat.members[std::size_t(chunk.first + chunk.count++)] = std::int32_t(i);
  }
  for (FrozenChunk& chunk : heat.chunks) take_rest(world, heat, chunk);
  heat.grouped = true;
}

bool FrozenChunks::enabled(const World& world) { return !world.heat->empty(); }

void FrozenChunks::reserve(const World& world) {
  if (!enabled(world)) return;
  touches_.resize(16);
  for (auto& list : touches_) list.reserve(1024);
}

void FrozenChunks::project(World& world, const StaticContacts* contacts, const Team& team) {
  auto& chunks = world.heat->chunks;
  if (touches_.size() < std::size_t(team.size())) return;
  for (std::size_t c = std::size_t(team.rank()); c < chunks.size(); c += std::size_t(team.size()))
    project(world, contacts, chunks[c], touches_[std::size_t(team.rank())]);
}

/// A rigid motion of a chunk, and its response to impulses.
struct FrozenChunks::Motion {
  glm::dvec3 center;
  glm::dmat3 rotation, inverse_inertia;
  glm::dvec3 shift{0.0}, turn{0.0};  ///< m, rad: motion by contacts

  double answer(const glm::dvec3& arm, const glm::dvec3& n, double inverse_mass) const {
    const glm::dvec3 lever = glm::cross(arm, n);
    return inverse_mass + glm::dot(lever, inverse_inertia * lever);
  }
  void push(const glm::dvec3& arm, const glm::dvec3& impulse, double inverse_mass) {
    shift += inverse_mass * impulse;
    turn += inverse_inertia * glm::cross(arm, impulse);
  }
  glm::dvec3 at(const glm::dvec3& arm) const { return shift + glm::cross(turn, arm); }
};

void FrozenChunks::leave_colliders(const FrozenChunk& chunk, Motion& motion, std::vector<Touch>& touches) {
  const double w = 1.0 / chunk.mass;
  for (int sweep = 0; sweep < contact_sweeps; ++sweep)
    for (Touch& touch : touches) {
      const glm::dvec3 n(touch.contact->normal);
      const double left = touch.depth - glm::dot(n, motion.at(touch.arm));
      if (!(touch.push > 0.0) && left <= 0.0) continue;  // not in contact
      const double push = std::max(touch.push + left / motion.answer(touch.arm, n, w), 0.0);
      motion.push(touch.arm, (push - touch.push) * n, w);
      touch.push = push;
      glm::dvec3 slid = touch.moved + motion.at(touch.arm) - glm::dvec3(touch.contact->slide);
      slid -= glm::dot(slid, n) * n;
      const double way = glm::length(slid), most = double(touch.contact->friction) * push;
      glm::dvec3 wanted = touch.friction;
      if (way > 0.0) wanted -= slid / motion.answer(touch.arm, slid / way, w);
      wanted -= glm::dot(wanted, n) * n;
      if (const double size = glm::length(wanted); size > most) wanted *= size > 0.0 ? most / size : 0.0;
      motion.push(touch.arm, wanted - touch.friction, w);
      touch.friction = wanted;
    }
}

void FrozenChunks::project(World& world, const StaticContacts* contacts, FrozenChunk& chunk,
                           std::vector<Touch>& touches) const {
  Particles& particles = world.particles;
  HeatState& heat = *world.heat;
  const std::int32_t* const member = &heat.members[std::size_t(chunk.first)];
  // Relative to the first particle, so that numbers are small.
  const glm::dvec3 first = place_of(particles, std::size_t(member[0]));
  glm::dvec3 sum(0.0), rest_sum(0.0);
  double all = 0.0;
  bool held = false;
  const auto weight = [&](std::int32_t i) {
    const bool fixed = !(particles.moved[std::size_t(i)].w > real(0));
    held |= fixed;
    return mass_of(world, i) * (fixed ? held_weight * chunk.count : 1.0);
  };
  for (std::int32_t k = 0; k < chunk.count; ++k) {
    const std::size_t i = std::size_t(member[k]);
    const double m = weight(member[k]);
    all += m, sum += m * (place_of(particles, i) - first), rest_sum += m * heat.rest[i];
  }
  const glm::dvec3 center = sum / all, rest_center = rest_sum / all;
  glm::dmat3 outer(0.0);
  for (std::int32_t k = 0; k < chunk.count; ++k) {
    const std::size_t i = std::size_t(member[k]);
    const glm::dvec3 x = weight(member[k]) * (place_of(particles, i) - first - center),
                     q = heat.rest[i] - rest_center;
    for (int c = 0; c < 3; ++c) outer[c] += x * q[c];
  }
  chunk.rotation = nearest_rotation(outer);
  Motion motion;
  motion.rotation = matrix_of(chunk.rotation);
  motion.center = first + center - motion.rotation * rest_center;
  if (contacts && !held) {
    touches.clear();
    for (std::int32_t k = 0; k < chunk.count; ++k) {
      const std::size_t i = std::size_t(member[k]);
      for (const StaticContact& contact : contacts->of_particle(member[k])) {
        const glm::dvec3 arm = motion.rotation * heat.rest[i], x = motion.center + arm;
        const glm::dvec3 before = glm::dvec3(particles.origin[i]) + glm::dvec3(particles.moved_before[i]);
        touches.push_back({&contact, arm, x - before, glm::dvec3(0.0),
                           double(contact.offset) - glm::dot(glm::dvec3(contact.normal), x)});
      }
    }
    if (!touches.empty()) {
      const glm::dvec3 &d = chunk.inverse_diagonal, &b = chunk.inverse_beside;
      const glm::dmat3 inverse{glm::dvec3(d.x, b.z, b.y), glm::dvec3(b.z, d.y, b.x),
                               glm::dvec3(b.y, b.x, d.z)};
      motion.inverse_inertia = motion.rotation * inverse * glm::transpose(motion.rotation);
      leave_colliders(chunk, motion, touches);
      const glm::dvec4 half(0.5 * motion.turn, 1.0);
      motion.rotation = matrix_of(half / glm::length(half)) * motion.rotation;
      motion.center += motion.shift;
    }
  }
  for (std::int32_t k = 0; k < chunk.count; ++k) {
    const std::size_t i = std::size_t(member[k]);
    if (!(particles.moved[i].w > real(0))) continue;
    const glm::dvec3 goal = motion.center + motion.rotation * heat.rest[i];
    particles.moved[i] += vec4(vec3(goal - place_of(particles, i)), real(0));
  }
}

}}  // namespace limber::LIMBER_PRECISION
