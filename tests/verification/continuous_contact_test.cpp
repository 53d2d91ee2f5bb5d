// Continuous collision of paths with resting, moving and rotating colliders, and the limits that prevent
// jitter.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <memory>
#include <numbers>

#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/geometry/mesh/grid.hpp"
#include "engine/geometry/mesh/shapes.hpp"
#include "engine/parallel/random.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"
#include "tests/same_bits.hpp"
#include "tests/vectors.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace continuous_contact_test { namespace {

using test::matches;
using test::to_vec3;
using test::vector_case;
using test::VectorCase;
using V = glm::dvec3;

/// Free particles with given velocities, without gravity.
SceneDesc shots(const ColliderDesc& target, const std::vector<V>& at, double thickness) {
  SceneDesc scene;
  scene.solver.motion->damping = 0.0;
  scene.solver.motion->gravity = V(0.0);
  ObjectDesc object;
  object.name = "shots";
  object.type = ObjectType::points;
  for (const V& x : at) object.points->list.push_back({x, 0.01});
  object.material->thickness = thickness;
  scene.objects = {object};
  scene.colliders = {target};
  scene.colliders[0].name = "target";
  return scene;
}

/// The end of the path x -> p after projection by one contact.
V projected(const Collider& collider, const V& x, const V& p, double thickness = 0.0) {
  World world;
  world.topology = std::make_shared<Topology>();
  world.particles.count = 1;
  world.particles.previous.assign(particle_block, vec4(vec3(x), real(1)));
  world.particles.position.assign(particle_block, vec4(vec3(p), real(1)));
  world.particles.velocity.assign(particle_block, vec4(0));
  world.particles.object.assign(particle_block, 0);
  world.settings.materials.resize(1);
  world.settings.materials[0].thickness = thickness;
  world.settings.materials[0].friction = 0.0;
  world.settings.solver.contact->depenetration_speed = 1000.0;
  world.colliders.push_back(collider);
  StaticContacts contacts;
  contacts.reserve(world);
  contacts.begin_frame(world, 0, real(1));
  contacts.find(world, 0, real(1));
  contacts.project(world, 0);
  return V(world.particles.position[0]);
}

TEST(ContinuousContact, ProjectsAsTheWorkedCases) {
  Collider ball;
  ball.size.x = 1;
  for (const char* name : {"ccd_segment_sphere", "static_collision_sphere"}) {
    const VectorCase c = vector_case(name);
    const V out = projected(ball, to_vec3<double>(c.inputs.at("x")), to_vec3<double>(c.inputs.at("p")));
    EXPECT_TRUE(matches<real>(c, "p_projected", vec3(out))) << name;
  }
  const VectorCase c = vector_case("ccd_segment_box");  // to the face it entered by
  Collider box;
  box.shape = ColliderShape::box;
  box.size = vec3(1);
  const V p = to_vec3<double>(c.inputs.at("p")), out = projected(box, to_vec3<double>(c.inputs.at("x")), p);
  EXPECT_NEAR(out.x, c.expected.at("q_c")[0].get<double>(), 1e-6);
  EXPECT_NEAR(out.y, p.y, 1e-6);
  EXPECT_NEAR(out.z, p.z, 1e-6);
}

