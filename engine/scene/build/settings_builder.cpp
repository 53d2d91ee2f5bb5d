#include "engine/scene/build/settings_builder.hpp"

#include <algorithm>

#include "engine/core/rates.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/settings/wind.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/build/body_builder.hpp"
#include "engine/scene/build/joint_builder.hpp"
#include "engine/scene/build/tie_builder.hpp"
#include "engine/scene/build/touch_lists.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/colliders/collider_source.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/scene/joints/tie_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"
#include "engine/scene/objects/rod.hpp"
#include "engine/scene/objects/solid.hpp"
#include "engine/state/material_fields.hpp"
#include "engine/state/tear_room.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

Collider make_collider(const SceneDesc& scene, std::size_t c, const ColliderMesh& mesh) {
  const ColliderDesc& desc = scene.colliders[c];
  Collider collider;
  collider.shape = desc.shape;
  collider.motion = motion_of(scene.colliders, c);
  collider.position = vec3(collider.motion.rest.position);
  collider.rotation = mat3(collider.motion.rest.rotation);
  collider.friction = real(desc.friction);
  collider.restitution = real(desc.restitution);
  collider.drains = desc.drains;
  switch (desc.shape) {
    case ColliderShape::plane:
      break;
    case ColliderShape::sphere:
      collider.size.x = real(desc.radius);
      break;
    case ColliderShape::box:
      collider.size = vec3(desc.half_extents);
      break;
    case ColliderShape::capsule:
      collider.size = vec3(real(desc.radius), real(desc.half_length), real(0));
      break;
    case ColliderShape::mesh:
      collider.size.x = real(mesh.scale);
      collider.field = mesh.field.get();
      collider.sharp = mesh.sharp.get();
      collider.field_center = vec3(mesh.center);
      break;
  }
  return collider;
}

/// Scales the masses of an object to an areal density that changed while the scene runs. The factor applies
/// to the masses at the start, so that intermediate densities leave no rounding errors.
void scale_masses(const World& start, World& world, std::size_t object, double density) {
  const ParticleRange& range = world.topology->objects[object];
  const double factor = density / start.settings.materials[object].density;
  const TearRoom& tears = world.topology->tears;
  const auto scale = [&](std::int32_t particle) {
    const std::size_t i = std::size_t(particle), origin = tears.empty() ? i : std::size_t(tears.origin[i]);
    real& w = world.particles.inverse_mass[i];
    w = real(double(start.particles.inverse_mass[origin]) / factor / (tears.empty() ? 1.0 : tears.share[i]));
    if (world.particles.position[i].w > real(0)) set_weight(world.particles, i, w);
  };
  for (std::int32_t i = range.first; i < range.end(); ++i) scale(i);
  if (tears.empty()) return;
  for (std::int32_t k = 0; k < tears.objects[object].used; ++k) scale(tears.objects[object].first_spare + k);
}

SoftLaw law_of(const SolidDesc& solid, int iterations) {
  SoftLaw law;
  law.stiffness = real(stiffness_per_iteration(solid.stiffness, iterations));
  law.linear = real(solid.linear), law.quadratic = real(solid.quadratic);
  law.young = real(solid.youngs_modulus), law.poisson = real(solid.poisson_ratio);
  law.damping = real(solid.damping_time);
  law.yield = real(solid.yield), law.creep = real(solid.creep);
  law.hardening = real(solid.hardening), law.most_plastic = real(solid.max_plastic);
  law.break_strain = real(solid.break_strain), law.size = real(solid.cluster_size);
  return law;
}

/// Updates the thickness of particles and rods, the stiffness of clusters and the laws of soft solids.
void apply_to_matter(const SceneDesc& scene, World& world) {
  world.matter.cluster_stiffness.clear();
  world.matter.soft.laws.clear();
  for (std::size_t o = 0; o < world.settings.materials.size(); ++o) {
    const ObjectDesc& object = scene.objects[std::size_t(world.topology->object_source[o])];
    if (traits_of(object).rod) world.settings.materials[o].thickness = object.rod->radius;
    if (traits_of(object).particles)
      world.settings.materials[o].thickness = scene.solver.contact->particle_radius;
  }
  for (const Solid& solid : world.topology->matter.solids) {
    const std::size_t o = std::size_t(world.particles.object[std::size_t(solid.first)]);
    const ObjectDesc& object = scene.objects[std::size_t(world.topology->object_source[o])];
    world.matter.cluster_stiffness.push_back(
        solid.soft >= 0
            ? real(0)
            : real(stiffness_per_iteration(object.solid->stiffness, scene.solver.step->iterations)));
  }
  for (const SoftSolid& solid : world.topology->matter.soft.solids) {
    const std::size_t o = std::size_t(world.particles.object[std::size_t(solid.first_particle)]);
    const ObjectDesc& object = scene.objects[std::size_t(world.topology->object_source[o])];
    SoftLaw law = law_of(*object.solid, scene.solver.step->iterations);
    // clusters of a cloth know the density with which they were built
    if (const Material& m = *object.material; traits_of(object).density == Density::areal)
      law.young *= solid.density * real(m.membrane_thickness / m.density);
    world.matter.soft.laws.push_back(law);
  }
  SoftState& soft = world.matter.soft;  // clusters that yield need rest shapes of their own
  const SoftMatter& matter = world.topology->matter.soft;
  const bool yields =
      std::any_of(soft.laws.begin(), soft.laws.end(), [](const SoftLaw& law) { return law.yield > real(0); });
  if (yields && soft.rest.empty()) soft.rest = matter.entry_rest;
  const bool bends = std::any_of(soft.laws.begin(), soft.laws.end(),
                                 [](const SoftLaw& law) { return law.quadratic > real(0); });
  if (!bends || !soft.modes.empty()) return;
  soft.modes.assign(2 * matter.entry_rest.size(), vec4(0));
  for (std::size_t c = 0; c < matter.clusters(); ++c) retake_modes(matter, soft, c);
}

}  // namespace

