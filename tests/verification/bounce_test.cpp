// Bounces of rigid bodies against closed forms: direction, both momenta, energy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>
#include <limits>
#include <string>
#include <vector>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/state/body_shapes.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace bounce_test {
namespace {

constexpr bool precise = sizeof(real) == sizeof(double);
constexpr double radius = 0.1;

BodyDesc ball(const glm::dvec3& position, const glm::dvec3& velocity, double e) {
  BodyDesc b;
  b.name = "ball";
  b.shape = BodyShape::sphere;
  b.radius = radius;
  b.pose.position = position;
  b.velocity = velocity;
  b.restitution = e;
  b.friction = 0.0;
  return b;
}

SceneDesc weightless(std::vector<BodyDesc> bodies, int substeps) {
  SceneDesc scene;
  scene.solver.step->substeps = substeps;
  scene.solver.motion->damping = 0.0;
  scene.solver.motion->max_speed = 1000.0;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.bodies = std::move(bodies);
  return scene;
}

glm::dvec3 velocity(const Rig& rig, std::size_t i) { return glm::dvec3(vec3(rig.world.bodies.velocity[i])); }

/// Angular momentum about the common centre of mass.
glm::dvec3 angular_momentum(const World& world) {
  const Bodies& bodies = world.bodies;
  glm::dvec3 center(0.0), momentum(0.0), sum(0.0);
  double mass = 0.0;
  for (std::size_t i = 0; i < std::size_t(bodies.count()); ++i) {
    if (bodies.position[i].w == real(0)) continue;
    const double m = 1.0 / double(bodies.position[i].w);
    center += m * glm::dvec3(vec3(bodies.position[i]));
    momentum += m * glm::dvec3(vec3(bodies.velocity[i]));
    mass += m;
  }
  center /= mass;
  for (std::size_t i = 0; i < std::size_t(bodies.count()); ++i) {
    if (bodies.position[i].w == real(0)) continue;
    const double m = 1.0 / double(bodies.position[i].w);
    sum += glm::dvec3(vec3(bodies.angular_momentum[i])) +
           m * glm::cross(glm::dvec3(vec3(bodies.position[i])) - center,
                          glm::dvec3(vec3(bodies.velocity[i])) - momentum / mass);
  }
  return sum;
}

/// Two spheres of which the first flies at the second with the distance `offset` between its path and the
/// other's middle.
struct Strike {
  double speed, offset, e;
  int substeps;
};

std::string text_of(const Strike& s) {
  char text[96];
  std::snprintf(text, sizeof text, "%g m/s, offset %g m, e %g, %d substeps", s.speed, s.offset, s.e,
                s.substeps);
  return text;
}

void expect_exact(const Strike& s, double& worst_error, double& worst_loss) {
  const std::string text = text_of(s);
  Rig rig(weightless({ball({-0.5, 0.0, 0.0}, {s.speed, 0.0, 0.0}, s.e), ball({0.0, s.offset, 0.0}, {}, s.e)},
                     s.substeps));
  const glm::dvec3 before = angular_momentum(rig.world);
  const glm::dvec3 p = measure(rig.world).momentum;
  rig.run(int(1.0 / s.speed * 60.0) + 2);
  const double sine = s.offset / (2.0 * radius);
  const glm::dvec3 n(-std::sqrt(1.0 - sine * sine), -sine, 0.0);  // from the second to the first
  const double push = -0.5 * (1.0 + s.e) * s.speed * n.x;
  const glm::dvec3 first = glm::dvec3(s.speed, 0.0, 0.0) + push * n, second = -push * n;
  const double error =
      std::max(glm::length(velocity(rig, 0) - first), glm::length(velocity(rig, 1) - second));
  const double lost =
      glm::length(angular_momentum(rig.world) - before) / std::max(glm::length(before), 1e-3 * s.speed);
  worst_error = std::max(worst_error, error / s.speed);
  worst_loss = std::max(worst_loss, lost);
  EXPECT_LT(glm::length(measure(rig.world).momentum - p), (precise ? 1e-14 : 1e-6) * glm::length(p)) << text;
  EXPECT_LT(error, 2e-3 * s.speed) << text;
  EXPECT_LT(lost, precise ? 1e-6 : 1e-4) << text;
}

TEST(Bounces, TwoSpheresLeaveAsTheClosedFormHasIt) {
  double worst_error = 0.0, worst_loss = 0.0;
  for (const double speed : {1.0, 3.0, 10.0})
    for (const double offset : {0.0, 0.05, 0.1, 0.17, 0.195})
      for (const double e : {1.0, 0.5, 0.0})
        for (const int substeps : {1, 2, 4, 8, 20})
          expect_exact({speed, offset, e, substeps}, worst_error, worst_loss);
  std::printf("          velocity %.1e of the speed, L %.1e of itself\n", worst_error, worst_loss);
}

double energy(const Rig& rig) { return measure(rig.world).kinetic_energy; }

/// A ball flies past the middle of a thing that stays and meets it where its normal is `n`.
struct Obstacle {
  const char* name;
  void (*add)(SceneDesc& scene);
  glm::dvec3 n;
};

void add_fixed_ball(SceneDesc& scene) {
  BodyDesc b = ball(glm::dvec3(0.0), glm::dvec3(0.0), 0.0);
  b.fixed = true;
  scene.bodies.push_back(b);
}

ColliderDesc collider(ColliderShape shape) {
  ColliderDesc c;
  c.name = "obstacle";
  c.shape = shape;
  c.friction = 0.0;
  return c;
}

void add_ball_collider(SceneDesc& scene) {
  scene.colliders.push_back(collider(ColliderShape::sphere));
  scene.colliders.back().radius = radius;
}

void add_plane(SceneDesc& scene) {
  scene.colliders.push_back(collider(ColliderShape::plane));
  scene.colliders.back().pose.rotation_degrees = {0.0, 0.0, 60.0};
}

/// An edge along z at (-0.2, -0.05).
void add_box(SceneDesc& scene) {
  BodyDesc b = ball({0.3, -0.55, 0.0}, glm::dvec3(0.0), 0.0);
  b.shape = BodyShape::box;
  b.half_extents = glm::dvec3(0.5);
  b.fixed = true;
  scene.bodies.push_back(b);
}

void add_capsule(SceneDesc& scene) {
  BodyDesc b = ball(glm::dvec3(0.0), glm::dvec3(0.0), 0.0);
  b.shape = BodyShape::capsule;
  b.half_length = 0.4;
  b.pose.rotation_degrees = {90.0, 0.0, 0.0};
  b.fixed = true;
  scene.bodies.push_back(b);
}

TEST(Bounces, ABallLeavesWhatStaysAlongItsNormal) {
  const double cosine = std::sqrt(3.0) / 2.0;
  const glm::dvec3 half(-cosine, 0.5, 0.0);
  for (const Obstacle& o :
       {Obstacle{"fixed ball", add_fixed_ball, half}, Obstacle{"ball collider", add_ball_collider, half},
        Obstacle{"plane", add_plane, half}, Obstacle{"edge", add_box, {-cosine, 0.5, 0.0}},
        Obstacle{"capsule", add_capsule, half}})
    for (const double speed : {1.0, 3.0, 10.0})
      for (const double e : {1.0, 0.5})
        for (const int substeps : {1, 2, 4, 8, 20}) {
          const double y = o.add == add_box ? 0.0 : 0.1;
          SceneDesc scene = weightless({ball({-0.8, y, 0.0}, {speed, 0.0, 0.0}, e)}, substeps);
          o.add(scene);
          for (ColliderDesc& c : scene.colliders) c.restitution = e;
          Rig rig(scene);
          const std::size_t i = 0;
          rig.run(int(0.8 / speed * 60.0) + 3);
          const glm::dvec3 in(speed, 0.0, 0.0), out = in - (1.0 + e) * glm::dot(in, o.n) * o.n;
          EXPECT_LT(glm::length(velocity(rig, i) - out), (precise ? 1e-6 : 1e-4) * speed)
              << o.name << ", " << speed << " m/s, e " << e << ", " << substeps;
        }
}

/// A wall that moves at w sends a ball back with 2 w more.
TEST(Bounces, AMovingWallGivesItsSpeed) {
  for (const double speed : {1.0, 3.0, 10.0})
    for (const int substeps : {1, 2, 4, 8, 20}) {
      SceneDesc scene = weightless({ball({-0.8, 0.0, 0.0}, {speed, 0.5, 0.0}, 1.0)}, substeps);
      ColliderDesc wall = collider(ColliderShape::box);
      wall.half_extents = {0.2, 1.0, 1.0};
      wall.pose.position = {0.5, 0.0, 0.0};
      wall.linear_velocity = {-0.7 * speed, 0.0, 0.0};
      scene.colliders = {wall};
      Rig rig(scene);
      rig.run(int(1.0 / speed * 60.0) + 1);
      const glm::dvec3 out(-2.4 * speed, 0.5, 0.0);
      EXPECT_LT(glm::length(velocity(rig, 0) - out), (precise ? 1e-9 : 1e-4) * speed)
          << speed << " " << substeps;
    }
}

/// A box of 0.4 x 0.2 x 0.3 m that flies with a corner at a plane, or at the middle of a heavy box.
BodyDesc slanted_box(double speed, double e) {
  BodyDesc b = ball({0.0, 0.6, 0.0}, {0.2 * speed, -speed, 0.1 * speed}, e);
  b.name = "box";
  b.shape = BodyShape::box;
  b.half_extents = {0.2, 0.1, 0.15};
  b.pose.rotation_degrees = {35.0, 0.0, 24.0};
  return b;
}

/// J = -(1 + e) v_n / (1/m + (r x n) . I^-1 (r x n)) at the lowest corner.
TEST(Bounces, ACornerOnAFaceHasTheClosedForm) {
  for (const double speed : {1.0, 3.0, 10.0})
    for (const double e : {1.0, 0.5})
      for (const int substeps : {1, 2, 4, 8, 20}) {
        SceneDesc scene = weightless({slanted_box(speed, e)}, substeps);
        scene.colliders = {collider(ColliderShape::plane)};
        Rig rig(scene);
        const Bodies& bodies = rig.world.bodies;
        const glm::dmat3 R(rotation_of(bodies.orientation[0]));
        const glm::dvec3 inverse(vec3(bodies.inverse_inertia[0])), n(0.0, 1.0, 0.0), in = velocity(rig, 0);
        const glm::dmat3 own = glm::transpose(R);
        const glm::dvec3 half(rig.world.bodies.parts->shapes[0].shape.size);
        glm::dvec3 r(0.0);
        for (int k = 0; k < 8; ++k) {
          const glm::dvec3 corner =
              R * (half * glm::dvec3(k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0));
          if (corner.y < r.y) r = corner;
        }
        const glm::dvec3 arm = glm::cross(r, n), turned = R * (inverse * (own * arm));
        const double w = double(bodies.position[0].w), J = (1.0 + e) * speed / (w + glm::dot(arm, turned));
        int frames = 0;
        while (glm::length(velocity(rig, 0) - in) < 1e-3 * speed && frames++ < 60) rig.step();
        EXPECT_LT(glm::length(velocity(rig, 0) - (in + J * w * n)), (precise ? 1e-6 : 1e-4) * speed)
            << speed << " e " << e << " " << substeps;
        EXPECT_LT(glm::length(glm::dvec3(vec3(bodies.angular_momentum[0])) - J * arm),
                  (precise ? 1e-6 : 1e-4) * glm::length(J * arm))
            << speed << " e " << e << " " << substeps;
      }
}

/// Bodies of several shapes that meet off their middles and spin, with friction.
std::vector<BodyDesc> meeting(BodyShape first, BodyShape second, double speed, double e) {
  std::vector<BodyDesc> bodies;
  for (const BodyShape shape : {first, second}) {
    const bool flies = bodies.empty();
    BodyDesc b =
        ball(flies ? glm::dvec3(-0.6, 0.07, 0.03) : glm::dvec3(0.0), {flies ? speed : 0.0, 0.0, 0.0}, e);
    b.name = flies ? "first" : "second";
    b.shape = shape;
    b.half_extents = {0.1, 0.08, 0.12};
    b.half_length = 0.1;
    b.friction = 0.3;
    b.pose.rotation_degrees = flies ? glm::dvec3(40.0, 10.0, 70.0) : glm::dvec3(-20.0, 60.0, 15.0);
    b.angular_velocity = (flies ? 200.0 : -100.0) * speed * glm::dvec3(0.3, 0.5, 0.8);
    bodies.push_back(b);
  }
  return bodies;
}

TEST(Bounces, KeepBothMomentaAndNeverGainEnergyWithFriction) {
  double worst = 0.0, gained = -1.0;
  for (const BodyShape first : {BodyShape::sphere, BodyShape::capsule, BodyShape::box, BodyShape::cylinder})
    for (const BodyShape second : {BodyShape::sphere, BodyShape::capsule, BodyShape::box})
      for (const double speed : {1.0, 3.0, 10.0})
        for (const double e : {1.0, 0.5})
          for (const int substeps : {2, 8, 20}) {
            Rig rig(weightless(meeting(first, second, speed, e), substeps));
            const glm::dvec3 before = angular_momentum(rig.world), p = measure(rig.world).momentum;
            const double begun = energy(rig);
            rig.run(int(0.8 / speed * 60.0) + 2);
            const double lost = glm::length(angular_momentum(rig.world) - before) / glm::length(before);
            worst = std::max(worst, lost), gained = std::max(gained, energy(rig) / begun - 1.0);
            const auto at = [&] {
              return std::to_string(int(first)) + " on " + std::to_string(int(second)) + ", " +
                     std::to_string(speed) + " m/s, e " + std::to_string(e) + ", " + std::to_string(substeps);
            };
            EXPECT_NE(velocity(rig, 1), glm::dvec3(0.0)) << "they meet " << at();
            EXPECT_LT(lost, precise ? 1e-6 : 1e-4) << at();
            EXPECT_LT(glm::length(measure(rig.world).momentum - p), (precise ? 1e-13 : 1e-6) * glm::length(p))
                << at();
            EXPECT_LT(energy(rig), begun * (1.0 + 1e-5)) << at();
          }
  std::printf("          L %.1e of itself, energy at most %.1e more\n", worst, gained);
}

/// Spinning spheres: the tangential impulse is at most mu times the normal impulse.
TEST(Bounces, TheImpulseIsWithinTheCone) {
  for (const double mu : {0.05, 0.3, 2.0})
    for (const double offset : {0.0, 0.05, 0.15}) {
      BodyDesc a = ball({-0.5, 0.0, 0.0}, {3.0, 0.0, 0.0}, 0.8), b = ball({0.0, offset, 0.0}, {}, 0.8);
      a.friction = b.friction = mu;
      a.angular_velocity = {0.0, 400.0, 2000.0};
      Rig rig(weightless({a, b}, 8));
      const double m = 1.0 / double(rig.world.bodies.position[0].w);
      rig.run(20);
      const double sine = offset / (2.0 * radius);
      const glm::dvec3 n(-std::sqrt(1.0 - sine * sine), -sine, 0.0), J = -m * velocity(rig, 1);
      const double along = glm::dot(J, n), across = glm::length(J - along * n);
      EXPECT_NEAR(along, 0.5 * m * 1.8 * -3.0 * n.x, 1e-4 * m);
      EXPECT_LT(across, mu * along * (1.0 + 1e-5)) << mu << " " << offset;
      if (mu < 0.1) {
        EXPECT_GT(across, mu * along * (1.0 - 1e-3)) << "it slides " << offset;
      }
    }
}

/// Slow balls without restitution that meet at an offset: none goes through another where the contact of a
/// frame has the normal of the impact in it but another one a substep later.
TEST(Bounces, WhatMeetsWithoutRestitutionIsStopped) {
  for (const int substeps : {1, 2, 4, 20})
    for (const double offset : {0.0, 0.02, 0.07, 0.15}) {
      Rig rig(weightless({ball({-0.6, 0.0, 0.0}, {0.3, 0.0, 0.0}, 0.0), ball({0.0, offset, 0.0}, {}, 0.0)},
                         substeps));
      double deepest = 0.0;
      for (int frame = 0; frame < 150; ++frame) {
        rig.step();
        deepest = std::max(deepest, measure(rig.world).penetration_max);
      }
      EXPECT_LT(deepest, 0.005) << substeps << " substeps, offset " << offset;
    }
}

/// Spheres that pass each other at 5 mm are not touched by the planes of contacts that were found for them.
TEST(Bounces, WhatPassesIsNotTouched) {
  for (const double speed : {1.0, 3.0, 10.0})
    for (const int substeps : {1, 2, 4, 8, 20}) {
      Rig rig(weightless({ball({-0.5, 0.0, 0.0}, {speed, 0.0, 0.0}, 1.0), ball({0.0, 0.205, 0.0}, {}, 1.0)},
                         substeps));
      rig.run(int(1.0 / speed * 60.0) + 2);
      EXPECT_LT(glm::length(velocity(rig, 1)), 1e-6 * speed) << speed << " " << substeps;
    }
}

/// The discrete parabola is kept: with e = 1 a ball comes up to where it fell from, ever again.
TEST(Bounces, ABallWithoutLossComesUpToItsHeight) {
  SceneDesc scene = weightless({ball({0.0, 1.1, 0.0}, glm::dvec3(0.0), 1.0)}, 8);
  scene.solver.motion->gravity = {0.0, -9.81, 0.0};
  scene.colliders = {collider(ColliderShape::plane)};
  Rig rig(scene);
  double highest = 0.0;
  for (int f = 0; f < 1200; ++f) {
    rig.step();
    if (f > 1140) highest = std::max(highest, double(rig.world.bodies.position[0].y) - radius);
  }
  EXPECT_NEAR(highest, 1.0, precise ? 1e-3 : 3e-3);
}

/// A body with faces, half a metre above a surface that it hits with several points or shapes at once.
BodyDesc dropped(bool compound, double friction) {
  BodyDesc b = ball({0.0, 0.6, 0.0}, {}, 1.0);
  b.friction = friction;
  b.shape = compound ? BodyShape::compound : BodyShape::box;
  b.half_extents = glm::dvec3(0.1);
  if (compound)
    for (const double x : {-0.1, 0.1}) {
      BodyPartDesc part;
      part.shape = BodyShape::box;
      part.half_extents = {0.05, 0.1, 0.1};
      part.pose.position = {x, 0.0, 0.0};
      b.parts.push_back(part);
    }
  return b;
}

enum class Below { plane, colliders, bodies };

/// Tiles whose seams cross at the origin, or a plane.
void add_below(Below below, double friction, SceneDesc& scene) {
  if (below == Below::plane) {
    scene.colliders = {collider(ColliderShape::plane)};
    scene.colliders[0].friction = friction;
    return;
  }
  for (const double x : {-0.5, 0.5})
    for (const double z : {-0.5, 0.5}) {
      if (below == Below::colliders) {
        ColliderDesc tile = collider(ColliderShape::box);
        tile.name = "tile" + std::to_string(scene.colliders.size());
        tile.half_extents = {0.5, 0.1, 0.5};
        tile.pose.position = {x, -0.1, z};
        tile.friction = friction;
        scene.colliders.push_back(tile);
        continue;
      }
      BodyDesc tile = ball({x, -0.1, z}, {}, 1.0);
      tile.name = "tile" + std::to_string(scene.bodies.size());
      tile.shape = BodyShape::box;
      tile.half_extents = {0.5, 0.1, 0.5};
      tile.fixed = true;
      tile.friction = friction;
      scene.bodies.push_back(tile);
    }
}

/// Pairs that touch together are one impact: with e = 1 the body comes up straight, to where it fell from.
TEST(Bounces, WhatStrikesSeveralThingsAtOnceComesUpStraight) {
  for (const bool compound : {false, true})
    for (const Below below : {Below::plane, Below::colliders, Below::bodies})
      for (const double friction : {0.0, 0.5})
        for (const int substeps : {1, 4, 8, 20}) {
          SceneDesc scene = weightless({dropped(compound, friction)}, substeps);
          scene.solver.motion->gravity = {0.0, -9.81, 0.0};
          add_below(below, friction, scene);
          Rig rig(scene);
          double highest = 0.0;
          for (int f = 0; f < 40; ++f) {
            rig.step();
            if (f > 25) highest = std::max(highest, double(rig.world.bodies.position[0].y));
          }
          SCOPED_TRACE(testing::Message() << "compound " << compound << ", below " << int(below)
                                          << ", friction " << friction << ", " << substeps << " substeps");
          EXPECT_NEAR(highest, 0.6, 2e-3);
          EXPECT_LT(glm::length(vec3(rig.world.bodies.angular_momentum[0])), 1e-4);
        }
}

/// Sixteen balls without friction and loss in a box, for a minute.
TEST(Bounces, ABilliardKeepsItsEnergyForAMinute) {
  std::vector<BodyDesc> balls;
  for (int row = 0; row < 5; ++row)
    for (int k = 0; k <= row; ++k)
      balls.push_back(
          ball({0.21 * row * std::sqrt(0.75), 0.0, 0.21 * (k - 0.5 * row)}, glm::dvec3(0.0), 1.0));
  balls.push_back(ball({-1.0, 0.0, 0.03}, {8.0, 0.0, 0.0}, 1.0));
  SceneDesc scene = weightless(balls, 8);
  const auto wall = [&](const glm::dvec3& rotation, const glm::dvec3& position) {
    scene.colliders.push_back(collider(ColliderShape::plane));
    scene.colliders.back().pose.rotation_degrees = rotation;
    scene.colliders.back().pose.position = position;
    scene.colliders.back().restitution = 1.0;
  };
  wall({90.0, 0.0, 0.0}, {0.0, 0.0, -1.0}), wall({-90.0, 0.0, 0.0}, {0.0, 0.0, 1.0});
  wall({0.0, 0.0, 90.0}, {2.0, 0.0, 0.0}), wall({0.0, 0.0, -90.0}, {-2.0, 0.0, 0.0});
  wall(glm::dvec3(0.0), {0.0, -0.5, 0.0}), wall({180.0, 0.0, 0.0}, {0.0, 0.5, 0.0});
  Rig rig(scene), two(scene, 2);
  const double begun = energy(rig);
  rig.run(200), two.run(200);
  EXPECT_EQ(world_hash(rig.world), world_hash(two.world));
  rig.run(3400);
  std::printf("          energy %.1e of itself\n", std::abs(energy(rig) / begun - 1.0));
  EXPECT_NEAR(energy(rig) / begun, 1.0, precise ? 1e-9 : 1e-4);
  EXPECT_LT(measure(rig.world).penetration_max, 1e-3);
}

}  // namespace
}}}  // namespace limber::LIMBER_PRECISION::bounce_test
