// Motion of objects in fluids, and of fluids in containers, in whole scenes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>

#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/fluid.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/geometry/queries/triangle_tree.hpp"
#include "engine/parallel/random.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/basin.hpp"
#include "engine/scene/file/scene_reader.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/verify/fluid_measure.hpp"
#include "engine/verify/measure.hpp"
#include "tests/source_folder.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace fluid_motion_test { namespace {

/// Four paddles 0.4 m long on a free hinge along z, without friction.
void add_wheel(SceneDesc& scene) {
  BodyDesc wheel;
  wheel.name = "wheel";
  wheel.shape = BodyShape::compound;
  BodyPartDesc paddle;
  paddle.half_extents = {0.4, 0.02, 0.12};
  for (const double degrees : {0.0, 45.0, 90.0, 135.0}) {
    paddle.pose.rotation_degrees = {0, 0, degrees};
    wheel.parts.push_back(paddle);
  }
  wheel.density = 300.0;
  wheel.friction = 0.0;
  JointDesc axle;
  axle.name = "axle";
  axle.type = JointType::hinge;
  axle.a = "wheel";
  axle.axis = {0, 0, 1};
  scene.bodies = {wheel};
  scene.joints = {axle};
}

/// Without gravity: a jet of 3 m/s that passes the axle 0.2 m above it turns the paddles its own way, faster
/// and faster, but no faster than it flows.
TEST(FluidMotion, AJetTurnsAWheel) {
  constexpr double speed = 3.0, arm = 0.2;
  SceneDesc scene;
  scene.solver.contact->particle_radius = 0.025;
  scene.solver.step->substeps = 6;
  scene.solver.step->iterations = 2;
  scene.solver.motion->damping = 0.0;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  ObjectDesc jet = water_block({}, {-0.8, arm, 0});
  jet.fluid->emit_count = 2000;
  jet.fluid->emit_radius = 0.06;
  jet.velocity = {speed, 0, 0};
  scene.objects = {jet};
  add_wheel(scene);
  Rig rig(scene);
  double before = 0.0;  // rad/s, the way that the jet turns it
  for (int tenth = 0; tenth < 3; ++tenth) {
    rig.run(10);
    const double now = -double(angular_velocity(rig.world.bodies, 0).z);
    std::printf("          turns by %.2f rad/s\n", now);
    EXPECT_LT(now, 1.1 * speed / arm) << tenth;
    if (tenth > 0) {
      EXPECT_GT(now, before + 1.0) << tenth;
    }
    before = now;
  }
}

/// A box of three tenths of water's density that starts in the middle of a basin rises, no faster than
/// without drag but with the added mass of the water; the displaced water does not count as inside the box.
TEST(FluidMotion, ABoxThatStartsUnderWaterRisesCalmly) {
  SceneDesc scene = basin(0.025, {-0.3, 0, -0.3}, {0.6, 0.5, 0.6}, 0.6);
  BodyDesc box;
  box.name = "box";
  box.shape = BodyShape::box;
  box.half_extents = glm::dvec3(0.12);
  box.density = 300.0;
  box.friction = 0.0;
  box.pose.position = {0, 0.25, 0};
  scene.bodies = {box};
  scene.objects[0].jitter = 0.005;
  Rig rig(scene);
  double fastest = 0.0, deepest = 0.0, lowest = 1.0;
  for (int f = 0; f < 60; ++f) {
    rig.run(1);
    lowest = std::min(lowest, double(rig.world.bodies.position[0].y));
    fastest = std::max(fastest, double(glm::length(vec3(rig.world.bodies.velocity[0]))));
    deepest = std::max(deepest, measure(rig.world).penetration_max);
  }
  std::printf("          at most %.2f m/s\n", fastest);
  // over 0.05 m with buoyancy, divided by the mass of the box plus half of the displaced water
  const double most = std::sqrt(2.0 * 0.05 * 9.81 * (1000.0 - 300.0) / (300.0 + 500.0));
  EXPECT_LT(fastest, most);
  EXPECT_GT(double(rig.world.bodies.position[0].y), 0.33);
  EXPECT_GT(lowest, 0.25 - 0.005);
  EXPECT_LT(deepest, 0.0125);
}