/// A particle behind a plane goes to the nearest point of it: along the normal, with all of its C.
TEST(ContinuousContact, ProjectsOntoPlanesAsTheWorkedCases) {
  const auto plane = [](const vec3& at, const vec3& normal) {
    Collider collider;
    collider.shape = ColliderShape::plane;
    collider.position = at;
    const vec3 across = glm::normalize(glm::cross(normal, vec3(0.36, 0.48, -0.8)));
    collider.rotation = mat3(across, normal, glm::cross(across, normal));  // its normal is local y
    return collider;
  };
  const VectorCase slides = vector_case("slides_plane_example");
  const std::vector<vec3> corners = test::to_vec3s<real>(slides.inputs["plane_points"]);
  const vec3 n = glm::normalize(glm::cross(corners[1] - corners[0], corners[2] - corners[0]));
  EXPECT_TRUE(matches<real>(slides, "n", n));
  const V inside = to_vec3<double>(slides.inputs["p"]);
  EXPECT_TRUE(matches<real>(slides, "p_new", vec3(projected(plane(corners[0], n), inside + V(n), inside))));

  const VectorCase french = vector_case("french_line_newton");  // the line x + y = 0, free where C > 0
  const V p(french.inputs["p"][0].get<double>(), french.inputs["p"][1].get<double>(), 0.0);
  const V up(-std::sqrt(0.5), -std::sqrt(0.5), 0.0);
  const V out = projected(plane(vec3(0), vec3(up)), p + 4.0 * up, p);
  EXPECT_TRUE(matches<real>(french, "p_new", std::vector<real>{real(out.x), real(out.y)}));
}

TEST(ContinuousContact, AStartExactlyOnTheSurfaceCountsAsEntry) {
  Collider ball;
  ball.size.x = 1;
  EXPECT_NEAR(projected(ball, {0, 1, 0}, {0, -3, 0}).y, 1.0, 1e-5);
  Collider wall;
  wall.shape = ColliderShape::box;
  wall.size = vec3(1, real(0.0005), 1);
  EXPECT_NEAR(projected(wall, {0, 0.0005, 0}, {0.3, -3, 0}).y, 0.0005, 1e-5);
}

/// Directions all over the sphere, from just beside the wall and from afar, at 100 m/s.
TEST(ContinuousContact, NothingPassesAThinWallAtAnyAngle) {
  ColliderDesc wall;
  wall.shape = ColliderShape::box;
  wall.half_extents = {50.0, 0.0005, 50.0};
  wall.pose.rotation_degrees = {0.0, 0.0, 90.0};  // its normal is +-x
  std::vector<V> starts;
  std::vector<V> velocities;
  for (std::uint64_t k = 0; starts.size() < 600; ++k) {
    const V d(random_signed(7, 3 * k), random_signed(7, 3 * k + 1), random_signed(7, 3 * k + 2));
    const double length = glm::length(d);
    if (length > 1.0 || length < 0.1 || std::abs(d.x) < 1e-3) continue;
    const double side = d.x > 0.0 ? -1.0 : 1.0;
    starts.push_back({side * (0.0065 + 0.4 * double(k % 7) / 7.0), 0.0, 0.0});
    velocities.push_back(100.0 / length * d);
  }
  for (const double thickness : {0.005, 0.0}) {
    SceneDesc scene = shots(wall, starts, thickness);
    scene.solver.step->substeps = 1;  // 1.7 m a step
    Rig run(scene);
    for (int i = 0; i < int(starts.size()); ++i) run.v(i) = vec4(vec3(velocities[std::size_t(i)]), 0);
    run.run(12);
    int stopped = 0;
    for (int i = 0; i < int(starts.size()); ++i)
      stopped += double(run.x(i).x) * starts[std::size_t(i)].x > 0.0;
    EXPECT_EQ(stopped, int(starts.size())) << thickness;
  }
}

/// Into the corner between two thin walls: sliding along one leads into the other.
TEST(ContinuousContact, NothingPassesWhereTwoWallsMeet) {
  ColliderDesc wall;
  wall.shape = ColliderShape::box;
  wall.half_extents = {0.0005, 1.0, 1.0};
  wall.pose.position = {1.0, 0.0, 0.0};
  std::vector<V> starts(90, V(0.0));
  SceneDesc scene = shots(wall, starts, 0.005);
  scene.colliders.push_back(wall);
  scene.colliders[1].name = "floor";
  scene.colliders[1].half_extents = {1.0, 0.0005, 1.0};
  scene.colliders[1].pose.position = {0.0, 1.0, 0.0};
  scene.solver.step->substeps = 1;
  Rig run(scene);
  for (int i = 0; i < 90; ++i) {
    const double angle = std::numbers::pi / 180.0 * (i + 0.5);
    run.v(i) = vec4(vec3(100.0 * V(std::cos(angle), std::sin(angle), 0.0)), 0);
  }
  run.run(4);
  for (int i = 0; i < 90; ++i) {
    EXPECT_LT(run.x(i).x, 1) << i;
    EXPECT_LT(run.x(i).y, 1) << i;
  }
}

