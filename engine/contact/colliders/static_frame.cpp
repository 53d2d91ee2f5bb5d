// The part of StaticContacts at the beginning of a frame: motions of colliders, and the colliders that each
// particle may touch.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>

#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/contact/frame_rows.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/state/material_fields.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Frobenius norm, an upper bound of the factor by which `m` lengthens a vector.
double norm(const glm::dmat3& m) {
  return std::sqrt(glm::dot(m[0], m[0]) + glm::dot(m[1], m[1]) + glm::dot(m[2], m[2]));
}

}  // namespace

/// Rescales the kept friction of points of rods (kg m, a force times h^2) to a substep of h seconds. Clears
/// it if rods are not solved as a whole.
void StaticContacts::begin_rods(World& world, real h) {
  ContactState& kept = world.contacts;
  if (kept.rod_holds.empty()) return;
  const MethodSettings& method = *world.settings.solver.method;
  const bool whole =
      method.rods == RodSolve::direct && is_compliant(method.kind) && !world.topology->rods.empty();
  const real step = std::exchange(kept.rod_step, whole ? h : real(0));
  if (step == kept.rod_step) return;
  const real scale = whole && step > real(0) ? (h / step) * (h / step) : real(0);
  for (vec4& held : kept.rod_holds) held *= scale;
  if (scale == real(0)) std::fill(kept.rod_holders.begin(), kept.rod_holders.end(), -1);
}

void StaticContacts::begin_step(World& world, double dt) {
  bouncy_ = std::any_of(world.colliders.begin(), world.colliders.end(),
                        [](const Collider& collider) { return collider.restitution > real(0); }) ||
            std::any_of(world.settings.materials.begin(), world.settings.materials.end(),
                        [](const Material& material) { return material.restitution > 0.0; });
  const int substeps = world.settings.solver.step->substeps;
  begin_rods(world, real(dt / substeps));
  const std::size_t count = world.colliders.size();
  travel_.assign(count, {});
  moves_.resize(count);
  for (std::size_t c = 0; c < count; ++c) moves_[c] = world.colliders[c].motion.moves() || surface(c);
  const bool any = std::find(moves_.begin(), moves_.end(), char(1)) != moves_.end();
  poses_.resize(any ? count * std::size_t(substeps) : 0);
  if (!any) return;
  for (std::size_t c = 0; c < count; ++c) {
    if (!moves_[c]) continue;
    place(world.colliders[c], world.time);
    Placement before = world.colliders[c].motion.at(world.time);
    if (surface(c)) surfaces_[c]->place(world.time, dt, substeps);
    for (int s = 0; s < substeps; ++s) {
      const Placement after = world.colliders[c].motion.at(world.time + dt * (double(s + 1) / substeps));
      const glm::dvec3 shift = after.position - before.position;
      const glm::dmat3 turn = after.rotation - before.rotation;
      poses_[std::size_t(s) * count + c] = {vec3(after.position), mat3(after.rotation), vec3(shift),
                                            mat3(turn),           surface(c),           s + 1};
      travel_[c].shift += real(glm::length(shift));
      travel_[c].turn += real(norm(turn));
      before = after;
    }
  }
}

void StaticContacts::take_motion(const World& world, int substep, std::size_t c, vec4* frame) const {
  const Pose* const at = pose(world, substep, c);
  if (!at) return;
  const vec4 q = quaternion_of(glm::dmat3(at->rotation_in_substep()));
  frame[row_shift] = vec4(at->shift, real(0));
  frame[row_turn] = vec4((q.w < 0 ? real(-2) : real(2)) * vec3(q), real(0));
}

/// m, bound of the approach, within a frame, of collider c to any point within `margin` of x. The surface
/// comes no nearer than the displacement of its own material there; the factor 2 is because reaches are
/// measured relative to the surface.
real StaticContacts::reach(const World& world, std::size_t c, const vec3& x, real margin) const {
  if (poses_.empty() || !moves_[c]) return 0;
  const Travel& most = travel_[c];
  const real away = glm::length(x - world.colliders[c].position) + margin + most.shift;
  return 2 * (most.shift + most.turn * away);
}

/// m, lower bound of the distance from x to the surface of collider c.
real StaticContacts::distance(const World& world, std::size_t c, const vec3& x) const {
  const Collider& collider = world.colliders[c];
  return surface(c) ? surface(c)->least_distance((x - collider.position) * collider.rotation)
                    : closest(collider, x).distance;
}

