// Ropes around a drum: capstan friction of Euler and Eytelwein.
#include <cmath>
#include <glm/gtc/constants.hpp>
#include <string>

#include "app/validation/experiment.hpp"
#include "app/validation/validation.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/tie_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"
#include "engine/scene/objects/rod.hpp"

namespace limber {
namespace {

constexpr double drum = 0.12, rope = 0.006, friction = 0.3;
constexpr double hanging = 0.5;  // m, at each side

double eytelwein() { return std::exp(friction * glm::pi<double>()); }

/// A rope over the upper half of a drum whose axis is z, hanging down at both sides.
SceneDesc rope_over_drum() {
  SceneDesc scene;
  scene.solver.step->substeps = 20;
  scene.solver.step->iterations = 8;
  scene.solver.step->automatic = false;
  scene.solver.motion->damping = 0.0;
  scene.solver.motion->gravity = {0.0, -g, 0.0};
  ObjectDesc object;
  object.name = "rope";
  object.type = ObjectType::rod;
  object.density = 900.0;
  object.rod->form = RodForm::path;
  object.rod->segments = 100;
  object.rod->radius = rope;
  object.rod->only_pulls = true;
  object.rod->first_end = object.rod->last_end = RodEnd::free;
  object.material->youngs_modulus = 4e8;
  object.material->damping_time = 0.002;
  object.material->friction = friction;
  const auto add = [&](double x, double y) {
    PointDesc point;
    point.position = {x, y, 0.0};
    object.points->list.push_back(point);
  };
  constexpr double around = drum + rope;
  constexpr int pieces = 24;
  add(-around, -hanging);
  for (int k = 0; k <= pieces; ++k) {
    const double angle = glm::pi<double>() * (1.0 - double(k) / pieces);
    add(around * std::cos(angle), around * std::sin(angle));
  }
  add(around, -hanging);
  ColliderDesc bar;
  bar.name = "bar";
  bar.shape = ColliderShape::capsule;
  bar.radius = drum, bar.half_length = 0.3, bar.friction = friction;
  bar.pose.rotation_degrees = {90.0, 0.0, 0.0};
  scene.objects = {object};
  scene.colliders = {bar};
  return scene;
}

void hang(SceneDesc& scene, double mass, bool last) {
  const double half = 0.5 * std::cbrt(mass / 2000.0);
  BodyDesc body;
  body.name = last ? "heavy" : "light";
  body.shape = BodyShape::box;
  body.half_extents = glm::dvec3(half);
  body.density = 2000.0;
  body.pose.position = {last ? drum + rope : -drum - rope, -hanging - half, 0.0};
  scene.bodies.push_back(body);
  TieDesc tie;
  tie.name = body.name + "_knot";
  tie.a = "rope", tie.b = body.name;
  tie.a_points = {std::string(last ? "last" : "first")};
  scene.ties.push_back(tie);
}

/// Distance, m, by which the heavier of two masses sinks in two seconds.
double sunk(double light, double heavy) {
  SceneDesc scene = rope_over_drum();
  hang(scene, light, false), hang(scene, heavy, true);
  const auto simulation = start(std::move(scene));
  const double before = positions_of(*simulation).back().y;
  run_frames(*simulation, 120);
  return before - positions_of(*simulation).back().y;
}

/// A drum that rotates under a rope: force at the held end over the load at the other end.
double band_brake() {
  constexpr double load = 20.0;
  SceneDesc scene = rope_over_drum();
  scene.objects[0].rod->first_end = RodEnd::pinned;
  scene.objects[0].rod->end_mass = load / g;
  scene.colliders[0].angular_velocity = {0.0, 0.0, -200.0};
  const auto simulation = start(std::move(scene));
  run_frames(*simulation, 180);
  double sum = 0.0;
  constexpr int frames = 60;
  for (int k = 0; k < frames; ++k) {
    run_frames(*simulation, 1);
    sum += simulation->measure().end_force_max;
  }
  return sum / frames / load;
}

}  // namespace

ValidationCases rope_cases() {
  ValidationCases cases;
  cases.push_back({"rope around half a drum that turns, friction 0.3: pull over load", eytelwein(),
                   band_brake(), 0.05 * eytelwein()});
  cases.push_back({"rope over a bar: 95 % of exp(mu pi) kg sink against 1 kg in 2 s (m)", 0.0,
                   sunk(1.0, 0.95 * eytelwein()), 0.002, ValidationCase::Demand::at_most});
  cases.push_back({"rope over a bar: 105 % of exp(mu pi) kg sink against 1 kg in 2 s (m)", 0.1,
                   sunk(1.0, 1.05 * eytelwein()), 0.0, ValidationCase::Demand::at_least});
  return cases;
}

}  // namespace limber