/// Mean vertical force of still water on a ball of `radii` particle radii that is held in its middle, as a
/// share of rho V g. The ball has the density of water. Each frame starts with the velocity that brings the
/// ball back to its place.
double buoyancy_of_held_ball(double radii) {
  constexpr double r = 0.02, dt = 1.0 / 60.0, g = 9.81;
  const double R = radii * r, depth = 5.0 * R;
  SceneDesc scene = basin(r, {-3.0 * R, 0, -3.0 * R}, {6.0 * R, depth, 6.0 * R}, 6.0 * R);
  scene.solver.motion->damping = 0.0;
  scene.objects[0].jitter = 0.2 * r;  // a lattice would carry the ball
  BodyDesc ball;
  ball.name = "ball";
  ball.shape = BodyShape::sphere;
  ball.radius = R;
  ball.density = 1000.0;
  ball.friction = 0.0;
  ball.pose.position = {0, 0.5 * depth, 0};
  scene.bodies = {ball};
  Rig rig(scene);
  constexpr int settling = 120, measured = 60;
  const glm::dvec3 home(0, 0.5 * depth, 0);
  double expected = 0.0, sum = 0.0;  // m/s^2, expected acceleration; sum of the measured ones
  for (int f = 0; f < settling + measured; ++f) {
    vec4& v = rig.world.bodies.velocity[0];
    const glm::dvec3 back = 20.0 * (home - glm::dvec3(rig.world.bodies.position[0]));
    v = vec4(real(back.x), real(back.y - 0.5 * dt * expected), real(back.z), v.w);
    const double before = double(v.y);
    rig.run(1);
    const double gained = (double(rig.world.bodies.velocity[0].y) - before) / dt;
    expected += 0.2 * (gained - expected);
    if (f >= settling) sum += gained;
  }
  return 1.0 + sum / (measured * g);
}

/// Reached: 0.95, 1.05 and 1.06 in float, 0.95, 1.04 and 1.03 in double; other jitters of the lattice change
/// this by 0.04. With the share of a half space in place of that of the ball, the ball of four radii
/// has 1.16.
TEST(FluidMotion, AHeldBallHasTheBuoyancyOfItsVolume) {
  for (const double radii : {3.0, 4.0, 5.0}) {
    const double buoyancy = buoyancy_of_held_ball(radii);
    std::printf("          %.0f radii: %.3f of rho V g\n", radii, buoyancy);
    EXPECT_NEAR(buoyancy, 1.0, 0.1) << radii;
  }
}

/// Undamped water comes to rest. Measured: 4 mm/s; 18 where contact bears half of the pressure on walls,
/// which presses the layers that lie on them into lattices.
TEST(FluidMotion, WaterAtRestIsCalm) {
  SceneDesc scene = basin(0.025, {-0.25, 0, -0.25}, {0.5, 0.4, 0.5}, 0.5);
  scene.solver.motion->damping = 0.0;
  Rig rig(scene);
  rig.run(200);
  double speed = 0.0;
  for (int f = 0; f < 20; ++f) rig.run(1), speed += measure(rig.world).mean_speed / 20.0;
  std::printf("          %.1f mm/s\n", 1e3 * speed);
  EXPECT_LT(speed, 0.012);
}

/// Without s_corr, which the one-sided law does not need, nothing feeds energy into a fluid that nothing
/// touches and nothing weighs down, whatever the substeps. The default k of 0.002 does in every substep.
/// Methods with energies leave fluids, which have no constraints of theirs, to the fluids' own solver.
TEST(FluidMotion, WaterIsTheSameUnderMethodsWithEnergies) {
  const auto fastest = [](SolverMethod method) {
    SceneDesc scene = basin(0.025, {-0.2, 0, -0.2}, {0.4, 0.3, 0.4}, 0.5);
    scene.solver.step->substeps = 20;
    scene.solver.method->kind = method;
    Rig rig(scene);
    rig.run(40);
    return measure(rig.world).max_speed;
  };
  const double alone = fastest(SolverMethod::xpbd);
  for (const SolverMethod method : {SolverMethod::newton, SolverMethod::descent})
    EXPECT_NEAR(fastest(method), alone, 0.5 * alone) << int(method);
}

TEST(FluidMotion, AWeightlessFluidGainsNoEnergy) {
  for (const int substeps : {1, 4, 10, 20, 40}) {
    SceneDesc scene;
    scene.solver.contact->particle_radius = 0.03;
    scene.solver.step->substeps = substeps;
    scene.solver.step->iterations = 2;
    scene.solver.motion->damping = 0.0;
    scene.solver.motion->gravity = glm::dvec3(0.0);
    scene.solver.fluid->s_corr_k = 0.0;
    scene.objects = {water_block({0.42, 0.42, 0.42}, {0, 0, 0})};
    scene.objects[0].material->xsph = 0.0;
    Rig rig(scene);
    for (Index i = 0; i < 343; ++i)
      for (int k = 0; k < 3; ++k)
        rig.v(i)[k] = real(0.05 * random_signed(std::uint64_t(k + 1), std::uint64_t(i)));
    const double before = measure(rig.world).kinetic_energy;
    double most = 0.0;
    for (int f = 0; f < 60; ++f) rig.run(1), most = std::max(most, measure(rig.world).kinetic_energy);
    std::printf("          %d substeps: %.4f J, at most %.4f J\n", substeps, before, most);
    EXPECT_LT(most, 1.02 * before) << substeps;
  }
}

