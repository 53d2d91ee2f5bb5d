// Colliders that deform through a sequence of poses.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <glm/geometric.hpp>
#include <numbers>

#include "engine/contact/colliders/posed_surface.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/geometry/mesh/shapes.hpp"
#include "engine/parallel/random.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_reader.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace posed_surface_test { namespace {

constexpr double mu = 0.4, thickness = 0.005;

PoseSequence box_of(const glm::dvec3& half, int n) {
  const TriMesh box = make_box(half, n);
  return {box.triangles, {box.positions}};
}

/// Adds poses moved by `move(position, pose)`.
template <class Move>
void add_poses(PoseSequence& sequence, int count, const Move& move) {
  const std::vector<glm::dvec3> first = sequence.poses[0];
  for (int k = 1; k < count; ++k) {
    sequence.poses.emplace_back();
    for (const glm::dvec3& x : first) sequence.poses.back().push_back(move(x, k));
  }
}

/// Free particles at `places` and one collider with the poses of `sequence`.
struct PosedRig : Rig {
  PosedRig(const std::vector<glm::dvec3>& places, PoseSequence sequence, const SolverSettings& settings,
           int threads = 1)
      : PosedRig(scene_of(places, settings), std::move(sequence), threads) {}

  PosedRig(const SceneDesc& scene, PoseSequence sequence, int threads = 1) : Rig(scene, threads) {
    auto topology = std::make_shared<Topology>(*world.topology);
    topology->collider_meshes[0].poses = std::make_shared<const PoseSequence>(std::move(sequence));
    world.topology = std::move(topology);
    world.colliders[0].shape = ColliderShape::mesh;
    world.colliders[0].friction = real(mu);
    world.changed(Change::everything), solver.follow(world);
  }

  static SceneDesc scene_of(const std::vector<glm::dvec3>& places, const SolverSettings& settings) {
    SceneDesc scene;
    scene.solver = settings;
    scene.solver.motion->damping = 0.0;
    ObjectDesc object;
    object.name = "particles";
    object.type = ObjectType::points;
    for (const glm::dvec3& x : places) object.points->list.push_back({x, 1.0});
    object.material->friction = mu;
    object.material->thickness = thickness;
    scene.objects = {object};
    scene.colliders.emplace_back();
    return scene;
  }
};

TEST(PosedSurface, DistanceToABoxAsInClosedForm) {
  const glm::dvec3 half(0.3, 0.2, 0.5);
  const PoseSequence box = box_of(half, 3);
  PosedSurface surface(box, 0.0);
  surface.place(0.0, 0.0, 0);
  for (std::uint64_t k = 0; k < 2000; ++k) {
    const vec3 p(random_signed(3, 3 * k), random_signed(3, 3 * k + 1), random_signed(3, 3 * k + 2));
    const SurfaceDistance<real> want = box_distance(p, vec3(half));
    const auto found = surface.at(0, p, real(2));
    ASSERT_NEAR(found.d, want.d, 2e-6) << k;
    // inside, between two faces as near, either normal is right
    if (want.d > real(1e-3)) {
      ASSERT_GT(glm::dot(found.n, want.n), real(1 - 1e-4)) << k;
    }
    if (want.d > real(0.1)) {
      ASSERT_EQ(surface.at(0, p, real(0.1)).d, real(0.1)) << k;
    }
  }
}

TEST(PosedSurface, PosesLieOnASplineAndLoop) {
  PoseSequence point;
  for (const double x : {0.0, 1.0, 4.0, 9.0}) point.poses.push_back({{x, 0.0, 0.0}});
  point.rate = 2.0;
  std::vector<glm::dvec3> out;
  const auto at = [&](double time) {
    point.at(time, out);
    return out[0].x;
  };
  for (int k = 0; k < 9; ++k) EXPECT_DOUBLE_EQ(at(0.5 * k), double(k % 4 * (k % 4)));
  EXPECT_DOUBLE_EQ(at(0.75), 2.25);  // parabolas are kept: 1.5 squared
  EXPECT_DOUBLE_EQ(at(-0.25), at(1.75));
  point.loop = false;
  EXPECT_DOUBLE_EQ(at(100.0), 9.0);
  EXPECT_DOUBLE_EQ(at(-1.0), 0.0);
}

