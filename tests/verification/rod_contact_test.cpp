// Rods touch each other, themselves, cloth, grains and bodies along their segments, and nothing passes
// through.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <optional>
#include <string>

#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/geometry/convex/body_shape.hpp"
#include "engine/geometry/queries/closest_features.hpp"
#include "engine/parallel/random.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"
#include "engine/scene/objects/rod.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace rod_contact_test { namespace {

constexpr bool in_double = sizeof(real) == 8;

SceneDesc scene_of(std::vector<ObjectDesc> objects, int substeps, int iterations = 4) {
  SceneDesc scene;
  scene.solver.step->substeps = substeps;
  scene.solver.step->iterations = iterations;
  scene.solver.step->automatic = false;
  scene.solver.contact->cloth_collision = true;
  scene.objects = std::move(objects);
  return scene;
}

/// A metre of 2 cm of thickness, its middle at `middle`, along x or z.
ObjectDesc bar(const std::string& name, const glm::dvec3& middle, bool along_z, double youngs_modulus = 1e8) {
  ObjectDesc rod;
  rod.name = name;
  rod.type = ObjectType::rod;
  rod.pose.position = middle - (along_z ? glm::dvec3(0, 0, 0.5) : glm::dvec3(0.5, 0, 0));
  rod.pose.rotation_degrees.y = along_z ? -90.0 : 0.0;
  rod.density = 1000.0;
  rod.rod->segments = 21;
  rod.rod->radius = 0.01;
  rod.rod->first_end = rod.rod->last_end = RodEnd::free;
  rod.material->youngs_modulus = youngs_modulus;
  rod.material->damping_time = 0.001;
  return rod;
}

Vec3<Lanes<double, 1>> lanes(const vec4& x) { return {double(x.x), double(x.y), double(x.z)}; }

/// m, from segment i of a rod to segment j of another.
glm::dvec3 between(const World& world, const RodSegment& a, const RodSegment& b) {
  const auto at = [&](std::int32_t i) { return world.particles.position[std::size_t(i)]; };
  const auto e = closest_on_edges(lanes(at(a.points[0])), lanes(at(a.points[1])), lanes(at(b.points[0])),
                                  lanes(at(b.points[1])));
  const auto point = [&](const RodSegment& s, double t) {
    return glm::mix(glm::dvec3(at(s.points[0])), glm::dvec3(at(s.points[1])), t);
  };
  return point(b, e.t.v) - point(a, e.s.v);
}

/// The shortest way from rod a to rod b; of one rod to itself, between segments at least `skipped` apart.
glm::dvec3 way_between(const World& world, std::size_t a, std::size_t b, std::int32_t skipped = 0) {
  const RodMatter& rods = world.topology->rods;
  glm::dvec3 shortest(1e9);
  for (std::int32_t i = 0; i < rods.runs[a].count; ++i)
    for (std::int32_t j = a == b ? i + skipped : 0; j < rods.runs[b].count; ++j) {
      const glm::dvec3 way = between(world, rods.segments[std::size_t(rods.runs[a].first + i)],
                                     rods.segments[std::size_t(rods.runs[b].first + j)]);
      if (glm::length(way) < glm::length(shortest)) shortest = way;
    }
  return shortest;
}

/// A soft one hangs across another that is clamped at both ends, 2 cm above it.
TEST(RodContacts, CarryARod) {
  for (const int substeps : {4, 10, 40}) {
    ObjectDesc low = bar("low", {0, 0.5, 0}, false, 1e9), high = bar("high", {0.013, 0.55, 0}, true, 3e5);
    low.rod->first_end = low.rod->last_end = RodEnd::clamped;
    SceneDesc scene = scene_of({low, high}, substeps);
    scene.solver.motion->damping = 0.8;
    Rig rig(scene);
    rig.run(240);
    const glm::dvec3 way = way_between(rig.world, 0, 1);
    EXPECT_NEAR(way.y, 0.02, 0.0006) << substeps;
    EXPECT_LT(glm::length(mean_velocity(rig.world, 1)), 0.01) << substeps;
  }
}