/// Particles of the last object that the closed surface of the first one does not hold.
int outside_of_skin(const World& world) {
  TriMesh skin;
  for (const vec4& x : world.particles.position) skin.positions.emplace_back(x);
  const ParticleRange first = world.topology->objects.front(), last = world.topology->objects.back();
  for (const auto& t : world.topology->triangles)
    if (t[0] >= first.first && t[0] < first.end()) skin.triangles.push_back({t[0], t[1], t[2]});
  const TriangleTree tree(skin);
  int outside = 0;
  for (std::int32_t i = last.first; i < last.end(); ++i)
    outside += std::abs(tree.winding_number(skin.positions[std::size_t(i)])) < 0.5;
  return outside;
}

/// A water balloon that is not pulled does not tear, and all its water stays in it.
void expect_balloon_holds(int frames) {
  Expected<SceneDesc> scene = read_scene(test::source("scenes/water_balloon.json"), test::source("assets"));
  ASSERT_TRUE(scene);
  for (ColliderDesc& collider : scene->colliders) collider.start = 1000.0;
  Rig rig(*scene);
  rig.run(frames);
  const Measures m = measure(rig.world);
  EXPECT_EQ(m.tears, 0);
  EXPECT_EQ(m.lost, 0);
  EXPECT_LT(m.strain.max, 0.4);  // it tears at 1
  EXPECT_EQ(outside_of_skin(rig.world), 0);
}

TEST(FluidMotion, ABalloonThatIsNotPulledKeepsItsWater) { expect_balloon_holds(40); }

TEST(FluidMotion, ABalloonKeepsItsWaterForFiveSeconds) { expect_balloon_holds(300); }

/// A ball of fluid half a metre wide, without weight, XSPH, viscosity or confinement, which surface tension
/// holds together.
SceneDesc drop() {
  SceneDesc scene;
  scene.solver.contact->particle_radius = 0.03;
  scene.solver.step->substeps = 10;
  scene.solver.step->iterations = 2;
  scene.solver.motion->damping = 0.0;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.objects = {water_block({}, {0, 0, 0})};
  scene.objects[0].mesh = test::source("assets/balloon.obj");
  scene.objects[0].size = 0.5;
  scene.objects[0].material->surface_tension = 3.0;
  scene.objects[0].material->xsph = 0.0;
  return scene;
}

/// Fluid that fills a mesh is nowhere denser than at rest, and has the volume of the mesh.
TEST(FluidMotion, AFilledMeshStartsWithoutPressure) {
  Rig rig(drop());
  const std::vector<double> density = fluid_densities(rig.world);
  EXPECT_LT(*std::max_element(density.begin(), density.end()), 1.0);
  const double volume = double(rig.world.topology->fluid.members.size()) * 8.0 * std::pow(0.03, 3);
  EXPECT_NEAR(volume, 4.0 / 3.0 * 3.14159265 * std::pow(0.25, 3), 0.03 * volume);
}

/// Ten seconds, more than a turn. The cause of the drift: pressure acts at predicted positions, so L grows
/// per second by the share h a / r of the outward acceleration a that balances surface tension, which acts at
/// present positions. Wanted: 1 %; measured: 0.3 % in double, 1.6 % in float, with four times the tension 14
/// %, and half of that with half of h.
TEST(FluidMotion, ATurningDropKeepsItsAngularMomentum) {
  Rig rig(drop());
  for (Material& material : rig.world.settings.materials) material.xsph = 0.3;
  rig.run(300);
  for (Material& material : rig.world.settings.materials) material.xsph = 0.0;
  for (const std::int32_t i : rig.world.topology->fluid.members)
    rig.world.particles.velocity[std::size_t(i)] =
        vec4(glm::cross(vec3(0, real(0.7), 0), vec3(rig.world.particles.position[std::size_t(i)])), 0);
  const double before = measure(rig.world).angular_momentum.y;
  rig.run(600);
  const Measures after = measure(rig.world);
  std::printf("          angular momentum %.4f of %.4f\n", after.angular_momentum.y, before);
  EXPECT_NEAR(after.angular_momentum.y / before, 1.0, 0.05);
  for (const std::int32_t i : rig.world.topology->fluid.members)
    EXPECT_LT(glm::length(vec3(rig.world.particles.position[std::size_t(i)])), real(0.45)) << i;
}

}}}}  // namespace limber::LIMBER_PRECISION::fluid_motion_test
