#include "engine/contact/cloth/impact_zones.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <limits>

namespace limber::inline LIMBER_PRECISION {
namespace {

/// The nearest multiple of the spacing of numbers as large as `largest`, or up to twice as large.
glm::dvec3 rounded(const glm::dvec3& d, double largest) {
  const double spacing = std::ldexp(double(std::numeric_limits<real>::epsilon()), std::ilogb(largest) + 1);
  return glm::round(d / spacing) * spacing;
}

}  // namespace

void ImpactZones::reserve(const World& world) {
  const std::size_t particles = std::size_t(world.particles.padded());
  parent_.assign(particles, -1);
  sums_.assign(particles, {});
  members_.clear();
  members_.reserve(particles);
}

void ImpactZones::clear() {
  for (std::int32_t i : members_) parent_[std::size_t(i)] = -1;
  members_.clear();
}

std::int32_t ImpactZones::root(std::int32_t i) {
  while (parent_[std::size_t(i)] != i) {
    std::int32_t& up = parent_[std::size_t(i)];
    up = parent_[std::size_t(up)];
    i = up;
  }
  return i;
}

void ImpactZones::join(std::span<const std::int32_t> particles) {
  for (std::int32_t i : particles) {
    if (parent_[std::size_t(i)] >= 0) continue;
    parent_[std::size_t(i)] = i;
    members_.push_back(i);
  }
  for (std::int32_t i : particles) parent_[std::size_t(root(i))] = root(particles[0]);
}

/// As many sweeps as find a way along two walls that meet at a sharp angle; what is left is cut short.
constexpr int collider_sweeps = 8;

/// The zone that holds all particles of a wall's point; null where there is none, or where it is attached.
ImpactZones::Sum* ImpactZones::zone_of(const BodyWall& wall) {
  if (parent_[std::size_t(wall.points[0])] < 0) return nullptr;
  const std::int32_t zone = root(wall.points[0]);
  for (const std::int32_t i : wall.points)
    if (parent_[std::size_t(i)] < 0 || root(i) != zone) return nullptr;
  Sum& sum = sums_[std::size_t(zone)];
  return sum.attached ? nullptr : &sum;
}

void ImpactZones::keep_out(const World& world, const StaticContacts* colliders,
                           std::span<const BodyWall> walls, int substep) {
  const auto room_of = [&](const StaticContact& c) {  // m, before anything moves; none for what starts inside
    const vec3 x = vec3(world.particles.previous[std::size_t(c.particle)]) + c.slide;
    return std::max(double(glm::dot(c.normal, x) - c.offset), 0.0);
  };
  const auto for_contacts = [&](const auto& act) {
    for (std::int32_t member : members_) {
      Sum& sum = sums_[std::size_t(root(member))];
      if (sum.attached || !colliders) continue;
      for (const StaticContact& c : colliders->of_particle(member))
        act(sum, glm::dvec3(c.normal), room_of(c) + double(glm::dot(c.normal, c.slide)));
    }
  };
  for (int sweep = 0; sweep < collider_sweeps; ++sweep) {
    for (const BodyWall& wall : walls)
      if (Sum* const sum = zone_of(wall)) {
        const glm::dvec3 n(wall.normal);
        const double missing = std::max(double(wall.least) - glm::dot(n, sum->shift), 0.0);
        sum->shift += missing * n;
        sum->pushed |= missing > 0.0;
      }
    for_contacts([](Sum& sum, const glm::dvec3& n, double room) {
      const double along = glm::dot(n, sum.shift);
      if (along < -room) sum.shift -= (along + room) * n, sum.pushed = true;
    });
  }
  if (!colliders) return;
  for_contacts([](Sum& sum, const glm::dvec3& n, double room) {
    const double along = glm::dot(n, sum.shift);
    if (along < -room && along < 0.0) sum.share = std::min(sum.share, std::max(room, 0.0) / -along);
  });
  for (std::int32_t member : members_) {
    Sum& sum = sums_[std::size_t(root(member))];
    if (sum.attached || sum.share == 0.0) continue;
    const vec3 to(glm::dvec3(world.particles.previous[std::size_t(member)]) + sum.share * sum.shift);
    sum.share *= double(colliders->free_share(world, member, to, substep));
    sum.pushed |= sum.share < 1.0;
  }
}

void ImpactZones::move(World& world, const StaticContacts* colliders, std::span<const BodyWall> walls,
                       int substep) {
  Particles& particles = world.particles;
  const auto moved = [&](std::size_t i) {
    return glm::dvec3(particles.position[i]) - glm::dvec3(particles.previous[i]);
  };
  for (std::int32_t i : members_) sums_[std::size_t(i)] = {};
  for (std::int32_t member : members_) {
    const std::size_t i = std::size_t(member);
    Sum& sum = sums_[std::size_t(root(member))];
    const bool attached = particles.position[i].w == real(0) && !is_in_hand(world, member);
    for (int c = 0; c < 3; ++c)
      sum.largest = std::max({sum.largest, std::abs(double(particles.previous[i][c])), 1e-6});
    if (attached && !sum.attached) sum = {glm::dvec3(0.0), 0.0, sum.largest, true};
    if (attached != sum.attached) continue;
    const double w = double(particles.inverse_mass[i]);
    const double weight = attached || w == 0.0 ? 1.0 : 1.0 / w;
    sum.moved += weight * moved(i);
    sum.weight += weight;
  }
  for (std::int32_t member : members_)
    if (root(member) == member) {
      Sum& sum = sums_[std::size_t(member)];
      sum.shift = sum.moved / sum.weight;
    }
  if (colliders || !walls.empty()) keep_out(world, colliders, walls, substep);
  for (std::int32_t member : members_) {
    const Sum& sum = sums_[std::size_t(root(member))];
    const std::size_t i = std::size_t(member);
    const vec3 to = vec3(glm::dvec3(particles.previous[i]) + rounded(sum.share * sum.shift, sum.largest));
    particles.position[i] = vec4(to, particles.position[i].w);
  }
}

}  // namespace limber::inline LIMBER_PRECISION
