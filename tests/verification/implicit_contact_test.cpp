// Contact and friction with colliders in the methods that minimise the function of implicit Euler.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/tets.hpp"
#include "engine/verify/measure.hpp"
#include "tests/verification/rig.hpp"
#include "tests/verification/scenes_in_code.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace implicit_contact_test { namespace {

/// A small cloth on a plane that gravity tilts by an angle of tangent `slope`: how far it slides in a second.
double slid(SolverMethod method, double slope, double friction, double& lowest) {
  SceneDesc scene = test::square_cloth(5);
  scene.solver.method->kind = method;
  scene.solver.step->substeps = 2, scene.solver.step->iterations = 4;
  scene.solver.motion->damping = 0.0;
  const double g = 9.81 / std::sqrt(1.0 + slope * slope);
  scene.solver.motion->gravity = {g * slope, -g, 0.0};
  ObjectDesc& cloth = scene.objects[0];
  cloth.cloth->upright = false;
  cloth.cloth->width = cloth.cloth->height = 0.5;
  cloth.pose.position = {0, 0.006, 0};
  cloth.material->thickness = 0.005;
  cloth.material->stretch_compliance = 1e-4;
  cloth.material->bending = false;
  cloth.material->friction = friction;
  ColliderDesc plane;
  plane.name = "plane";
  plane.shape = ColliderShape::plane;
  plane.friction = friction;
  scene.colliders.push_back(plane);
  Rig rig(scene);
  rig.run(20);
  const double start = double(rig.x(12).x);
  rig.run(40);
  lowest = 1.0;
  for (Index i = 0; i < 25; ++i) lowest = std::min(lowest, double(rig.x(i).y));
  return double(rig.x(12).x) - start;
}

/// Projective Dynamics and Newton must obey this law; contact_law_test covers the other methods.
TEST(ImplicitMethods, SlideOnAColliderWhereFrictionLetsThem) {
  for (const SolverMethod method : {SolverMethod::projective, SolverMethod::newton}) {
    const double mu = 0.3;
    double lowest = 0.0;
    const double held = slid(method, 0.9 * mu, mu, lowest);
    EXPECT_LT(std::abs(held), 1e-3) << traits(method).name << ": rests";
    EXPECT_GT(lowest, 0.005 - 1e-5) << traits(method).name << ": nothing enters";
    const double slides = slid(method, 1.1 * mu, mu, lowest);
    const double slope = std::atan(1.1 * mu), a = 9.81 * (std::sin(slope) - mu * std::cos(slope));
    EXPECT_GT(slides, 0.25 * 0.5 * a * (1.0 - 1.0 / 9.0)) << traits(method).name << ": slides";
    EXPECT_GT(lowest, 0.005 - 1e-5) << traits(method).name;
    std::printf("%s: held %.2g m, slid %.3g m (freely %.3g)\n", traits(method).name.data(), held, slides,
                0.5 * a * (1.0 - 1.0 / 9.0));
  }
}

/// A contact that has pushed too much in one iteration takes the excess back in the next one, and friction
/// uses the whole load, so an object on the ground rests. (With the depths of single iterations: 930 mm/s for
/// ever.)
TEST(Projective, LetsWhatLiesOnTheGroundRest) {
  SceneDesc scene;
  scene.solver.method->kind = SolverMethod::projective;
  scene.solver.step->substeps = 2, scene.solver.step->iterations = 10;
  scene.solver.motion->damping = 0.3;
  ObjectDesc object;
  object.name = "block";
  object.type = ObjectType::tets;
  object.tets->shape = TetShape::bar;
  object.tets->dimensions = {0.6, 0.3, 0.3};
  object.tets->cells = {12, 6, 6};
  object.pose.position = {0.0, 0.35, 0.0};
  object.pose.rotation_degrees = {0.0, 0.0, 20.0};
  object.material->model = SolidModel::corotated;
  object.material->youngs_modulus = 30000.0, object.material->poisson_ratio = 0.0;
  object.material->thickness = 0.006, object.material->friction = 0.4;
  scene.objects.push_back(object);
  ColliderDesc plane;
  plane.name = "plane";
  plane.shape = ColliderShape::plane;
  plane.friction = 0.5;
  scene.colliders.push_back(plane);
  Rig rig(scene);
  rig.run(450);
  double fastest = 0.0;
  for (int frame = 0; frame < 30; ++frame) {
    rig.run(1);
    fastest = std::max(fastest, measure(rig.world).max_speed);
  }
  std::printf("a block on the ground: %.2g m/s after 8 s\n", fastest);
  EXPECT_LT(fastest, 0.006);
}

/// Stiff cloth that hangs from a corner over a ball comes to rest: its weight reaches the ball through forces
/// that are thousands of times stiffer than a vertex alone.
TEST(Projective, LetsStiffClothOnABallRest) {
  SceneDesc scene = test::square_cloth(24);
  scene.solver.method->kind = SolverMethod::projective;
  scene.solver.step->substeps = 2, scene.solver.step->iterations = 10;
  scene.solver.motion->damping = 0.4;
  ObjectDesc& cloth = scene.objects[0];
  cloth.cloth->upright = false;
  cloth.cloth->width = cloth.cloth->height = 1.6;
  cloth.pose.position = {0, 1.75, 0};
  cloth.pins = {std::string("top_left")};
  cloth.material->stretch_compliance = 7.5e-5;
  cloth.material->bend_compliance = 830.0;
  cloth.material->bending_model = BendingModel::isometric;
  cloth.material->friction = 0.3;
  ColliderDesc ball;
  ball.name = "ball";
  ball.shape = ColliderShape::sphere;
  ball.radius = 0.5, ball.friction = 0.3;
  ball.pose.position = {0, 1, 0};
  scene.colliders.push_back(ball);
  Rig rig(scene);
  rig.run(900);
  double mean = 0.0;
  constexpr int frames = 60;
  for (int frame = 0; frame < frames; ++frame) {
    rig.run(1);
    mean += measure(rig.world).mean_speed / frames;
  }
  std::printf("stiff cloth on a ball: mean %.2g m/s after 15 s\n", mean);
  EXPECT_LT(mean, 4e-4);
}

}}}}  // namespace limber::LIMBER_PRECISION::implicit_contact_test