/// A moving surface acts like a belt (MovingCollider): v = mu g t, up to its speed. The poses move uniformly.
TEST(PosedSurface, CarriesWhatLiesOnIt) {
  PoseSequence belt = box_of({3.0, 0.1, 1.0}, 6);
  add_poses(belt, 5, [](const glm::dvec3& x, int k) { return x + glm::dvec3(0.75 * k, 0.0, 0.0); });
  belt.rate = 2.0, belt.start = 1.0, belt.loop = false;  // 1.5 m/s
  SolverSettings settings;
  settings.step->substeps = 20;
  PosedRig run({{-0.3, 0.1 + thickness, 0.11}}, belt, settings);
  // in float friction knows the depth g h^2 = 7e-6 m to a few times the spacing of heights, 7e-9 m
  const double tolerance = sizeof(real) == 4 ? 2e-3 : 1e-9, of_friction = sizeof(real) == 4 ? 5e-3 : 0.0;
  for (int f = 1; f <= 50; ++f) {
    run.run(1);
    const double v = std::min(1.5, mu * 9.81 * f / 60.0);
    ASSERT_NEAR(run.v(0).x, v, tolerance + of_friction * v) << f;
    ASSERT_NEAR(run.x(0).y, 0.1 + thickness, 2e-6) << f;
  }
}

/// A scene of bodies and the collider that gets poses.
SceneDesc bodies_on_skin(std::initializer_list<BodyDesc> bodies, int substeps) {
  SceneDesc scene;
  scene.solver.step->substeps = substeps;
  scene.solver.motion->damping = 0.0;
  scene.bodies = bodies;
  scene.colliders.emplace_back();
  return scene;
}

BodyDesc body_at(BodyShape shape, const glm::dvec3& position) {
  BodyDesc body;
  body.name = "body";
  body.shape = shape;
  body.half_extents = {0.1, 0.05, 0.08}, body.radius = 0.06;
  body.pose.position = position;
  body.density = 500.0;
  body.friction = mu;
  return body;
}

/// v = mu g t, minus the loss of the first substep, which loads the contact.
TEST(BodiesOnSkin, GoWithIt) {
  PoseSequence belt = box_of({3.0, 0.1, 1.0}, 6);
  add_poses(belt, 5, [](const glm::dvec3& x, int k) { return x + glm::dvec3(0.75 * k, 0.0, 0.0); });
  belt.rate = 2.0, belt.start = 1.0, belt.loop = false;  // 1.5 m/s
  PosedRig run(bodies_on_skin({body_at(BodyShape::box, {-0.3, 0.15, 0.11})}, 10), belt);
  for (int f = 1; f <= 40; ++f) {
    run.run(1);
    const double v = std::min(1.5, mu * 9.81 * f / 60.0);
    ASSERT_NEAR(run.world.bodies.velocity[0].x, v, 0.01 * v + mu * 9.81 / 600.0) << f;
    ASSERT_NEAR(run.world.bodies.position[0].y, 0.15, 1e-3) << f;
  }
}

/// A disc whose vertices go in circles, one way of every pose.
TEST(BodiesOnSkin, TurnWithIt) {
  constexpr int poses = 60;
  constexpr double speed = 2.0 * std::numbers::pi / 6.0;  // rad/s
  PoseSequence table = box_of({1.0, 0.1, 1.0}, 8);
  add_poses(table, poses, [](const glm::dvec3& x, int k) {
    const double turn = 2.0 * std::numbers::pi * k / poses, c = std::cos(turn), s = std::sin(turn);
    return glm::dvec3(c * x.x + s * x.z, x.y, c * x.z - s * x.x);
  });
  table.rate = 10.0;
  PosedRig run(bodies_on_skin({body_at(BodyShape::box, {0.2, 0.15, 0.0})}, 10), table);
  run.run(60);
  const vec3 spin = angular_velocity(run.world.bodies, 0), v(run.world.bodies.velocity[0]),
             x(run.world.bodies.position[0]);
  EXPECT_NEAR(spin.y, speed, 0.01 * speed);
  EXPECT_NEAR(glm::length(v), speed * std::hypot(double(x.x), double(x.z)), 0.02 * speed * 0.2);
}

/// The plate of NothingPassesAWallThatDeforms between bodies, whose middles keep to their sides of it.
TEST(BodiesOnSkin, PassNoWallThatDeforms) {
  PoseSequence wall = box_of({1.0, 1.0, 0.02}, 10);
  add_poses(wall, 4, [](const glm::dvec3& x, int k) {
    const double share = std::cos(0.5 * std::numbers::pi * x.x) * std::cos(0.5 * std::numbers::pi * x.y);
    return x + glm::dvec3(0.0, 0.0, 0.3 * share * std::sin(0.5 * std::numbers::pi * k));
  });
  wall.rate = 30.0;
  SceneDesc scene = bodies_on_skin({}, 8);
  scene.solver.motion->gravity = glm::dvec3(0.0);
  for (int i = 0; i < 8; ++i) {
    const double x = 0.3 * (i % 3) - 0.3, y = 0.3 * (i / 3) - 0.3;
    for (const double z : {-0.15, 0.15})
      scene.bodies.push_back(body_at(i % 2 ? BodyShape::sphere : BodyShape::box, {x, y, z}));
  }
  PosedRig run(scene, wall, 2);
  const PoseSequence& poses = *run.world.topology->collider_meshes[0].poses;
  real fastest = 0;
  for (int frame = 1; frame <= 12; ++frame) {
    ASSERT_FALSE(run.step().nonfinite);
    PosedSurface surface(poses, 0.0);
    surface.place(run.world.time, 0.0, 0);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      const vec3 x(run.world.bodies.position[i]);
      fastest = std::max(fastest, glm::length(vec3(run.world.bodies.velocity[i])));
      const real side = scene.bodies[i].pose.position.z > 0 ? real(1) : real(-1);
      const PosedSurface::MovingDistance near = surface.at(0, x, real(1));
      ASSERT_GT(near.d, real(0)) << "body " << i << ", frame " << frame;
      if (std::abs(x.x) < real(0.9) && std::abs(x.y) < real(0.9) && near.d < real(0.3)) {
        ASSERT_GT(side * near.n.z, real(0)) << "body " << i << " is behind the wall in frame " << frame;
      }
    }
  }
  EXPECT_GT(fastest, real(2)) << "the wall has thrown them";
}