/// m, by how much the second rod lies above the first where they cross, seen from above; none: they cross
/// there not at all, or more than once.
std::optional<double> height_over(const World& world) {
  const RodMatter& rods = world.topology->rods;
  std::optional<double> found;
  const auto at = [&](std::int32_t i) { return glm::dvec3(world.particles.position[std::size_t(i)]); };
  for (std::int32_t i = 0; i < rods.runs[0].count; ++i)
    for (std::int32_t j = 0; j < rods.runs[1].count; ++j) {
      const RodSegment& low = rods.segments[std::size_t(rods.runs[0].first + i)];
      const RodSegment& high = rods.segments[std::size_t(rods.runs[1].first + j)];
      const glm::dvec3 a = at(low.points[0]), b = at(high.points[0]), u = at(low.points[1]) - a,
                       v = at(high.points[1]) - b, d = b - a;
      const double area = u.x * v.z - u.z * v.x;
      const double s = (d.x * v.z - d.z * v.x) / area, t = (d.x * u.z - d.z * u.x) / area;
      if (!(s >= 0.0 && s < 1.0 && t >= 0.0 && t < 1.0)) continue;
      if (found) return std::nullopt;
      found = b.y + t * v.y - a.y - s * u.y;
    }
  return found;
}

/// However fast they meet, and wherever along a segment.
TEST(RodContacts, NothingPasses) {
  for (const int substeps : {1, 3, 10, 40})
    for (const double speed : {1.0, 10.0, 100.0})
      for (const double aside : {0.0, 0.011, 0.024}) {
        ObjectDesc low = bar("low", {0, 0.5, 0}, false), high = bar("high", {aside, 0.58, aside}, true);
        low.rod->first_end = low.rod->last_end = RodEnd::pinned;
        high.velocity = {0, -speed, 0};
        SceneDesc scene = scene_of({low, high}, substeps);
        scene.solver.motion->gravity = {0, 0, 0};
        Rig rig(scene);
        for (int frame = 0; frame < 12; ++frame) {
          rig.step();
          const std::optional<double> height = height_over(rig.world);
          if (!height) break;
          ASSERT_GT(*height, 0.0) << substeps << " substeps, " << speed << " m/s, aside " << aside
                                  << ", frame " << frame;
        }
      }
}

TEST(RodContacts, KeepMomenta) {
  ObjectDesc one = bar("one", {0, 0.5, 0}, false), other = bar("other", {0.2, 0.53, 0.1}, true);
  one.material->friction = other.material->friction = 0.5;
  other.velocity = {0.4, -3.0, 0};
  SceneDesc scene = scene_of({one, other}, 10);
  scene.solver.motion->gravity = {0, 0, 0};
  scene.solver.motion->damping = 0.0;
  Rig rig(scene);
  const Measures start = measure(rig.world);
  rig.run(60);
  const Measures end = measure(rig.world);
  const double size = glm::length(start.momentum);
  EXPECT_LT(glm::distance(end.momentum, start.momentum) / size, in_double ? 1e-12 : 3e-6);
  EXPECT_LT(glm::distance(end.angular_momentum, start.angular_momentum) / size, in_double ? 1e-9 : 3e-5);
  EXPECT_GT(glm::length(mean_velocity(rig.world, 0)), 0.5) << "it was hit";
}

double mean_height(const World& world, std::size_t object) {
  const ParticleRange& range = world.topology->objects[object];
  double sum = 0.0;
  for (std::int32_t i = range.first; i < range.end(); ++i)
    sum += double(world.particles.position[std::size_t(i)].y);
  return sum / double(range.end() - range.first);
}