TEST(ContinuousContact, NothingPassesAThinShell) {
  Pool pool(1);
  const TriMesh sheet = make_grid(3, 3, 0.05, 0.05, true);  // in the xy plane
  const auto field = build_distance_field(sheet, 100, pool, 0.001);
  ASSERT_TRUE(bool(field)) << field.error().message;
  Collider shell;
  shell.shape = ColliderShape::mesh;
  shell.size.x = 1;
  shell.field = &*field;
  for (std::uint64_t k = 0; k < 200; ++k) {
    const V aim(0.02 * random_signed(3, 2 * k), 0.02 * random_signed(3, 2 * k + 1), 0.0);
    const V from(0.3 * random_signed(4, 2 * k), 0.3 * random_signed(4, 2 * k + 1), k % 2 ? 0.2 : -0.2);
    const V p = from + 100.0 / 60.0 * glm::normalize(aim - from);
    const V out = projected(shell, from, p, k % 3 == 0 ? 0.0 : 0.002);
    EXPECT_GT(out.z * from.z, 0.0) << k;
  }
}

/// A plate at 30 m/s over a resting particle: as if the particle flew at it.
TEST(ContinuousContact, AMovingPlateSweepsUpWhatItPasses) {
  ColliderDesc plate;
  plate.shape = ColliderShape::box;
  plate.half_extents = {1.0, 0.0005, 1.0};
  plate.pose.position = {0.0, -0.2, 0.0};
  plate.linear_velocity = {0.0, 30.0, 0.0};
  SceneDesc scene = shots(plate, {V(0.0), V(0.3, 0.1, 0.2)}, 0.0);
  scene.solver.step->substeps = 1;
  Rig run(scene);
  run.run(2);
  EXPECT_NEAR(run.x(0).y, -0.2 + 30.0 / 30.0 + 0.0005, 1e-5);
  EXPECT_NEAR(run.x(1).y, run.x(0).y, 1e-5);
}

/// The arm turns past the particle in one substep of 6 degrees; without friction it leaves it in its own
/// plane.
TEST(ContinuousContact, ATurningArmSweepsUpWhatItPasses) {
  ColliderDesc arm;
  arm.shape = ColliderShape::box;
  arm.half_extents = {1.0, 0.0005, 0.1};
  arm.friction = 0.0;
  arm.angular_velocity = {0.0, 0.0, 360.0};
  const double start = 4.0 * std::numbers::pi / 180.0;  // a third of the way above the arm
  SceneDesc scene = shots(arm, {0.9 * V(std::cos(start), std::sin(start), 0.0)}, 0.0);
  scene.solver.step->substeps = 1;
  scene.solver.motion->max_speed = 1000.0;
  Rig run(scene);
  run.run(1);
  const double angle = 6.0 * std::numbers::pi / 180.0;
  const V normal(-std::sin(angle), std::cos(angle), 0.0);
  EXPECT_NEAR(glm::dot(V(run.x(0)), normal), 0.0005, 2e-6);
}

