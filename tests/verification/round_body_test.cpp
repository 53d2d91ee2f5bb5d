// Frictionless contacts of any kind have no torque about the axis of a round body.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <span>
#include <string>
#include <tuple>

#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/basin.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/solid.hpp"
#include "engine/scene/objects/tets.hpp"
#include "engine/verify/measure.hpp"
#include "tests/source_folder.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace round_body_test { namespace {

constexpr double g = 9.81, radius = 0.1;

SceneDesc empty() {
  SceneDesc scene;
  scene.solver.step->substeps = 8;
  scene.solver.step->iterations = 3;
  scene.solver.motion->damping = 0.0;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.solver.contact->particle_radius = 0.03;
  scene.solver.contact->cloth_collision = true;
  return scene;
}

/// Something without friction that flies at the round body from the side, or that this falls on.
struct Other {
  const char* name;
  void (*add)(SceneDesc&);
};

ObjectDesc thrown(const char* name, ObjectType type) {
  ObjectDesc object;
  object.name = name;
  object.type = type;
  object.velocity = {-2.5, 0.3, 0.4};
  object.density = 2000.0;
  object.material->friction = 0.0;
  return object;
}

void grains(SceneDesc& scene) {
  ObjectDesc object = thrown("grains", ObjectType::grains);
  object.copies = {2.0, 3.0, 3.0};
  object.spacing = glm::dvec3(0.065);
  object.pose.position = {0.22, 0.01, 0.03};
  scene.objects.push_back(object);
}

void cluster(SceneDesc& scene, double stiffness) {
  ObjectDesc object = thrown("cluster", ObjectType::solid);
  object.mesh = test::source("assets/brick.obj");
  object.size = 0.4;
  object.solid->stiffness = stiffness;
  object.pose.position = {0.35, 0.04, 0.06};
  scene.objects.push_back(object);
}
void rigid_cluster(SceneDesc& scene) { cluster(scene, 1.0); }
void soft_cluster(SceneDesc& scene) { cluster(scene, 0.3); }

/// `cells` along each side: the fine cloth touches with vertices, the coarse one with edges and triangles.
void sheet(SceneDesc& scene, int cells, const glm::dvec3& position) {
  ObjectDesc object = thrown("sheet", ObjectType::cloth);
  object.cloth->width = object.cloth->height = 0.8;
  object.cloth->columns = object.cloth->rows = cells + 1;
  object.pose.position = position;
  object.pose.rotation_degrees = {0.0, 80.0, 10.0};
  object.material->density = 2.0;
  object.material->thickness = 0.01;
  scene.objects.push_back(object);
}
void fine_sheet(SceneDesc& scene) { sheet(scene, 32, {0.26, 0.03, 0.02}); }
void coarse_sheet(SceneDesc& scene) { sheet(scene, 2, {0.26, 0.05, 0.04}); }

void tets(SceneDesc& scene) {
  ObjectDesc object = thrown("tets", ObjectType::tets);
  object.tets->dimensions = {0.3, 0.4, 0.4};
  object.tets->cells = {2, 3, 3};
  object.pose.position = {0.28, 0.03, 0.05};
  scene.objects.push_back(object);
}

void fluid(SceneDesc& scene) {
  ObjectDesc object = water_block({0.24, 0.36, 0.36}, {0.26, 0.03, 0.04});
  object.velocity = {-2.5, 0.3, 0.4};
  object.material->adhesion = 0.05;
  scene.objects.push_back(object);
}

BodyDesc body(BodyShape shape) {
  BodyDesc desc;
  desc.name = "other";
  desc.shape = shape;
  desc.radius = 0.08;
  desc.half_length = 0.1;
  desc.half_extents = {0.05, 0.15, 0.12};
  desc.density = 2000.0;
  desc.friction = 0.0;
  desc.velocity = {-2.5, 0.3, 0.4};
  desc.pose.position = {0.28, 0.03, 0.05};
  desc.pose.rotation_degrees = {20.0, 30.0, 40.0};
  return desc;
}
template <BodyShape shape>
void add_body(SceneDesc& scene) {
  scene.bodies.push_back(body(shape));
}
void hull(SceneDesc& scene) {
  BodyDesc desc = body(BodyShape::hull);
  desc.mesh = test::source("assets/jack.obj");
  desc.size = 0.3;
  scene.bodies.push_back(desc);
}

