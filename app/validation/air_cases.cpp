// Bodies and cards falling and flying in air, compared with terminal speeds and measurements.
#include <cmath>
#include <glm/geometric.hpp>

#include "app/validation/experiment.hpp"
#include "app/validation/validation.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/settings/wind.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber {
namespace {

SceneDesc airy_scene(int substeps) {
  SceneDesc scene;
  scene.solver.step->substeps = substeps;
  scene.solver.motion->gravity = {0.0, -g, 0.0};
  scene.solver.motion->damping = 0.0;
  scene.wind->enabled = true;
  return scene;
}

/// Speed of a level sheet of 0.5 kg/m^2 after 3 s, relative to sqrt(2 m g / (rho C_n A)).
double falling_sheet() {
  SceneDesc scene = airy_scene(10);
  ObjectDesc sheet;
  sheet.name = "sheet";
  sheet.cloth->columns = sheet.cloth->rows = 9;
  sheet.cloth->upright = false;
  sheet.material->density = 0.5;
  scene.objects = {sheet};
  const auto simulation = start(scene);
  run_frames(*simulation, 180);
  return -velocities_of(*simulation)[0].y / std::sqrt(2.0 * 0.5 * g / 1.225);
}

/// An aluminium plate in water, 0.81 mm thick and eight times as wide (Andersen, Pesavento, Wang 2005): mean
/// speeds and angular velocity over 4 s, after 4 s of settling.
struct Tumble {
  double across = 0.0, down = 0.0, spin = 0.0;
};
Tumble tumbling_plate() {
  constexpr double thickness = 8.1e-4, water = 1000.0, metal = 2700.0;
  SceneDesc scene = airy_scene(16);
  scene.solver.motion->gravity *= 1.0 - water / metal;
  scene.wind->air_density = water;
  BodyDesc plate;
  plate.name = "plate";
  plate.shape = BodyShape::box;
  plate.airfoil = AirfoilChord::x;
  plate.half_extents = {4.0 * thickness, 0.5 * thickness, 0.095};
  plate.density = metal;
  plate.pose.rotation_degrees = {0, 0, 30};
  scene.bodies = {plate};
  const auto simulation = start(scene);
  run_frames(*simulation, 240);
  const double mass = metal * 8.0 * plate.half_extents.x * plate.half_extents.y * plate.half_extents.z;
  Tumble mean;
  for (int f = 0; f < 240; ++f) {
    run_frames(*simulation, 1);
    const Measures now = simulation->measure();
    mean.across += std::abs(now.momentum.x) / mass / 240.0;
    mean.down -= now.momentum.y / mass / 240.0;
    mean.spin += now.spin_max * 0.017453292519943295 / 240.0;
  }
  return mean;
}

/// A wing of 8 by 40 cm with a weight in front, whose centre of mass is 0.24 of the chord ahead of the
/// middle: lift over drag after 6 s of gliding, relative to the glide ratio.
double gliding_wing() {
  SceneDesc scene = airy_scene(8);
  scene.wind->drag = scene.wind->skin_drag = 0.0;  // the weight in front has no drag
  BodyDesc glider;
  glider.name = "glider";
  glider.shape = BodyShape::compound;
  glider.density = 400.0;
  BodyPartDesc wing, weight;
  wing.shape = weight.shape = BodyShape::box;
  wing.airfoil = AirfoilChord::x;
  wing.half_extents = {0.04, 0.0003, 0.2};
  weight.half_extents = {0.004, 0.003, 0.148};
  weight.pose.position = {0.045, 0, 0};
  glider.parts = {wing, weight};
  glider.velocity = {3.0, -0.8, 0.0};
  scene.bodies = {glider};
  const auto simulation = start(scene);
  run_frames(*simulation, 360);
  double slope = 0.0, ratio = 0.0;
  for (int f = 0; f < 120; ++f) {
    run_frames(*simulation, 1);
    const Measures now = simulation->measure();
    slope += -now.momentum.y / now.momentum.x / 120.0;
    ratio += now.lift / now.drag / 120.0;
  }
  return ratio * slope;
}

}  // namespace

ValidationCases air_cases() {
  const Tumble tumble = tumbling_plate();
  return {
      {"sheet that falls level, terminal speed over the formula's", 1.0, falling_sheet(), 0.01},
      {"plate that tumbles in water, across (m/s)", 0.159, tumble.across, 0.15 * 0.159},
      {"plate that tumbles in water, down (m/s)", 0.115, tumble.down, 0.15 * 0.115},
      {"plate that tumbles in water, spin (rad/s)", 14.5, tumble.spin, 0.15 * 14.5},
      {"wing that glides, lift over drag times the slope", 1.0, gliding_wing(), 0.03},
  };
}

}  // namespace limber