/// A particle that starts inside comes out below the speed limit, although neighbours pull, and ends outside.
TEST(ContinuousContact, WhatStartsInsideComesOutCalmly) {
  ColliderDesc ball;
  ball.shape = ColliderShape::sphere;
  ball.radius = 0.5;
  SceneDesc scene = shots(ball, {V(0.1, 0.2, 0.0), V(0.0), V(0.0, 0.49, 0.0)}, 0.005);
  scene.solver.contact->depenetration_speed = 0.8;
  Rig run(scene);
  double fastest = 0.0;
  for (int f = 0; f < 60; ++f) {
    run.run(1);
    for (int i = 0; i < 3; ++i) fastest = std::max(fastest, double(glm::length(run.v(i))));
  }
  EXPECT_LE(fastest, 0.8 * (1.0 + 1e-3));
  for (int i = 0; i < 3; ++i) EXPECT_GE(double(glm::length(vec3(run.x(i)))), 0.505 - 1e-5) << i;
}

TEST(VelocityFilter, MatchesTheWorkedCase) {
  const VectorCase c = vector_case("velocity_filter_friction_restitution");
  const vec3 after = to_vec3<real>(c.expected.at("v_after_solver")),
             n = to_vec3<real>(c.inputs.at("plane_n"));
  const real before = glm::dot(n, to_vec3<real>(c.inputs.at("v_pre")));
  EXPECT_TRUE(
      matches<real>(c, "v_out", filter_velocity(after, n, before, c.inputs.at("e"), c.inputs.at("k_f"))));
}

/// tan(15 degrees) = 0.268: it rests with 5 % more friction and with 5 % less has slid s = g (sin - mu cos)
/// t^2/2. The velocity filter acts after the way of a substep is done, so there it also creeps by g sin h t.
TEST(Friction, SlipsIffTheSlopeExceedsItWithEitherModel) {
  const double angle = 15.0 * std::numbers::pi / 180.0, slope = std::tan(angle), g = 9.81;
  for (const FrictionModel model : {FrictionModel::positional, FrictionModel::velocity_filter})
    for (const double factor : {1.05, 0.95}) {
      ColliderDesc incline;
      incline.shape = ColliderShape::plane;
      incline.pose.rotation_degrees = {0.0, 0.0, 15.0};
      incline.friction = factor * slope;
      SceneDesc scene = shots(incline, {0.005 * V(-std::sin(angle), std::cos(angle), 0.0)}, 0.005);
      scene.solver.motion->gravity = {0.0, -g, 0.0};
      scene.solver.contact->friction_model = model;
      scene.objects[0].material->friction = factor * slope;
      Rig run(scene);
      const V start(run.x(0));
      run.run(60);
      const double slid = glm::distance(V(run.x(0)), start);
      const double free = std::max(0.0, 0.5 * g * (std::sin(angle) - factor * slope * std::cos(angle)));
      const double creep = model == FrictionModel::positional ? 0.0 : g * std::sin(angle) / 600.0;
      EXPECT_NEAR(slid, free + creep, 0.0003)
          << int(model) << " " << factor;  // 1/600 of the way, and rounding
    }
}

TEST(VelocityFilter, BouncesToESquaredOfTheHeight) {
  ColliderDesc floor;
  floor.shape = ColliderShape::plane;
  floor.restitution = 0.6;
  SceneDesc scene = shots(floor, {V(0.0, 1.005, 0.0)}, 0.005);
  scene.solver.motion->gravity = {0.0, -9.81, 0.0};
  scene.solver.contact->friction_model = FrictionModel::velocity_filter;
  scene.solver.step->substeps = 20;
  Rig run(scene);
  double top = 0.0;
  bool rising = false;
  for (int f = 0; f < 60; ++f) {
    run.run(1);
    rising = rising || run.v(0).y > 0.1;
    if (rising) top = std::max(top, double(run.x(0).y) - 0.005);
  }
  const double h = 1.0 / 1200.0, v = std::sqrt(2.0 * 9.81);
  EXPECT_NEAR(top, 0.36, 2.0 * v * h + 0.5 * 9.81 / 3600.0);
}

