// Heaps of grains.
#include <cmath>
#include <glm/trigonometric.hpp>

#include "app/validation/experiment.hpp"
#include "app/validation/validation.hpp"

namespace limber {
namespace {

constexpr double radius = 0.02, plate_half = 0.26, plate_top = 0.05;  // m

/// Degrees at which balls lie on a plate, after what had no place there has fallen over its edge: a pyramid
/// as wide as the plate has its centre of mass at a quarter of its height.
double slope_of_repose(double friction) {
  SceneDesc scene;
  scene.solver.substeps = 8;
  scene.solver.particle_radius = radius;
  ObjectDesc block;
  block.name = "balls";
  block.type = ObjectType::grains;
  block.copies = {11.0, 7.0, 11.0};
  block.spacing = glm::dvec3(0.041);
  block.jitter = 0.002;
  block.pose.position = {0.0, plate_top + 0.022, 0.0};
  block.material.friction = friction;
  ColliderDesc ground, plate;
  ground.name = "ground";
  ground.shape = ColliderShape::plane;
  ground.friction = plate.friction = 0.8;
  plate.name = "plate";
  plate.shape = ColliderShape::box;
  plate.half_extents = {plate_half, 0.5 * plate_top, plate_half};
  plate.pose.position = {0.0, 0.5 * plate_top, 0.0};
  scene.objects = {block};
  scene.colliders = {ground, plate};
  const auto simulation = start(std::move(scene));
  run_frames(*simulation, 120);
  double height = 0.0, count = 0.0;
  for (const glm::dvec3& x : positions_of(*simulation)) {
    const double y = x.y - plate_top - radius;
    if (y > -0.5 * radius) height += y, count += 1.0;
  }
  return glm::degrees(std::atan2(4.0 * height / count, plate_half));
}

}  // namespace

/// Poured balls are measured to lie at 20 to 35 degrees for frictions of 0.2 to 0.6, the steeper the rougher
/// they are. What a collapse leaves is flatter by some degrees, so the lower bound is 15.
ValidationCases heap_cases() {
  using Demand = ValidationCase::Demand;
  const double low = slope_of_repose(0.2), high = slope_of_repose(0.6);
  return {{"heap of balls, friction 0.2 (degrees)", 15.0, low, 0.0, Demand::at_least},
          {"heap of balls, friction 0.6 (degrees)", 35.0, high, 0.0, Demand::at_most},
          {"heap of balls, 0.6 steeper than 0.2 by (degrees)", 0.0, high - low, 0.0, Demand::at_least}};
}

}  // namespace limber
