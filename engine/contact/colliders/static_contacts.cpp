#include "engine/contact/colliders/static_contacts.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "engine/contact/mix.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/state/material_fields.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// A start within this distance of a surface counts as on it; rounding could otherwise put it inside.
constexpr real touch = real(1e-4);  // m

/// Path of a particle relative to a collider in a substep, in the collider's own frame.
struct LocalPath {
  vec3 from, step;
};

/// Computes the path. If the surface changes its shape, the start is carried along with its nearest triangle,
/// so that the path can be tested against the shape at the end. `reach`: m, see surface_at().
LocalPath local_path(const Collider& collider, const StaticContacts::Pose* pose, const vec3& x, const vec3& p,
                     real reach) {
  if (!pose) return {(x - collider.position) * collider.rotation, (p - x) * collider.rotation};
  vec3 from = (x - (pose->position - pose->shift)) * (pose->rotation - pose->turn);
  if (pose->surface) from = pose->surface->carried(pose->moment - 1, pose->moment, from, reach);
  return {from, (p - pose->position) * pose->rotation - from};
}

/// Distance of a point of the collider's frame from the collider at the end of the substep, and the
/// displacement of the surface there in addition to the collider's rigid motion. A surface that changes its
/// shape is searched up to `reach` m, and the edges of a mesh are sharp within `reach`.
PosedSurface::MovingDistance surface_at(const Collider& collider, const StaticContacts::Pose* pose,
                                        const vec3& local, real reach) {
  if (pose && pose->surface) return pose->surface->at(pose->moment, local, reach);
  return {edged_distance(collider, local, reach), vec3(0)};
}

real entry_at(const Collider& collider, const StaticContacts::Pose* pose, const LocalPath& path, real radius,
              real reach) {
  const bool changes = pose && pose->surface;
  if (!changes && !collider.sharp) return local_entry(collider, path.from, path.step, radius);
  const real shortest = changes ? std::max(real(0.5) * radius, touch) : shortest_step(collider);
  return traced_entry(path.from, path.step, radius, shortest,
                      [&](const vec3& p) { return surface_at(collider, pose, p, reach).d; });
}

/// m, distance from the path x -> p beyond which no part of a mesh can influence it.
real reach_of(const StaticContacts::Pose* pose, const vec3& x, const vec3& p, real thickness) {
  if (!pose || !pose->surface) return glm::length(p - x) + 2 * thickness;
  const vec3 end = (p - pose->position) * pose->rotation;
  const real way = glm::length(p - x - (pose->shift + pose->turn * end));
  return 2 * (way + pose->surface->fastest(pose->moment)) + 4 * thickness;
}

vec3 to_world(const Collider& collider, const StaticContacts::Pose* pose, const vec3& local) {
  return pose ? pose->position + pose->rotation * local : collider.position + collider.rotation * local;
}

/// m, bound of the displacement of the block's particles in the substep.
real longest_step(const World& world, std::int32_t block) {
  const vec4* p = &world.particles.position[std::size_t(block) * particle_block];
  const vec4* x = &world.particles.previous[std::size_t(block) * particle_block];
  vec4 most(0);  // maximum along each axis: a loop without branches
  for (std::int32_t i = 0; i < particle_block; ++i)
    for (int k = 0; k < 4; ++k) most[k] = std::max(most[k], std::abs(p[i][k] - x[i][k]));
  return glm::length(most);
}

}  // namespace

void StaticContacts::reserve(const World& world) {
  const std::size_t particles = std::size_t(world.particles.padded());
  contacts_.resize(particles * per_particle_);
  candidates_.resize(particles * per_particle_);
  neighbourhoods_.resize(particles);
  blocks_.assign(particles / particle_block, {});
  travel_.reserve(world.colliders.size());
  moves_.reserve(world.colliders.size());
  surfaces_.clear();
  for (const ColliderMesh& mesh : world.topology->collider_meshes)
    surfaces_.push_back(mesh.poses ? std::make_unique<PosedSurface>(*mesh.poses, mesh.shell) : nullptr);
}

/// Collects the contacts of one particle at a time in a block's storage.
class StaticContacts::Collector {
 public:
  Collector(const World& world, real h, StaticContact* out)
      : world_(world),
        margin_(real(world.settings.solver.contact->contact_margin)),
        exit_(real(world.settings.solver.contact->depenetration_speed) * h),
        begin_(out),
        first_(out),
        end_(out) {}