/// A long trefoil (Shastri's polynomial) with a weight at its end, tightened for five seconds: the rope that
/// the knot holds is missing between its ends, and it is as thick there as anywhere.
void expect_knot(int substeps, bool only_pulls) {
  ObjectDesc rope = bar("rope", {0, 0, 0}, false, 2e6);
  rope.rod->form = RodForm::path;
  rope.rod->only_pulls = only_pulls;
  if (!only_pulls) rope.rod->rest = RodRest::straight;
  rope.rod->segments = 150;
  rope.rod->radius = 0.006;
  rope.rod->end_mass = 0.5;
  rope.rod->first_end = RodEnd::pinned;
  rope.pose.position = {0, 1, 0};
  const auto add = [&](const glm::dvec3& x) {
    PointDesc point;
    point.position = x;
    rope.points->list.push_back(point);
  };
  add({0, 0.9, 0.2});
  for (double t = 2.25; t > -2.3; t -= 0.075) {
    const double t2 = t * t;
    add(0.05 * glm::dvec3(-0.12 * t * (t2 * t2 - 10.0), t * (t2 - 3.0), t2 * (t2 - 4.0)));
  }
  add({0, -0.6, 0.2});
  SceneDesc scene = scene_of({rope}, substeps);
  scene.solver.motion->damping = 0.5;
  Rig rig(scene);
  rig.run(200);
  double length = 0.0;
  for (const RodSegment& s : rig.world.topology->rods.segments)
    length += glm::distance(glm::dvec3(rig.world.particles.position[std::size_t(s.points[0])]),
                            glm::dvec3(rig.world.particles.position[std::size_t(s.points[1])]));
  const double held = length - glm::distance(glm::dvec3(rig.x(0)), glm::dvec3(rig.x(150)));
  EXPECT_GT(held, 8 * 0.006) << substeps;
  EXPECT_LT(held, 40 * 0.006) << substeps << (only_pulls ? ", rope" : ", rod");
  EXPECT_GT(glm::length(way_between(rig.world, 0, 0, 4)), (only_pulls ? 0.5 : 0.7) * 2 * 0.006) << substeps;
}

TEST(RodContacts, AKnotHolds) {
  for (const int substeps : {8, 20}) expect_knot(substeps, false);
}

TEST(RopeContacts, AKnotHolds) { expect_knot(12, true); }

/// A rope hangs over a bar, and over a rope that is stretched between pins.
TEST(RopeContacts, ARodAndARopeCarryIt) {
  for (const bool on_rope : {false, true}) {
    ObjectDesc low = bar("low", {0, 0.5, 0}, false, 1e9), high = bar("high", {0, 0, 0}, false, 1e7);
    low.rod->first_end = low.rod->last_end = on_rope ? RodEnd::pinned : RodEnd::clamped;
    low.rod->only_pulls = on_rope, high.rod->only_pulls = true;
    high.rod->form = RodForm::path;
    high.pose = {};
    high.rod->segments = 40;
    high.material->friction = low.material->friction = 0.6;
    for (const glm::dvec3& x : {glm::dvec3(0.01, 0.2, -0.03), glm::dvec3(0.01, 0.53, -0.03),
                                glm::dvec3(0.01, 0.53, 0.03), glm::dvec3(0.01, 0.2, 0.03)}) {
      PointDesc point;
      point.position = x;
      high.points->list.push_back(point);
    }
    SceneDesc scene = scene_of({low, high}, 10);
    scene.solver.motion->damping = 0.8;
    Rig rig(scene);
    rig.run(180);
    EXPECT_NEAR(glm::length(way_between(rig.world, 0, 1)), 0.02, 0.0006) << on_rope;
    EXPECT_LT(glm::length(mean_velocity(rig.world, 1)), 0.01) << on_rope;
    EXPECT_GT(mean_height(rig.world, 1), 0.25) << on_rope;
  }
}

