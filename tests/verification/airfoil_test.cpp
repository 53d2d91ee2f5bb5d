// Rigid bodies that fly: cards that flutter and tumble, wings that glide.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <glm/geometric.hpp>

#include "engine/core/measures.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/settings/wind.hpp"
#include "engine/parts/air/airfoil.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace airfoil_test { namespace {

constexpr bool in_double = sizeof(real) == 8;
constexpr double pi = 3.14159265358979324;

/// A plate of aluminium that falls in water, quasi two-dimensional: 0.81 mm thick, 19 cm of span, turned by
/// half a radian. `ratio`: chord over thickness.
SceneDesc falling_plate(double ratio, int substeps) {
  constexpr double thickness = 8.1e-4, water = 1000.0, metal = 2700.0;
  SceneDesc scene;
  scene.solver.step->substeps = substeps;
  scene.solver.motion->gravity = {0.0, -9.81 * (1.0 - water / metal), 0.0};  // less what it displaces
  scene.solver.motion->damping = 0.0;
  scene.wind->enabled = true;
  scene.wind->air_density = water;
  BodyDesc plate;
  plate.name = "plate";
  plate.shape = BodyShape::box;
  plate.airfoil = AirfoilChord::x;
  plate.half_extents = {0.5 * ratio * thickness, 0.5 * thickness, 0.095};
  plate.density = metal;
  plate.pose.position = {0, 10, 0};
  plate.pose.rotation_degrees = {0, 0, 0.5 * 180.0 / pi};
  scene.bodies = {plate};
  return scene;
}

/// The fall of a plate after its first seconds, by its means over whole frames.
struct Fall {
  double across = 0.0, down = 0.0, spin = 0.0, period = 0.0;
};
Fall watch(const SceneDesc& scene, int frames) {
  Rig rig(scene);
  rig.run(frames);
  const auto spin = [&] { return double(angular_velocity(rig.world.bodies, 0).z); };
  const glm::dvec3 from(rig.world.bodies.position[0]);
  double before = spin(), turned = 0.0, first = 0.0, last = 0.0;
  int swings = 0;
  for (int f = 0; f < frames; ++f) {
    rig.run(1);
    const double now = spin();
    turned += 0.5 * (before + now) / 60.0;
    if (before < 0.0 && now >= 0.0) {
      last = (f + before / (before - now)) / 60.0;
      if (swings++ == 0) first = last;
    }
    before = now;
  }
  const glm::dvec3 way = glm::dvec3(rig.world.bodies.position[0]) - from;
  const double time = frames / 60.0;
  return {way.x / time, -way.y / time, turned / time, swings > 1 ? (last - first) / (swings - 1) : 0.0};
}

/// The law in two dimensions as its papers write it, in the frame of the plate, by Runge and Kutta: speeds
/// along chord and normal, spin, angle, place.
using Flat = std::array<double, 6>;
struct FlatPlate {
  double chord, mass, inertia, weight, density;

  Flat rate(const Flat& y) const {
    const auto [u, v, w, angle, x, h] = y;
    const double air = density * pi * chord * chord / 4.0, air_turn = air * chord * chord / 32.0;
    const double speed = std::hypot(u, v), a = std::atan2(std::abs(v), std::abs(u));
    const double step = std::clamp(
        (std::sin(a) - std::sin(pi / 36)) / (std::sin(23 * pi / 180) - std::sin(pi / 36)), 0.0, 1.0);
    const double f = 1.0 - step * step * (3.0 - 2.0 * step);
    const double cl = f * 5.2 * std::sin(a) + (1 - f) * 0.95 * std::sin(2 * a);
    const double cd = f * (0.1 + 5.0 * std::pow(std::sin(a), 2)) + (1 - f) * 1.9 * std::pow(std::sin(a), 2);
    const double ahead = f * (0.3 - 3.0 * a * a) + (1 - f) * 0.3 * (1 - 2 * a / pi);
    const double half = 0.5 * density * chord * speed;
    const double sign = u * v > 0.0 ? 1.0 : -1.0;
    const double lift_u = half * cl * v * sign, lift_v = -half * cl * u * sign;
    const double spun = density * 1.1 / 2.0 * chord * chord * w;
    const double force_u = lift_u - spun * v - half * cd * u, force_v = lift_v + spun * u - half * cd * v;
    const double moment = std::copysign(ahead * chord, u) * (lift_v - half * cd * v) -
                          3.0 / 64.0 * density * std::pow(chord, 4) * std::abs(w) * w;
    return {((mass + air) * w * v - weight * std::sin(angle) + force_u) / mass,
            (-mass * w * u - weight * std::cos(angle) + force_v) / (mass + air),
            moment / (inertia + air_turn),
            w,
            u * std::cos(angle) - v * std::sin(angle),
            u * std::sin(angle) + v * std::cos(angle)};
  }
  void advance(Flat& y, double dt) const {
    const auto moved = [](const Flat& a, const Flat& b, double t) {
      Flat out;
      for (std::size_t k = 0; k < 6; ++k) out[k] = a[k] + t * b[k];
      return out;
    };
    const Flat a = rate(y), b = rate(moved(y, a, dt / 2)), c = rate(moved(y, b, dt / 2)),
               d = rate(moved(y, c, dt));
    for (std::size_t k = 0; k < 6; ++k) y[k] += dt / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]);
  }
};

