// Rigid bodies against closed forms, in float and in double.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <vector>

#include "engine/contact/bodies/body_contact.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/verification/rig.hpp"
#include "tests/verification/scenes_in_code.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace rigid_body_test { namespace {

constexpr double g = 9.81;

BodyDesc body(BodyShape shape, const glm::dvec3& position) {
  BodyDesc b;
  b.name = "body";
  b.shape = shape;
  b.pose.position = position;
  return b;
}

SceneDesc scene_of(std::vector<BodyDesc> bodies, int substeps = 8) {
  SceneDesc scene;
  scene.solver.step->substeps = substeps;
  scene.solver.motion->damping = 0.0;
  scene.bodies = std::move(bodies);
  return scene;
}

SceneDesc weightless(std::vector<BodyDesc> bodies, int substeps = 8) {
  SceneDesc scene = scene_of(std::move(bodies), substeps);
  scene.solver.motion->gravity = glm::dvec3(0.0);
  return scene;
}

ColliderDesc floor_of(double friction) {
  ColliderDesc floor;
  floor.name = "floor";
  floor.shape = ColliderShape::plane;
  floor.friction = friction;
  return floor;
}

/// A body with the principal moments 1, 2, 3 (replacing those of a box, which would be degenerate), spun
/// about the middle axis.
struct WingNut : Rig {
  explicit WingNut(double small_spin) : Rig(weightless({body(BodyShape::box, glm::dvec3(0.0))}, 10)) {
    world.bodies.inverse_inertia[0] = vec4(1, real(0.5), real(1.0 / 3.0), 0);
    world.bodies.angular_momentum[0] = vec4(0, 20, real(3.0 * small_spin), 0);
  }
};

/// The mean time between flips: sign changes of the spin about the body's own y axis.
double flip_time(Rig& rig, double seconds) {
  const double dt = rig.world.settings.solver.step->dt;
  double before = 1.0, first = 0.0, last = 0.0;
  int flips = 0;
  for (double t = dt; t < seconds; t += dt) {
    rig.step();
    const real now =
        glm::dot(angular_velocity(rig.world.bodies, 0), rotation_of(rig.world.bodies.orientation[0])[1]);
    if (before * double(now) < 0.0) {
      const double crossing = t - dt * double(now) / (double(now) - before);
      if (flips++ == 0) first = crossing;
      last = crossing;
    }
    before = double(now);
  }
  return flips > 1 ? (last - first) / (flips - 1) : 0.0;
}

/// The flip times of the free asymmetric top are half periods of elliptic functions. The midpoint rule at 600
/// substeps a second has a phase error of (w h)^2 / 24 = 1e-5. They depend on how near to the unstable axis
/// the body comes, by the energy to a part in (eps / w)^2: 1e-4 for eps = 0.1, of which the rounding of a
/// float leaves 1e-2 over thousands of substeps (0.35 s times that), and 1e-6 for 0.01, of which it leaves
/// nothing.
TEST(RigidBody, TheWingNutFlipsInTime) {
  const bool exact = std::is_same_v<real, double>;
  WingNut slow(0.1);
  EXPECT_NEAR(flip_time(slow, 10.0), 1.8851, exact ? 1e-3 : 1e-2);
  if (!exact) return;
  WingNut slower(0.01), slowest(0.001);
  EXPECT_NEAR(flip_time(slower, 12.0), 2.6829, 1e-3);
  EXPECT_NEAR(flip_time(slowest, 15.0), 3.4805, 1e-3);
}

/// Angular momentum is the state: no torque, no change of a single bit. The energy of the midpoint rule
/// swings by (w h)^2 of itself.
TEST(RigidBody, AFreeBodyKeepsItsAngularMomentumBitForBitAndItsEnergy) {
  WingNut rig(0.1);
  const vec4 before = rig.world.bodies.angular_momentum[0];
  const double energy = measure(rig.world).kinetic_energy;
  double worst = 0.0;
  for (int f = 0; f < 600; ++f) {
    rig.step();
    worst = std::max(worst, std::abs(measure(rig.world).kinetic_energy / energy - 1.0));
  }
  EXPECT_EQ(before, rig.world.bodies.angular_momentum[0]);
  EXPECT_LT(worst, 0.001);
  const vec4 q = rig.world.bodies.orientation[0];
  EXPECT_NEAR(double(glm::dot(q, q)), 1.0, 1e-6);
}

