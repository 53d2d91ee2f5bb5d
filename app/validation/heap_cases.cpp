// Angle of repose of heaps of grains.
#include <algorithm>
#include <cmath>
#include <glm/trigonometric.hpp>
#include <map>
#include <utility>

#include "app/validation/experiment.hpp"
#include "app/validation/validation.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"

namespace limber {
namespace {

constexpr double radius = 0.0125, plate_half = 0.26, plate_top = 0.05;  // m

/// A block of balls on a plate, over whose edge the surplus falls. Zhou et al. 2002 measure the angle of
/// repose of balls in this way, and compute it with friction and rolling resistance.
SceneDesc block_on_a_plate(double friction) {
  SceneDesc scene;
  scene.solver.step->substeps = 8;
  scene.solver.contact->particle_radius = radius;
  ObjectDesc block;
  block.name = "balls";
  block.type = ObjectType::grains;
  block.copies = {18.0, 12.0, 18.0};
  block.spacing = glm::dvec3(2.05 * radius);
  block.jitter = 0.1 * radius;
  block.pose.position = {0.0, plate_top + 1.1 * radius, 0.0};
  block.material->friction = friction;
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
  return scene;
}

/// Height of the heap over the distance from the plate's middle along an axis. Takes the highest balls in
/// squares as wide as a ball, averages squares of equal distance, and leaves out the corners.
std::map<int, double> profile(const std::vector<glm::dvec3>& positions) {
  constexpr double width = 2.0 * radius;
  const auto square = [&](double x) { return int(std::floor(x / width)); };
  const auto middle = [&](int k) { return std::abs(2 * k + 1); };  // middle of a square, in radii
  std::map<std::pair<int, int>, double> highest;
  for (const glm::dvec3& x : positions) {
    if (std::max(std::abs(x.x), std::abs(x.z)) >= plate_half || x.y < plate_top) continue;
    double& height = highest[{square(x.x), square(x.z)}];
    height = std::max(height, x.y - plate_top);
  }
  std::map<int, double> sum, count;
  for (const auto& [at, height] : highest) {
    const int far = std::max(middle(at.first), middle(at.second)),
              near = std::min(middle(at.first), middle(at.second));
    if (2 * near <= far) sum[far] += height, count[far] += 1.0;
  }
  for (auto& [away, height] : sum) height /= count[away];
  return sum;
}

/// Slope of the flank in degrees, fitted between three and eight tenths of the height.
double slope_of_repose(double friction) {
  const auto simulation = start(block_on_a_plate(friction));
  run_frames(*simulation, 110);
  const std::map<int, double> heights = profile(positions_of(*simulation));
  double top = 0.0;
  for (const auto& [away, height] : heights) top = std::max(top, height);
  double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;  // least squares
  for (const auto& [away, height] : heights) {
    if (height < 0.3 * top || height > 0.8 * top) continue;
    const double a = radius * away;
    n += 1.0, x += a, y += height, xx += a * a, xy += a * height;
  }
  return glm::degrees(std::atan2(x * y - n * xy, n * xx - x * x));
}

}  // namespace

/// Measured angles are 20 to 35 degrees for frictions of 0.2 to 0.6, steeper for rougher balls.
ValidationCases heap_cases() {
  using Demand = ValidationCase::Demand;
  const double low = slope_of_repose(0.2), high = slope_of_repose(0.6);
  return {{"heap of balls, friction 0.2 (degrees)", 20.0, low, 0.0, Demand::at_least},
          {"heap of balls, friction 0.6 (degrees)", 35.0, high, 0.0, Demand::at_most},
          {"heap of balls, 0.6 steeper than 0.2 by (degrees)", 5.0, high - low, 0.0, Demand::at_least}};
}

}  // namespace limber
