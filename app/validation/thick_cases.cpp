// Fluids of any viscosity that fall through a duct.
#include <cmath>
#include <string>
#include <vector>

#include "app/validation/experiment.hpp"
#include "app/validation/validation.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber {
namespace {

/// Mean speed of a falling plug in a square duct 8 particles wide, relative to a^2 rho G / mu, with a half
/// the width. Only the plug's weight G drives it; nothing supports or pushes it, so the pressure is zero. G
/// is chosen such that the plug falls at `speed` m/s once wall friction balances its weight. Measured in the
/// middle third of its length, far from its ends.
double falling_plug(double viscosity, double speed, int settles, int measured) {
  constexpr double radius = 0.01, a = 8.0 * radius, length = 48.0 * radius, density = 1000.0, share = 0.1406;
  const double weight = speed * viscosity / (share * a * a * density);  // m/s^2
  SceneDesc scene;
  scene.solver.contact->particle_radius = radius;
  scene.solver.step->substeps = 10;
  scene.solver.motion->damping = 0.0;
  scene.solver.motion->gravity = {0.0, -weight, 0.0};
  ObjectDesc& plug = scene.objects.emplace_back();
  plug.name = "plug";
  plug.type = ObjectType::fluid;
  plug.fluid->extent = {2.0 * a, length, 2.0 * a};
  plug.material->viscosity = viscosity;
  plug.material->friction = 0.0;
  for (int side = 0; side < 4; ++side) {
    ColliderDesc& wall = scene.colliders.emplace_back();
    wall.name = std::string("wall ") + char('1' + side);
    wall.shape = ColliderShape::box;
    const double out = side % 2 == 0 ? a + 0.1 : -a - 0.1;
    const bool along_x = side < 2;
    wall.half_extents = {along_x ? 0.1 : a + 0.2, 2.0, along_x ? a + 0.2 : 0.1};
    wall.pose.position = {along_x ? out : 0.0, 0.0, along_x ? 0.0 : out};
    wall.friction = 0.0;
  }
  const auto simulation = start(std::move(scene));
  run_frames(*simulation, settles);
  double fallen = 0.0;
  for (int f = 0; f < measured; ++f) {
    const std::vector<glm::dvec3> before = positions_of(*simulation);
    double middle = 0.0;
    for (const glm::dvec3& x : before) middle += x.y / double(before.size());
    simulation->step();
    const std::vector<glm::dvec3> after = positions_of(*simulation);
    double sum = 0.0, count = 0.0;
    for (std::size_t i = 0; i < before.size(); ++i)
      if (std::abs(before[i].y - middle) < length / 6.0) sum += before[i].y - after[i].y, count += 1.0;
    fallen += sum / count;
  }
  return fallen / (measured * frame) * viscosity / (weight * a * a * density);
}

}  // namespace

ValidationCases viscosity_cases() {
  // Boussinesq's series for a square duct, 0.5623 / 4. The first case is explicit, and its tolerance is the
  // accuracy reached: the solver, which keeps particles apart, adds friction between layers, relatively more
  // for less viscous fluids.
  constexpr double share = 0.1406;
  return {{"plug of 1 Pa s falls through a duct, mean speed / (a^2 G / mu)", share,
           falling_plug(1.0, 0.02, 240, 60), 0.03, ValidationCase::Demand::near, 0.1 * share},
          {"the same, 100 Pa s", share, falling_plug(100.0, 0.02, 30, 30), 0.1 * share},
          {"the same, 1,000 Pa s", share, falling_plug(1000.0, 0.02, 30, 30), 0.1 * share},
          {"the same, 100,000 Pa s", share, falling_plug(1e5, 0.002, 20, 20), 0.1 * share}};
}

}  // namespace limber