/// Symplectic Euler falls g h t / 2 less far than g t^2 / 2 says it does, in n substeps: g h^2 n (n + 1) / 2.
TEST(RigidBody, FallsFreely) {
  Rig rig(scene_of({body(BodyShape::box, {0.0, 100.0, 0.0})}));
  rig.run(60);
  const double h = 1.0 / 480.0;
  EXPECT_NEAR(double(rig.world.bodies.position[0].y), 100.0 - g * h * h * 480.0 * 481.0 / 2.0,
              100.0 * 480.0 * std::numeric_limits<real>::epsilon());
}

/// 1 mm/s is 17 um a frame, and floats 1 km from the origin are 61 um apart: a body that lost what rounding
/// takes from its position would stand still.
TEST(RigidBody, MovesSlowlyFarFromTheOrigin) {
  BodyDesc box = body(BodyShape::box, {100.0, 0.0, -1000.0});
  box.velocity = {1e-3, 0.0, 1e-3};
  SceneDesc scene = scene_of({box});
  scene.solver.motion->gravity = glm::dvec3(0.0);
  Rig rig(scene);
  rig.run(600);
  const Bodies& bodies = rig.world.bodies;
  const glm::dvec3 place = glm::dvec3(vec3(bodies.position[0])) + glm::dvec3(vec3(bodies.remainder[0]));
  EXPECT_NEAR(place.x, 100.01, 1e-7);
  EXPECT_NEAR(place.z, -999.99, 1e-7);
}

BodyDesc block_on_slope(double degrees, double friction) {
  const double angle = degrees * 3.14159265358979 / 180.0;
  BodyDesc block = body(BodyShape::box, {-0.1 * -std::sin(angle), 0.1 * std::cos(angle), 0.0});
  block.half_extents = {0.2, 0.1, 0.15};
  block.pose.rotation_degrees = {0.0, 0.0, -degrees};
  block.friction = friction * friction;  // with that of the slope, 1: sqrt(mu^2)
  return block;
}

/// Speed of a block that has slid along a slope for one second.
double slide_speed(double degrees, double friction) {
  SceneDesc scene = scene_of({block_on_slope(degrees, friction)});
  ColliderDesc slope = floor_of(1.0);
  slope.pose.rotation_degrees = {0.0, 0.0, -degrees};
  scene.colliders = {slope};
  Rig rig(scene);
  rig.run(60);
  return double(glm::length(vec3(rig.world.bodies.velocity[0])));
}

TEST(RigidBody, SlidesIfAndOnlyIfTheSlopeIsSteeperThanFriction) {
  const double tangent = std::tan(20.0 * 3.14159265358979 / 180.0);
  EXPECT_LT(slide_speed(20.0, 1.02 * tangent), 1e-4);
  for (const double mu : {0.0, 0.1, 0.2, 0.3, 0.98 * tangent}) {
    const double a = g * std::cos(20.0 * 3.14159265358979 / 180.0) * (tangent - mu);
    EXPECT_NEAR(slide_speed(20.0, mu), a, 0.02 * a + 0.004) << mu;
  }
}

/// A rolling ball whose normal force acts c ahead of its middle: (I + m R^2) a / R = -c m g, a = -5/7 c g /
/// R.
TEST(RigidBody, RollingResistanceSlowsABall) {
  const double radius = 0.1, arm = 0.005, slowing = 5.0 / 7.0 * arm * g / radius;
  for (const double c : {0.0, arm}) {
    BodyDesc ball = body(BodyShape::sphere, {0.0, radius, 0.0});
    ball.radius = radius;
    ball.friction = 1.0;
    ball.rolling_resistance = c;
    ball.velocity = {1.0, 0.0, 0.0};
    ball.angular_velocity = {0.0, 0.0, -180.0 / 3.14159265358979 * 1.0 / radius};
    SceneDesc scene = scene_of({ball});
    scene.colliders = {floor_of(1.0)};
    Rig rig(scene);
    rig.run(60);
    EXPECT_NEAR(double(rig.world.bodies.velocity[0].x), c == 0.0 ? 1.0 : 1.0 - slowing, 0.01) << c;
    rig.run(150);
    if (c > 0.0) {
      EXPECT_LT(double(glm::length(vec3(rig.world.bodies.velocity[0]))), 1e-4);
    }
  }
}