/// Andersen, Pesavento and Wang's plate of chord 8 thicknesses: 15.9 cm/s across, 11.5 cm/s down, 14.5 rad/s.
TEST(Airfoil, ACardTumblesAsMeasured) {
  if (!in_double) GTEST_SKIP() << "in double";
  const Fall fall = watch(falling_plate(8.0, 16), 240);
  EXPECT_NEAR(std::abs(fall.across), 0.159, 0.15 * 0.159);
  EXPECT_NEAR(fall.down, 0.115, 0.15 * 0.115);
  EXPECT_NEAR(std::abs(fall.spin), 14.5, 0.15 * 14.5);
  EXPECT_GT(fall.across * fall.spin, 0.0) << "it goes where the lift of its turning carries it";
}

TEST(Airfoil, ACardFluttersAsTheLawInTwoDimensions) {
  if (!in_double) GTEST_SKIP() << "in double";
  const Fall fall = watch(falling_plate(14.0, 32), 300);
  const double chord = 14 * 8.1e-4, mass = 2700 * chord * 8.1e-4;
  const FlatPlate plate{chord, mass, mass * (chord * chord + 8.1e-4 * 8.1e-4) / 12.0,
                        1700 * chord * 8.1e-4 * 9.81, 1000.0};
  Flat y{1e-4, 1e-4, 0.0, 0.5, 0.0, 0.0};
  constexpr double dt = 1e-4;
  double first = 0.0, last = 0.0, from = 0.0;
  int swings = 0;
  for (int i = 0; i < 100000; ++i) {
    if (i == 50000) from = y[5];
    const double before = y[2];
    plate.advance(y, dt);
    if (i < 50000 || !(before < 0.0 && y[2] >= 0.0)) continue;
    last = i * dt;
    if (swings++ == 0) first = last;
  }
  ASSERT_GT(swings, 5);
  EXPECT_NEAR(fall.period, (last - first) / (swings - 1), 0.03 * fall.period);
  EXPECT_NEAR(fall.down, (from - y[5]) / 5.0, 0.05 * fall.down);
  EXPECT_LT(std::abs(fall.spin), 0.5) << "it does not turn over";
}

/// Weight and aerodynamic force of a steady glide, and the law's own angle for it, found apart: of a plate
/// whose centre of mass is where the law has its centre of pressure.
TEST(Airfoil, AGliderFliesAtTheAngleAndSlopeOfTheLaw) {
  SceneDesc scene;
  scene.solver.step->substeps = 8;
  scene.solver.motion->damping = 0.0;
  scene.wind->enabled = true;
  scene.wind->drag = scene.wind->skin_drag = 0.0;  // of the weight
  BodyDesc glider;
  glider.name = "glider";
  glider.shape = BodyShape::compound;
  glider.density = 400.0;
  BodyPartDesc wing, weight;
  wing.shape = weight.shape = BodyShape::box;
  wing.airfoil = AirfoilChord::x;
  wing.half_extents = {0.04, 0.0003, 0.2};
  weight.half_extents = {0.004, 0.003, 0.148};
  weight.pose.position = {0.045, 0, 0};
  glider.parts = {wing, weight};
  const double wing_mass = 400 * 8 * 0.04 * 0.0003 * 0.2, weight_mass = 400 * 8 * 0.004 * 0.003 * 0.148;
  const double ahead = weight_mass * 0.045 / (wing_mass + weight_mass) / 0.08;
  double angle = 0.0, lift = 0.0, drag = 0.0;
  for (double a = 0.001; a < 0.4; a += 1e-5) {  // the smallest angle at which the moment vanishes
    const StripForce on = strip_force(std::cos(a), -std::sin(a), 0.0, 0.08, 1.225);
    if (on.moment / on.normal > 0.08 * ahead) continue;
    angle = a;
    lift = on.normal * std::cos(a) + on.along * std::sin(a);
    drag = on.normal * std::sin(a) - on.along * std::cos(a);
    break;
  }
  ASSERT_GT(angle, 0.01);
  const double slope = drag / lift,
               speed = std::sqrt((wing_mass + weight_mass) * 9.81 / 0.4 / std::hypot(lift, drag));
  glider.pose.position = {0, 100, 0};
  glider.pose.rotation_degrees = {0, 0, (angle - std::atan(slope)) * 180 / pi};
  glider.velocity = speed / std::hypot(1.0, slope) * glm::dvec3(1.0, -slope, 0.0);
  scene.bodies = {glider};
  Rig rig(scene);
  rig.run(240);
  glm::dvec3 mean(0.0);
  for (int f = 0; f < 240; ++f) {
    rig.run(1);
    mean += glm::dvec3(rig.world.bodies.velocity[0]) / 240.0;
  }
  EXPECT_NEAR(-mean.y / mean.x, slope, 0.03 * slope);
  EXPECT_NEAR(glm::length(mean), speed, 0.03 * speed);
  const Measures measures = measure(rig.world);
  EXPECT_NEAR(measures.lift / measures.drag, 1.0 / slope, 0.05 / slope) << "as the report has it";
  EXPECT_NEAR(measures.air_force.y, (wing_mass + weight_mass) * 9.81,
              0.05 * (wing_mass + weight_mass) * 9.81);
}