/// The round body flies at the obstacle.
void obstacle(SceneDesc& scene, ColliderShape shape) {
  ColliderDesc collider;
  collider.name = "obstacle";
  collider.shape = shape;
  collider.radius = 0.1;
  collider.half_length = 0.1;
  collider.half_extents = {0.05, 0.3, 0.3};
  collider.friction = 0.0;
  collider.pose.position = {0.25, 0.03, 0.05};
  if (shape == ColliderShape::plane) collider.pose.rotation_degrees = {0.0, 0.0, 80.0};
  if (shape == ColliderShape::mesh) {
    collider.mesh = test::source("assets/creature.obj");
    collider.size = 0.4;
    collider.pose.position.x = 0.4;
  }
  scene.colliders.push_back(collider);
  scene.bodies[0].velocity = {2.5, 0.3, 0.4};
}
template <ColliderShape shape>
void add_collider(SceneDesc& scene) {
  obstacle(scene, shape);
}

constexpr Other others[] = {{"Grains", grains},
                            {"RigidCluster", rigid_cluster},
                            {"SoftCluster", soft_cluster},
                            {"FineSheet", fine_sheet},
                            {"CoarseSheet", coarse_sheet},
                            {"Tets", tets},
                            {"Fluid", fluid},
                            {"Box", add_body<BodyShape::box>},
                            {"Ball", add_body<BodyShape::sphere>},
                            {"Capsule", add_body<BodyShape::capsule>},
                            {"Cylinder", add_body<BodyShape::cylinder>},
                            {"Hull", hull},
                            {"Plane", add_collider<ColliderShape::plane>},
                            {"SphereCollider", add_collider<ColliderShape::sphere>},
                            {"BoxCollider", add_collider<ColliderShape::box>},
                            {"CapsuleCollider", add_collider<ColliderShape::capsule>},
                            {"MeshCollider", add_collider<ColliderShape::mesh>}};

/// The first of them are deformables.
constexpr std::size_t of_particles = 7;

class RoundBody : public testing::TestWithParam<std::tuple<Other, double>> {
 protected:
  /// A round body at the origin that turns at `spin` degrees per second.
  static SceneDesc scene(BodyShape shape) {
    SceneDesc scene = empty();
    BodyDesc ball;
    ball.name = "round";
    ball.shape = shape;
    ball.radius = radius;
    ball.half_length = 0.12;
    ball.friction = 0.0;
    ball.angular_velocity = spin() * glm::dvec3(0.36, 0.8, 0.48);
    scene.bodies.push_back(ball);
    std::get<0>(GetParam()).add(scene);
    return scene;
  }
  static double spin() { return std::get<1>(GetParam()); }

  /// The largest torque impulse of a frame along `axis_of` at its start, over the scale of both motions.
  template <class TorqueOf>
  static double most(Rig& rig, int frames, const TorqueOf& torque_of) {
    const Bodies& bodies = rig.world.bodies;
    const double mass = 1.0 / double(bodies.position[0].w),
                 spin = glm::length(glm::dvec3(bodies.angular_momentum[0]));
    const glm::dvec3 v(bodies.velocity[0]);
    double worst = 0.0, pushed = 0.0;
    for (int f = 0; f < frames; ++f) {
      const glm::dvec3 before(bodies.angular_momentum[0]), axis(rotation_of(bodies.orientation[0])[1]);
      rig.step();
      pushed = std::max(pushed, glm::distance(v, glm::dvec3(bodies.velocity[0])));
      worst = std::max(worst, torque_of(glm::dvec3(bodies.angular_momentum[0]) - before, axis));
    }
    EXPECT_GT(pushed, 0.2) << "nothing touched";
    std::printf("          torque %.1e of momentum times radius\n", worst / (mass * radius * pushed + spin));
    return worst / (mass * radius * pushed + spin);
  }
  static double most_about_axis(BodyShape shape) {
    SceneDesc round = scene(shape);
    round.solver.step->dt /= 8.0;
    round.solver.step->substeps = 1;
    Rig rig(round);
    return most(rig, 160, [](const glm::dvec3& gained, const glm::dvec3& axis) {
      return std::abs(glm::dot(gained, axis));
    });
  }
};

