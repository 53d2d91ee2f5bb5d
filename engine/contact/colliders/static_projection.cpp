// The part of StaticContacts that pushes particles out of colliders: projection, friction, restitution.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/contact/law.hpp"
#include "engine/contact/mix.hpp"
#include "engine/contact/particles/particle_pair.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/state/rod_roll.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Whether particle i is a grain.
bool rolls(const World& world, std::int32_t i) {
  return !world.matter.grain_rolls.empty() && world.topology->matter.takes_part(i) &&
         world.topology->matter.phase[std::size_t(i)] == 0;
}

/// Friction of a contact of a rod that is solved by sweeps. Its segment rolls if it begins at the particle:
/// each turn is written by the thread of one point only.
vec3 rod_friction(World& world, const StaticContact& contact, const vec3& moved, real depth) {
  Particles& particles = world.particles;
  const std::size_t i = std::size_t(contact.particle);
  const real w = particles.position[i].w;
  std::optional<RodRoll> roll = roll_at(world, contact.particle, contact.normal);
  if (roll && !roll->begins) roll.reset();
  const real rolled = roll ? roll->surface_moved(particles) : real(0);
  const vec3 across = moved - glm::dot(moved, contact.normal) * contact.normal;
  const vec3 impulse = within_cone(stopping_impulse(across, w, roll, rolled), contact.friction * depth / w);
  if (roll)
    particles.moved[roll->row] +=
        vec4(particles.inverse_mass[roll->row] * roll->twist_of(impulse) * roll->axis, real(0));
  return w * impulse;
}

}  // namespace

vec3 friction_correction(vec3 moved, vec3 normal, real depth, real friction) {
  return -within_cone(moved - glm::dot(moved, normal) * normal, friction * depth);
}

vec3 rolling_correction(vec3 moved, vec3 normal, real depth, real friction, GrainRoll& grain) {
  const real most = real(spin_mobility) * grain.resistance * depth, rolling = glm::length(grain.roll);
  const real left = std::max(most - rolling, real(0));  // the resistance that is not used up
  grain.roll *= rolling > most ? 1 - most / rolling : real(0);
  const vec3 slid = moved - glm::cross(grain.roll, normal);
  const vec3 across = slid - glm::dot(slid, normal) * normal;
  const real length = glm::length(across);
  if (!(length > real(0))) return vec3(0);
  // The displacement that stops the sliding. The rotation takes the part that the rolling resistance does not
  // prevent.
  const real stop =
      within_bound(std::min(length, (length + left) / real(surface_mobility)), friction * depth);
  const vec3 correction = -(stop / length) * across;
  const real spun = std::max(real(spin_mobility) * stop - left, real(0));
  grain.roll += spun / length * glm::cross(normal, across);
  return correction;
}

vec3 filter_velocity(vec3 velocity, vec3 normal, real before, real restitution, real friction) {
  const real leaving = glm::dot(normal, velocity);
  const vec3 tangent = velocity - leaving * normal;
  return std::max(leaving, -restitution * before) * normal + (real(1) - friction) * tangent;
}

/// Friction of a contact that has removed `depth` m.
vec3 StaticContacts::apply_friction(World& world, const StaticContact& contact, const vec3& moved,
                                    real depth) {
  const std::size_t i = std::size_t(contact.particle);
  if (world.topology->surface.is_rod(i) && world.particles.position[i].w > real(0))
    return rod_friction(world, contact, moved, depth);
  if (!rolls(world, contact.particle))
    return friction_correction(moved, contact.normal, depth, contact.friction);
  const Material& material = world.settings.materials[std::size_t(world.particles.object[i])];
  GrainRoll grain{vec3(world.matter.grain_rolls[i]), real(material.rolling_resistance)};
  const vec3 correction = rolling_correction(moved, contact.normal, depth, contact.friction, grain);
  world.matter.grain_rolls[i] = vec4(grain.roll, real(0));
  return correction;
}

