// Colliders that fit between the vertices of a rope, a sheet or a solid: edges and faces do not pass them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <string>
#include <vector>

#include "engine/contact/coupling/thin_colliders.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/rod.hpp"
#include "engine/scene/objects/tets.hpp"
#include "engine/state/material_fields.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace thin_colliders_test { namespace {

SceneDesc scene_of(ObjectDesc object, ColliderDesc collider, int substeps, int iterations = 4) {
  SceneDesc scene;
  scene.solver.step->substeps = substeps;
  scene.solver.step->iterations = iterations;
  scene.solver.step->automatic = false;
  object.name = "object", collider.name = "collider";
  scene.objects = {std::move(object)};
  scene.colliders = {std::move(collider)};
  return scene;
}

/// A rope of four segments of 25 cm, level, 5 cm above the height 1 m.
ObjectDesc coarse_rope() {
  ObjectDesc rope;
  rope.type = ObjectType::rod;
  rope.pose.position = {-0.42, 1.05, 0.0};
  rope.density = 900.0;
  rope.rod->segments = 4;
  rope.rod->radius = 0.01;
  rope.rod->first_end = rope.rod->last_end = RodEnd::free;
  rope.material->youngs_modulus = 4e6;
  rope.material->friction = 0.5;
  return rope;
}

/// A limp rope of eight segments, half of it over the edge of a table that ends at x = 0.05 m.
ObjectDesc hanging_rope() {
  ObjectDesc rope = coarse_rope();
  rope.rod->segments = 8;
  rope.material->youngs_modulus = 4e5;
  return rope;
}

/// A square metre of 3 x 3 cells, held at two sides: nothing slides off.
ObjectDesc coarse_sheet() {
  ObjectDesc sheet;
  sheet.cloth->columns = sheet.cloth->rows = 4;
  sheet.cloth->width = sheet.cloth->height = 1.0;
  sheet.cloth->upright = false;
  sheet.pose.position = {0.0, 1.02, 0.0};
  sheet.pins = {std::string("left"), std::string("right")};
  sheet.material->thickness = 0.01;
  return sheet;
}

/// A soft block of 1 x 0.3 x 1 m in cells of half a metre.
ObjectDesc coarse_block() {
  ObjectDesc block;
  block.type = ObjectType::tets;
  block.tets->shape = TetShape::bar;
  block.tets->cells = {2, 1, 2};
  block.tets->dimensions = {1.0, 0.3, 1.0};
  block.pose.position = {0.0, 1.2, 0.0};
  block.material->youngs_modulus = 2e4;
  return block;
}

/// A bar of 80 x 10 x 20 cm, in cells of 10 cm.
ObjectDesc jelly_bar() {
  ObjectDesc bar = coarse_block();
  bar.tets->cells = {8, 1, 2};
  bar.tets->dimensions = {0.8, 0.1, 0.2};
  bar.pose.position.y = 1.1;
  return bar;
}

ColliderDesc ball() {
  ColliderDesc out;
  out.radius = 0.04;
  out.pose.position = {0.05, 0.96, 0.07};
  out.friction = 0.5;
  return out;
}
/// A bar along z whose top is at the height 1 m.
ColliderDesc bar(ColliderShape shape) {
  ColliderDesc out = ball();
  out.shape = shape;
  out.pose.rotation_degrees = {90.0, 0.0, 0.0};
  out.half_length = 0.6;
  out.half_extents = {0.04, 0.6, 0.04};
  return out;
}
/// A post whose end is at the height 1 m.
ColliderDesc post() {
  ColliderDesc out = ball();
  out.shape = ColliderShape::box;
  out.half_extents = {0.03, 0.4, 0.03};
  out.pose.position.y = 0.6;
  return out;
}

/// A wall along z, 1 cm thick, whose top is at the height 1 m.
ColliderDesc wall() {
  ColliderDesc out = post();
  out.half_extents = {0.005, 0.4, 0.5};
  return out;
}
ColliderDesc table() {
  ColliderDesc out = ball();
  out.shape = ColliderShape::box;
  out.half_extents = {0.5, 0.5, 0.5};
  out.pose.position = {-0.45, 0.5, 0.0};
  return out;
}

/// m, how far the edges and faces of the object reach into the collider.
real deepest(const World& world) {
  const Collider& collider = world.colliders[0];
  ConvexShape shape;
  shape.size = collider.size;
  shape.kind = collider.shape == ColliderShape::box       ? ConvexKind::box
               : collider.shape == ColliderShape::capsule ? ConvexKind::capsule
                                                          : ConvexKind::sphere;
  constexpr int parts = 32;
  real nearest = 1;
  for (std::int32_t t = 0; t < world.topology->facets(); ++t) {
    const auto corners = world.topology->facet(t);
    const auto x = [&](int j) {
      return vec3(world.particles.position[std::size_t(corners[std::size_t(j)])]);
    };
    for (int a = 0; a <= parts; ++a)
      for (int b = 0; a + b <= parts; ++b) {
        if (world.topology->is_segment(t) && b > 0) break;
        const vec3 p = x(2) + real(a) / parts * (x(0) - x(2)) + real(b) / parts * (x(1) - x(2));
        nearest = std::min(nearest, surface_distance(shape, {collider.position, collider.rotation}, p).d);
      }
  }
  return std::max(-nearest, real(0));
}

/// J, of motion, height and strain.
double energy(const World& world) {
  const Measures m = measure(world);
  return m.kinetic_energy + m.potential_energy;
}

