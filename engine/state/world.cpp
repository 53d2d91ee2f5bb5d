#include "engine/state/world.hpp"

#include <algorithm>
#include <cmath>

#include "engine/constraints/constraint_types.hpp"
#include "engine/constraints/density.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/settings/wind.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/heat_state.hpp"
#include "engine/state/material_fields.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

World::World() = default;
World::World(const World&) = default;
World::World(World&&) noexcept = default;
World& World::operator=(const World&) = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

bool holds_volume(const World& world, std::size_t object) {
  return world.matter.volume_goals[object].volume > real(0) && !world.topology->tears.is_torn(object);
}

bool strains_skin(const World& world, std::size_t object) {
  return holds_volume(world, object) &&
         world.matter.volume_goals[object].volume != real(world.topology->enclosures[object].volume);
}

bool is_under_pressure(const World& world, std::int32_t i) {
  return holds_volume(world, std::size_t(world.particles.object[std::size_t(i)]));
}

const Material& material_of(const World& world, std::int32_t i) {
  return world.settings.materials[std::size_t(world.particles.object[std::size_t(i)])];
}

real fluid_reach(const World& world, std::int32_t i) {
  return world.topology->fluid.takes_part(i)
             ? real(fluid_support_radii * world.settings.solver.contact->particle_radius)
             : real(0);
}

void fix_particle(World& world, std::int32_t i) {
  set_weight(world.particles, std::size_t(i), 0);
  world.particles.velocity[std::size_t(i)] = vec4(0);
}

bool is_attached(const World& world, std::int32_t i) {
  const auto at = std::lower_bound(world.user.attachments.begin(), world.user.attachments.end(), i,
                                   [](const Attachment& a, std::int32_t p) { return a.particle < p; });
  return at != world.user.attachments.end() && at->particle == i;
}

void free_particle(World& world, std::int32_t i) {
  if (is_attached(world, i) || is_in_hand(world, i)) return;
  if (is_parked(world.topology->fluid, world.matter.fluid, i)) return;
  set_weight(world.particles, std::size_t(i), world.particles.inverse_mass[std::size_t(i)]);
}

double inverse_h_squared(const World& world) {
  const StepSettings& step = *world.settings.solver.step;
  return std::pow(step.substeps / step.dt, 2.0);
}

bool is_damped(const World& world) {
  bool damped = false;
  for_each_type([&](auto type) { damped |= !std::get<type>(*world.matter.constraints).damping.empty(); });
  return damped;
}

bool joined(const World& world, std::int32_t body, std::int32_t other) {
  const Topology& topology = *world.topology;
  if (topology.joints.empty()) return false;
  const std::size_t i = std::size_t(body);
  if (i + 1 >= topology.joint_offset.size()) return false;  // the body was added later
  for (std::int32_t k = topology.joint_offset[i]; k < topology.joint_offset[i + 1]; ++k) {
    const std::size_t j = std::size_t(topology.joint_at[std::size_t(k)]);
    const Joint& joint = topology.joints[j];
    if (joint.a + joint.b != body + other || (joint.a != body && joint.b != body)) continue;
    if (!world.bodies.joints[j].broken && !world.settings.joint_materials[std::size_t(joint.source)].collide)
      return true;
  }
  return false;
}

}}  // namespace limber::LIMBER_PRECISION