/// A plate of 1 cm that bulges to and fro by 0.4 m, ten times as far in a substep as it is thick where it is
/// fastest, between two sheets of particles: none changes sides.
TEST(PosedSurface, NothingPassesAWallThatDeforms) {
  const auto bulge = [](const glm::dvec3& x, int k) {
    const double share = std::cos(0.5 * std::numbers::pi * x.x) * std::cos(0.5 * std::numbers::pi * x.y);
    return x + glm::dvec3(0.0, 0.0, 0.4 * share * std::sin(0.5 * std::numbers::pi * k));
  };
  PoseSequence wall = box_of({1.0, 1.0, 0.005}, 10);
  add_poses(wall, 4, bulge);
  wall.rate = 30.0;
  std::vector<glm::dvec3> places;
  for (int i = -6; i <= 6; ++i)
    for (int j = -6; j <= 6; ++j)
      for (const double z : {-0.06, 0.06}) places.push_back({0.119 * i, 0.121 * j, z});
  SolverSettings settings;
  settings.step->substeps = 4;
  settings.motion->gravity = glm::dvec3(0.0);
  PosedRig run(places, wall, settings, 2);
  const PoseSequence& poses = *run.world.topology->collider_meshes[0].poses;
  std::vector<glm::dvec3> before, now;
  double fastest = 0.0;
  for (int frame = 1; frame <= 12; ++frame) {
    poses.at((frame - 1.0) / 60.0, before), poses.at((frame - 0.75) / 60.0, now);
    for (std::size_t i = 0; i < now.size(); ++i)
      fastest = std::max(fastest, glm::distance(before[i], now[i]));
    ASSERT_FALSE(run.step().nonfinite);
    PosedSurface surface(poses, 0.0);
    surface.place(run.world.time, 0.0, 0);
    int hit = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const vec3 x(run.x(Index(i)));
      if (std::abs(x.x) > real(0.95) || std::abs(x.y) > real(0.95)) continue;  // pushed past the rim
      ASSERT_GT(surface.at(0, x, real(1)).d, real(0)) << "particle " << i << ", frame " << frame;
      // the side: the wall's middle at this place, from the side on which a point far in front stays
      const vec3 far(x.x, x.y, places[i].z > 0 ? real(3) : real(-3));
      const real way = glm::distance(x, far);
      for (real gone = 0, d = 0; gone < way;
           gone += std::max(d, real(1e-3))) {  // no point within d is inside
        d = surface.at(0, x + gone / way * (far - x), real(4)).d;
        ASSERT_GT(d, real(0)) << "particle " << i << " is behind the wall in frame " << frame;
      }
      hit += glm::length(vec3(run.v(Index(i)))) > real(1);
    }
    if (frame == 4) {
      EXPECT_GT(hit, 50) << "the wall has thrown them";
    }
  }
  EXPECT_GT(fastest, 0.02) << "four times half the wall in a substep";
}

TEST(PosedSurface, WhatIsSewnOnKeepsItsPlace) {
  PoseSequence box = box_of({0.5, 0.5, 0.5}, 2);
  add_poses(box, 4, [](const glm::dvec3& x, int k) {  // quarter turns about z, and away
    glm::dvec3 y = x;
    for (int i = 0; i < k; ++i) y = {-y.y, y.x, y.z};
    return y + glm::dvec3(0.0, 0.0, 0.3 * k);
  });
  box.rate = 10.0;
  PosedRig run({{0.6, 0.1, 0.2}}, box, SolverSettings());
  run.world.user.attachments.push_back({std::int32_t(run.inside(0)), glm::dvec3(0.6, 0.1, 0.2)});
  run.world.user.attachments.back().collider = 0;
  fix_particle(run.world, std::int32_t(run.inside(0)));
  run.run(6);  // 0.1 s: the second pose
  EXPECT_LT(glm::distance(vec3(run.x(0)), vec3(-0.1, 0.6, 0.5)), 3e-6);
  run.run(6);
  EXPECT_LT(glm::distance(vec3(run.x(0)), vec3(-0.6, -0.1, 0.8)), 3e-6);
}

