// Air on sheets, skins, rods and bodies, and fields of force.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/sleep.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/settings/wind.hpp"
#include "engine/kernels/air_plates.hpp"
#include "engine/parts/air/air_fields.hpp"
#include "engine/parts/air/wind.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/rod.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/source_folder.hpp"
#include "tests/verification/plate_force.hpp"
#include "tests/verification/rig.hpp"
#include "tests/verification/scenes_in_code.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace air_test { namespace {

constexpr bool in_double = sizeof(real) == 8;

/// Thrown edge on, half turned to its way, without gravity.
SceneDesc thrown_sheet(int columns, int rows, double width, double density, int substeps) {
  SceneDesc scene = test::square_cloth(columns);
  scene.solver.step->substeps = substeps;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.wind->enabled = true;
  ObjectDesc& sheet = scene.objects[0];
  sheet.cloth->columns = columns;
  sheet.cloth->rows = rows;
  sheet.cloth->width = sheet.cloth->height = width;
  sheet.pose.rotation_degrees = {60, 0, 0};
  sheet.velocity = {0, 0, 6};
  sheet.material->density = density;
  return scene;
}

TEST(Air, NeverAddsEnergyToASheetInStillAir) {
  for (const AirLaw law : {AirLaw::plate, AirLaw::lift_drag})
    for (const double drag : {0.0, 4.0})
      for (const double lift : {0.0, 2.0, 4.0})
        for (const int substeps : {1, 6, 40})
          for (const double density : {0.01, 0.3})
            for (const double width : {0.05, 0.3}) {
              SceneDesc scene = thrown_sheet(8, 8, width, density, substeps);
              scene.wind->law = law;
              scene.wind->drag = drag;
              scene.wind->lift = lift;
              scene.wind->skin_drag = 0.01 * drag;
              Rig rig(scene);
              const double start = measure(rig.world).kinetic_energy;
              double before = start;
              for (int f = 0; f < 10; ++f) {
                rig.run(1);
                const double now = measure(rig.world).kinetic_energy;
                ASSERT_LE(now, before + (in_double ? 1e-9 : 1e-4) * start)
                    << "law " << int(law) << " drag " << drag << " lift " << lift << " substeps " << substeps
                    << " density " << density << " width " << width << " frame " << f;
                before = now;
              }
            }
}

TEST(Air, PushesASheetAlikeHoweverItIsCut) {
  const auto impulse = [](AirLaw law, int columns, int rows) {
    SceneDesc scene = thrown_sheet(columns, rows, 0.5, 0.5, 4);
    scene.wind->law = law;
    Rig rig(scene);
    const glm::dvec3 before = measure(rig.world).momentum;
    rig.run(1);
    return measure(rig.world).momentum - before;
  };
  for (const AirLaw law : {AirLaw::plate, AirLaw::lift_drag}) {
    const glm::dvec3 coarse = impulse(law, 3, 3), fine = impulse(law, 21, 9);
    EXPECT_GT(glm::length(coarse), 0.01);
    EXPECT_LT(glm::length(fine - coarse), 0.02 * glm::length(coarse)) << int(law);
  }
}

/// The kernel's law on one lane.
vec3 turned_by_lift(const vec3& v, const vec3& n, real drag, real lift, real per_mass) {
  using L = Lanes<real, 1>;
  const auto in_lane = [](const vec3& a) { return Vec3<L>{a.x, a.y, a.z}; };
  const Vec3<L> turned = detail::turned_by_lift<L>(in_lane(v), in_lane(n), drag, lift, per_mass);
  return {turned.x.v, turned.y.v, turned.z.v};
}