/// Whether a block is so far from all colliders that its particles need not be tested one by one.
bool StaticContacts::is_clear(const World& world, std::int32_t block, real dt) {
  const Particles& particles = world.particles;
  Block& self = blocks_[std::size_t(block)];
  const std::int32_t begin = block * particle_block, end = std::min(begin + particle_block, particles.count);
  if (begin >= end) return false;
  Row<real> low = Row<real>::load(&particles.position[std::size_t(begin)].x), high = low;
  real square = 0, thickest = 0, farthest = 0;
  for (std::int32_t i = begin; i < end; ++i) {
    const Row<real> x = Row<real>::load(&particles.position[std::size_t(i)].x);
    low = min(low, x), high = max(high, x);
    square = std::max(square, Row<real>::load(&particles.velocity[std::size_t(i)].x).square());
    const real thickness = thickness_at(world, std::size_t(i));
    thickest = std::max(thickest, thickness);
    farthest = std::max(farthest, fluid_reach(world, i));
    self.thinnest = std::min(self.thinnest, thickness);
  }
  const real margin = 2 * thickest + real(1.5) * dt * std::sqrt(square);
  if (!std::isfinite(margin)) return false;
  self.low = low - Row<real>(margin), self.high = high + Row<real>(margin);
  const Row<real> half = Row<real>(real(0.5)) * (self.high - self.low);
  const real radius = std::sqrt(half.square());
  vec4 middle;
  (self.low + half).store(&middle.x);
  // Within the box a particle moves in a substep by at most the box's diagonal.
  const real within =
      3 * radius + 2 * thickest + real(world.settings.solver.contact->contact_margin) + farthest;
  for (std::size_t c = 0; c < world.colliders.size(); ++c)
    if (!(distance(world, c, vec3(middle)) > within + reach(world, c, vec3(middle), radius))) return false;
  return true;
}

/// Whether all particles of a block are within its box, both now and before the substep.
bool StaticContacts::within(const World& world, std::int32_t block) const {
  const Block& self = blocks_[std::size_t(block)];
  const std::size_t begin = std::size_t(block) * particle_block,
                    end = std::min(begin + particle_block, std::size_t(world.particles.count));
  bool inside = true;
  for (std::size_t i = begin; i < end; ++i) {
    const Row<real> p = Row<real>::load(&world.particles.position[i].x);
    const Row<real> x = Row<real>::load(&world.particles.previous[i].x);
    inside &= both(below(self.low, min(p, x)), below(max(p, x), self.high));
  }
  return inside;
}

void StaticContacts::begin_frame(const World& world, std::int32_t block, real dt) {
  const Particles& particles = world.particles;
  Candidate* out = candidates_.data() + std::int64_t(block) * particle_block * per_particle_;
  Block& self = blocks_[std::size_t(block)];
  self = {};
  self.thinnest = std::numeric_limits<real>::max();
  if (is_clear(world, block, dt)) {
    self.clear = self.test_all = true;
    return;
  }
  const std::int32_t begin = block * particle_block, end = std::min(begin + particle_block, particles.count);
  for (std::int32_t i = begin; i < end; ++i) {
    const vec3 x(particles.position[std::size_t(i)]), v(particles.velocity[std::size_t(i)]);
    const real thickness = thickness_at(world, std::size_t(i));
    const real margin = 2 * thickness + real(1.5) * dt * glm::length(v);
    self.thinnest = std::min(self.thinnest, thickness);
    neighbourhoods_[std::size_t(i)] = vec4(x, margin);
    // Within the margin a particle moves by at most 2 margins in a substep, so its reach is at most 2
    // (thickness + margin).
    const real within = 2 * thickness + 3 * margin + real(world.settings.solver.contact->contact_margin) +
                        fluid_reach(world, i);
    for (std::size_t c = 0; c < world.colliders.size(); ++c) {
      if (!particle_touches_collider(world, i, c)) continue;
      if (!(distance(world, c, x) < within + reach(world, c, x, margin))) continue;
      if (self.candidates == particle_block * per_particle_) {
        self.test_all = true;
        return;
      }
      out[self.candidates++] = {i, std::int32_t(c)};
    }
  }
}

}}  // namespace limber::LIMBER_PRECISION
