// Heat: conduction and exchange against their laws, melting that keeps energy, mass and momentum.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>

#include "engine/core/heat_law.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"
#include "engine/scene/objects/rod.hpp"
#include "engine/scene/objects/tets.hpp"
#include "engine/state/heat_state.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace heat_test { namespace {

constexpr bool in_double = sizeof(real) == 8;

/// Nothing moves and nothing comes in from outside.
SceneDesc still_scene(double radius) {
  SceneDesc scene;
  scene.solver.contact->particle_radius = radius;
  scene.solver.step->substeps = 1;
  scene.solver.step->iterations = 1;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.heat->enabled = true;
  scene.heat->exchange = 0.0;
  return scene;
}

/// A block of fluid of 1,000 kg/m^3 that conducts like water.
ObjectDesc block(const glm::dvec3& extent, const glm::dvec3& position, double temperature) {
  ObjectDesc object;
  object.name = "block";
  object.type = ObjectType::fluid;
  object.fluid->extent = extent;
  object.pose.position = position;
  object.temperature = temperature;
  object.material->xsph = 0.0;
  object.material->conductivity = 0.6;
  object.material->heat_capacity = 4000.0;
  object.material->melts = true;  // far above: a rigid chunk, whose particles stay in their places
  object.material->solidus = 2000.0, object.material->liquidus = 2001.0;
  return object;
}
constexpr double diffusivity = 0.6 / (1000.0 * 4000.0);  // m^2/s, of such a block

glm::dvec3 place(const World& world, std::size_t i) { return place_of(world.particles, i); }
double mass(const World& world, std::size_t i) { return 1.0 / double(world.particles.inverse_mass[i]); }

/// J, of all particles.
double content(const World& world) {
  double sum = 0.0;
  for (std::size_t i = 0; i < std::size_t(world.particles.count); ++i)
    sum += mass(world, i) * world.heat->enthalpy[i];
  return sum;
}

/// Largest and mean deviation from 50 erfc(x / 2 sqrt(alpha t)) of a bar of 1 m whose left half is hot.
struct Deviation {
  double largest = 0.0, mean = 0.0;
};
Deviation two_halves(int cells) {
  const double d = 1.0 / cells;
  SceneDesc scene = still_scene(0.5 * d);
  const double width = 0.1;
  scene.objects.push_back(block({0.5, width, width}, {-0.25, 0, 0}, 100.0));
  scene.objects.push_back(block({0.5, width, width}, {0.25, 0, 0}, 0.0));
  scene.objects[1].name = "other";
  const double until = 0.01 / (4.0 * diffusivity);  // s: 2 sqrt(alpha t) = 0.1 m
  scene.heat->speed = until * 60.0 / 20.0;
  Rig rig(scene);
  const double before = content(rig.world);
  rig.run(20);
  EXPECT_NEAR(content(rig.world) / before, 1.0, 1e-12);
  Deviation out;
  for (std::size_t i = 0; i < std::size_t(rig.world.particles.count); ++i) {
    const double off =
        std::abs(rig.world.heat->temperature[i] - 50.0 * std::erfc(place(rig.world, i).x / 0.1));
    out.largest = std::max(out.largest, off);
    out.mean += off / rig.world.particles.count;
  }
  return out;
}

TEST(Heat, ABarOfTwoHalvesFollowsTheErrorFunction) {
  const Deviation coarse = two_halves(40), fine = two_halves(80);
  std::printf("  40 cells: %.3f max %.4f mean; 80: %.3f max %.4f mean (of 100 K)\n", coarse.largest,
              coarse.mean, fine.largest, fine.mean);
  EXPECT_LT(coarse.largest, 2.0);
  EXPECT_LT(fine.largest, 0.5 * coarse.largest);
}