using RoundAmongParticles = RoundBody;

TEST_P(RoundBody, KeepsItsSpin) {
  Rig rig(scene(BodyShape::sphere));
  const double worst =
      most(rig, 24, [](const glm::dvec3& gained, const glm::dvec3&) { return glm::length(gained); });
  EXPECT_LT(worst, sizeof(real) == 4 ? 1e-5 : 1e-12);
}

TEST_P(RoundAmongParticles, CapsuleKeepsItsSpinAboutItsAxis) {
  EXPECT_LT(most_about_axis(BodyShape::capsule), sizeof(real) == 4 ? 3e-6 : 1e-12);
}

/// The edges of a fine sheet reach over the rim, where the normal of an edge is that of its whole low part.
TEST_P(RoundAmongParticles, CylinderKeepsItsSpinAboutItsAxis) {
  const bool over_the_rim = std::get<0>(GetParam()).add == fine_sheet;
  EXPECT_LT(most_about_axis(BodyShape::cylinder), sizeof(real) == 4 || over_the_rim ? 6e-5 : 1e-12);
}

std::string name_of(const testing::TestParamInfo<std::tuple<Other, double>>& info) {
  return std::string(std::get<0>(info.param).name) +
         (std::get<1>(info.param) > 0.0 ? "MeetsOneThatSpins" : "MeetsOneAtRest");
}
INSTANTIATE_TEST_SUITE_P(Kinds, RoundBody,
                         testing::Combine(testing::ValuesIn(others), testing::Values(0.0, 3000.0)), name_of);
INSTANTIATE_TEST_SUITE_P(Kinds, RoundAmongParticles,
                         testing::Combine(testing::ValuesIn(std::span(others).first(of_particles)),
                                          testing::Values(0.0, 3000.0)),
                         name_of);

/// m, by which a round body of that shape sinks into a plane without friction on which it turns.
double sinks(BodyShape shape, double spin) {
  SceneDesc scene = empty();
  scene.solver.motion->gravity = {0.0, -g, 0.0};
  scene.colliders.push_back(smooth_plane("ground", glm::dvec3(0.0), glm::dvec3(0.0)));
  BodyDesc ball = body(shape);
  ball.velocity = glm::dvec3(0.0);
  ball.pose = {{0.0, ball.radius, 0.0}, {0.0, 0.0, 90.0}};
  ball.angular_velocity = {spin, 0.0, 0.0};
  scene.bodies.push_back(ball);
  Rig rig(scene);
  rig.run(60);
  return ball.radius - double(rig.world.bodies.position[0].y);
}

/// The contact points of a round body stay below its centre, however far it turns in a frame.
TEST(RoundBodies, SinkNoDeeperWhereTheySpin) {
  for (const BodyShape shape : {BodyShape::sphere, BodyShape::capsule, BodyShape::cylinder}) {
    const double still = sinks(shape, 0.0), spinning = sinks(shape, 5000.0);
    std::printf("          %.2e m, spinning %.2e\n", still, spinning);
    EXPECT_LT(std::abs(spinning - still), 2e-5);
  }
}

struct Basin {
  double particle, width, depth;  ///< m
  double ball, density, height;   ///< m, kg/m^3, m
  double friction = 0.0;          ///< of water and ball
};