void StaticContacts::project(World& world, StaticContact& contact) {
  if (contact.taken) return;
  if (is_of_rod(world, contact.particle)) return project_rod(world, contact);
  if (keeps(world, contact)) return project_kept(world, contact);
  Particles& particles = world.particles;
  vec4& row = particles.position[std::size_t(contact.particle)];
  vec3 x(row);
  const real depth = std::max(contact.offset - glm::dot(contact.normal, x), real(0));
  const real held = depth + std::max(std::exchange(contact.load, real(0)), real(0));
  if (!(held > real(0))) return;
  contact.pushed += held;
  x += depth * contact.normal;
  if (world.settings.solver.contact->friction_model == FrictionModel::positional) {
    const vec3 moved = x - vec3(particles.previous[std::size_t(contact.particle)]) - contact.slide;
    x += apply_friction(world, contact, moved, held);
  }
  row = vec4(x, row.w);
}

bool StaticContacts::keeps(const World& world, const StaticContact& contact) {
  return keeps_contacts(world.settings.solver.method->kind) && !contact.taken &&
         !is_of_rod(world, contact.particle) &&
         !world.topology->matter.takes_part(contact.particle);  // F does not contain grains and clusters
}

/// Projects a contact by contact/law.hpp, with multipliers as displacements of the particle (m) if nothing
/// else held it. A multiplier changes by `gain` times the displacement.
void StaticContacts::project_kept(World& world, StaticContact& contact) {
  Particles& particles = world.particles;
  vec4& row = particles.position[std::size_t(contact.particle)];
  const vec3 found(row);
  vec3 x = found;
  const real gain = contact.gain, depth = contact.offset - glm::dot(contact.normal, x);
  const real now = std::max(contact.normal_kept + gain * depth, real(0));
  x += (now - contact.normal_kept) / gain * contact.normal;
  const real load = std::max(std::exchange(contact.load, real(0)), real(0));
  contact.pushed += now - contact.normal_kept + load;
  contact.normal_kept = now;
  contact.load_kept += load;
  const real held = now + contact.load_kept;
  if (world.settings.solver.contact->friction_model == FrictionModel::positional) {
    const vec3 moved = x - vec3(particles.previous[std::size_t(contact.particle)]) - contact.slide;
    const vec3 across = moved - glm::dot(contact.normal, moved) * contact.normal;
    const vec3 rub = within_cone(contact.friction_kept - gain * across, contact.friction * held);
    x += (rub - contact.friction_kept) / gain;
    contact.friction_kept = rub;
  }
  contact.displaced += x - found;
  row = vec4(x, row.w);
}

void StaticContacts::reserve_kept(World& world) {
  ContactState& kept = world.contacts;
  const bool needed = keeps_contacts(world.settings.solver.method->kind) && !world.colliders.empty();
  const std::size_t size = needed ? world.particles.position.size() : 0;
  if (kept.rod_holds.size() == size || !world.topology->rods.empty()) return;  // those of rods are built
  kept.rod_holds.assign(size, vec4(0));
  kept.rod_holders.assign(size, -1);
}

void StaticContacts::warm_kept(const World& world, std::int32_t block) {
  if (!keeps_contacts(world.settings.solver.method->kind)) return;
  const StepSettings& step = *world.settings.solver.step;
  const real h = real(step.dt / step.substeps);
  for (StaticContact& contact : of_block(block)) {
    const std::size_t i = std::size_t(contact.particle);
    if (!keeps(world, contact) || world.contacts.rod_holders[i] != contact.collider) continue;
    const vec4 held = h * h * world.particles.position[i].w * world.contacts.rod_holds[i];
    const vec3 rub = vec3(held) - glm::dot(vec3(held), contact.normal) * contact.normal;
    contact.normal_kept = contact.pushed = held.w;
    contact.friction_kept = within_cone(rub, contact.friction * held.w);
  }
}

void StaticContacts::keep_forces(World& world, std::int32_t block) const {
  if (!keeps_contacts(world.settings.solver.method->kind)) return;
  const StepSettings& step = *world.settings.solver.step;
  const real h = real(step.dt / step.substeps);
  ContactState& kept = world.contacts;
  const std::int32_t begin = block * particle_block,
                     end = std::min(begin + particle_block, world.particles.count);
  for (std::int32_t i = begin; i < end; ++i)
    if (!is_of_rod(world, i)) kept.rod_holders[std::size_t(i)] = -1;
  for (const StaticContact& contact : of_block(block)) {
    const std::size_t i = std::size_t(contact.particle);
    const real w = world.particles.position[i].w;
    if (!keeps(world, contact) || !(contact.normal_kept > real(0)) || !(w > real(0))) continue;
    const vec4 force = vec4(contact.friction_kept, contact.normal_kept) / (h * h * w);
    if (kept.rod_holders[i] >= 0 && !(force.w > kept.rod_holds[i].w)) continue;
    kept.rod_holders[i] = contact.collider;
    kept.rod_holds[i] = force;
  }
}

