#include "engine/parts/rods/rod_friction.hpp"

#include <algorithm>

#include "engine/core/settings/material.hpp"
#include "engine/geometry/rods/rod_curve.hpp"
#include "engine/parts/rods/rod_solver.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/flowed_rest.hpp"
#include "engine/state/turns.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

using Joints = StencilBatch<RodBend>;
const Joints& joints_of(const World& world) { return std::get<Joints>(*world.topology->constraints); }
StencilState<RodBend>& state_of(World& world) {
  return std::get<StencilState<RodBend>>(*world.matter.constraints);
}

/// rad, rotation from the first turn of a joint to the second, at present.
glm::dvec3 rotation_at(const World& world, const Joints& joints, std::size_t slot) {
  return rotation_between(orientation_of(world.particles, std::size_t(joints.vertices[0][slot])),
                          orientation_of(world.particles, std::size_t(joints.vertices[1][slot])));
}

/// Calls act(slot, law, length) for the joints with friction in the thread's share. Length: m.
template <class Act>
void for_joints(const World& world, const Team& team, const Act& act) {
  const Joints& joints = joints_of(world);
  const auto& flowed = std::get<StencilState<RodBend>>(*world.matter.constraints).flowed;
  const Share slots = team.share(joints.slots(), lane_group);
  for (std::int64_t k = slots.begin; k < slots.end; ++k) {
    const std::size_t s = std::size_t(k);
    if (joints.object[s] < 0 || !(flowed.width[s] > real(0))) continue;
    const Material& material = world.settings.materials[std::size_t(joints.object[s])];
    if (has_internal_friction(material))
      act(s, DahlLaw{material.friction_curvature, material.slip_curvature}, double(flowed.width[s]));
  }
}

}  // namespace

bool RodFriction::enabled(const World& world) {
  const auto& materials = world.settings.materials;
  return RodSolver::enabled(world) && std::any_of(materials.begin(), materials.end(), has_internal_friction);
}

void RodFriction::aim(World& world, const Team& team) {
  const Joints& joints = joints_of(world);
  StencilState<RodBend>& state = state_of(world);
  for_joints(world, team, [&](std::size_t s, const DahlLaw& law, double length) {
    const glm::dvec3 turn = rotation_at(world, joints, s);
    double stiff[2];
    for (std::size_t k = 0; k < 2; ++k) {
      const double z = double(state.flowed.friction[k][s]), now = turn[int(k)];
      const double change = (now - double(state.flowed.friction[2 + k][s])) / length;
      stiff[k] = 1.0 + law.stiffness(z, change);
      const double moment =  // over E I / length
          now - double(joints.rest[k][s]) + length * law.most * law.after(z, change);
      state.flowed.rest[k][s] = real(now - moment / stiff[k]);
    }
    const Material& material = world.settings.materials[std::size_t(joints.object[s])];
    state.softness[0][s] =
        real(softness_of<RodBend>(material, double(joints.compliance_scale[s]))[0] / stiff[0]);
    state.flowed.rest[3][s] = real(double(joints.rest[3][s]) * stiff[0] / stiff[1]);
  });
}

void RodFriction::end(World& world, const Team& team) {
  /// Change of curvature, as a share of `slip`, up to which a joint springs back.
  constexpr double least_change = 0.02;
  aim(world, team);
  const Joints& joints = joints_of(world);
  for_joints(world, team, [&](std::size_t s, const DahlLaw& law, double length) {
    const glm::dvec3 turn = rotation_at(world, joints, s);
    auto& friction = state_of(world).flowed.friction;
    for (std::size_t k = 0; k < 2; ++k) {
      const double change = (turn[int(k)] - double(friction[2 + k][s])) / length;
      if (!(std::abs(change) > least_change * law.slip)) continue;
      friction[k][s] = real(law.after(double(friction[k][s]), change));
      friction[2 + k][s] = real(turn[int(k)]);
    }
  });
}

}}  // namespace limber::LIMBER_PRECISION