/// A bar whose ends are kept at 100 and 0 degrees by colliders: largest deviation from its Fourier series.
double between_two_temperatures(int cells) {
  const double d = 1.0 / cells, width = 0.2;
  SceneDesc scene = still_scene(0.5 * d);
  scene.heat->contact = 1e7;
  scene.objects.push_back(block({1.0, width, width}, {0, 0, 0}, 0.0));
  for (const double side : {-1.0, 1.0}) {
    ColliderDesc& wall = scene.colliders.emplace_back();
    wall.name = side < 0 ? "hot" : "cold";
    wall.shape = ColliderShape::box;
    wall.half_extents = {0.1, 1.0, 1.0};
    wall.pose.position = {0.6 * side, 0, 0};
    wall.temperature = side < 0 ? 100.0 : 0.0;
  }
  const double until = 0.05 / diffusivity;
  scene.heat->speed = until * 60.0 / 20.0;
  Rig rig(scene);
  rig.run(20);
  double largest = 0.0;
  const double pi = std::acos(-1.0);
  for (std::size_t i = 0; i < std::size_t(rig.world.particles.count); ++i) {
    const double x = place(rig.world, i).x + 0.5;
    double right = 100.0 * (1.0 - x);
    for (int n = 1; n < 60; ++n)
      right -= 200.0 / (n * pi) * std::sin(n * pi * x) * std::exp(-n * n * pi * pi * 0.05);
    largest = std::max(largest, std::abs(rig.world.heat->temperature[i] - right));
  }
  return largest;
}

TEST(Heat, ABarBetweenTwoTemperaturesFollowsItsSeries) {
  const double coarse = between_two_temperatures(20), fine = between_two_temperatures(40);
  std::printf("  20 cells: %.3f K, 40 cells: %.3f K of 100\n", coarse, fine);
  EXPECT_LT(fine, 1.0);
  EXPECT_LT(fine, 0.5 * coarse);
}

/// Meshes: a strip of cloth and a bar of tetrahedra, the left part of which starts hot.
double mesh_deviation(ObjectType type, int cells) {
  SceneDesc scene = still_scene(0.01);
  ObjectDesc object;
  object.name = "bar";
  object.type = type;
  if (type == ObjectType::cloth) {
    object.cloth->columns = cells + 1, object.cloth->rows = 5;
    object.cloth->width = 1.0, object.cloth->height = 4.0 / cells;
    object.material->density = 1.0;
    object.material->membrane_thickness = 0.001;
  } else if (type == ObjectType::tets) {
    object.density = 1000.0;
    object.tets->shape = TetShape::bar;
    object.tets->cells = glm::dvec3(cells, 4, 4);
    object.tets->dimensions = glm::dvec3(1.0, 4.0 / cells, 4.0 / cells);
  } else {
    object.density = 1000.0;
    object.rod->segments = cells;
    object.rod->length = 1.0;
    object.rod->radius = 0.2 / cells;
    object.rod->first_end = RodEnd::free;
  }
  object.material->conductivity = 0.6;
  object.material->heat_capacity = 4000.0;
  scene.objects.push_back(object);
  const double until = 0.01 / (4.0 * diffusivity);
  scene.heat->speed = until * 60.0 / 10.0;
  Rig rig(scene);
  HeatState& heat = *rig.world.heat;
  glm::dvec3 low(1e9), high(-1e9);
  const std::size_t count = std::size_t(rig.world.particles.count);
  for (std::size_t i = 0; i < count; ++i) {
    low = glm::min(low, place(rig.world, i)), high = glm::max(high, place(rig.world, i));
  }
  const glm::dvec3 span = high - low;
  const int axis = span.x > 0.9 ? 0 : span.y > 0.9 ? 1 : 2;
  const double middle = 0.5 * (low[axis] + high[axis]);
  for (std::size_t i = 0; i < count; ++i) {
    const double x = place(rig.world, i)[axis] - middle;
    heat.enthalpy[i] = 4000.0 * (std::abs(x) < 0.1 / cells ? 50.0 : x < 0.0 ? 100.0 : 0.0);
  }
  const double before = content(rig.world);
  rig.run(10);
  EXPECT_NEAR(content(rig.world) / before, 1.0, 1e-12);
  double largest = 0.0;
  for (std::size_t i = 0; i < count; ++i)
    largest = std::max(largest, std::abs(heat.temperature[i] -
                                         50.0 * std::erfc((place(rig.world, i)[axis] - middle) / 0.1)));
  return largest;
}