/// Pushes as project() does, without a kept normal multiplier: that would oscillate, because a rod responds
/// to a prescribed position rather than to a displacement. Friction is the warm start of the substep, see
/// keep_rods().
void StaticContacts::project_rod(World& world, StaticContact& contact) {
  vec4& row = world.particles.position[std::size_t(contact.particle)];
  if (!(row.w > real(0))) return;
  const real depth = std::max(contact.offset - glm::dot(contact.normal, vec3(row)), real(0));
  const real held = depth + std::max(std::exchange(contact.load, real(0)), real(0));
  contact.pushed += held;
  contact.load_kept += held / row.w;
  row += vec4(depth * contact.normal, real(0));
}

void StaticContacts::warm_rods(World& world, std::int32_t block) {
  if (!(world.contacts.rod_step > real(0))) return;
  for (StaticContact& contact : of_block(block)) {
    const std::size_t i = std::size_t(contact.particle);
    vec4& row = world.particles.position[i];
    if (!is_of_rod(world, contact.particle) || world.contacts.rod_holders[i] != contact.collider ||
        !(row.w > real(0)))
      continue;
    const vec4& held = world.contacts.rod_holds[i];
    const vec3 rub = vec3(held) - glm::dot(vec3(held), contact.normal) * contact.normal;
    contact.normal_kept = held.w;
    contact.friction_kept = within_cone(rub, contact.friction * held.w);
    row += row.w * vec4(contact.friction_kept, real(0));
    if (const auto roll = roll_at(world, contact.particle, contact.normal))
      roll->twist(world.particles) = roll->twist_of(contact.friction_kept);
  }
}

/// Friction acts as a spring against slipping whose stiffness is the point's own mass, within the cone of the
/// load that the surface has carried lately (a running mean): neighbours that react to the same slip then do
/// not overshoot together. It changes only at the end of a substep: between sweeps points move to and fro,
/// and clipping one direction by the cone would let the rope creep. The surface of the rod slips, so its
/// rotation counts, and a rod that is pushed across its axis rolls.
void StaticContacts::keep_rods(World& world, std::int32_t block) const {
  if (!(world.contacts.rod_step > real(0))) return;
  constexpr real fresh = real(0.1);  // weight of this substep in the running mean of the load
  // Colliders turn alike in all substeps of a frame, or nearly so: the one in the middle stands for all.
  const int middle = world.settings.solver.step->substeps / 2;
  ContactState& kept = world.contacts;
  const Particles& particles = world.particles;
  const std::int32_t begin = block * particle_block, end = begin + particle_block;
  std::fill(kept.rod_holders.begin() + begin, kept.rod_holders.begin() + end, -1);
  std::fill(kept.rod_holds.begin() + begin, kept.rod_holds.begin() + end, vec4(0));
  const bool rubs = world.settings.solver.contact->friction_model == FrictionModel::positional;
  for (const StaticContact& contact : of_block(block)) {
    const std::size_t i = std::size_t(contact.particle);
    const real before = contact.normal_kept, now = contact.load_kept,
               carried = before > real(0) ? before + fresh * (now - before) : now;
    if (!is_of_rod(world, contact.particle) || !(carried > kept.rod_holds[i].w) ||
        !(particles.inverse_mass[i] > real(0)))
      continue;
    const vec3 moved = vec3(particles.position[i]) - vec3(particles.previous[i]) - contact.slide;
    const vec3 across = moved - glm::dot(contact.normal, moved) * contact.normal;
    const auto roll = roll_at(world, contact.particle, contact.normal);
    real rolled = roll ? roll->surface_moved(particles) : real(0);
    if (const Pose* at = roll ? pose(world, middle, std::size_t(contact.collider)) : nullptr)
      rolled +=
          roll->radius * glm::dot(roll->across, at->turn * (glm::transpose(at->rotation) * contact.normal));
    const vec3 stop = stopping_impulse(across, particles.inverse_mass[i], roll, rolled);
    const vec3 rub = within_cone(contact.friction_kept + stop, contact.friction * carried);
    kept.rod_holders[i] = contact.collider;
    kept.rod_holds[i] = vec4(rubs ? rub : vec3(0), carried);
  }
}