/// Two rails a rod's thickness too narrow for a grain, and for a small box: neither has a point of a rail
/// under it.
TEST(RodContacts, RailsCarryGrainsAndBoxes) {
  ObjectDesc left = bar("left", {0, 0.5, -0.02}, false, 1e9),
             right = bar("right", {0, 0.5, 0.02}, false, 1e9);
  for (ObjectDesc* rail : {&left, &right}) {
    rail->rod->first_end = rail->rod->last_end = RodEnd::clamped;
    rail->rod->segments = 5;
    rail->material->friction = 0.5;
  }
  ObjectDesc grains;
  grains.name = "grains";
  grains.type = ObjectType::grains;
  grains.copies = {1, 1, 1};
  grains.pose.position = {-0.2, 0.56, 0.001};
  SceneDesc scene = scene_of({left, right, grains}, 10);
  scene.solver.contact->particle_radius = 0.02;
  scene.solver.motion->damping = 0.5;
  BodyDesc box;
  box.name = "box";
  box.shape = BodyShape::box;
  box.half_extents = {0.025, 0.02, 0.05};
  box.density = 300.0;
  box.pose.position = {0.22, 0.56, 0.0};
  scene.bodies = {box};
  Rig rig(scene);
  rig.run(180);
  const double grain = double(rig.x(Index(rig.world.topology->objects[2].first)).y);
  EXPECT_NEAR(grain, 0.5 + std::sqrt(0.03 * 0.03 - 0.02 * 0.02), 0.004);
  EXPECT_NEAR(double(rig.world.bodies.position[0].y), 0.53, 0.003);
}

/// A sheet over two bars far wider than its cells hangs between them.
TEST(RodContacts, CarryCloth) {
  ObjectDesc left = bar("left", {0, 0.5, -0.2}, false, 1e9), right = bar("right", {0, 0.5, 0.2}, false, 1e9);
  for (ObjectDesc* rail : {&left, &right}) rail->rod->first_end = rail->rod->last_end = RodEnd::clamped;
  ObjectDesc sheet;
  sheet.name = "sheet";
  sheet.type = ObjectType::cloth;
  sheet.cloth->columns = sheet.cloth->rows = 12;
  sheet.cloth->width = sheet.cloth->height = 0.7;
  sheet.cloth->upright = false;
  sheet.pose.position = {0, 0.53, 0};
  sheet.material->friction = left.material->friction = right.material->friction = 0.6;
  SceneDesc scene = scene_of({left, right, sheet}, 10);
  scene.solver.motion->damping = 0.8;
  Rig rig(scene);
  rig.run(240);
  const ParticleRange& range = rig.world.topology->objects[2];
  double high = -1.0;
  for (std::int32_t i = range.first; i < range.end(); ++i)
    high = std::max(high, double(rig.world.particles.position[std::size_t(i)].y));
  EXPECT_GT(high, 0.5) << "it lies on them";
  EXPECT_LT(glm::length(mean_velocity(rig.world, 2)), 0.01);
}

/// Twenty soft rods in a heap.
SceneDesc heap() {
  std::vector<ObjectDesc> rods;
  for (std::uint64_t k = 0; k < 20; ++k) {
    ObjectDesc rod = bar(
        "rod", {0.1 * random_signed(3, 3 * k), 0.04 + 0.03 * double(k), 0.1 * random_signed(3, 3 * k + 1)},
        k % 2 == 1, 1e6);
    rod.name += std::to_string(k);
    rod.pose.rotation_degrees.y += 40.0 * random_signed(3, 3 * k + 2);
    rods.push_back(rod);
  }
  SceneDesc scene = scene_of(std::move(rods), 8, 2);
  scene.solver.motion->damping = 0.3;
  ColliderDesc floor;
  floor.shape = ColliderShape::plane;
  scene.colliders = {floor};
  return scene;
}

TEST(RodContacts, AHeapComesToRest) {
  Rig rig(heap());
  rig.run(300);
  EXPECT_LT(measure(rig.world).mean_speed, 0.003);
}

TEST(RodContacts, GiveTheSameBitsOnAnyNumberOfThreads) {
  std::uint64_t hash = 0;
  for (const int threads : test::thread_counts()) {
    Rig rig(heap(), threads);
    rig.run(40);
    const std::uint64_t now = world_hash(rig.world);
    if (threads > 1) {
      EXPECT_EQ(now, hash) << threads;
    }
    hash = now;
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::rod_contact_test