TEST(Heat, MeshesAndRodsConductLikeABar) {
  for (const ObjectType type : {ObjectType::cloth, ObjectType::tets, ObjectType::rod}) {
    const double coarse = mesh_deviation(type, 40), fine = mesh_deviation(type, 80);
    std::printf("  type %d: 40 cells %.3f K, 80 cells %.3f K of 100\n", int(type), coarse, fine);
    EXPECT_LT(coarse, 2.0) << int(type);
    EXPECT_LT(fine, 0.5 * coarse) << int(type);
  }
}

/// The rest of the difference to the air after a Biot number of 0.01, over exp(-h A t / (m c)).
double cooled(ObjectType type) {
  SceneDesc scene = still_scene(0.01);
  scene.heat->exchange = 20.0;
  scene.heat->ambient = 20.0;
  const double side = 0.2;
  ObjectDesc object = block(glm::dvec3(side), glm::dvec3(0.0), 80.0);
  object.type = type;
  object.material->melts = type == ObjectType::fluid;
  object.density = 1000.0;
  object.tets->shape = TetShape::bar;
  object.tets->cells = glm::dvec3(6), object.tets->dimensions = glm::dvec3(side);
  object.material->conductivity = 100.0;
  scene.objects.push_back(object);
  const double rate = 20.0 * 6.0 * side * side / (1000.0 * side * side * side * 4000.0);  // 1/s
  scene.heat->speed = 1.0 / rate;
  Rig rig(scene);
  const double before = content(rig.world);
  rig.run(60);
  const Measures m = measure(rig.world);
  EXPECT_NEAR(m.heat_supplied / (content(rig.world) - before), 1.0, 1e-9);
  return (m.temperature.mean - 20.0) / 60.0 / std::exp(-1.0);
}

/// Four points in a row, the outer ones on springs to their neighbours, at rest without gravity.
ObjectDesc two_springs() {
  ObjectDesc object;
  object.name = "pairs";
  object.type = ObjectType::points;
  for (const double x : {0.0, 0.5, 2.0, 2.5}) object.points->list.push_back({{x, 0, 0}, 2.0, {}});
  object.points->springs.resize(2);
  object.points->springs[0].points = {0, 1}, object.points->springs[1].points = {2, 3};
  object.temperature = 80.0, object.material->thickness = 0.05;
  object.material->conductivity = 400.0, object.material->heat_capacity = 500.0;
  return object;
}

TEST(Heat, PointsCoolAsBallsAndTheirSpringsConduct) {
  const ObjectDesc points = two_springs();
  const double r = points.material->thickness, m = 2.0, c = points.material->heat_capacity;
  const double pi = std::numbers::pi, left = std::pow(1.0 - 1.0 / 60.0, 60.0);  // explicit, once a frame
  const double rounding = in_double ? 1e-9 : 6e-8;                              // of r and m
  SceneDesc scene = still_scene(0.01);
  scene.objects.push_back(points);
  scene.heat->ambient = 20.0, scene.heat->exchange = 20.0;
  scene.heat->speed = m * c / (20.0 * 4.0 * pi * r * r);  // decays by 1/s
  Rig cooling(scene);
  cooling.run(60);
  for (const double degrees : cooling.world.heat->temperature)
    EXPECT_NEAR((degrees - 20.0) / 60.0, left, rounding);

  scene.heat->exchange = 0.0;
  scene.heat->speed = m * c * 0.5 / (2.0 * 400.0 * pi * r * r);  // the difference decays by 1/s
  Rig conducting(scene);
  const std::size_t hot = std::size_t(conducting.world.topology->external_to_internal[0]);
  conducting.world.heat->enthalpy[hot] += c * 100.0;
  const double before = content(conducting.world);
  conducting.run(60);
  const auto degrees = [&](std::size_t vertex) {
    return conducting.world.heat
        ->temperature[std::size_t(conducting.world.topology->external_to_internal[vertex])];
  };
  EXPECT_NEAR((degrees(0) - degrees(1)) / 100.0, left, rounding);
  EXPECT_EQ(degrees(2), 80.0);
  EXPECT_NEAR(content(conducting.world) / before, 1.0, 1e-12);
}