struct Case {
  const char* name;
  ObjectDesc object;
  ColliderDesc collider;
};
std::vector<Case> cases() {
  return {{"rope on a bar", coarse_rope(), bar(ColliderShape::capsule)},
          {"rope on a beam", coarse_rope(), bar(ColliderShape::box)},
          {"rope over an edge", hanging_rope(), table()},
          {"sheet on a ball", coarse_sheet(), ball()},
          {"sheet on a bar", coarse_sheet(), bar(ColliderShape::capsule)},
          {"sheet on a post", coarse_sheet(), post()},
          {"block on a bar", coarse_block(), bar(ColliderShape::capsule)},
          {"sheet on a wall", coarse_sheet(), wall()},
          {"jelly on a wall", jelly_bar(), wall()},
          {"block on a post", coarse_block(), post()}};
}

TEST(ThinColliders, StopEdgesAndFaces) {
  for (const Case& one : cases())
    for (const auto& [substeps, iterations] : {std::pair(1, 10), {10, 2}, {40, 1}}) {
      Rig rig(scene_of(one.object, one.collider, substeps, iterations));
      real most = 0;
      const double start = energy(rig.world);
      double gained = 0.0;
      for (int frame = 0; frame < 60; ++frame) {
        rig.step();
        most = std::max(most, deepest(rig.world));
        gained = std::max(gained, energy(rig.world) - start);
      }
      EXPECT_LE(gained, 1e-6) << one.name << " " << substeps;
      EXPECT_EQ(most, real(0)) << one.name << " " << substeps;
    }
}

/// A bar that rises takes a rope with it, and the segments stay out of the bar.
TEST(ThinColliders, CarryWhatTheyLift) {
  for (const int substeps : {1, 4, 10, 40}) {
    ColliderDesc lift = bar(ColliderShape::capsule);
    lift.linear_velocity = {0.0, 1.0, 0.0};
    lift.angular_velocity = {0.0, 60.0, 0.0};
    Rig rig(scene_of(coarse_rope(), lift, substeps));
    real most = 0;
    for (int frame = 0; frame < 120; ++frame) {
      rig.step();
      most = std::max(most, deepest(rig.world));
    }
    real highest = 0;
    for (int i = 0; i < 5; ++i) highest = std::max(highest, rig.x(i).y);
    EXPECT_EQ(most, real(0)) << substeps;
    EXPECT_GT(highest, rig.world.colliders[0].position.y) << substeps;
  }
}

/// A stiff rod of three segments, or a slab of one cell, lies across two parallel bars on a slope: it slides
/// if and only if the slope is steeper than the cone of friction.
TEST(ThinColliders, RubAsMuchAsTheConeAllows) {
  for (const bool is_rod : {true, false})
    for (const auto model : {FrictionModel::positional, FrictionModel::velocity_filter})
      for (const double share : {0.9, 1.2}) {
        const double mu = 0.5, slope = std::atan(share * mu);
        const glm::dvec3 along(std::cos(slope), std::sin(slope), 0.0), up(-along.y, along.x, 0.0);
        ObjectDesc object = is_rod ? coarse_rope() : coarse_block();
        object.rod->segments = 3;
        object.tets->cells = {1, 1, 1}, object.tets->dimensions = {1.0, 0.1, 1.0};
        object.material->youngs_modulus = is_rod ? 1e9 : 1e7;
        object.material->friction = mu;
        object.pose.position = is_rod ? -0.5 * along + 1.01 * glm::dvec3(0, 1, 0) : glm::dvec3(0, 1.06, 0);
        object.pose.rotation_degrees = {0.0, 0.0, glm::degrees(slope)};
        SceneDesc scene = scene_of(object, bar(ColliderShape::capsule), 10, 8);
        scene.solver.contact->friction_model = model;
        scene.colliders.push_back(scene.colliders[0]);
        scene.colliders[1].name = "second";
        const double below = is_rod ? 0.05 : 0.04 + 0.05 + scene.objects[0].material->thickness;
        for (int k = 0; k < 2; ++k) {
          ColliderDesc& one = scene.colliders[std::size_t(k)];
          one.friction = mu;
          one.pose.position = object.pose.position + (is_rod ? 0.5 : 0.0) * along +
                              (k == 0 ? -0.33 : 0.33) * along - below * up;
        }
        Rig rig(scene);
        rig.run(6);
        const glm::dvec3 start(rig.x(0)), speed(rig.v(0));
        rig.run(18);  // no vertex comes to a bar meanwhile
        const double way = glm::dot(glm::dvec3(rig.x(0)) - start, along), t = 0.3;
        const double expected = share < 1.0 ? 0.0
                                            : -9.81 * (std::sin(slope) - mu * std::cos(slope)) * 0.5 * t * t +
                                                  glm::dot(speed, along) * t;
        if (share < 1.0)
          EXPECT_NEAR(way, 0.0, model == FrictionModel::positional ? 1e-6 : 0.01);
        else
          EXPECT_NEAR(way, expected, 0.1 * std::abs(expected));
      }
}

TEST(ThinColliders, GiveTheSameBitsOnAnyNumberOfThreads) {
  for (const Case& one :
       {Case{"rope", coarse_rope(), bar(ColliderShape::box)}, Case{"sheet", coarse_sheet(), post()}})
    test::expect_same_bits([&](int threads, Simd) {
      Rig rig(scene_of(one.object, one.collider, 4), threads);
      rig.run(16);
      return world_hash(rig.world);
    });
}

}}}}  // namespace limber::LIMBER_PRECISION::thin_colliders_test