TEST(Air, LiftTurnsAndLeavesTheSpeed) {
  const vec3 v(3, 1, -2), n(0, 0, 1);
  const vec3 turned = turned_by_lift(v, n, 0, real(0.5), real(0.2));
  EXPECT_NEAR(double(glm::length(turned)), double(glm::length(v)), in_double ? 1e-14 : 1e-6);
  // for short steps it is the force of the law
  const real h = in_double ? real(1e-6) : real(1e-2);
  const vec3 force = plate_force({0, 0, 0}, {1, 0, 0}, {0, 2, 0}, v, {real(0.1), real(0.5)});
  const vec3 change = (turned_by_lift(v, n, real(0.1), real(0.5), h) - v) / h;
  EXPECT_LT(double(glm::length(change - force)), (in_double ? 1e-5 : 5e-2) * double(glm::length(force)));
}

double terminal_speed(double mass_per_area, double drag) {
  return std::sqrt(2.0 * mass_per_area * 9.81 / (1.225 * drag));
}

TEST(Air, ASheetFallsAtItsTerminalSpeed) {
  SceneDesc scene = test::square_cloth(9);
  scene.wind->enabled = true;
  scene.objects[0].cloth->upright = false;
  scene.objects[0].material->density = 0.5;
  Rig rig(scene);
  rig.run(180);
  EXPECT_NEAR(-mean_velocity(rig.world, 0).y, terminal_speed(0.5, 1.0), 0.01 * terminal_speed(0.5, 1.0));
}

TEST(Air, ARodFallsAtItsTerminalSpeed) {
  SceneDesc scene;
  scene.solver.step->substeps = 10;
  scene.solver.motion->damping = 0.0;
  scene.wind->enabled = true;
  ObjectDesc rod;
  rod.name = "rod";
  rod.type = ObjectType::rod;
  rod.density = 100.0;
  rod.rod->segments = 20;
  rod.rod->radius = 0.005;
  rod.rod->first_end = RodEnd::free;
  rod.material->youngs_modulus = 1e8;
  scene.objects = {rod};
  Rig rig(scene);
  rig.run(240);
  const double expected = std::sqrt(2.0 * 100.0 * 3.14159265 * 0.005 * 0.005 * 9.81 / (1.225 * 1.2 * 0.01));
  EXPECT_NEAR(-mean_velocity(rig.world, 0).y, expected, 0.02 * expected);
}

TEST(Air, ABallOfRigidMatterFallsAtItsTerminalSpeed) {
  SceneDesc scene;
  scene.wind->enabled = true;
  scene.solver.motion->damping = 0.0;
  BodyDesc ball;
  ball.name = "ball";
  ball.shape = BodyShape::sphere;
  ball.radius = 0.1;
  ball.density = 20.0;
  ball.pose.position = {0, 100, 0};
  scene.bodies = {ball};
  Rig rig(scene);
  rig.run(300);
  const double expected = std::sqrt(2.0 * 20.0 * 4.0 / 3.0 * 0.1 * 9.81 / (1.225 * 0.5));
  EXPECT_NEAR(-double(rig.world.bodies.velocity[0].y), expected, 0.01 * expected);
}

TEST(Air, ForcesActOnSheetsAndBodiesAlike) {
  SceneDesc scene = test::square_cloth(5);
  scene.solver.motion->gravity = glm::dvec3(0.0);
  BodyDesc box;
  box.name = "box";
  box.pose.position = {5, 0, 0};
  scene.bodies = {box};
  ForceField push;
  push.name = "push";
  push.direction = {0, 0, 2};
  push.strength = 3.0;
  scene.wind->forces = {push};
  Rig rig(scene);
  rig.run(60);
  EXPECT_NEAR(mean_velocity(rig.world, 0).z, 3.0, 1e-3);
  EXPECT_NEAR(double(rig.world.bodies.velocity[0].z), 3.0, 1e-3);
}