/// A wall that rises past a vertex: its depth at any time is that in a surface made for that time.
TEST(PosedColliders, AreMadeOnceAndPlacedAgain) {
  PoseSequence box = box_of({0.5, 0.5, 0.5}, 2);
  add_poses(box, 2, [](const glm::dvec3& x, int) { return x + glm::dvec3(0.0, 0.06, 0.0); });
  box.rate = 10.0;
  PosedRig run({{0.0, 0.48, 0.0}}, box, SolverSettings());
  PosedColliders kept;
  EXPECT_NEAR(measure(run.world, kept).penetration_max, 0.02, 1e-6);
  for (int k = 0; k < 6; ++k) {
    run.world.time += 1.0 / 60.0;
    EXPECT_EQ(measure(run.world, kept).penetration_max, measure(run.world).penetration_max);
  }
  EXPECT_NEAR(measure(run.world, kept).penetration_max, 0.08, 1e-6);
  EXPECT_EQ(kept.made(), 1);
  PosedRig other({{0.0, 0.45, 0.0}}, box_of({0.5, 0.5, 0.5}, 2), SolverSettings());
  EXPECT_NEAR(measure(other.world, kept).penetration_max, 0.05, 1e-6);
  EXPECT_EQ(kept.made(), 2);
}

TEST(PosedSurface, SameBitsForAnyNumberOfThreads) {
  std::uint64_t first = 0;
  for (int threads : {1, 3}) {
    PoseSequence box = box_of({0.5, 0.5, 0.5}, 4);
    add_poses(box, 3, [](const glm::dvec3& x, int k) { return x * (1.0 + 0.2 * k * x.x); });
    std::vector<glm::dvec3> places;
    for (int i = 0; i < 600; ++i) places.push_back({0.04 * (i % 25) - 0.5, 0.56, 0.04 * (i / 25) - 0.5});
    PosedRig run(places, box, SolverSettings(), threads);
    run.run(20);
    if (threads == 1) first = world_hash(run.world);
    EXPECT_EQ(world_hash(run.world), first) << threads;
  }
}

class PoseFiles : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ + name) << text; }
  /// The error of a scene whose collider is a tetrahedron with `second` as its second pose.
  std::string error_of(const std::string& second) {
    const std::string vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
    write("posed_t.obj", vertices + "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    write("posed_t_1.obj", vertices);
    write("posed_t_2.obj", second);
    const auto scene = parse_scene(R"({ "format": 1, "objects": { "sheet": { "type": "cloth" } },
      "colliders": { "t": { "shape": "mesh", "mesh": "posed_t.obj", "frames": "posed_t_*.obj" } } })",
                                   folder_ + "scene.json", "");
    if (!scene) return scene.error().text();
    const auto built = build_world(*scene);
    return built ? "" : built.error().text();
  }
  std::string folder_ = testing::TempDir();
};

TEST_F(PoseFiles, ErrorsNameFileAndLine) {
  EXPECT_EQ(error_of("v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 1\n"), "");
  const std::string few = error_of("v 0 0 0\n\nv 1 0 0\nv 0 1 0\n");
  EXPECT_NE(few.find("posed_t_2.obj:4: "), std::string::npos) << few;
  EXPECT_NE(few.find("this pose has 3 vertices, and the mesh 'posed_t.obj' 4"), std::string::npos) << few;
  const std::string many = error_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 0 2\n");
  EXPECT_NE(many.find("posed_t_2.obj:5: "), std::string::npos) << many;
  const std::string garbled = error_of("v 0 0 0\nv 1 zero 0\n");
  EXPECT_NE(garbled.find("posed_t_2.obj:2: "), std::string::npos) << garbled;
}

TEST_F(PoseFiles, WithoutFramesTheSceneSaysSo) {
  const auto scene = parse_scene(
      "{ \"format\": 1, \"objects\": { \"sheet\": { \"type\": \"cloth\" } },\n\"colliders\": { \"t\": {\n"
      "\"shape\": \"mesh\", \"mesh\": \"posed_t.obj\",\n\"frames\": \"no_such_*.obj\" } } }",
      folder_ + "scene.json", "");
  ASSERT_FALSE(bool(scene));
  EXPECT_NE(scene.error().text().find("scene.json:4: "), std::string::npos) << scene.error().text();
}

}}}}  // namespace limber::LIMBER_PRECISION::posed_surface_test