TEST(Heat, SmallThingsCoolAsNewtonSays) {
  const double tets = cooled(ObjectType::tets), fluid = cooled(ObjectType::fluid);
  std::printf("  tets %.4f, particles %.4f of exp(-1)\n", tets, fluid);
  EXPECT_NEAR(tets, 1.0, 0.01);
  EXPECT_NEAR(fluid, 1.0, 0.1);
}

/// Conductances in series add as resistances: a half that does not conduct keeps its temperature.
TEST(Heat, AnInsulatorTakesNothingFromAConductor) {
  SceneDesc scene = still_scene(0.0125);
  scene.objects.push_back(block({0.5, 0.1, 0.1}, {-0.25, 0, 0}, 100.0));
  scene.objects.push_back(block({0.5, 0.1, 0.1}, {0.25, 0, 0}, 0.0));
  scene.objects[1].name = "insulator";
  scene.objects[1].material->conductivity = 0.0;
  scene.heat->speed = 1e5;
  Rig rig(scene);
  rig.run(20);
  for (std::size_t i = 0; i < std::size_t(rig.world.particles.count); ++i)
    EXPECT_NEAR(rig.world.heat->temperature[i], place(rig.world, i).x < 0.0 ? 100.0 : 0.0, 1e-9) << i;
}

/// Particles change their phase a tenth beyond the middle of the melting range, on the way up and down.
TEST(Heat, PhasesChangeBeyondTheMiddleOfTheRange) {
  const auto changes = [](double start, double molten) {
    SceneDesc scene = still_scene(0.02);
    ObjectDesc ice = block(glm::dvec3(0.2), glm::dvec3(0.0), start);
    ice.material->solidus = -0.5, ice.material->liquidus = 0.5;
    ice.material->latent_heat = 3.3e5;
    scene.objects.push_back(ice);
    Rig rig(scene);
    const HeatLaw law = HeatLaw::of(rig.world.settings.materials[0]);
    double low = law.enthalpy(-1.0), high = law.enthalpy(1.0);
    for (int n = 0; n < 60; ++n) {
      const double middle = 0.5 * (low + high);
      (law.molten(middle) < molten ? low : high) = middle;
    }
    for (std::size_t i = 0; i < std::size_t(rig.world.particles.count); ++i)
      rig.world.heat->enthalpy[i] = high;
    rig.run(1);
    return measure(rig.world).phase_changes / double(rig.world.particles.count);
  };
  EXPECT_EQ(changes(-10.0, 0.59), 0.0);
  EXPECT_EQ(changes(-10.0, 0.61), 1.0);
  EXPECT_EQ(changes(10.0, 0.41), 0.0);
  EXPECT_EQ(changes(10.0, 0.39), 1.0);
}

/// Ice at its melting point before a warm wall: the front over 2 lambda sqrt(alpha t).
double stefan_front(int cells) {
  const double length = 1.0, d = length / cells, width = 4.0 * d, stefan = 0.5, step = 10.0;
  SceneDesc scene = still_scene(0.5 * d);
  scene.heat->contact = 1e7;
  ObjectDesc ice = block({length, width, width}, {0.5 * length, 0, 0}, -0.1);
  ice.material->melts = true;
  ice.material->solidus = -0.05, ice.material->liquidus = 0.05;  // 1 % of the step
  ice.material->latent_heat = 4000.0 * step / stefan;
  scene.objects.push_back(ice);
  ColliderDesc& wall = scene.colliders.emplace_back();
  wall.name = "wall";
  wall.shape = ColliderShape::box;
  wall.half_extents = {0.1, 1.0, 1.0};
  wall.pose.position = {-0.1, 0, 0};
  wall.temperature = step;
  // lambda exp(lambda^2) erf(lambda) = St / sqrt(pi)
  double lambda = 0.5;
  for (int n = 0; n < 60; ++n) {
    const auto f = [&](double l) {
      return l * std::exp(l * l) * std::erf(l) - stefan / std::sqrt(std::acos(-1.0));
    };
    const double slope = (f(lambda + 1e-6) - f(lambda - 1e-6)) / 2e-6;
    lambda -= f(lambda) / slope;
  }
  const double front = 2.0 / 3.0 * length;
  const double until = front * front / (4.0 * lambda * lambda * diffusivity);
  scene.heat->speed = until * 60.0 / 40.0;
  Rig rig(scene);
  rig.run(40);
  return measure(rig.world).molten_share * length / front;
}