  void start(std::int32_t i) {
    const Material& material =
        world_.settings.materials[std::size_t(world_.particles.object[std::size_t(i)])];
    particle_ = i;
    p_ = vec3(world_.particles.position[std::size_t(i)]);
    x_ = vec3(world_.particles.previous[std::size_t(i)]);
    length_ = glm::length(p_ - x_);
    thickness_ = thickness_at(world_, std::size_t(i));
    reach_beyond_ = margin_ + fluid_reach(world_, i);
    // Colliders have no friction with a dragged vertex.
    friction_ = is_in_hand(world_, i) ? real(0) : real(material.friction);
    restitution_ = real(material.restitution);
    first_ = end_;
  }

  void test(std::size_t c, const Pose* pose) {
    const Collider& collider = world_.colliders[c];
    collider_ = std::int32_t(c);
    const vec3 end =
        (p_ - (pose ? pose->position : collider.position)) * (pose ? pose->rotation : collider.rotation);
    // Displacement relative to the surface, in the axes of the world at the start of the substep.
    vec3 step = pose ? p_ - x_ - (pose->shift + pose->turn * end) : p_ - x_;
    real length = pose ? glm::length(step) : length_;
    reach_ = reach_of(pose, x_, p_, thickness_ + reach_beyond_);
    const PosedSurface::MovingDistance at_end = surface_at(collider, pose, end, reach_);
    if (pose && pose->surface) {
      step -= (pose->rotation - pose->turn) * at_end.moved;
      length += pose->surface->fastest(pose->moment);
    }
    if (!(at_end.d < thickness_ + std::max(thickness_, length) + reach_beyond_)) return;
    // Above the tangent plane at the end, the start is outside any convex shape, and a path shorter than the
    // distance crosses no surface at all. The tangent plane is then the right contact plane.
    const vec3 normal = (pose ? pose->rotation - pose->turn : collider.rotation) * at_end.n;
    const real start = at_end.d - glm::dot(normal, step);
    const bool convex = collider.shape != ColliderShape::mesh;
    const bool apart =
        convex ? start > std::min(real(0.5) * thickness_, thickness_ - touch) : at_end.d > length;
    const bool edged = collider.shape == ColliderShape::box || collider.sharp;
    const bool edge = apart && edged && passed_an_edge(collider, pose, start);
    if (apart && !edge)
      add(collider, pose, {p_, end}, at_end, start);
    else
      test_path(collider, pose, at_end, edge);
  }

  /// Must be called when all contacts of the particle have been found.
  void finish(const StaticContacts& contacts, int substep) {
    end_ = contacts.drop_covered(world_, substep, first_, end_);
  }

  std::int32_t count() const { return std::int32_t(end_ - begin_); }

 private:
  /// A point of the path: its position at the end of the substep, in the world and in the collider's frame.
  struct Place {
    vec3 world, local;
  };

  /// Whether the start is farther from the surface than from the plane at the end (`start` m). The end has
  /// then passed an edge, and that plane would lift a particle that leaves a face.
  bool passed_an_edge(const Collider& collider, const Pose* pose, real start) const {
    if (!(start < thickness_ - touch)) return false;
    const LocalPath path = local_path(collider, pose, x_, p_, reach_);
    return surface_at(collider, pose, path.from, reach_).d > start + touch;
  }

  /// Adds the contact of a path that may cross the surface or has passed an edge.
  void test_path(const Collider& collider, const Pose* pose, const PosedSurface::MovingDistance& at_end,
                 bool edge) {
    const LocalPath path = local_path(collider, pose, x_, p_, reach_);
    const Place end{p_, path.from + path.step};
    const PosedSurface::MovingDistance at_start = surface_at(collider, pose, path.from, reach_);
    if (at_start.d < -touch) return add(collider, pose, end, at_end, at_start.d);  // the start is inside
    const real radius = std::clamp(at_start.d, real(0), thickness_);
    if (edge || (at_start.d < radius + touch && glm::dot(at_start.n, path.step) < real(0)))
      return add(collider, pose, placed(collider, pose, path.from), at_start, at_start.d);
    const real t = entry_at(collider, pose, path, radius, reach_);
    if (t > real(1)) return add(collider, pose, end, at_end, at_start.d);
    const vec3 entry = path.from + t * path.step;
    add(collider, pose, placed(collider, pose, entry), surface_at(collider, pose, entry, reach_), radius);
  }

  static Place placed(const Collider& collider, const Pose* pose, const vec3& local) {
    return {to_world(collider, pose, local), local};
  }