/// Without drag the balloon rises according to its weight and the displaced air.
TEST(Air, AGasLiftsTheSkinAroundIt) {
  SceneDesc scene;
  scene.solver.motion->damping = 0.0;
  scene.solver.step->substeps = 8;
  scene.wind->enabled = true;
  scene.wind->drag = scene.wind->skin_drag = scene.wind->lift = 0.0;
  ObjectDesc skin;
  skin.name = "skin";
  skin.mesh = test::source("assets/balloon_small.obj");
  skin.size = 1.0;
  skin.pressure = 1.0;
  skin.gas_density = 0.167;
  skin.material->density = 0.1;
  scene.objects = {skin};
  Rig rig(scene);
  double mass = 0.0;
  for (const real w : rig.world.particles.inverse_mass) mass += w > real(0) ? 1.0 / double(w) : 0.0;
  const double lift = (1.225 - 0.167) * rig.world.topology->enclosures[0].volume * 9.81 / mass;
  rig.run(30);
  EXPECT_GT(lift, 9.81) << "it would not rise";
  EXPECT_NEAR(mean_velocity(rig.world, 0).y, 0.5 * (lift - 9.81), 0.01 * 0.5 * lift);
}

TEST(Air, ReportsTheWeightThatItCarries) {
  SceneDesc scene = test::square_cloth(9);
  scene.wind->enabled = true;
  scene.objects[0].cloth->upright = false;
  scene.objects[0].material->density = 0.5;
  Rig rig(scene);
  EXPECT_TRUE(measure(rig.world).measured.air);
  rig.run(180);
  const Measures falling = measure(rig.world);
  const double weight = 9.81 * falling.momentum.y / mean_velocity(rig.world, 0).y;
  EXPECT_NEAR(falling.drag, weight, 0.01 * weight);
  EXPECT_NEAR(falling.air_force.y, weight, 0.01 * weight);
  EXPECT_LT(falling.lift, 0.01 * weight);
}

TEST(Air, WakesABodyThatItMayMove) {
  for (const double speed : {0.5, 8.0}) {
    SceneDesc scene;
    scene.solver.sleep->sleeping = true;
    scene.wind->enabled = true;
    ColliderDesc ground;
    ground.name = "ground";
    ground.shape = ColliderShape::plane;
    scene.colliders = {ground};
    BodyDesc box;
    box.name = "box";
    box.half_extents = glm::dvec3(0.1);
    box.density = 20.0;
    box.friction = 0.3;
    box.pose.position = {0, 0.1, 0};
    scene.bodies = {box};
    Rig rig(scene);
    rig.run(240);
    ASSERT_EQ(rig.world.bodies.sleep.count, 1);
    const double before = double(rig.world.bodies.position[0].x);
    rig.world.settings.wind->velocity = {speed, 0, 0};
    rig.run(60);
    const double moved = double(rig.world.bodies.position[0].x) - before;
    if (speed < 1.0)
      EXPECT_EQ(moved, 0.0) << "a breath";
    else
      EXPECT_GT(moved, 0.1) << "a gust that pushes with its weight";
  }
}

TEST(Air, FieldsAddUpAndHaveTheirShapes) {
  WindSettings wind;
  AirFields fields;
  AirField fan;
  fan.type = AirFieldType::fan;
  fan.position = {0, 0, 0};
  fan.direction = {0, 2, 0};
  fan.speed = 4.0, fan.radius = 0.5, fan.cone_degrees = 45.0;
  wind.fields = {fan};
  fields.reserve(wind);
  const auto speed = [&](const glm::dvec3& x) { return glm::length(fields.velocity(wind, x, 0.0)); };
  EXPECT_NEAR(speed({0, 0, 0}), 4.0, 1e-12);
  EXPECT_NEAR(speed({0, 0.5, 0}), 2.0, 1e-12) << "twice as wide, so that its momentum stays";
  EXPECT_EQ(speed({0, 0.5, 1.01}), 0.0);
  EXPECT_EQ(speed({0, -0.01, 0}), 0.0);
  AirField vortex, steady;
  vortex.type = AirFieldType::vortex;
  vortex.position = {0, 0, 0}, vortex.direction = {0, 0, 1};
  vortex.speed = 3.0, vortex.radius = 0.5;
  steady.velocity = {0, 0, 1};
  wind.fields = {vortex, steady};
  fields.reserve(wind);
  const glm::dvec3 u = fields.velocity(wind, {0.5, 0, 7}, 0.0);
  EXPECT_LT(glm::length(u - glm::dvec3(0, 3, 1)), 1e-12);
  EXPECT_GT(speed({0.5, 0, 0}), speed({0.4, 0, 0}));
  EXPECT_GT(speed({0.5, 0, 0}), speed({0.6, 0, 0}));
}