TEST(Heat, AFrontMeltsAsStefanSays) {
  const double coarse = stefan_front(30), fine = stefan_front(60);
  std::printf("  front: 20 cells %.4f, 40 cells %.4f of Stefan's\n", coarse, fine);
  EXPECT_NEAR(fine, 1.0, 0.03);
  EXPECT_LT(std::abs(fine - 1.0), std::abs(coarse - 1.0));
}

/// A block of ice in water, closed, without gravity.
SceneDesc ice_in_water(double speed = 20000.0) {
  SceneDesc scene = still_scene(0.02);
  scene.solver.step->substeps = 4;
  ObjectDesc water = block({0.4, 0.2, 0.24}, {0, 0, 0}, 60.0);
  ObjectDesc ice = block({0.16, 0.2, 0.24}, {0.285, 0, 0}, -10.0);
  ice.name = "ice";
  for (ObjectDesc* object : {&water, &ice}) {
    object->material->melts = true;
    object->material->solidus = -0.5, object->material->liquidus = 0.5;
    object->material->latent_heat = 3.3e4;
  }
  scene.objects = {water, ice};
  scene.heat->speed = speed;
  return scene;
}

TEST(Heat, IceInWaterKeepsEnergyMassAndTheMeanTemperature) {
  Rig rig(ice_in_water(2e5));
  const double before = content(rig.world);
  double all = 0.0;
  for (std::size_t i = 0; i < std::size_t(rig.world.particles.count); ++i) all += mass(rig.world, i);
  double worst = 0.0;
  for (int f = 0; f < 300; ++f) {
    rig.run(1);
    worst = std::max(worst, std::abs(content(rig.world) / before - 1.0));
  }
  double after = 0.0;
  for (std::size_t i = 0; i < std::size_t(rig.world.particles.count); ++i) after += mass(rig.world, i);
  EXPECT_EQ(after, all);
  const Measures m = measure(rig.world);
  const HeatLaw law = HeatLaw::of(rig.world.settings.materials[0]);
  const double right = law.temperature(before / all);
  std::printf("  energy off by %.1e; mean %.6f, right %.6f; molten %.4f; changes %lld\n", worst,
              m.temperature.mean, right, m.molten_share, static_cast<long long>(m.phase_changes));
  EXPECT_LT(worst, 1e-12);
  EXPECT_EQ(m.heat_supplied, 0.0);
  EXPECT_EQ(m.molten_share, 1.0);
  EXPECT_NEAR(m.temperature.mean, right, 70e-4);
}

/// A turning piece of ice drifts through warm water while its particles melt.
TEST(Heat, MeltingKeepsMomentum) {
  SceneDesc scene = ice_in_water();
  scene.solver.motion->damping = 0.0;
  scene.objects[0].velocity = {0.3, 0, 0};
  scene.objects[1].velocity = {-0.2, 0.1, 0};
  scene.objects[1].angular_velocity = {0, 0, 60};
  Rig rig(scene);
  double scale = 0.0;
  for (std::size_t i = 0; i < std::size_t(rig.world.particles.count); ++i)
    scale += mass(rig.world, i) * double(glm::length(vec3(rig.world.particles.velocity[i])));
  glm::dvec3 before = measure(rig.world).momentum;
  double worst = 0.0;
  for (int f = 0; f < 120; ++f) {
    rig.run(1);
    const glm::dvec3 now = measure(rig.world).momentum;
    worst = std::max(worst, glm::length(now - before) / scale);
    before = now;
  }
  const Measures m = measure(rig.world);
  std::printf("  momentum off by %.1e a frame of 4 substeps; %lld changes, %lld chunks\n", worst,
              static_cast<long long>(m.phase_changes), static_cast<long long>(m.chunks));
  EXPECT_GT(m.phase_changes, 50);
  EXPECT_LT(worst, in_double ? 4e-12 : 1e-4);
}

