// Moving and bouncing colliders against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <glm/geometric.hpp>
#include <limits>
#include <numbers>

#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/geometry/mesh/shapes.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"
#include "tests/source_folder.hpp"
#include "tests/vectors.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace moving_collider_test { namespace {

using test::to_vec3;
using test::vector_case;
using test::VectorCase;

constexpr double g = 9.81, mu = 0.4;

SceneDesc particle_over(const ColliderDesc& collider, glm::dvec3 at) {
  SceneDesc scene;
  scene.solver.motion->damping = 0.0;
  scene.solver.step->substeps = 20;
  ObjectDesc object;
  object.name = "particle";
  object.type = ObjectType::points;
  object.points->list = {{at, 1.0}};
  object.material->friction = mu;
  scene.objects = {object};
  scene.colliders = {collider};
  return scene;
}

ColliderDesc plane() {
  ColliderDesc collider;
  collider.name = "plane";
  collider.shape = ColliderShape::plane;
  collider.friction = mu;
  return collider;
}

/// The rig of a single particle.
struct Lone : Rig {
  using Rig::Rig;
  glm::dvec3 x() { return glm::dvec3(Rig::x(0)); }
  glm::dvec3 v() { return glm::dvec3(Rig::v(0)); }
};

/// In every substep gravity moves the particle g h^2 deep and friction moves it by mu times that, so v = mu g
/// t exactly until v is the speed of the belt. The rest is rounding, which 20 substeps of 30 frames add up.
TEST(MovingCollider, ABeltTakesAParticleAlongAtMuG) {
  ColliderDesc belt = plane();
  belt.linear_velocity = {1.5, 0.0, 0.0};
  SceneDesc scene = particle_over(belt, {0.0, 0.005, 0.0});
  Lone run(scene);
  const double tolerance = sizeof(real) == 4 ? 2e-3 : 1e-9;
  for (int f = 1; f <= 60; ++f) {
    run.run(1);
    EXPECT_NEAR(run.v().x, std::min(1.5, mu * g * f / 60.0), tolerance) << f;
    EXPECT_NEAR(run.x().y, 0.005, 1e-6);
  }
}

TEST(MovingCollider, ARotatingOneSlidesByItsSurfaceVelocity) {
  ColliderDesc ball;
  ball.name = "ball";
  ball.shape = ColliderShape::sphere;
  ball.radius = 1.0;
  ball.friction = mu;
  ball.pose.position = {0.2, -1.0, 0.1};
  ball.angular_velocity = {0.0, 0.0, -90.0};
  Lone run(particle_over(ball, {0.2, 0.004, 0.1}));
  const double h = 0.01;
  StaticContacts contacts;
  contacts.reserve(run.world);
  run.world.settings.solver.step->substeps = 1;
  contacts.begin_step(run.world, h);
  contacts.begin_frame(run.world, 0, real(h));
  contacts.find(run.world, 0, real(h));
  ASSERT_EQ(contacts.total(), 1);
  contacts.project(run.world, 0);
  // it sticks while mu depth allows: depth 1 mm, omega r h = pi/2 * 1 cm is more, so it moves mu * 1 mm along
  // +x
  EXPECT_NEAR(run.x().x, 0.2 + mu * 0.001, 2e-6);
  EXPECT_NEAR(run.x().y, 0.005, 2e-6);
  EXPECT_NEAR(run.x().z, 0.1, 1e-6);
}

/// A plane that comes up at 0.5 m/s, faster than the broad phase's margin of a particle at rest, lifts it.
TEST(MovingCollider, ARisingPlaneCarriesWhatLiesInItsWay) {
  ColliderDesc lift = plane();
  lift.pose.position.y = -0.5;
  lift.linear_velocity = {0.0, 40.0, 0.0};
  SceneDesc scene = particle_over(lift, {0.0, 0.1, 0.0});
  scene.solver.motion->gravity = glm::dvec3(0.0);
  Lone run(scene);
  run.run(3);
  EXPECT_NEAR(run.x().y, -0.5 + 40.0 * 3.0 / 60.0 + 0.005, 1e-5);
}