/// Thrown anyhow in still air without gravity, the plate and the air that it moves lose their energy.
TEST(Airfoil, StillAirGivesNoEnergy) {
  SceneDesc scene = falling_plate(14.0, 4);
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.wind->air_density = 1.225;
  BodyDesc& plate = scene.bodies[0];
  plate.density = 300.0;
  plate.half_extents = {0.05, 0.0005, 0.08};
  for (int k = 0; k < 24; ++k) {
    const double turn = 0.7 * k;
    plate.velocity = 4.0 * glm::dvec3(std::cos(turn), std::sin(turn), 0.3 * std::sin(3.0 * turn));
    plate.angular_velocity = {300.0 * std::sin(2.0 * turn), 200.0 * std::cos(5.0 * turn),
                              1500.0 * std::sin(1.7 * turn)};
    Rig rig(scene);
    const auto energy = [&] {
      const Bodies& bodies = rig.world.bodies;
      const mat3 axes = rotation_of(bodies.orientation[0]);
      const glm::dvec3 v(bodies.velocity[0]), w(angular_velocity(bodies, 0));
      const double air = 1.225 * pi * 0.1 * 0.1 / 4.0 * 0.16, along = glm::dot(v, glm::dvec3(axes[1]));
      const double pitch = glm::dot(w, glm::dvec3(axes[2])), roll = glm::dot(w, glm::dvec3(axes[0]));
      return measure(rig.world).kinetic_energy + 0.5 * air * along * along +
             0.5 * air * 0.1 * 0.1 / 32.0 * pitch * pitch + 0.5 * air * 0.16 * 0.16 / 12.0 * roll * roll;
    };
    const double start = energy();
    double most = 0.0;
    for (int f = 0; f < 60; ++f) {
      rig.run(1);
      most = std::max(most, energy());
    }
    EXPECT_LT(most, start) << k;
    EXPECT_LT(energy(), 0.8 * start) << k;
  }
}

TEST(Airfoil, LiftDoesNoWork) {
  for (double a = -pi; a < pi; a += 0.037)
    for (const double w : {-20.0, 0.0, 20.0}) {
      const double u = 3.0 * std::cos(a), v = 3.0 * std::sin(a);
      const StripForce on = strip_force(u, v, w, 0.1, 1.2);
      EXPECT_LT(on.along * u + on.normal * v, 1e-12) << a;
      const StripForce still = strip_force(u, v, 0.0, 0.1, 1.2);
      const double spun = (on.along - still.along) * u + (on.normal - still.normal) * v;
      EXPECT_NEAR(spun, 0.0, 1e-12) << "rotational lift";
    }
}

TEST(Airfoil, ADeltaIsStripsOfItsOwnChords) {
  const std::array<glm::dvec3, 6> corners{{{0.1, 0.01, 0},
                                           {-0.1, 0.01, 0},
                                           {-0.1, 0.01, 0.06},
                                           {0.1, -0.01, 0},
                                           {-0.1, -0.01, 0},
                                           {-0.1, -0.01, 0.06}}};
  const AirfoilShape wing = make_airfoil(corners, 0);
  double area = 0.0;
  for (const AirfoilStrip& strip : wing.strips) {
    area += strip.chord * strip.width;
    EXPECT_NEAR(strip.chord, 0.2 * (1 - strip.middle.z / 0.06), 1e-12);
    EXPECT_NEAR(strip.middle.x, -0.1 + 0.5 * strip.chord, 1e-12);
  }
  EXPECT_NEAR(area, 0.5 * 0.2 * 0.06, 1e-12);
}

TEST(Airfoil, HasTheSameBitsForAnyNumberOfThreads) {
  SceneDesc scene = falling_plate(14.0, 4);
  scene.wind->air_density = 1.225;
  scene.wind->velocity = {1, 0, 2};
  AirField eddies;
  eddies.name = "eddies";
  eddies.type = AirFieldType::turbulence;
  scene.wind->fields = {eddies};
  scene.bodies[0].half_extents = {0.05, 0.0005, 0.08};
  scene.bodies[0].copies = {3, 3, 3};
  scene.bodies[0].yaw_jitter = 90;
  Rig one(scene, 1);
  one.run(20);
  for (const int threads : test::several_threads()) {
    Rig many(scene, threads);
    many.run(20);
    EXPECT_EQ(world_hash(many.world), world_hash(one.world)) << threads;
    EXPECT_EQ(many.world.air.drag, one.world.air.drag) << threads;
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::airfoil_test
