// Contact with static obstacles.
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>

#include "app/validation/experiment.hpp"
#include "app/validation/validation.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"

namespace limber {
namespace {

constexpr double mu = 0.5;
constexpr int substeps = 20;

/// Distance that a particle slides in one second on a plane of slope tan(theta) = `slope`, starting at rest
/// in contact.
double slide_distance(double slope) {
  const double theta = std::atan(slope);
  const glm::dvec3 normal(-std::sin(theta), std::cos(theta), 0.0);
  SceneDesc scene = points_scene({{0, 0, 0}}, {1.0}, {});
  scene.solver.motion->gravity = {0.0, -g, 0.0};
  scene.solver.step->substeps = substeps;
  Material& material = *object_of(scene).material;
  material.friction = mu;
  object_of(scene).points->list[0].position = material.thickness * normal;
  ColliderDesc plane;
  plane.name = "plane";
  plane.shape = ColliderShape::plane;
  plane.pose.rotation_degrees.z = theta * 180.0 / std::numbers::pi;
  plane.friction = mu;
  scene.colliders.push_back(plane);
  const auto simulation = start(std::move(scene));
  const glm::dvec3 from = positions_of(*simulation)[0];
  run_frames(*simulation, 60);
  return glm::distance(from, positions_of(*simulation)[0]);
}

}  // namespace

/// A particle slips if and only if tan(theta) > mu, with a = g (sin theta - mu cos theta). Positional Coulomb
/// friction is exact in every substep, so after n substeps the distance is a h^2 (1 + 2 + ... + n) = a t (t +
/// h) / 2. Only the rounding of 1200 substeps is left.
ValidationCases contact_cases() {
  ValidationCases cases = {
      {"incline 5 % under the friction angle, slip in 1 s (m)", 0.0, slide_distance(0.95 * mu), 1e-9}};
  for (const int percent : {5, 50}) {
    const double slope = (1.0 + 0.01 * percent) * mu, theta = std::atan(slope);
    const double a = g * (std::sin(theta) - mu * std::cos(theta));
    const std::string name =
        "incline " + std::to_string(percent) + " % over the friction angle, slip in 1 s (m)";
    cases.push_back({name, 0.5 * a * (1.0 + frame / substeps), slide_distance(slope), 1e-9});
  }
  return cases;
}

}  // namespace limber