BodyDesc marble(double x, double velocity) {
  BodyDesc b = body(BodyShape::sphere, {x, 0.0, 0.0});
  b.radius = 0.05;
  b.velocity = {velocity, 0.0, 0.0};
  b.restitution = 1.0;
  b.friction = 0.0;
  return b;
}

TEST(RigidBody, OneMarbleIntoThreeSendsOffTheLast) {
  Rig rig(weightless({marble(-0.5, 1.0), marble(0.0, 0.0), marble(0.1, 0.0), marble(0.2, 0.0)}));
  rig.run(60);
  const auto v = [&](std::size_t i) { return double(rig.world.bodies.velocity[i].x); };
  EXPECT_NEAR(v(0), 0.0, 1e-5);
  EXPECT_NEAR(v(1), 0.0, 1e-5);
  EXPECT_NEAR(v(2), 0.0, 1e-5);
  EXPECT_NEAR(v(3), 1.0, 1e-5);
}

/// h + e^2 h: of two bounces in a row the heights are as e^2, to the height that is fallen in a substep.
TEST(RigidBody, BouncesToTheSquareOfItsRestitution) {
  for (const double e : {0.5, 1.0}) {
    BodyDesc ball = body(BodyShape::sphere, {0.0, 1.1, 0.0});
    ball.radius = 0.1;
    ball.restitution = e;
    SceneDesc scene = scene_of({ball}, 20);
    scene.colliders = {floor_of(0.5)};
    Rig rig(scene);
    double highest = 0.0;
    bool fell = false;
    for (int f = 0; f < 60; ++f) {
      rig.step();
      fell |= rig.world.bodies.velocity[0].y > 0;
      if (fell) highest = std::max(highest, double(rig.world.bodies.position[0].y) - 0.1);
    }
    EXPECT_NEAR(highest, e * e, 0.012) << e;
    EXPECT_LE(highest, 1.0);
  }
}

/// Twenty boxes thrown into each other in space. Contacts act on both sides alike, so momentum stays to
/// rounding; and nothing adds energy.
TEST(RigidBody, FreeCollisionsKeepMomentumAndNeverGainEnergy) {
  std::vector<BodyDesc> bodies;
  for (int i = 0; i < 20; ++i) {
    BodyDesc b =
        body(i % 2 ? BodyShape::box : BodyShape::capsule, {1.3 * (i % 3), 1.3 * (i / 3 % 3), 1.5 * (i / 9)});
    b.radius = 0.3, b.half_length = 0.3;
    b.pose.rotation_degrees = {31.0 * i, 17.0 * i, 0.0};
    b.velocity = glm::dvec3(1.3, 1.3, 1.5) - b.pose.position;
    b.angular_velocity = {20.0 * i, -30.0, 10.0};
    b.restitution = i % 4 == 0 ? 0.5 : 0.0;
    bodies.push_back(b);
  }
  Rig rig(weightless(bodies));
  const Measures start = measure(rig.world);
  double energy = start.kinetic_energy;
  for (int f = 0; f < 60; ++f) {
    rig.step();
    const double now = measure(rig.world).kinetic_energy;
    EXPECT_LE(now, energy * (1.0 + 1e-4)) << f;
    energy = now;
  }
  EXPECT_LT(energy, 0.8 * start.kinetic_energy);  // they did collide
  const double total = 20.0 * 500.0, rounding = 1e4 * std::numeric_limits<real>::epsilon();
  const Measures end = measure(rig.world);
  EXPECT_LT(glm::length(end.momentum - start.momentum), total * rounding);
  const double lost = glm::length(end.angular_momentum - start.angular_momentum);
  EXPECT_LT(lost, 0.01 * glm::length(start.angular_momentum));  // contacts keep the arms of the frame's start
}

