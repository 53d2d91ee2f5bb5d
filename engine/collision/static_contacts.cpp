#include "engine/collision/static_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "engine/geometry/primitives.hpp"

namespace limber::inline LIMBER_PRECISION {

SurfacePoint closest(const Collider& collider, vec3 point) {
  const vec3 local = (point - collider.position) * collider.rotation;  // transpose(rotation) * d
  SurfaceDistance<real> found{};
  switch (collider.shape) {
    case ColliderShape::plane: found = plane_distance(local); break;
    case ColliderShape::sphere: found = sphere_distance(local, collider.size.x); break;
    case ColliderShape::box: found = box_distance(local, collider.size); break;
    case ColliderShape::capsule: found = capsule_distance(local, collider.size.x, collider.size.y); break;
  }
  return {found.d, collider.rotation * found.n};
}

vec3 friction_correction(vec3 moved, vec3 normal, real depth, real friction) {
  const vec3 tangent = moved - glm::dot(moved, normal) * normal;
  const real length = std::sqrt(glm::dot(tangent, tangent));
  const real limit = friction * depth;
  if (length <= limit) return -tangent;
  return -(limit / length) * tangent;
}

void StaticContacts::reserve(const World& world) {
  const std::size_t particles = std::size_t(world.particles.padded());
  contacts_.resize(particles * per_particle_);
  candidates_.resize(particles * per_particle_);
  neighbourhoods_.resize(particles);
  blocks_.assign(particles / particle_block, {});
}

void StaticContacts::begin_frame(const World& world, std::int32_t block, real dt) {
  const Particles& particles = world.particles;
  Candidate* out = candidates_.data() + std::int64_t(block) * particle_block * per_particle_;
  Block& self = blocks_[std::size_t(block)];
  self = {};
  const std::int32_t begin = block * particle_block, end = std::min(begin + particle_block, particles.count);
  for (std::int32_t i = begin; i < end; ++i) {
    const vec3 x(particles.position[std::size_t(i)]), v(particles.velocity[std::size_t(i)]);
    const real thickness = real(world.materials[std::size_t(particles.object[std::size_t(i)])].thickness);
    const real margin = 2 * thickness + real(1.5) * dt * glm::length(v);
    neighbourhoods_[std::size_t(i)] = {x, margin};
    // inside the margin a substep moves it at most 2 margins, so its reach is at most 2 (thickness + margin)
    const real within = 2 * thickness + 3 * margin;
    for (std::size_t c = 0; c < world.colliders.size(); ++c) {
      if (!(closest(world.colliders[c], x).distance < within)) continue;
      if (self.candidates == particle_block * per_particle_) {
        self.test_all = true;
        return;
      }
      out[self.candidates++] = {i, std::int32_t(c)};
    }
  }
}

/// Gathers the contacts of one particle at a time into a block's storage.
class StaticContacts::Collector {
 public:
  Collector(const World& world, StaticContact* out) : world_(world), begin_(out), first_(out), end_(out) {}

  void start(std::int32_t i, const vec4& p) {
    const Material& material = world_.materials[std::size_t(world_.particles.object[std::size_t(i)])];
    particle_ = i;
    x_ = vec3(p);
    thickness_ = real(material.thickness);
    friction_ = real(material.friction);
    const vec3 moved = x_ - vec3(world_.particles.previous[std::size_t(i)]);
    reach_ = thickness_ + std::max(thickness_, glm::length(moved));
    first_ = end_;
  }

  void test(const Collider& collider) {
    const SurfacePoint surface = closest(collider, x_);
    if (!(surface.distance < reach_)) return;
    const real depth = thickness_ - surface.distance;
    const StaticContact contact{particle_, std::sqrt(friction_ * collider.friction), surface.normal,
                                glm::dot(surface.normal, x_) + depth};
    if (end_ - first_ < per_particle_) {
      *end_++ = contact;
      return;
    }
    const auto room = [&](const StaticContact& c) { return glm::dot(c.normal, x_) - c.offset; };
    StaticContact* shallowest =
        std::max_element(first_, end_, [&](const auto& a, const auto& b) { return room(a) < room(b); });
    if (room(contact) < room(*shallowest)) *shallowest = contact;
  }

  std::int32_t count() const { return std::int32_t(end_ - begin_); }

 private:
  const World& world_;
  StaticContact *begin_, *first_, *end_;
  std::int32_t particle_ = 0;
  vec3 x_{0};
  real thickness_ = 0, friction_ = 0, reach_ = 0;
};

void StaticContacts::find(const World& world, std::int32_t block) {
  const std::int64_t first = std::int64_t(block) * particle_block * per_particle_;
  Block& self = blocks_[std::size_t(block)];
  Collector collector(world, contacts_.data() + first);
  const Candidate* candidate = candidates_.data() + first;
  const Candidate* const last = candidate + self.candidates;
  const std::int32_t begin = block * particle_block, end = std::min(begin + particle_block, world.particles.count);
  for (std::int32_t i = begin; i < end; ++i) {
    const vec4 p = world.particles.position[std::size_t(i)];
    const Neighbourhood& known = neighbourhoods_[std::size_t(i)];
    const vec3 away = vec3(p) - known.center;
    const bool near_known = !self.test_all && glm::dot(away, away) <= known.margin * known.margin;
    const Candidate* mine = candidate;
    while (candidate != last && candidate->particle == i) ++candidate;
    if (p.w == real(0) || (near_known && mine == candidate)) continue;
    collector.start(i, p);
    if (near_known)
      for (; mine != candidate; ++mine) collector.test(world.colliders[std::size_t(mine->collider)]);
    else
      for (const Collider& collider : world.colliders) collector.test(collider);
  }
  self.contacts = collector.count();
}

void StaticContacts::project(World& world, std::int32_t block) const {
  Particles& particles = world.particles;
  const StaticContact* contact = contacts_.data() + std::int64_t(block) * particle_block * per_particle_;
  for (const StaticContact* end = contact + blocks_[std::size_t(block)].contacts; contact != end; ++contact) {
    vec4& row = particles.position[std::size_t(contact->particle)];
    vec3 x(row);
    const real C = glm::dot(contact->normal, x) - contact->offset;
    if (C >= real(0)) continue;
    x -= C * contact->normal;
    const vec3 moved = x - vec3(particles.previous[std::size_t(contact->particle)]);
    x += friction_correction(moved, contact->normal, -C, contact->friction);
    row = vec4(x, row.w);
  }
}

std::int64_t StaticContacts::total() const {
  std::int64_t sum = 0;
  for (const Block& block : blocks_) sum += block.contacts;
  return sum;
}

}  // namespace limber
