#include "engine/contact/cloth/impact_zones.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <limits>

#include "engine/core/find_root.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Rounds d to a multiple of the spacing of floating-point numbers of up to twice `largest`.
glm::dvec3 rounded(const glm::dvec3& d, double largest) {
  const double spacing = std::ldexp(double(std::numeric_limits<real>::epsilon()), std::ilogb(largest) + 1);
  return glm::round(d / spacing) * spacing;
}

/// Number of sweeps over the impulses between zones and bodies.
constexpr int answer_sweeps = 8;

}  // namespace

void ImpactZones::reserve(const World& world) {
  const std::size_t particles = std::size_t(world.particles.padded());
  parent_.assign(particles, -1);
  sums_.assign(particles, {});
  members_.clear();
  members_.reserve(particles);
}

void ImpactZones::clear() {
  for (std::int32_t i : members_) parent_[std::size_t(i)] = -1, sums_[std::size_t(i)] = {};
  members_.clear();
}

std::int32_t ImpactZones::root(std::int32_t i) {
  return find_root(i, [&](std::int32_t k) -> std::int32_t& { return parent_[std::size_t(k)]; });
}

void ImpactZones::join(std::span<const std::int32_t> particles) {
  for (std::int32_t i : particles) {
    if (parent_[std::size_t(i)] >= 0) continue;
    parent_[std::size_t(i)] = i;
    members_.push_back(i);
  }
  for (std::int32_t i : particles) parent_[std::size_t(root(i))] = root(particles[0]);
  sums_[std::size_t(root(particles[0]))].resting = false;
}

/// Number of sweeps over a zone's walls, enough to find a displacement along two walls that meet at a sharp
/// angle. A displacement that still enters a collider afterwards is shortened.
constexpr int collider_sweeps = 8;

/// The zone that contains all particles of a wall's point; null if there is none or the zone is attached.
ImpactZones::Sum* ImpactZones::zone_of(const BodyWall& wall) {
  if (parent_[std::size_t(wall.points[0])] < 0) return nullptr;
  const std::int32_t zone = root(wall.points[0]);
  for (const std::int32_t i : wall.points)
    if (parent_[std::size_t(i)] < 0 || root(i) != zone) return nullptr;
  Sum& sum = sums_[std::size_t(zone)];
  return sum.attached ? nullptr : &sum;
}

/// Calls act(member, sum) for the members of zones that still have to be moved.
template <class Act>
void ImpactZones::for_moving(const Act& act) {
  for (const std::int32_t member : members_)
    if (Sum& sum = sums_[std::size_t(root(member))]; !sum.resting) act(member, sum);
}

void ImpactZones::keep_out(const World& world, const StaticContacts* colliders, std::span<BodyWall> walls,
                           int substep) {
  given_.assign(walls.size(), 0.0);
  // m, free distance at the substep's start; 0 for a start inside.
  const auto room_of = [&](const StaticContact& c) {
    const vec3 x = vec3(world.particles.previous[std::size_t(c.particle)]) + c.slide;
    return std::max(double(glm::dot(c.normal, x) - c.offset), 0.0);
  };
  const auto for_contacts = [&](const auto& act) {
    for_moving([&](std::int32_t member, Sum& sum) {
      if (sum.attached || !colliders) return;
      for (const StaticContact& c : colliders->of_particle(member))
        act(sum, glm::dvec3(c.normal), room_of(c) + double(glm::dot(c.normal, c.slide)));
    });
  };
  for (int sweep = 0; sweep < collider_sweeps; ++sweep) {
    for (std::size_t w = 0; w < walls.size(); ++w)
      if (Sum* const sum = zone_of(walls[w]); sum && !sum->resting) {
        const glm::dvec3 n(walls[w].normal);
        const double missing = std::max(double(walls[w].least) - glm::dot(n, sum->shift), 0.0);
        sum->shift += missing * n;
        sum->pushed |= missing > 0.0;
        given_[w] += missing * sum->weight;
      }
    for_contacts([](Sum& sum, const glm::dvec3& n, double room) {
      const double along = glm::dot(n, sum.shift);
      if (along < -room) sum.shift -= (along + room) * n, sum.pushed = true;
    });
  }
  for (std::size_t w = 0; w < walls.size(); ++w) walls[w].pushed += given_[w];
  if (!colliders) return;
  for_contacts([](Sum& sum, const glm::dvec3& n, double room) {
    const double along = glm::dot(n, sum.shift);
    if (along < -room && along < 0.0) sum.share = std::min(sum.share, std::max(room, 0.0) / -along);
  });
  for_moving([&](std::int32_t member, Sum& sum) {
    if (sum.attached || sum.share == 0.0) return;
    const vec3 to(glm::dvec3(world.particles.previous[std::size_t(member)]) + sum.share * sum.shift);
    sum.share *= double(colliders->free_share(world, member, to, substep));
    sum.pushed |= sum.share < 1.0;
  });
}