TEST(Heat, FrozenParticlesAreARigidChunkThatRestsOnTheGround) {
  SceneDesc scene = still_scene(0.02);
  scene.solver.motion->gravity = {0, -9.81, 0};
  scene.solver.step->substeps = 8;
  ObjectDesc ice = block({0.2, 0.4, 0.2}, {0, 0.35, 0}, -20.0);
  ice.material->melts = true;
  ice.pose.rotation_degrees = {0, 0, 10};
  ice.material->friction = 0.5;
  scene.objects.push_back(ice);
  ColliderDesc& ground = scene.colliders.emplace_back();
  ground.name = "ground";
  ground.shape = ColliderShape::plane;
  ground.friction = 0.5;
  Rig rig(scene);
  const glm::dvec3 side = place(rig.world, 0) - place(rig.world, 100);
  rig.run(240);
  const Measures m = measure(rig.world);
  EXPECT_EQ(m.chunks, 1);
  EXPECT_NEAR(glm::length(place(rig.world, 0) - place(rig.world, 100)), glm::length(side), 1e-4);
  EXPECT_LT(m.mean_speed, 0.01);
  EXPECT_GT(m.bounds_min.y, 0.0175);
  EXPECT_LT(m.bounds_min.y, 0.0205);
}

TEST(Heat, TheSameBitsForAnyNumberOfThreads) {
  std::uint64_t first = 0;
  for (const int threads : test::thread_counts()) {
    SceneDesc scene = ice_in_water();
    scene.solver.motion->gravity = {0, -9.81, 0};
    scene.heat->exchange = 10.0;
    ColliderDesc& ground = scene.colliders.emplace_back();
    ground.name = "ground";
    ground.shape = ColliderShape::plane;
    ground.pose.position = {0, -0.12, 0};
    ground.temperature = 80.0;
    Rig rig(scene, threads);
    rig.run(40);
    EXPECT_GT(rig.world.heat->changes, 0);
    const std::uint64_t hash = world_hash(rig.world);
    if (threads == 1) first = hash;
    EXPECT_EQ(hash, first) << threads;
  }
}

TEST(Heat, ACopyGoesOnWithTheSameBits) {
  SceneDesc scene = ice_in_water();
  Rig rig(scene);
  rig.run(20);
  const World snapshot = rig.world;
  rig.run(20);
  const std::uint64_t right = world_hash(rig.world);
  Rig other(scene);
  other.world = snapshot;
  other.world.changed(Change::everything), other.solver.follow(other.world);
  other.run(20);
  EXPECT_EQ(world_hash(other.world), right);
}

/// Warm fluid is lighter by beta dT.
TEST(Heat, WarmFluidRises) {
  SceneDesc scene = still_scene(0.02);
  scene.solver.motion->gravity = {0, -9.81, 0};
  scene.solver.motion->damping = 0.0;
  ObjectDesc drop = block(glm::dvec3(0.04), {0, 1, 0}, 70.0);
  drop.material->expansion = 0.01;
  scene.objects.push_back(drop);
  scene.heat->ambient = 20.0;
  Rig rig(scene);
  rig.run(30);
  const double fallen = mean_velocity(rig.world, 0).y;
  EXPECT_NEAR(fallen, -9.81 * 0.5 * (1.0 - 0.01 * 50.0), 0.01);
}

}}}}  // namespace limber::LIMBER_PRECISION::heat_test