/// h_1 / h_0 = e^2. A substep rounds the impact to its end: its speed by g h, and the bounce starts from the
/// surface though the particle was up to v h lower.
TEST(MovingCollider, BouncesToESquaredOfTheHeight) {
  ColliderDesc floor = plane();
  floor.restitution = 0.7;
  SceneDesc scene = particle_over(floor, {0.0, 1.005, 0.0});
  Lone run(scene);
  double top = 0.0;
  bool rising = false;
  for (int f = 0; f < 90; ++f) {
    const double before = run.v().y;
    run.run(1);
    rising = rising || (before < 0.0 && run.v().y > 0.0);
    if (rising) top = std::max(top, run.x().y - 0.005);
    if (rising && run.v().y < 0.0) break;
  }
  const double h = 1.0 / 1200.0, v = std::sqrt(2.0 * g);
  EXPECT_NEAR(top, 0.49, 2.0 * v * h + 0.5 * g / 60.0 / 60.0);
}

/// A bat of 100 m/s would send it off with 200.
TEST(MovingCollider, BouncesNoFasterThanTheSpeedLimit) {
  ColliderDesc bat = plane();
  bat.restitution = 1.0;
  bat.pose.position.y = -0.5;
  bat.linear_velocity = {0.0, 100.0, 0.0};
  SceneDesc scene = particle_over(bat, {0.0, 0.1, 0.0});
  scene.solver.motion->max_speed = 20.0;
  Lone run(scene);
  run.run(1);
  EXPECT_NEAR(run.v().y, 20.0, 1e-4);
}

TEST(MovingCollider, SlowImpactsDoNotBounce) {
  ColliderDesc floor = plane();
  floor.restitution = 1.0;
  Lone run(particle_over(floor, {0.0, 0.005, 0.0}));
  run.run(30);
  EXPECT_NEAR(run.x().y, 0.005, 1e-6);
  EXPECT_NEAR(run.v().y, 0.0, 1e-3);
}

/// The normal part of the vector: friction is positional here.
TEST(MovingCollider, RestitutionMatchesTheWorkedCase) {
  const VectorCase c = vector_case("velocity_filter_friction_restitution");
  ColliderDesc floor = plane();
  floor.restitution = c.inputs.at("e").get<double>();
  Lone run(particle_over(floor, glm::dvec3(to_vec3<real>(c.inputs.at("x")))));
  const real dt = c.inputs.at("dt");
  run.world.settings.materials[0].thickness = 0.0;
  run.world.settings.materials[0].friction = 0.0;
  const vec3 before = to_vec3<real>(c.inputs.at("v_pre"));
  vec4& x = run.world.particles.position[0];
  x = vec4(vec3(x) + dt * before, x.w);
  StaticContacts contacts;
  contacts.reserve(run.world);
  run.world.settings.solver.step->substeps = 1;
  contacts.begin_step(run.world, double(dt));
  contacts.begin_frame(run.world, 0, dt);
  contacts.find(run.world, 0, dt);
  contacts.project(run.world, 0);
  EXPECT_NEAR(x.y, c.expected.at("p_projected")[1].get<double>(), 1e-6);
  run.world.particles.velocity[0] = vec4((vec3(x) - vec3(run.world.particles.previous[0])) / dt, real(0));
  EXPECT_NEAR(run.v().y, c.expected.at("v_after_solver")[1].get<double>(), 1e-4);
  contacts.filter_velocities(run.world, 0, dt);
  EXPECT_NEAR(run.v().y, c.expected.at("v_out")[1].get<double>(), 1e-4);
  EXPECT_NEAR(run.v().x, 3.0, 1e-4);
}