void apply_settings(const SceneDesc& scene, const World& start, World& world) {
  world.settings.solver = scene.solver;
  world.settings.wind = scene.wind;
  world.settings.wind->gas.clear();
  for (const std::int32_t source : world.topology->object_source) {
    const ObjectDesc& object = scene.objects[std::size_t(source)];
    world.settings.wind->gas.push_back(object.pressure > 0.0 ? object.gas_density : -1.0);
  }
  world.settings.heat = scene.heat;
  world.settings.heat->starts.clear(), world.settings.heat->colliders.clear();
  for (const std::int32_t source : world.topology->object_source)
    world.settings.heat->starts.push_back(scene.objects[std::size_t(source)].temperature);
  for (const ColliderDesc& collider : scene.colliders)
    world.settings.heat->colliders.push_back(collider.temperature);
  world.settings.heat->bodies.clear();
  for (const BodyDesc& body : scene.bodies)
    world.settings.heat->bodies.push_back({body.temperature, body.conductivity, body.heat_capacity});
  const bool remembers = scene.solver.method->integrator == Integrator::bdf2;
  world.history.step_before.resize(remembers ? world.particles.position.size() : 0, vec4(0));
  world.history.velocity.resize(remembers ? world.particles.position.size() : 0, vec4(0));
  for (std::size_t o = 0; o < world.settings.materials.size(); ++o) {
    const ObjectDesc& object = scene.objects[std::size_t(world.topology->object_source[o])];
    const double before = world.settings.materials[o].density, now = object.material->density;
    if (traits_of(object).density == Density::areal && now != before) scale_masses(start, world, o, now);
  }
  world.settings.materials.clear();
  for (std::int32_t source : world.topology->object_source)
    world.settings.materials.push_back(*scene.objects[std::size_t(source)].material);
  std::vector<std::vector<FieldSource>> fields;
  for (const std::int32_t source : world.topology->object_source)
    fields.push_back(scene.objects[std::size_t(source)].fields);
  set_field_sources(world, std::move(fields));
  world.settings.tie_materials.clear();
  for (const TieDesc& tie : scene.ties) world.settings.tie_materials.push_back(tie_material(tie));
  world.settings.touches = make_touches(scene, world.topology->object_source);
  apply_to_matter(scene, world);
  world.matter.volume_goals.resize(world.settings.materials.size());
  for (std::size_t o = 0; o < world.settings.materials.size(); ++o) {
    const double rest = world.topology->enclosures[o].volume;
    const double pressure = scene.objects[std::size_t(world.topology->object_source[o])].pressure;
    VolumeGoal& goal = world.matter.volume_goals[o];
    goal.target = real(pressure * rest);
    if (goal.target == real(0) || goal.volume == real(0)) goal.volume = std::min(goal.target, real(rest));
  }
  world.settings.body_materials.resize(std::max(world.settings.body_materials.size(), scene.bodies.size()));
  std::transform(scene.bodies.begin(), scene.bodies.end(), world.settings.body_materials.begin(),
                 body_material);
  world.settings.joint_materials.clear();
  for (const JointDesc& joint : scene.joints) world.settings.joint_materials.push_back(joint_material(joint));
  world.colliders.clear();
  for (std::size_t c = 0; c < scene.colliders.size(); ++c) {
    world.colliders.push_back(make_collider(scene, c, world.topology->collider_meshes[c]));
    place(world.colliders.back(), world.time);
  }
  refresh_softness(world);
  world.changed(Change::settings);
}

}}  // namespace limber::LIMBER_PRECISION
