// Coulomb's law for all pairs of kinds on a slope, under both friction models.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>
#include <initializer_list>
#include <string>
#include <vector>

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
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/verification/contact_kinds.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace contact_law_test { namespace {

using namespace contact_kinds;

constexpr double g = 9.81;

/// A thing that lies on another one at y = 0; the slope is a gravity that leans.
struct Pair {
  const char* name;
  void (*below)(SceneDesc&);
  void (*above)(SceneDesc&);
  /// Share of g (sin(theta) - mu cos(theta)) by which it may slide otherwise than a body on a plane.
  double slack;
  double creep = 0.002;  ///< m/s, on a slope of nine tenths of the angle of friction
  double crept = 1e-5;   ///< m, there in ten seconds, once it has come to rest
};
// Exceptions of all laws: a box slides on a sheet a sixth slower than on a plane, over the edges of
// triangles; a rigid cluster creeps on bodies and sheets by millimetres in ten seconds.

double middle(const World& world) {
  if (world.bodies.count() > 0 && world.bodies.position.back().w > real(0))
    return double(world.bodies.position.back().x);
  double sum = 0.0;
  std::int64_t count = 0;
  for (std::int32_t i = 0; i < world.particles.count; ++i)
    if (world.particles.position[std::size_t(i)].w > real(0))
      sum += double(world.particles.position[std::size_t(i)].x), ++count;
  return sum / double(count);
}

double middle_height(const World& world) {
  if (world.bodies.count() > 0 && world.bodies.position.back().w > real(0))
    return double(world.bodies.position.back().y);
  double sum = 0.0;
  std::int64_t count = 0;
  for (std::int32_t i = 0; i < world.particles.count; ++i)
    if (world.particles.position[std::size_t(i)].w > real(0))
      sum += double(world.particles.position[std::size_t(i)].y), ++count;
  return sum / double(count);
}

struct Case {
  Pair pair;
  FrictionModel model;
};

class ContactLaw : public testing::TestWithParam<Case> {
 protected:
  static constexpr int substeps = 10;
  static constexpr double seconds = 1.0;

  SceneDesc scene() const {
    SceneDesc scene;
    scene.solver.step->substeps = substeps;
    scene.solver.motion->damping = 0.0;
    scene.solver.contact->friction_model = GetParam().model;
    scene.solver.contact->particle_radius = 0.03;
    GetParam().pair.below(scene);
    GetParam().pair.above(scene);
    scene.solver.contact->cloth_collision = scene.objects.size() > 1;
    return scene;
  }

  /// On a slope of `share` times the friction's angle, once it lies on the level.
  void lean(Rig& rig, double share) const {
    rig.run(20);
    const double angle = std::atan(share * mu);
    rig.world.settings.solver.motion->gravity = {g * std::sin(angle), -g * std::cos(angle), 0.0};
  }

  /// Distance that the object slides in `seconds`.
  double slide(double share) const {
    Rig rig(scene());
    lean(rig, share);
    const double begin = middle(rig.world);
    rig.run(int(seconds * 60.0));
    return middle(rig.world) - begin;
  }
};

TEST_P(ContactLaw, SlipsOnlyAboveTheAngleOfFriction) {
  const double angle = std::atan(0.9 * mu), h = 1.0 / 60.0 / substeps;
  const bool filter = GetParam().model == FrictionModel::velocity_filter;
  const double creep = filter ? 1.1 * g * std::sin(angle) * h * seconds : 0.0;
  EXPECT_LT(std::abs(slide(0.9)), creep + GetParam().pair.creep);
}

TEST_P(ContactLaw, SlidesByWhatFrictionLeaves) {
  const double angle = std::atan(1.4 * mu), down = g * (std::sin(angle) - mu * std::cos(angle));
  EXPECT_NEAR(slide(1.4) / (0.5 * down * seconds * seconds), 1.0, GetParam().pair.slack);
}

/// Every pair under each of the `models`.
std::vector<Case> cases(std::initializer_list<FrictionModel> models) {
  std::vector<Case> all;
  for (const Pair& pair :
       {Pair{"BoxOnPlane", plane, box, 0.03}, Pair{"BoxOnTable", table, box, 0.03},
        Pair{"BoxOnSheet", sheet, box, 0.2}, Pair{"ClothOnPlane", plane, patch, 0.03},
        Pair{"ClothOnTable", table, patch, 0.05}, Pair{"ClothOnSheet", sheet, patch, 0.1},
        Pair{"BrickOnPlane", plane, brick, 0.05}, Pair{"BrickOnTable", table, brick, 0.05, 0.002, 0.0015},
        Pair{"BrickOnSheet", sheet, brick, 0.1, 0.002, 0.006}})
    for (const FrictionModel model : models) all.push_back({pair, model});
  return all;
}

INSTANTIATE_TEST_SUITE_P(
    Pairs, ContactLaw, testing::ValuesIn(cases({FrictionModel::positional, FrictionModel::velocity_filter})),
    [](const auto& info) {
      return std::string(info.param.pair.name) +
             (info.param.model == FrictionModel::positional ? "Positional" : "Filter");
    });

/// Creep of an object at rest on a slope of nine tenths of the friction angle.
class Creep : public ContactLaw {};

TEST_P(Creep, IsLessThanAHundredthOfAMillimetreInTenSeconds) {
  SceneDesc small = scene();
  for (ObjectDesc& object : small.objects)
    if (object.name == "below") {
      object.cloth->width = object.cloth->height = 1.0, object.cloth->columns = object.cloth->rows = 11;
      object.pose.position.x = -1.0;
    }
  Rig rig(small);
  lean(rig, 0.9);
  rig.run(60);
  const double begin = middle(rig.world);
  rig.run(600);
  const double crept = middle(rig.world) - begin;
  std::printf("          crept %.3f mm\n", 1e3 * crept);
  EXPECT_LT(std::abs(crept), GetParam().pair.crept);
}

INSTANTIATE_TEST_SUITE_P(Pairs, Creep, testing::ValuesIn(cases({FrictionModel::positional})),
                         [](const auto& info) { return std::string(info.param.pair.name); });

struct FreePair {
  Kind above, below;
};

class FreePairs : public testing::TestWithParam<FreePair> {
 protected:
  /// The two meet at 1.2 times `speed`.
  static SceneDesc scene(int substeps, double speed = 1.0, double restitution = 0.0) {
    SceneDesc scene;
    scene.solver.step->substeps = substeps;
    scene.solver.motion->damping = 0.0;
    scene.solver.motion->gravity = glm::dvec3(0.0);
    scene.solver.contact->particle_radius = 0.03;
    scene.solver.contact->cloth_collision = true;
    GetParam().above.add(scene, "above", 0.3, -speed);
    GetParam().below.add(scene, "below", 0.0, 0.2 * speed);
    for (BodyDesc& body : scene.bodies) body.restitution = restitution;
    for (ObjectDesc& object : scene.objects) object.material->restitution = restitution;
    return scene;
  }
};

/// In float, positions near 0.5 m are 6e-8 m apart. Over h this is 4e-5 m/s in each of ten substeps, for
/// objects as slow as 0.2 m/s.
TEST_P(FreePairs, KeepMomentum) {
  constexpr bool precise = sizeof(real) == sizeof(double);
  Rig rig(scene(10));
  glm::dvec3 last = measure(rig.world).momentum;
  const double most = precise ? 1e-10 : 2e-3 * glm::length(last);
  for (int frame = 0; frame < 40; ++frame) {
    rig.step();
    const glm::dvec3 now = measure(rig.world).momentum;
    EXPECT_LT(glm::length(now - last), most) << frame;
    last = now;
  }
}

/// The arms of rows stay as they were found. A grain on cloth and the particles of clusters are pushed at
/// their centres, which friction at the surface is not: that does not go away with h.
TEST_P(FreePairs, KeepAngularMomentum) {
  Rig rig(scene(10));
  const Measures before = measure(rig.world);
  rig.run(40);
  const auto either = [](const Kind& kind) {
    return GetParam().above.add == kind.add || GetParam().below.add == kind.add;
  };
  const bool cloth = either(free_kinds[2]), cluster = either(free_kinds[3]), grain = either(free_kinds[4]);
  const double size = 0.4, share = cluster || (grain && cloth) ? 0.03 : 1e-3;
  const double lost = glm::length(measure(rig.world).angular_momentum - before.angular_momentum);
  EXPECT_LT(lost, share * size * glm::length(before.momentum));
}

/// Largest change of angular momentum, of momentum times size. Bodies take an impact at one point.
double kept_share(const FreePair& pair) {
  constexpr bool precise = sizeof(real) == sizeof(double);
  const std::string name = std::string(pair.above.name) + pair.below.name;
  for (const auto& [met, share] : {std::pair{"ClothBox", 0.02},
                                   {"ClothBall", 0.005},
                                   {"ClusterBox", 0.008},
                                   {"ClusterBall", 0.0015},
                                   {"ClusterCloth", 0.004},
                                   {"ClusterCluster", 1.5e-4},
                                   {"GrainBox", 0.0015},
                                   {"GrainBall", 0.02},
                                   {"GrainCloth", 0.05},
                                   {"GrainCluster", 0.02}})
    if (name == met) return share;
  return precise ? 2e-8 : 8e-7;
}

/// At 1, 3 and 10 m/s, without and with a bounce.
TEST_P(FreePairs, KeepAngularMomentumAtAnySpeed) {
  for (const double speed : {1.0, 3.0, 10.0})
    for (const double restitution : {0.0, 1.0}) {
      Rig rig(scene(10, speed, restitution));
      const Measures before = measure(rig.world);
      rig.run(int(0.7 / speed * 60.0));
      const double lost = glm::length(measure(rig.world).angular_momentum - before.angular_momentum);
      EXPECT_LT(lost, kept_share(GetParam()) * 0.4 * glm::length(before.momentum))
          << speed << " " << restitution;
    }
}

TEST_P(FreePairs, AreTheSameOnAnyNumberOfThreads) {
  std::uint64_t alone = 0;
  for (const int threads : test::thread_counts()) {
    Rig rig(scene(10), threads);
    rig.run(20);
    const std::uint64_t hash = world_hash(rig.world);
    if (threads == 1) alone = hash;
    EXPECT_EQ(hash, alone) << threads;
  }
}

std::vector<FreePair> free_pairs() {
  std::vector<FreePair> all;
  for (const Kind& above : free_kinds)
    for (const Kind& below : free_kinds)
      if (&below <= &above) all.push_back({above, below});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Pairs, FreePairs, testing::ValuesIn(free_pairs()), [](const auto& info) {
  return std::string(info.param.above.name) + "Meets" + info.param.below.name;
});

/// A thing a hundred times as heavy as the one below it, which lies on a plane.
class Loads : public testing::TestWithParam<FreePair> {
 protected:
  static void lay(SceneDesc& scene, const Kind& kind, const char* name, double y) {
    kind.add(scene, name, y, 0.0);
    for (BodyDesc& body : scene.bodies)
      body.velocity = glm::dvec3(0.0), body.pose.position.x = body.pose.position.z = 0.0;
    for (ObjectDesc& object : scene.objects) {
      object.velocity = glm::dvec3(0.0), object.pose.position.x = object.pose.position.z = 0.0;
      if (object.type != ObjectType::grains) continue;
      object.copies = {5.0, 1.0, 5.0}, object.spacing = glm::dvec3(0.065);
      object.pose.position.y = 0.03;
    }
  }
  static double mass(const World& world) {
    double sum = 0.0;
    for (const AlignedVector<vec4>* rows : {&world.particles.position, &world.bodies.position})
      for (const vec4& row : *rows)
        if (row.w > real(0)) sum += 1.0 / double(row.w);
    return sum;
  }
  static SceneDesc empty() {
    SceneDesc scene;
    scene.solver.step->substeps = 10;
    scene.solver.contact->particle_radius = 0.03;
    scene.solver.contact->cloth_collision = true;
    return scene;
  }

  /// The upper one `ratio` times as heavy as the lower one.
  static SceneDesc scene(double ratio) {
    const Kind &above = GetParam().above, &below = GetParam().below;
    SceneDesc both = empty(), upper = empty(), lower = empty();
    lay(lower, below, "below", 0.0);
    lay(upper, above, "above", 0.0);
    const double factor = ratio * mass(Rig(lower).world) / mass(Rig(upper).world);
    plane(both);
    const bool flat = below.add == free_patch || below.add == free_grain;
    lay(both, below, "below", below.add == free_brick ? 0.12 : flat ? 0.012 : 0.051);
    lay(both, above, "above", (flat ? 0.08 : 0.2) + (above.add == free_brick ? 0.12 : 0.06));
    for (BodyDesc& body : both.bodies)
      if (body.name == "above") body.density *= factor;
    for (ObjectDesc& object : both.objects)
      if (object.name == "above")
        (object.type == ObjectType::cloth ? object.material->density : object.density) *= factor;
    return both;
  }

  /// m, where the upper one lies when it has come to rest.
  static double height(double ratio) {
    Rig rig(scene(ratio));
    rig.run(180);
    const World& world = rig.world;
    if (GetParam().above.add == free_box) return double(world.bodies.position.back().y);
    const ParticleRange range = world.topology->objects.back();
    double sum = 0.0;
    for (std::int32_t i = range.first; i < range.end(); ++i)
      sum += double(world.particles.position[std::size_t(i)].y);
    return sum / double(range.count);
  }
};

TEST_P(Loads, DoNotSink) {
  const double sunk = height(1.0) - height(100.0);
  std::printf("          sinks by %.3f mm\n", 1e3 * sunk);
  EXPECT_LT(sunk, 0.002);
}

TEST_P(Loads, AreTheSameOnAnyNumberOfThreads) {
  std::uint64_t alone = 0;
  for (const int threads : test::thread_counts()) {
    Rig rig(scene(100.0), threads);
    rig.run(30);
    const std::uint64_t hash = world_hash(rig.world);
    if (threads == 1) alone = hash;
    EXPECT_EQ(hash, alone) << threads;
  }
}

// Left out: a rigid cluster below anything, and a grain below cloth or a cluster, because they are crushed. A
// box sinks 9 mm into a box of a tenth of a metre, a cluster 4, and 20 into cloth.
std::vector<FreePair> loads() {
  const Kind &box = free_kinds[0], &cloth = free_kinds[2], &grain = free_kinds[4];
  return {{box, cloth}, {box, grain}, {cloth, box}, {cloth, cloth}};
}

INSTANTIATE_TEST_SUITE_P(Pairs, Loads, testing::ValuesIn(loads()), [](const auto& info) {
  return std::string(info.param.above.name) + "On" + info.param.below.name;
});

/// A kind that falls, and a fixed kind below it.
struct Fall {
  Kind above;
  const char* name;
  void (*below)(SceneDesc&);
};

class Falls : public testing::TestWithParam<Fall> {
 protected:
  static double lowest(const World& world) {
    double low = 1e9;
    for (std::int32_t i = 0; i < world.particles.count; ++i)
      if (world.particles.position[std::size_t(i)].w > real(0))
        low = std::min(low, double(world.particles.position[std::size_t(i)].y));
    for (std::size_t b = 0; b < std::size_t(world.bodies.count()); ++b)
      if (world.bodies.position[b].w > real(0)) low = std::min(low, double(world.bodies.position[b].y));
    return low;
  }
  static SceneDesc scene(double y, double speed, double restitution) {
    SceneDesc scene;
    scene.solver.step->substeps = 10;
    scene.solver.motion->damping = 0.0;
    scene.solver.motion->max_speed = 1000.0;
    scene.solver.contact->particle_radius = 0.03;
    GetParam().below(scene);
    for (auto& collider : scene.colliders) collider.restitution = restitution;
    GetParam().above.add(scene, "above", y, speed);
    for (auto& body : scene.bodies) body.restitution = restitution;
    for (auto& object : scene.objects) object.material->restitution = restitution;
    scene.solver.contact->cloth_collision = scene.objects.size() > 1;
    return scene;
  }
};

TEST_P(Falls, NothingTunnels) {
  const double radius = 0.05, h = 1.0 / 600.0;
  Rig rig(scene(1.0, -10.0 * radius / h, 0.0));
  rig.run(30);
  EXPECT_GT(lowest(rig.world), 0.0);
}

/// Compares speeds just before and after the impact, because bending and rotation change heights.
TEST_P(Falls, BounceToTheSquareOfRestitution) {
  const double e = 0.6;
  SceneDesc desc = scene(0.4, 0.0, e);
  desc.solver.step->substeps = 1, desc.solver.step->dt = 1.0 / 600.0;
  Rig rig(desc);
  double fastest_down = 0.0, fastest_up = 0.0, before = middle_height(rig.world);
  for (int frame = 0; frame < 240; ++frame) {
    rig.step();
    const double now = middle_height(rig.world), speed = (now - before) / desc.solver.step->dt;
    fastest_down = std::min(fastest_down, speed), fastest_up = std::max(fastest_up, speed);
    before = now;
  }
  const double back = fastest_up * fastest_up / (fastest_down * fastest_down);
  std::printf("          gives back %.3f of e^2 = %.3f\n", back, e * e);
  EXPECT_LT(back, e * e + 0.03);
  EXPECT_GT(back, e * e - 0.05);
}

std::vector<Fall> falls() {
  std::vector<Fall> all;
  for (const Kind& above : free_kinds) {
    all.push_back({above, "Plane", plane});
    all.push_back({above, "Table", table});
    all.push_back({above, "Sheet", sheet});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Pairs, Falls, testing::ValuesIn(falls()), [](const auto& info) {
  return std::string(info.param.above.name) + "On" + info.param.name;
});

}}}}  // namespace limber::LIMBER_PRECISION::contact_law_test