void ImpactZones::move(World& world, const StaticContacts* colliders, std::span<BodyWall> walls,
                       int substep) {
  Particles& particles = world.particles;
  const auto moved = [&](std::size_t i) {
    return glm::dvec3(particles.position[i]) - glm::dvec3(particles.previous[i]);
  };
  for (const std::int32_t member : members_)
    if (root(member) == member && !sums_[std::size_t(member)].resting) sums_[std::size_t(member)] = {};
  for_moving([&](std::int32_t member, Sum& sum) {
    const std::size_t i = std::size_t(member);
    const bool attached = particles.position[i].w == real(0) && !is_in_hand(world, member);
    for (int c = 0; c < 3; ++c)
      sum.largest = std::max({sum.largest, std::abs(double(particles.previous[i][c])), 1e-6});
    if (attached && !sum.attached) sum = {glm::dvec3(0.0), 0.0, sum.largest, true};
    if (attached != sum.attached) return;
    const double w = double(particles.inverse_mass[i]);
    const double weight = attached || w == 0.0 ? 1.0 : 1.0 / w;
    sum.moved += weight * moved(i);
    sum.weight += weight;
  });
  for (std::int32_t member : members_)
    if (Sum& sum = sums_[std::size_t(member)]; root(member) == member && !sum.resting)
      sum.shift = sum.moved / sum.weight;
  if (colliders || !walls.empty()) keep_out(world, colliders, walls, substep);
  for_moving([&](std::int32_t member, Sum& sum) {
    const std::size_t i = std::size_t(member);
    const vec3 to = vec3(glm::dvec3(particles.previous[i]) + rounded(sum.share * sum.shift, sum.largest));
    particles.position[i] = vec4(to, particles.position[i].w);
  });
  for (const std::int32_t member : members_) sums_[std::size_t(root(member))].resting = true;
}

void ImpactZones::answer(World& world, std::span<BodyWall> walls, real h, TouchedParts* touched) {
  Bodies& bodies = world.bodies;
  const auto feels = [](const BodyWall& wall) {  // a fixed or sleeping body acts like a collider
    return wall.pushed > 0.0 && wall.inverse_mass > real(0);
  };
  const auto for_pushing = [&](const auto& act) {
    for (BodyWall& wall : walls)
      if (Sum* const zone = feels(wall) ? zone_of(wall) : nullptr) act(wall, *zone);
  };
  for_pushing([&](BodyWall& wall, Sum& zone) {
    zone.gained -= wall.pushed / (double(h) * zone.weight) * glm::dvec3(wall.normal);
  });
  for (int sweep = 0; sweep < answer_sweeps; ++sweep)
    for_pushing([&](BodyWall& wall, Sum& zone) {
      const std::size_t b = std::size_t(wall.body);
      const vec3 v = vec3(bodies.velocity[b]) + glm::cross(angular_velocity(bodies, b), wall.arm);
      const glm::dvec3 n(wall.normal),
          apart = zone.share * zone.shift / double(h) + zone.gained - glm::dvec3(v);
      const double before = wall.impulse;
      wall.impulse =
          std::max(before - glm::dot(n, apart) / (1.0 / zone.weight + double(wall.inverse_mass)), 0.0);
      const glm::dvec3 more = (wall.impulse - before) * n;
      zone.gained += more / zone.weight;
      bodies.velocity[b] -= vec4(bodies.position[b].w * vec3(more), real(0));
      bodies.angular_momentum[b] -= vec4(glm::cross(wall.arm, vec3(more)), real(0));
      if (touched) touched->touch_body(wall.body);
    });
  for (const std::int32_t member : members_)
    if (world.particles.position[std::size_t(member)].w > real(0))
      world.particles.velocity[std::size_t(member)] +=
          vec4(vec3(sums_[std::size_t(root(member))].gained), real(0));
}

}}  // namespace limber::LIMBER_PRECISION
