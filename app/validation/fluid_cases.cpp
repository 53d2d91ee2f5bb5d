// Fluids at rest, collapsing columns, and floating bodies.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "app/validation/experiment.hpp"
#include "app/validation/validation.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/colliders/basin.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber {
namespace {

SceneDesc undamped_basin(double radius, const glm::dvec3& block, double length) {
  SceneDesc scene = basin(radius, glm::dvec3(0.0), block, length);
  scene.solver.motion->damping = 0.0;
  return scene;
}

struct Still {
  double error = 0.0;  ///< mean density error; densities below the rest density do not count
  double depth = 0.0;  ///< twice the height of the centre of mass, relative to the depth of the rest volume
  double slope = 0.0;  ///< d pressure / d depth, Pa/m
};

/// Means over the last twenty frames. The slope is fitted between a tenth and nine tenths of the depth.
Still still_water() {
  constexpr double depth = 0.4;
  SceneDesc scene = undamped_basin(0.02, {0.4, depth, 0.4}, 0.4);
  const auto simulation = start(std::move(scene));
  run_frames(*simulation, 100);
  Still mean;
  double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;  // least squares
  std::vector<float> pressure(std::size_t(simulation->model()->vertex_count));
  constexpr int frames = 20;
  for (int f = 0; f < frames; ++f) {
    simulation->step();
    mean.error += simulation->measure().density_error.mean / frames;
    simulation->read(reading::Heat{HeatMap::pressure, pressure});
    const std::vector<glm::dvec3> positions = positions_of(*simulation);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const double height = positions[i].y;
      mean.depth += 2.0 * height / (depth * double(positions.size()) * frames);
      if (height < 0.1 * depth || height > 0.9 * depth) continue;
      n += 1.0, x += height, y += double(pressure[i]), xx += height * height,
          xy += height * double(pressure[i]);
    }
  }
  mean.slope = -(n * xy - x * y) / (n * xx - x * x);
  return mean;
}

/// J. C. Martin and W. J. Moyce, "An Experimental Study of the Collapse of Liquid Columns on a Rigid
/// Horizontal Plane", 1952, for a column of a by 2 a (a = 2.25 in): t sqrt(2 g / a), and position of the
/// front over a.
constexpr double measured[][2] = {{0.832, 1.217},  {1.219, 1.474},  {1.997, 2.292}, {2.547, 2.995},
                                  {3.345, 4.134},  {4.034, 4.944},  {4.418, 5.881}, {5.091, 6.980},
                                  {5.685, 7.945},  {6.306, 8.966},  {6.822, 9.986}, {7.439, 10.963},
                                  {8.031, 11.977}, {8.633, 13.005}, {9.237, 13.970}};

/// Position of the front over a at the times of `measured`. All but a hundredth of the water is behind the
/// front.
std::vector<double> fronts() {
  constexpr double a = 0.2;
  SceneDesc scene = undamped_basin(0.01, {a, 2.0 * a, 0.12}, 20.0);
  scene.solver.step->substeps = 4;
  scene.solver.step->dt = 0.005;
  const auto simulation = start(std::move(scene));
  double before = 1.0, time_before = 0.0;
  std::vector<double> fronts;
  while (fronts.size() < std::size(measured)) {
    simulation->step();
    std::vector<glm::dvec3> positions = positions_of(*simulation);
    const auto front = positions.end() - std::ptrdiff_t(positions.size() / 100) - 1;
    std::nth_element(positions.begin(), front, positions.end(),
                     [](const glm::dvec3& p, const glm::dvec3& q) { return p.x < q.x; });
    const double now = (front->x + 0.01) / a, time = simulation->time() * std::sqrt(2.0 * g / a);
    while (fronts.size() < std::size(measured) && measured[fronts.size()][0] <= time) {
      const double share = (measured[fronts.size()][0] - time_before) / (time - time_before);
      fronts.push_back(before + share * (now - before));
    }
    before = now, time_before = time;
  }
  return fronts;
}

}  // namespace

ValidationCases fluid_cases() {
  using Demand = ValidationCase::Demand;
  const Still still = still_water();
  ValidationCases cases = {
      {"water at rest, mean density error", 0.01, still.error, 0.0, Demand::at_most},
      {"water at rest, depth over that of its volume", 1.0, still.depth, 0.006},
      {"water at rest, pressure over depth / rho g", 1.0, still.slope / (1000.0 * g), 0.02}};
  const std::vector<double> reached = fronts();
  for (std::size_t i = 0; i < reached.size(); ++i) {
    char name[80];
    std::snprintf(name, sizeof name, "dam break, front at t sqrt(2g/a) = %.3f", measured[i][0]);
    cases.push_back({name, measured[i][1], reached[i], 0.1 * measured[i][1]});
  }
  return cases;
}

}  // namespace limber