  /// Adds the contact plane through the surface near `place`, moved outwards by the thickness, or by less for
  /// a particle that starts only `start` m above the surface. `surface`: distance and direction at `place` in
  /// the collider's frame.
  void add(const Collider& collider, const Pose* pose, const Place& place,
           const PosedSurface::MovingDistance& surface, real start) {
    const vec3 normal = (pose ? pose->rotation : collider.rotation) * surface.n;
    const vec3 slide =
        pose ? pose->shift + pose->turn * place.local + pose->rotation * surface.moved : vec3(0);
    const real out = std::min(thickness_, start + exit_);
    const StaticContact contact{particle_,
                                collider_,
                                mixed_friction(friction_, collider.friction),
                                normal,
                                glm::dot(normal, place.world) - surface.d + out,
                                slide,
                                glm::dot(normal, p_ - x_ - slide),
                                mixed_restitution(collider.restitution, restitution_),
                                real(0)};
    if (end_ - first_ < per_particle_) {
      *end_++ = contact;
      return;
    }
    const auto room = [&](const StaticContact& c) { return glm::dot(c.normal, p_) - c.offset; };
    StaticContact* shallowest =
        std::max_element(first_, end_, [&](const auto& a, const auto& b) { return room(a) < room(b); });
    if (room(contact) < room(*shallowest)) *shallowest = contact;
  }

  const World& world_;
  real margin_, exit_;  // m
  real reach_beyond_ = 0;
  StaticContact *begin_, *first_, *end_;
  std::int32_t particle_ = 0, collider_ = 0;
  vec3 x_{0}, p_{0};
  real thickness_ = 0, friction_ = 0, restitution_ = 0, length_ = 0, reach_ = 0;
};

template <class Act>
bool StaticContacts::for_pairs(const World& world, std::int32_t block, const Act& act) const {
  const Block& self = blocks_[std::size_t(block)];
  const Candidate* candidate = candidates_.data() + std::int64_t(block) * particle_block * per_particle_;
  const Candidate* const last = candidate + self.candidates;
  const std::int32_t begin = block * particle_block,
                     end = std::min(begin + particle_block, world.particles.count);
  if (self.clear && within(world, block)) return false;
  bool strayed = false;
  for (std::int32_t i = begin; i < end; ++i) {
    const Row<real> p = Row<real>::load(&world.particles.position[std::size_t(i)].x);
    const Row<real> x = Row<real>::load(&world.particles.previous[std::size_t(i)].x);
    const Row<real> known = Row<real>::load(&neighbourhoods_[std::size_t(i)].x);
    const real farthest = std::max((p - known).square(), (x - known).square()), margin = known.last();
    const bool near_known = !self.test_all && farthest <= margin * margin;
    const Candidate* mine = candidate;
    while (candidate != last && candidate->particle == i) ++candidate;
    if (p.last() == real(0) && !is_in_hand(world, i)) continue;
    if (near_known) {
      for (; mine != candidate; ++mine) act(i, std::size_t(mine->collider));
      continue;
    }
    strayed = true;
    for (std::size_t c = 0; c < world.colliders.size(); ++c)
      if (particle_touches_collider(world, i, c)) act(i, c);
  }
  return strayed;
}

void StaticContacts::find(const World& world, std::int32_t block, real h, int substep) {
  Collector collector(world, h, contacts_.data() + std::int64_t(block) * particle_block * per_particle_);
  std::int32_t started = -1;
  const bool strayed = for_pairs(world, block, [&](std::int32_t i, std::size_t c) {
    if (i != started) {
      collector.finish(*this, substep);
      collector.start(started = i);
    }
    collector.test(c, pose(world, substep, c));
  });
  collector.finish(*this, substep);
  Block& self = blocks_[std::size_t(block)];
  self.contacts = collector.count();
  self.strayed = strayed;
  self.met |= collector.count() > 0;
}

void StaticContacts::stop_crossings(World& world, std::int32_t block, int substep, TouchedParts* touched) {
  Block& self = blocks_[std::size_t(block)];
  const auto stop = [&](std::int32_t i, std::size_t c) {
    if (!stop_crossing(world, i, c, substep)) return;
    self.met = true;
    if (touched) touched->touch_particle(i);
  };
  if (self.strayed) {
    for_pairs(world, block, stop);
    return;
  }
  if (self.candidates == 0 || (poses_.empty() && longest_step(world, block) <= real(0.5) * self.thinnest))
    return;
  const Candidate* candidate = candidates_.data() + std::int64_t(block) * particle_block * per_particle_;
  for (const Candidate* end = candidate + self.candidates; candidate != end; ++candidate)
    stop(candidate->particle, std::size_t(candidate->collider));
}

std::span<const StaticContact> StaticContacts::of_particle(std::int32_t particle) const {
  const std::int32_t block = particle / particle_block;
  const StaticContact* const first = contacts_.data() + std::int64_t(block) * particle_block * per_particle_;
  const StaticContact* const last = first + blocks_[std::size_t(block)].contacts;
  const auto [begin, end] = std::equal_range(
      first, last, StaticContact{.particle = particle},
      [](const StaticContact& a, const StaticContact& b) { return a.particle < b.particle; });
  return {begin, end};
}