TEST(Air, ForcesFadeAndEnd) {
  ForceField force;
  force.type = ForceFieldType::point;
  force.position = {1, 0, 0};
  force.strength = 6.0, force.radius = 2.0;
  EXPECT_LT(glm::length(strength_at(force, {0, 0, 0}) - glm::dvec3(3, 0, 0)), 1e-12);
  EXPECT_EQ(glm::length(strength_at(force, {1, 2.1, 0})), 0.0);
  force.type = ForceFieldType::box;
  force.direction = {0, 0, -1}, force.half_extents = {0.5, 1, 2};
  EXPECT_LT(glm::length(strength_at(force, {1.4, 0.9, -1.9}) - glm::dvec3(0, 0, -6)), 1e-12);
  EXPECT_EQ(glm::length(strength_at(force, {1.6, 0, 0})), 0.0);
  force.type = ForceFieldType::vortex;
  force.direction = {0, 1, 0};
  EXPECT_LT(glm::length(strength_at(force, {1, 5, 1}) - glm::dvec3(3, 0, 0)), 1e-12);
}

TEST(Air, TurbulenceHasNoSources) {
  WindSettings wind;
  AirField eddies;
  eddies.type = AirFieldType::turbulence;
  eddies.speed = 2.0;
  eddies.seed = 7;
  wind.fields = {eddies};
  AirFields fields;
  fields.reserve(wind);
  constexpr double d = 1e-4;
  double squares = 0.0, divergence = 0.0, slope = 0.0;
  int places = 0;
  for (double x = -2; x < 2; x += 0.37)
    for (double y = -2; y < 2; y += 0.41)
      for (double z = -2; z < 2; z += 0.43) {
        const glm::dvec3 p(x, y, z), u = fields.velocity(wind, p, 1.0);
        double sum = 0.0;
        for (int k = 0; k < 3; ++k) {
          glm::dvec3 step(0);
          step[k] = d;
          const glm::dvec3 change =
              (fields.velocity(wind, p + step, 1.0) - fields.velocity(wind, p - step, 1.0)) / (2 * d);
          sum += change[k];
          slope = std::max(slope, std::abs(change[k]));
        }
        divergence = std::max(divergence, std::abs(sum));
        squares += glm::dot(u, u);
        ++places;
      }
  EXPECT_NEAR(std::sqrt(squares / places), 2.0, 0.3);
  EXPECT_GT(slope, 1.0);
  EXPECT_LT(divergence, 1e-5 * slope);
}

TEST(Air, HasTheSameBitsForAnyNumberOfThreads) {
  SceneDesc scene = test::square_cloth(30);
  scene.wind->enabled = true;
  scene.wind->velocity = {3, 0, 1};
  AirField eddies;
  eddies.name = "eddies";
  eddies.type = AirFieldType::turbulence;
  scene.wind->fields = {eddies};
  BodyDesc box;
  box.name = "box";
  box.pose.position = {5, 0, 0};
  box.copies = {1, 40, 1};
  scene.bodies = {box};
  ForceField pull;
  pull.name = "pull";
  pull.type = ForceFieldType::point;
  pull.as = ForceFieldUnit::force;
  pull.radius = 10.0;
  pull.strength = 0.01;
  scene.wind->forces = {pull};
  Rig one(scene, 1);
  one.run(10);
  for (const int threads : test::several_threads()) {
    Rig many(scene, threads);
    many.run(10);
    EXPECT_EQ(world_hash(many.world), world_hash(one.world)) << threads;
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::air_test