/// A ball in a basin of water as wide as long, a little off its middle.
SceneDesc ball_in_water(const Basin& basin) {
  SceneDesc scene;
  scene.solver.step->substeps = 6;
  scene.solver.step->iterations = 3;
  scene.solver.motion->damping = 0.0;
  scene.solver.contact->particle_radius = basin.particle;
  const double w = basin.width, d = basin.depth;
  scene.objects.push_back(water_block({w, d, w}, {0.0, 0.5 * d, 0.0}));
  scene.objects[0].material->friction = basin.friction;
  const glm::dvec3 corner(-0.5 * w, 0.0, -0.5 * w);
  scene.colliders = {smooth_plane("ground", corner, {0, 0, 0}), smooth_plane("left", corner, {0, 0, -90}),
                     smooth_plane("right", -corner, {0, 0, 90}), smooth_plane("back", corner, {90, 0, 0}),
                     smooth_plane("front", -corner, {-90, 0, 0})};
  BodyDesc ball = body(BodyShape::sphere);
  ball.radius = basin.ball;
  ball.density = basin.density;
  ball.friction = basin.friction;
  ball.velocity = glm::dvec3(0.0);
  ball.pose = {{0.05, basin.height, 0.03}, glm::dvec3(0.0)};
  scene.bodies.push_back(ball);
  return scene;
}

double degrees_per_second(const Rig& rig) {
  return glm::degrees(glm::length(glm::dvec3(angular_velocity(rig.world.bodies, 0))));
}

/// Energy comes from the height alone (after a first frame, in which the block of water finds its rest), and
/// the water takes it.
TEST(RoundBodies, SinkInWaterThatCalmsDown) {
  for (const Basin& basin :
       {Basin{0.03, 0.6, 0.48, 0.08, 2500.0, 0.8}, Basin{0.02, 0.4, 0.32, 0.1, 1500.0, 0.15}}) {
    Rig rig(ball_in_water(basin));
    double all = 0.0, most = 0.0, last = 0.0;
    for (int f = 0; f < 180; ++f) {
      if (f == 60) most = 0.0;
      rig.step();
      const Measures now = measure(rig.world);
      if (f == 0) all = now.kinetic_energy + now.potential_energy;
      EXPECT_LE(now.kinetic_energy + now.potential_energy, all);
      most = std::max(most, now.kinetic_energy);
      last = now.kinetic_energy;
    }
    const double y = rig.world.bodies.position[0].y;
    rig.run(60);
    std::printf(
        "          %.2e degrees/s, %.3f J after 1 s, %.3f after 3, %.1f mm up, sinks %.2f mm in 1 s\n",
        degrees_per_second(rig), most, last, 1e3 * (y - basin.ball),
        1e3 * (y - double(rig.world.bodies.position[0].y)));
    EXPECT_LT(degrees_per_second(rig), sizeof(real) == 4 ? 1e-5 : 2e-14);
    EXPECT_LT(most, 0.6);
    EXPECT_LT(last, 0.15);
    EXPECT_LT(y - basin.ball, 2.2 * basin.particle);  // no more than a layer of water is below it
    EXPECT_NEAR(rig.world.bodies.position[0].y, y, 1e-3);
  }
}

TEST(RoundBodies, AreSlowedByTheFrictionOfWater) {
  SceneDesc scene = ball_in_water({0.03, 0.6, 0.48, 0.08, 2500.0, 0.2, 0.2});
  scene.bodies[0].angular_velocity = {300.0, 600.0, 0.0};
  Rig rig(scene);
  const double before = degrees_per_second(rig);
  rig.run(60);
  std::printf("          from %.0f to %.1f degrees/s\n", before, degrees_per_second(rig));
  EXPECT_LT(degrees_per_second(rig), 0.3 * before);
}

}}}}  // namespace limber::LIMBER_PRECISION::round_body_test
