// Elastic rods under load: buckling found from frequencies, a coil spring, plastic bending.
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <optional>

#include "app/validation/experiment.hpp"
#include "app/validation/validation.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/geometry/rods/rod_curve.hpp"
#include "engine/geometry/rods/rod_section.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"
#include "engine/scene/objects/rod.hpp"

namespace limber {
namespace {

constexpr double column_ratio = 0.3;  ///< Poisson's ratio

/// A rod of one metre along x, clamped at its start. `radius`: half the height of its section, m.
SceneDesc loaded_rod(double youngs_modulus, double density, double radius, double flatness, int segments) {
  SceneDesc scene;
  scene.solver.step->substeps = 20;
  scene.solver.step->automatic = false;
  scene.solver.motion->damping = 0.0;
  ObjectDesc rod;
  rod.name = "rod";
  rod.type = ObjectType::rod;
  rod.density = density;
  rod.rod->segments = segments;
  rod.rod->radius = radius, rod.rod->flatness = flatness;
  rod.material->youngs_modulus = youngs_modulus;
  rod.material->poisson_ratio = column_ratio;
  scene.objects = {rod};
  return scene;
}

/// Square of the angular frequency, 1/s^2, at which the last point swings along `axis` about zero.
double square_of_swing(SceneDesc scene, int axis, double slowest) {
  const double step = scene.solver.step->dt;
  const auto simulation = start(std::move(scene));
  double before = 0.0;
  std::optional<double> first;
  double last = 0.0;
  int crossings = 0;
  const int most = int(6.0 * slowest / step);
  for (int k = 1; k < most && crossings < 5; ++k) {
    simulation->step();
    const double now = positions_of(*simulation).back()[axis];
    if (before < 0.0 && now >= 0.0) {
      last = step * (k - 1 + before / (before - now));
      if (!first) first = last;
      ++crossings;
    }
    before = now;
  }
  if (!first || crossings < 2) return 0.0;
  const double omega = 2.0 * glm::pi<double>() * (crossings - 1) / (last - *first);
  return omega * omega;
}

/// The load at which a stiffness vanishes, extrapolated linearly from its values at two loads.
double vanishing(double one, double at_one, double other, double at_other) {
  return one + at_one * (other - one) / (at_one - at_other);
}

/// A light column with a mass on top. Its stiffness against a lateral force is P/(L (tan u/u - 1)), u = L
/// sqrt(P/(E I)), and vanishes at Euler's load. It is measured by the square of the frequency.
ValidationCase euler() {
  const RodSection section = rod_section(0.005, 1.0, 0.0);
  const double stiff = 1e8 * section.i1, critical = glm::pi<double>() * glm::pi<double>() * stiff / 4.0;
  const auto stiffness = [&](double load) {
    SceneDesc scene = loaded_rod(1e8, 0.05, 0.005, 1.0, 40);
    ObjectDesc& rod = object_of(scene);
    rod.pose.rotation_degrees = {0.0, 0.0, 90.0};
    rod.rod->end_mass = load / g;
    rod.velocity = {1e-4, 0.0, 0.0};
    scene.solver.motion->gravity = {0.0, -g, 0.0};
    return load / g * square_of_swing(std::move(scene), 0, 40.0);
  };
  const double got =
      vanishing(0.85 * critical, stiffness(0.85 * critical), 0.95 * critical, stiffness(0.95 * critical));
  return {"Euler's load of a clamped column, by its frequency (N)", critical, got, 0.01 * critical};
}

/// Greenhill's height of a column under its own weight, L^3 = 7.8373 E I/(rho A g), found as the critical g.
ValidationCase greenhill() {
  const RodSection section = rod_section(0.005, 1.0, 0.0);
  const double critical = 7.8373 * 1e8 * section.i1 / (1000.0 * section.area);
  const auto square = [&](double gravity) {
    SceneDesc scene = loaded_rod(1e8, 1000.0, 0.005, 1.0, 40);
    ObjectDesc& rod = object_of(scene);
    rod.pose.rotation_degrees = {0.0, 0.0, 90.0};
    rod.velocity = {1e-4, 0.0, 0.0};
    rod.material->damping_time = 5e-3;  // damps the faster modes
    scene.solver.motion->gravity = {0.0, -gravity, 0.0};
    return square_of_swing(std::move(scene), 0, 20.0);
  };
  const double got =
      vanishing(0.9 * critical, square(0.9 * critical), 0.96 * critical, square(0.96 * critical));
  const double length = std::cbrt(critical / got);  // the critical length scaled by the g that was found
  return {"Greenhill's height of a rod under its weight, over that of theory", 1.0, 1.0 / length, 0.01};
}

/// A cantilever ten times as high as wide, under a mass at its tip, buckles sideways at 4.013 sqrt(E I G J)/
/// L^2 (Timoshenko), and later because it has sagged before (Reissner 1979: 1.3 % here). The stiffness
/// against a lateral force falls with the square of the load.
ValidationCase lateral_buckling() {
  constexpr double modulus = 1e8, height = 0.02, flatness = 0.1;
  const RodSection section = rod_section(height, flatness, 0.0);
  const double weak = std::min(section.i1, section.i2);
  const double shear = modulus / (2.0 * (1.0 + column_ratio));
  const double strong = std::max(section.i1, section.i2);
  const double bent = (1.0 - weak / strong) * (1.0 - shear * section.torsion / (modulus * strong));
  const double critical = 4.013 * std::sqrt(modulus * weak * shear * section.torsion / bent);
  const auto stiffness = [&](double load) {
    SceneDesc scene = loaded_rod(modulus, 0.05, height, flatness, 40);
    ObjectDesc& rod = object_of(scene);
    rod.rod->end_mass = load / g;
    rod.velocity = {0.0, 0.0, 1e-4};
    rod.material->damping_time = 1e-3;
    scene.solver.motion->gravity = {0.0, -g, 0.0};
    return load / g * square_of_swing(std::move(scene), 2, 20.0);
  };
  const double one = 0.8 * critical, other = 0.9 * critical;
  const double got = std::sqrt(vanishing(one * one, stiffness(one), other * other, stiffness(other)));
  return {"load that tips a cantilever 10:1 over sideways (N)", critical, got, 0.03 * critical};
}

/// Elongation of a close-coiled spring under its own weight: m g/(2 k), k = G d^4/(8 D^3 n).
ValidationCase hanging_spring() {
  constexpr double modulus = 1e9, wire = 0.001, coil = 0.02, pitch = 0.006, turns = 20.0;
  SceneDesc scene = loaded_rod(modulus, 400.0, wire, 1.0, 800);
  ObjectDesc& rod = object_of(scene);
  rod.rod->form = RodForm::helix;
  rod.rod->coil_radius = coil, rod.rod->pitch = pitch;
  rod.rod->length = turns * std::hypot(2.0 * glm::pi<double>() * coil, pitch);
  rod.pose.rotation_degrees = {0.0, 0.0, -90.0};
  rod.material->damping_time = 0.05;
  scene.solver.motion->damping = 0.9;
  scene.solver.motion->gravity = {0.0, -g, 0.0};
  const RodSection section = rod_section(wire, 1.0, 0.0);
  const double mass = 400.0 * section.area * rod.rod->length;
  const double shear = modulus / (2.0 * (1.0 + column_ratio));
  const double spring = shear * std::pow(2.0 * wire, 4) / (8.0 * std::pow(2.0 * coil, 3) * turns);
  const auto simulation = start(std::move(scene));
  const double before = positions_of(*simulation).back().y;
  run_frames(*simulation, 600);
  const double expected = mass * g / (2.0 * spring);
  return {"spring of wire under its weight, longer by (m)", expected,
          before - positions_of(*simulation).back().y, 0.05 * expected};
}

/// A rod with yield curvature 1/m, bent to 3/m and released, keeps 2/m.
ValidationCase bent_wire() {
  constexpr double curvature = 3.0, yield = 1.0;
  SceneDesc scene = loaded_rod(1e9, 1000.0, 0.005, 1.0, 32);
  scene.solver.motion->damping = 0.9;
  scene.solver.motion->gravity = {0.0, 0.0, 0.0};
  ObjectDesc& rod = object_of(scene);
  rod.rod->form = RodForm::path, rod.rod->rest = RodRest::straight;
  rod.rod->first_end = RodEnd::free;
  rod.material->yield_curvature = yield;
  for (int k = 0; k <= 32; ++k) {
    PointDesc point;
    const double angle = curvature * k / 32.0;
    point.position = glm::dvec3(std::sin(angle), 1.0 - std::cos(angle), 0.0) / curvature;
    rod.points->list.push_back(point);
  }
  const auto simulation = start(std::move(scene));
  run_frames(*simulation, 300);
  std::vector<glm::dvec4> frames;
  simulation->read(reading::Turns{frames});
  const double left = glm::length(rotation_between(frames.front(), frames.back())) / (31.0 / 32.0);
  return {"plastic rod bent to 3/m that yields at 1/m, let go (1/m)", 2.0, left, 0.02};
}

}  // namespace

ValidationCases rod_load_cases() {
  ValidationCases cases{euler(), greenhill(), lateral_buckling(), hanging_spring()};
  cases.push_back(bent_wire());
  return cases;
}

}  // namespace limber