TEST(MovingCollider, PushesOutOfASphereMeshAsTheWorkedCase) {
  const VectorCase c = vector_case("static_collision_sphere");
  Pool pool(1);
  const auto field = build_distance_field(make_icosphere(4, 0.5), 48, pool);
  ASSERT_TRUE(bool(field));
  Collider ball;
  ball.size.x = c.inputs.at("R");
  ASSERT_NEAR(closest(ball, to_vec3<real>(c.inputs.at("p"))).distance, c.expected.at("C").get<double>(),
              1e-6);
  ball.shape = ColliderShape::mesh;  // a field of half the size, twice as large
  ball.size.x *= 2;
  ball.field = &*field;
  const vec3 p = to_vec3<real>(c.inputs.at("p"));
  const SurfacePoint found = closest(ball, p);
  const vec3 on = p - found.distance * found.normal, want = to_vec3<real>(c.expected.at("q_s"));
  const double cell = 2.0 * field->cell;
  EXPECT_NEAR(found.distance, c.expected.at("C").get<double>(), cell * cell + 0.002);
  // within a cell the slope is off by cell/2 times the second derivative 1/0.5 along two axes, over a depth
  // of 0.5
  EXPECT_LT(glm::length(on - want), 0.5 * std::sqrt(2.0) * 0.5 * cell / 0.5);
}

/// A hand that jumps from a place beside the collider to all sides: the held vertex stays outside.
void expect_stopped(const ColliderDesc& collider, glm::dvec3 from,
                    const std::function<bool(const glm::dvec3&)>& outside) {
  const SceneDesc scene = particle_over(collider, from);
  Lone run(scene);
  fix_particle(run.world, 0);
  const glm::dvec3 middle = collider.pose.position;
  for (int frame = 0; frame < 200; ++frame) {
    const double turn = 0.7 * (frame / 10);  // long enough in one direction to get anywhere
    const glm::dvec3 side(std::cos(turn), std::sin(turn), 0.1 * std::sin(3.1 * turn));
    run.world.user.grab = Grab{0, middle + 3.0 * side};
    run.run(1);
    ASSERT_TRUE(outside(run.x())) << "frame " << frame;
    ASSERT_GT(closest(run.world.colliders[0], vec3(run.x())).distance, real(0)) << "frame " << frame;
  }
}

TEST(MovingCollider, TheVertexInTheHandSlidesAlongUnderTheTarget) {
  const double below = 2.0;  // m
  const SceneDesc scene = particle_over(plane(), {0.0, 0.5, 0.0});
  Lone run(scene);
  fix_particle(run.world, 0);
  run.world.user.grab = Grab{0, {1.0, -below, 0.5}};
  run.run(400);
  // A substep takes it 12 m/s towards the target, so this share of the way left along the plane, until that
  // is lost in rounding.
  const double share = 12.0 * scene.solver.step->dt / scene.solver.step->substeps / below;
  EXPECT_LT(glm::distance(run.x(), glm::dvec3(1.0, scene.objects[0].material->thickness, 0.5)),
            double(std::numeric_limits<real>::epsilon()) / share);
}

TEST(MovingCollider, StopsTheVertexInTheHand) {
  const auto anywhere = [](const glm::dvec3&) { return true; };
  expect_stopped(plane(), {0.0, 1.0, 0.0}, anywhere);
  ColliderDesc solid;
  solid.name = "solid";
  for (ColliderShape shape : {ColliderShape::sphere, ColliderShape::box, ColliderShape::capsule}) {
    solid.shape = shape;
    solid.angular_velocity = {0.0, 200.0, 90.0};
    expect_stopped(solid, {0.0, 1.5, 0.0}, anywhere);
  }
  ColliderDesc drum;
  drum.name = "drum";
  drum.shape = ColliderShape::mesh;
  drum.mesh = test::source("assets/barrel.obj");
  drum.friction = mu;
  for (double turning : {0.0, -80.0}) {  // deg/s
    drum.angular_velocity = {0.0, 0.0, turning};
    expect_stopped(drum, {0.0, 0.0, 0.0}, [](const glm::dvec3& x) { return std::hypot(x.x, x.y) < 0.9; });
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::moving_collider_test
