#include "engine/collision/static_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "engine/geometry/primitives.hpp"

namespace limber::inline LIMBER_PRECISION {

namespace {

/// At a point of the collider's own frame.
SurfaceDistance<real> local_distance(const Collider& collider, const vec3& local) {
  SurfaceDistance<real> found{};
  switch (collider.shape) {
    case ColliderShape::plane:
      found = plane_distance(local);
      break;
    case ColliderShape::sphere:
      found = sphere_distance(local, collider.size.x);
      break;
    case ColliderShape::box:
      found = box_distance(local, collider.size);
      break;
    case ColliderShape::capsule:
      found = capsule_distance(local, collider.size.x, collider.size.y);
      break;
    case ColliderShape::mesh:
      found = collider.field->at(local / collider.size.x + collider.field_center);
      found.d *= collider.size.x;
      break;
  }
  return found;
}

}  // namespace

SurfacePoint closest(const Collider& collider, vec3 point) {
  const vec3 local = (point - collider.position) * collider.rotation;  // transpose(rotation) * d
  const SurfaceDistance<real> found = local_distance(collider, local);
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

void StaticContacts::begin_step(World& world, double dt) {
  const auto moves = [](const Collider& collider) { return collider.motion.moves(); };
  bouncy_ = std::any_of(world.colliders.begin(), world.colliders.end(),
                        [](const Collider& collider) { return collider.restitution > real(0); });
  const int substeps = world.settings.substeps;
  const std::size_t count = world.colliders.size();
  const bool any = std::any_of(world.colliders.begin(), world.colliders.end(), moves);
  poses_.resize(any ? count * std::size_t(substeps) : 0);
  if (!any) return;
  for (std::size_t c = 0; c < count; ++c) {
    if (!moves(world.colliders[c])) continue;
    place(world.colliders[c], world.time);
    Placement before = world.colliders[c].motion.at(world.time);
    for (int s = 0; s < substeps; ++s) {
      const Placement after = world.colliders[c].motion.at(world.time + dt * (s + 1) / substeps);
      poses_[std::size_t(s) * count + c] = {vec3(after.position), mat3(after.rotation),
                                            vec3(after.position - before.position),
                                            mat3(after.rotation - before.rotation)};
      before = after;
    }
  }
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
      const Collider& collider = world.colliders[c];
      // A rigid surface comes no nearer than its own material would travel here, and the reach is relative to
      // it.
      real travel = 0;
      if (collider.motion.moves()) {
        const double away =
            double(glm::length(x - collider.position) + margin) + collider.motion.travel(0.0, double(dt));
        travel = real(2 * collider.motion.travel(away, double(dt)));
      }
      if (!(closest(collider, x).distance < within + travel)) continue;
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
    moved_ = x_ - vec3(world_.particles.previous[std::size_t(i)]);
    reach_ = thickness_ + std::max(thickness_, glm::length(moved_));
    first_ = end_;
  }

  void test(const Collider& collider, const Pose* pose) {
    if (!pose) return add(collider, closest(collider, x_), reach_, vec3(0));
    const vec3 local = (x_ - pose->position) * pose->rotation;
    const SurfaceDistance<real> found = local_distance(collider, local);
    const vec3 slide = pose->shift + pose->turn * local;
    const real reach = thickness_ + std::max(thickness_, glm::length(moved_ - slide));
    add(collider, {found.d, pose->rotation * found.n}, reach, slide);
  }

  std::int32_t count() const { return std::int32_t(end_ - begin_); }

 private:
  void add(const Collider& collider, const SurfacePoint& surface, real reach, const vec3& slide) {
    if (!(surface.distance < reach)) return;
    const real depth = thickness_ - surface.distance;
    const StaticContact contact{particle_,
                                std::sqrt(friction_ * collider.friction),
                                surface.normal,
                                glm::dot(surface.normal, x_) + depth,
                                slide,
                                glm::dot(surface.normal, moved_ - slide),
                                collider.restitution,
                                false};
    if (end_ - first_ < per_particle_) {
      *end_++ = contact;
      return;
    }
    const auto room = [&](const StaticContact& c) { return glm::dot(c.normal, x_) - c.offset; };
    StaticContact* shallowest =
        std::max_element(first_, end_, [&](const auto& a, const auto& b) { return room(a) < room(b); });
    if (room(contact) < room(*shallowest)) *shallowest = contact;
  }

  const World& world_;
  StaticContact *begin_, *first_, *end_;
  std::int32_t particle_ = 0;
  vec3 x_{0}, moved_{0};
  real thickness_ = 0, friction_ = 0, reach_ = 0;
};

void StaticContacts::find(const World& world, std::int32_t block, int substep) {
  const std::int64_t first = std::int64_t(block) * particle_block * per_particle_;
  Block& self = blocks_[std::size_t(block)];
  Collector collector(world, contacts_.data() + first);
  const Candidate* candidate = candidates_.data() + first;
  const Candidate* const last = candidate + self.candidates;
  const std::int32_t begin = block * particle_block,
                     end = std::min(begin + particle_block, world.particles.count);
  for (std::int32_t i = begin; i < end; ++i) {
    const vec4 p = world.particles.position[std::size_t(i)];
    const Neighbourhood& known = neighbourhoods_[std::size_t(i)];
    const vec3 away = vec3(p) - known.center;
    const bool near_known = !self.test_all && glm::dot(away, away) <= known.margin * known.margin;
    const Candidate* mine = candidate;
    while (candidate != last && candidate->particle == i) ++candidate;
    if (p.w == real(0) || (near_known && mine == candidate)) continue;
    collector.start(i, p);
    const auto test = [&](std::size_t c) { collector.test(world.colliders[c], pose(world, substep, c)); };
    if (near_known)
      for (; mine != candidate; ++mine) test(std::size_t(mine->collider));
    else
      for (std::size_t c = 0; c < world.colliders.size(); ++c) test(c);
  }
  self.contacts = collector.count();
}

void StaticContacts::project(World& world, std::int32_t block) {
  Particles& particles = world.particles;
  StaticContact* contact = contacts_.data() + std::int64_t(block) * particle_block * per_particle_;
  for (const StaticContact* end = contact + blocks_[std::size_t(block)].contacts; contact != end; ++contact) {
    vec4& row = particles.position[std::size_t(contact->particle)];
    vec3 x(row);
    const real C = glm::dot(contact->normal, x) - contact->offset;
    if (C >= real(0)) continue;
    contact->touched = true;
    x -= C * contact->normal;
    const vec3 moved = x - vec3(particles.previous[std::size_t(contact->particle)]) - contact->slide;
    x += friction_correction(moved, contact->normal, -C, contact->friction);
    row = vec4(x, row.w);
  }
}

void StaticContacts::restore(World& world, std::int32_t block, real h) const {
  Particles& particles = world.particles;
  const real slow = real(2 * glm::length(world.settings.gravity)) * h * h;  // m in the substep
  const real fastest = real(world.settings.max_speed);
  const StaticContact* contact = contacts_.data() + std::int64_t(block) * particle_block * per_particle_;
  for (const StaticContact* end = contact + blocks_[std::size_t(block)].contacts; contact != end; ++contact) {
    if (!contact->touched || !(contact->restitution > real(0)) || !(contact->approach < -slow)) continue;
    vec4& row = particles.velocity[std::size_t(contact->particle)];
    const real leaving = glm::dot(contact->normal, vec3(row) - contact->slide / h);
    const real wanted = -contact->restitution * contact->approach / h;
    if (leaving >= wanted) continue;
    row += vec4((wanted - leaving) * contact->normal, real(0));
    // A fast collider can hit harder than the speed limit; the bound of the solver came before the bounce.
    if (const real speed = glm::length(row); speed > fastest) row *= fastest / speed;
  }
}

std::int64_t StaticContacts::total() const {
  std::int64_t sum = 0;
  for (const Block& block : blocks_) sum += block.contacts;
  return sum;
}

}  // namespace limber::inline LIMBER_PRECISION