TEST(RigidBody, AStackOfTenStandsStill) {
  BodyDesc cubes = body(BodyShape::box, {0.0, 0.5, 0.0});
  cubes.copies = {1.0, 10.0, 1.0};
  cubes.spacing = glm::dvec3(1.0);
  SceneDesc scene = scene_of({cubes});
  scene.colliders = {floor_of(0.5)};
  Rig rig(scene);
  rig.run(120);
  const auto before = rig.world.bodies.position;
  rig.run(300);
  for (std::size_t i = 0; i < 10; ++i)
    EXPECT_LT(double(glm::length(vec3(rig.world.bodies.position[i]) - vec3(before[i]))), 5e-4) << i;
  EXPECT_LT(measure(rig.world).penetration_max, 0.002);
}

/// Contacts can move one of a free box and the floor, none of a fixed box and what it stands in.
TEST(RigidBody, PenetrationIsThatOfPairsThatCanMove) {
  BodyDesc post = body(BodyShape::box, {0.0, 0.2, 0.0}), beam = body(BodyShape::box, {0.6, 0.3, 0.0});
  post.fixed = beam.fixed = true;
  beam.name = "beam";
  SceneDesc scene = scene_of({post, beam});
  scene.colliders = {floor_of(0.5)};
  scene.objects = test::hanging_mass(0.0, 0.3, 0.0).objects;  // two held points
  scene.objects[0].pose.position = {0.0, 0.1, 0.0};           // in the post, and in the floor
  EXPECT_EQ(measure(Rig(scene).world).penetration_max, 0.0);
  BodyDesc loose = body(BodyShape::box, {5.0, 0.45, 0.0});
  loose.name = "loose";
  scene.bodies.push_back(loose);
  EXPECT_NEAR(measure(Rig(scene).world).penetration_max, 0.05, 1e-6);
}

/// A box that spins about the vertical stands on its four corners, at R from its axis: mu m g R slows it.
TEST(RigidBody, FrictionSlowsASpinningBox) {
  BodyDesc box = body(BodyShape::box, {0.0, 0.1, 0.0});
  box.half_extents = {0.3, 0.1, 0.2};
  box.friction = 0.4;
  box.angular_velocity = {0.0, 360.0, 0.0};
  SceneDesc scene = scene_of({box}, 20);
  scene.colliders = {floor_of(0.4)};
  Rig rig(scene);
  rig.run(6);
  const double R = std::hypot(0.3, 0.2), per_mass = (0.36 + 0.16) / 12.0;  // of the inertia
  const double wanted = 2.0 * std::acos(-1.0) - 0.4 * g * R / per_mass * 0.1;
  EXPECT_NEAR(double(angular_velocity(rig.world.bodies, 0).y), wanted, 0.01 * wanted);
}

TEST(RigidBody, IsMeasuredByItsMotion) {
  BodyDesc box = body(BodyShape::box, {1.0, 2.0, 3.0});
  box.half_extents = {0.3, 0.1, 0.2};
  box.density = 1000.0;
  box.velocity = {0.5, 0.0, 0.0};
  box.angular_velocity = {0.0, 90.0, 0.0};
  const Measures m = measure(Rig(weightless({box})).world);
  const double mass = 48.0, spin = mass * (0.36 + 0.16) / 12.0 * 0.5 * std::acos(-1.0);
  EXPECT_NEAR(m.kinetic_energy, 0.5 * mass * 0.25 + 0.25 * std::acos(-1.0) * spin, 1e-5);
  EXPECT_NEAR(m.angular_momentum.y, mass * 3.0 * 0.5 + spin, 1e-4);
  EXPECT_NEAR(m.angular_momentum.z, -mass * 2.0 * 0.5, 1e-4);
}

TEST(RigidBody, KernelsTurnByTheWholeInertia) {
  using L = Lanes<real, 1>;
  MovingBody<L> turning{};
  turning.diagonal = {L(real(1)), L(real(2)), L(real(3))};
  turning.mixed = {L(real(4)), L(real(5)), L(real(6))};  // xy, xz, yz
  const Vec3<L> turn = turning.turned_by({L(real(1)), L(real(10)), L(real(100))});
  EXPECT_EQ(turn.x.v, real(1 + 40 + 500));
  EXPECT_EQ(turn.y.v, real(4 + 20 + 600));
  EXPECT_EQ(turn.z.v, real(5 + 60 + 300));
}