void StaticContacts::project(World& world, std::int32_t block) {
  project(world, block, [](std::int32_t) { return true; });
}

void StaticContacts::lift(World& world, std::int32_t block) const {
  Particles& particles = world.particles;
  const StaticContact* contact = contacts_.data() + std::int64_t(block) * particle_block * per_particle_;
  for (const StaticContact* end = contact + blocks_[std::size_t(block)].contacts; contact != end; ++contact) {
    const std::size_t i = std::size_t(contact->particle);
    if (!world.topology->matter.takes_part(contact->particle) || particles.position[i].w == real(0) ||
        contact->taken)
      continue;
    const real depth =
        contact->offset - glm::dot(contact->normal, vec3(particles.previous[i]) + contact->slide);
    if (!(depth > real(0))) continue;
    particles.previous[i] += vec4(depth * contact->normal, real(0));
    particles.position[i] += vec4(depth * contact->normal, real(0));
  }
}

std::optional<StaticContacts::Push> StaticContacts::known_push(const World& world,
                                                               const StaticContact& contact) const {
  const std::size_t i = std::size_t(contact.particle), c = std::size_t(contact.collider);
  const Collider& collider = world.colliders[c];
  const Particles& particles = world.particles;
  const bool smooth = contact.friction == real(0) && contact.restitution == real(0) && !disturbs(c);
  if (!smooth || contact.taken || world.topology->matter.takes_part(contact.particle) ||
      !(particles.position[i].w > real(0)))
    return {};
  const glm::dvec3 x = glm::dvec3(particles.origin[i]) + glm::dvec3(particles.moved_before[i]),
                   center(collider.position), axis(collider.rotation[1]);
  const glm::dvec3 impulse =
      double(contact.pushed) / double(particles.position[i].w) * glm::dvec3(contact.normal);
  if (collider.shape == ColliderShape::plane) return Push{impulse, x};
  if (collider.shape == ColliderShape::sphere) return Push{impulse, center};
  if (collider.shape != ColliderShape::capsule) return {};
  const double half = double(collider.size.y);
  return Push{impulse, center + std::clamp(glm::dot(axis, x - center), -half, half) * axis};
}

bool StaticContacts::filters(const World& world) const {
  return bouncy_ || (world.settings.solver.contact->friction_model == FrictionModel::velocity_filter &&
                     !world.colliders.empty());
}

void StaticContacts::filter_velocities(World& world, std::int32_t block, real h) const {
  Particles& particles = world.particles;
  const bool positional = world.settings.solver.contact->friction_model == FrictionModel::positional;
  const real slow = real(2 * glm::length(world.settings.solver.motion->gravity)) * h;  // m/s
  const real fastest = real(world.settings.solver.motion->max_speed);
  const StaticContact* contact = contacts_.data() + std::int64_t(block) * particle_block * per_particle_;
  for (const StaticContact* end = contact + blocks_[std::size_t(block)].contacts; contact != end; ++contact) {
    if (!(contact->pushed > real(0)) || contact->taken)
      continue;  // ClusterContacts handles its friction and restitution
    vec4& row = particles.velocity[std::size_t(contact->particle)];
    const vec3 surface = contact->slide / h, v = vec3(row) - surface;
    const real before = contact->approach / h, e = before < -slow ? contact->restitution : real(0);
    if (positional && e == real(0)) continue;
    real share = 0;  // Coulomb: friction removes at most mu times the normal correction
    if (!positional) {
      const real sliding = glm::length(v - glm::dot(contact->normal, v) * contact->normal);
      const real most = contact->friction * contact->pushed / h;
      share = share_within(sliding, most);
    }
    row = vec4(surface + filter_velocity(v, contact->normal, before, e, share), row.w);
    // A fast collider can hit harder than the speed limit allows, and the solver applies the limit before the
    // bounce.
    if (const real speed = glm::length(row); speed > fastest) row *= fastest / speed;
  }
}

}}  // namespace limber::LIMBER_PRECISION