/// A thigh that swings and a shank that swings on it: where a point of the shank is, by hand.
TEST(Articulation, AChildSharesItsParentsMotion) {
  SceneDesc scene = shots({}, {V(0.3, 0.2, 0.0)}, 0.005);
  ColliderDesc& thigh = scene.colliders[0];
  thigh.pose.position = {0.0, 0.75, 0.0};
  thigh.swing = {0.0, 0.0, 30.0};
  thigh.pivot = {0.0, 1.0, 0.0};
  thigh.period = 2.0;
  ColliderDesc shank = thigh;
  shank.name = "shank";
  shank.parent = thigh.name;
  shank.pose.position = {0.0, 0.25, 0.0};
  shank.pivot = {0.0, 0.5, 0.0};
  shank.swing = {0.0, 0.0, 20.0};
  shank.phase = 0.25;
  scene.colliders.push_back(shank);
  const Rig run(scene);
  const Placement at = run.world.colliders[1].motion.at(0.25);  // s = sin 45 deg = cos 45 deg
  const double radian = std::numbers::pi / 180.0, s = std::sqrt(0.5);
  const auto hang = [](const V& from, double angle) {
    return from + 0.5 * V(std::sin(angle), -std::cos(angle), 0.0);
  };
  const V knee = hang({0.0, 1.0, 0.0}, 30.0 * s * radian);
  const V middle = 0.5 * (knee + hang(knee, 50.0 * s * radian));
  EXPECT_NEAR(glm::distance(at.position, middle), 0.0, 1e-12);
}

TEST(Articulation, AttachedVerticesKeepTheirPlaceInTheCollidersFrame) {
  SceneDesc scene = shots({}, {V(0.3, 0.2, 0.0), V(-0.1, 0.6, 0.2)}, 0.005);
  scene.solver.motion->gravity = {0.0, -9.81, 0.0};
  ColliderDesc& body = scene.colliders[0];
  body.radius = 0.1;
  body.linear_velocity = {0.5, 0.0, 0.0};
  body.angular_velocity = {20.0, 90.0, 0.0};
  body.swing = {0.0, 0.0, 25.0};
  body.phase = 0.1;
  AttachmentDesc attachment;
  attachment.vertices = {0L, 1L};
  attachment.attach_to = body.name;
  scene.objects[0].attachments = {attachment};
  Rig run(scene);
  std::vector<vec3> local;
  for (const Attachment& a : run.world.user.attachments) local.push_back(vec3(a.rest));
  ASSERT_EQ(local.size(), 2u);
  for (int f = 0; f < 40; ++f) {
    run.run(1);
    const Collider& c = run.world.colliders[0];
    for (std::size_t i = 0; i < 2; ++i) {
      const std::size_t particle = std::size_t(run.world.user.attachments[i].particle);
      EXPECT_EQ(vec3(run.world.particles.position[particle]), c.position + c.rotation * local[i]);
    }
  }
}

TEST(ContinuousContact, TheSameBitsForAnyNumberOfThreads) {
  ColliderDesc arm;
  arm.shape = ColliderShape::box;
  arm.half_extents = {1.5, 0.02, 0.1};
  arm.angular_velocity = {0.0, 90.0, 720.0};
  arm.restitution = 0.5;
  std::vector<V> starts;
  for (std::uint64_t k = 0; k < 1500; ++k)
    starts.push_back(V(random_signed(5, 3 * k), random_signed(5, 3 * k + 1), random_signed(5, 3 * k + 2)));
  SceneDesc scene = shots(arm, starts, 0.003);
  scene.solver.contact->friction_model = FrictionModel::velocity_filter;
  std::vector<vec4> expected;
  for (const int threads : test::thread_counts()) {
    Rig run(scene, threads);
    run.run(10);
    const std::vector<vec4> got(run.world.particles.position.begin(), run.world.particles.position.end());
    if (threads == 1) expected = got;
    EXPECT_EQ(got, expected) << threads;
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::continuous_contact_test