StaticContact* StaticContacts::support(std::int32_t particle, const vec3& n) {
  StaticContact* best = nullptr;
  real least = 0;
  for (const StaticContact& contact : of_particle(particle)) {
    const real along = glm::dot(contact.normal, n);
    if (!(along < least) || !(contact.pushed > real(0)) || contact.taken) continue;
    least = along;
    best = contacts_.data() + (&contact - contacts_.data());
  }
  return best;
}

void StaticContacts::press(std::int32_t particle, const vec3& n) {
  StaticContact* const against = support(particle, n);
  if (!against) return;
  const real along = -glm::dot(against->normal, n);
  std::atomic_ref<real> most(against->pressed);
  real known = most.load(std::memory_order_relaxed);
  while (known < along && !most.compare_exchange_weak(known, along, std::memory_order_relaxed)) {
  }
}

StaticContact* StaticContacts::pressed(std::int32_t particle) {
  StaticContact* best = nullptr;
  real most = 0;
  for (const StaticContact& contact : of_particle(particle)) {
    if (!(contact.pressed > most)) continue;
    most = contact.pressed;
    best = contacts_.data() + (&contact - contacts_.data());
  }
  return best;
}

real StaticContacts::free_share(const World& world, std::int32_t i, const vec3& to, int substep) const {
  real share = 1;
  for (std::size_t c = 0; c < world.colliders.size(); ++c)
    if (particle_touches_collider(world, i, c))
      share = std::min(share, entry_share(world, i, c, to, substep));
  return share;
}

/// Share of the straight path from a particle's previous position to `to`, relative to the collider, that the
/// particle may move: to the point where its distance is half its thickness or half its distance at the
/// start, whichever is less. 1 if the path crosses nothing.
real StaticContacts::entry_share(const World& world, std::int32_t i, std::size_t c, const vec3& to,
                                 int substep) const {
  const Particles& particles = world.particles;
  const Collider& collider = world.colliders[c];
  const Pose* const at = pose(world, substep, c);
  const vec3 x(particles.previous[std::size_t(i)]), moved = to - x;
  const real thickness = thickness_at(world, std::size_t(i));
  const real short_way = real(0.5) * thickness;
  if (!at && glm::dot(moved, moved) <= short_way * short_way) return 1;
  const real reach = reach_of(at, x, to, thickness);
  const LocalPath path = local_path(collider, at, x, to, reach);
  const real length = glm::length(path.step);
  if (length <= short_way) return 1;
  const real start = surface_at(collider, at, path.from, reach).d;
  if (start < touch) return 1;
  const real radius = real(0.5) * std::min(start, thickness);
  if (start + surface_at(collider, at, path.from + path.step, reach).d >= length + 2 * radius) return 1;
  return std::min(entry_at(collider, at, path, radius, reach), real(1));
}

/// Returns whether the particle was stopped.
bool StaticContacts::stop_crossing(World& world, std::int32_t i, std::size_t c, int substep) const {
  vec4& row = world.particles.position[std::size_t(i)];
  if (row.w == real(0) && !is_in_hand(world, i)) return false;
  const real t = entry_share(world, i, c, vec3(row), substep);
  if (!(t < real(1))) return false;
  const Collider& collider = world.colliders[c];
  const Pose* const at = pose(world, substep, c);
  const vec3 x(world.particles.previous[std::size_t(i)]);
  const real thickness = thickness_at(world, std::size_t(i));
  const LocalPath path = local_path(collider, at, x, vec3(row), reach_of(at, x, vec3(row), thickness));
  row = vec4(to_world(collider, at, path.from + t * path.step), row.w);
  return true;
}

void StaticContacts::read_contacts(const World& world, std::vector<ContactMark>& out) const {
  for (std::size_t block = 0; block < blocks_.size(); ++block) {
    const StaticContact* contact = contacts_.data() + block * particle_block * per_particle_;
    for (const StaticContact* end = contact + blocks_[block].contacts; contact != end; ++contact)
      if (contact->pushed > real(0))
        out.push_back({glm::dvec3(world.particles.position[std::size_t(contact->particle)]),
                       glm::dvec3(contact->normal), ContactBetween::particle_and_collider});
  }
}

vec3 StaticContacts::carried(const World& world, int substep, std::size_t c, const vec3& local) const {
  const Pose* const at = pose(world, substep, c);
  if (!at || !at->surface) return to_world(world.colliders[c], at, local);
  return to_world(world.colliders[c], at,
                  at->surface->carried(PosedSurface::rest, at->moment, local, PosedSurface::anywhere));
}

std::int64_t StaticContacts::total() const {
  std::int64_t sum = 0;
  for (const Block& block : blocks_) sum += block.contacts;
  return sum;
}

}}  // namespace limber::LIMBER_PRECISION