/// The hand holds the weight and brings the point to the target; a body far too heavy to follow at once does
/// not tear it away.
TEST(RigidBody, AHeldBodyHangsFromTheHand) {
  BodyDesc box = body(BodyShape::box, {0.0, 1.0, 0.0});
  Rig rig(scene_of({box}));
  rig.world.user.body_grab = BodyGrab{0, vec3(real(0.5)), {1.0, 3.0, 0.5}};
  rig.run(1500);
  const Bodies& bodies = rig.world.bodies;
  const vec3 held = vec3(bodies.position[0]) + rotation_of(bodies.orientation[0]) * vec3(real(0.5));
  EXPECT_LT(double(glm::length(held - vec3(1, 3, real(0.5)))), 1e-3);
  EXPECT_NEAR(double(bodies.position[0].x), 1.0, 0.05);  // it hangs straight down
  EXPECT_NEAR(double(bodies.position[0].z), 0.5, 0.05);
}

/// A wall that moves on at 1 m/s takes a body with it that lies on the ground.
TEST(RigidBody, AMovingColliderPushesWhatRests) {
  BodyDesc box = body(BodyShape::box, {0.0, 0.2, 0.0});
  box.half_extents = glm::dvec3(0.2);
  SceneDesc scene = scene_of({box});
  ColliderDesc ram;
  ram.name = "ram";
  ram.shape = ColliderShape::box;
  ram.half_extents = {1.0, 1.0, 0.3};
  ram.pose.position = {0.0, 1.01, -1.0};
  ram.linear_velocity = {0.0, 0.0, 1.0};
  scene.colliders = {floor_of(0.2), ram};
  Rig rig(scene);
  rig.run(120);  // the ram's face is at 1.3 m
  EXPECT_NEAR(double(rig.world.bodies.position[0].z), 1.5, 5e-3);
  EXPECT_NEAR(double(rig.world.bodies.velocity[0].z), 1.0, 0.02);
}

/// All states stay finite: 1:10,000 in mass, overlapping starts, 100 m/s, coincident centres.
TEST(RigidBody, ExtremesStayFinite) {
  BodyDesc light = body(BodyShape::box, {0.0, 0.5, 0.0}), heavy = body(BodyShape::box, {0.0, 1.5, 0.0});
  heavy.density = 1e5, light.density = 10.0;
  BodyDesc same = body(BodyShape::sphere, {3.0, 1.0, 0.0}), twin = same;
  BodyDesc bullet = body(BodyShape::capsule, {-60.0, 0.6, 0.1});
  bullet.velocity = {100.0, 0.0, 0.0};
  bullet.angular_velocity = {36000.0, 0.0, 36000.0};
  BodyDesc card = body(BodyShape::box, {0.0, 2.2, 0.0});
  card.half_extents = {1.0, 1e-3, 1.0};
  SceneDesc scene = scene_of({light, heavy, same, twin, bullet, card}, 4);
  scene.colliders = {floor_of(0.5)};
  Rig rig(scene);
  for (int f = 0; f < 120; ++f) ASSERT_FALSE(rig.step().nonfinite) << f;
  EXPECT_EQ(measure(rig.world).nonfinite, 0);
}

TEST(RigidBody, ThreadsChangeNoBit) {
  BodyDesc boxes = body(BodyShape::box, {0.0, 0.8, 0.0});
  boxes.copies = {4.0, 4.0, 4.0};
  boxes.jitter = 0.2;
  SceneDesc scene = scene_of({boxes}, 4);
  scene.colliders = {floor_of(0.3)};
  Rig one(scene);
  one.run(40);
  for (const int threads : test::several_threads()) {
    Rig many(scene, threads);
    many.run(40);
    EXPECT_EQ(world_hash(one.world), world_hash(many.world)) << threads;
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::rigid_body_test
