// Drag of viscous fluids.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>

#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/basin.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/verify/measure.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace fluid_drag_test { namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double width = 0.6, depth = 0.3, speed = 0.1, density = 1000.0;

/// Weightless, with a side of 0.6 m and 0.3 m deep, on y = 0.
SceneDesc layer(double viscosity) {
  SceneDesc scene;
  scene.solver.contact->particle_radius = 0.025;
  scene.solver.step->substeps = 6;
  scene.solver.step->iterations = 2;
  scene.solver.motion->damping = 0.0;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.objects = {water_block({width, depth, width}, {0, 0.5 * depth, 0})};
  scene.objects[0].material->viscosity = viscosity;
  scene.objects[0].material->xsph = 0.0;
  return scene;
}

/// A plate below it that moves along x, as heavy as makes no difference.
void add_plate(SceneDesc& scene) {
  BodyDesc plate;
  plate.name = "plate";
  plate.half_extents = {2.0, 0.1, 2.0};
  plate.pose.position = {0, -0.1, 0};
  plate.velocity = {speed, 0, 0};
  plate.density = 1e5;
  plate.friction = 0.0;
  scene.bodies = {plate};
}

glm::dvec3 momentum_of_fluid(const Rig& rig) {
  glm::dvec3 sum(0.0);
  for (const std::int32_t i : rig.world.topology->fluid.members)
    sum += glm::dvec3(rig.world.particles.velocity[std::size_t(i)]) /
           double(rig.world.particles.position[std::size_t(i)].w);
  return sum;
}

/// Stokes' first problem: from a plate that starts to move, momentum diffuses into a deep fluid; after t s it
/// has 2 rho U sqrt(nu t / pi) per area. A weightless layer swells by a twentieth, which makes it less
/// viscous: 0.85 of that, where half or twice the viscosity would leave 0.6 and 1.2.
TEST(FluidDrag, AStartedPlateDragsAlongWhatStokesSays) {
  constexpr double viscosity = 20.0, time = 0.25;
  for (const bool body : {false, true}) {
    SceneDesc scene = layer(viscosity);
    if (body) {
      add_plate(scene);
    } else {  // a swing that begins at that speed
      scene.colliders = {smooth_plane("plate", {0, 0, 0}, {0, 0, 0})};
      scene.colliders[0].amplitude = {10.0, 0, 0};
      scene.colliders[0].period = 2.0 * pi * 10.0 / speed;
    }
    Rig rig(scene);
    rig.run(int(60.0 * time + 0.5));
    const double expected =
        width * width * 2.0 * density * speed * std::sqrt(viscosity / density * time / pi);
    const double share = momentum_of_fluid(rig).x / expected;
    std::printf("          %s drags %.3f of it\n", body ? "a body" : "a collider", share);
    EXPECT_GT(share, 0.8) << body;
    EXPECT_LT(share, 0.91) << body;
  }
}

/// A ball a twentieth as dense as the fluid around it, which turns in it: both together keep their momentum.
/// Without viscosity it goes on, with any it is stopped, and the fluid, which swells by itself without
/// gravity, has no more energy than without.
TEST(FluidDrag, StopsABallAndKeepsMomentumAtAnyViscosity) {
  const double turns = 2.0 * pi;  // rad/s
  double free_energy = 0.0;
  for (const double viscosity : {0.0, 1.0, 30.0, 1000.0}) {
    SceneDesc scene = layer(viscosity);
    BodyDesc ball;
    ball.name = "ball";
    ball.shape = BodyShape::sphere;
    ball.radius = 0.1;
    ball.density = 50.0;
    ball.friction = 0.0;
    ball.pose.position = {0, 0.15, 0};
    ball.velocity = {1.0, 0.2, 0.0};
    ball.angular_velocity = {0, 0, 360.0};
    scene.bodies = {ball};
    Rig rig(scene);
    const glm::dvec3 momentum = measure(rig.world).momentum;
    rig.run(10);
    const Measures now = measure(rig.world);
    // of 700 particles, positions of 0.3 m rounded in each substep
    const double most = sizeof(real) == 4 ? 0.01 : 1e-10;
    EXPECT_LT(glm::distance(now.momentum, momentum), most * glm::length(momentum)) << viscosity;
    const double spin = double(angular_velocity(rig.world.bodies, 0).z);
    std::printf("          turns by %.4f rad/s at %g Pa s\n", spin, viscosity);
    if (viscosity == 0.0) {
      EXPECT_GT(spin, 0.9 * turns);
      free_energy = now.kinetic_energy;
    } else {
      EXPECT_LT(std::abs(spin), 0.02 * turns) << viscosity;
      EXPECT_LT(now.kinetic_energy, free_energy) << viscosity;
    }
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::fluid_drag_test
