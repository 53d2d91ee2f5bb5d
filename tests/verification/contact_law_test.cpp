// One law for whatever touches: every pair of kinds on a slope, under both friction models.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>
#include <string>
#include <vector>

#include "engine/verify/measure.hpp"
#include "tests/verification/rig.hpp"

namespace limber::inline LIMBER_PRECISION::contact_law_test {
namespace {

constexpr double g = 9.81, mu = 0.5;

/// A thing that lies on another one at y = 0; the slope is a gravity that leans.
struct Pair {
  const char* name;
  void (*below)(SceneDesc&);
  void (*above)(SceneDesc&);
  /// Share of g (sin(theta) - mu cos(theta)) by which it may slide otherwise than a body on a plane.
  double slack;
  double creep = 0.002;  ///< m/s, on a slope of nine tenths of the angle of friction
};
// Exceptions: a box slides on a sheet a sixth slower than on a plane, over the edges of triangles; a rigid
// cluster on a body creeps by 6 mm/s near the angle of friction, as each of its particles is pushed by
// itself.

void plane(SceneDesc& scene) {
  ColliderDesc ground;
  ground.name = "below";
  ground.shape = ColliderShape::plane;
  ground.friction = mu;
  scene.colliders.push_back(ground);
}

/// A body that nothing moves.
void table(SceneDesc& scene) {
  BodyDesc body;
  body.name = "below";
  body.shape = BodyShape::box;
  body.half_extents = {4.0, 0.25, 1.0};
  body.pose.position = {0.0, -0.25, 0.0};
  body.friction = mu;
  body.fixed = true;
  scene.bodies.push_back(body);
}

ObjectDesc cloth(const char* name, double width, double height, int columns, int rows, double y) {
  ObjectDesc sheet;
  sheet.name = name;
  sheet.type = ObjectType::cloth;
  sheet.width = width, sheet.height = height, sheet.columns = columns, sheet.rows = rows;
  sheet.upright = false;
  sheet.pose.position = {0.0, y, 0.0};
  sheet.material.friction = mu;
  sheet.material.density = 1.0;
  sheet.material.thickness = 0.01;
  return sheet;
}

/// Cloth of which every vertex is held.
void sheet(SceneDesc& scene) {
  ObjectDesc below = cloth("below", 8.0, 2.0, 81, 21, 0.0);
  below.pins = {std::string("all")};
  scene.objects.push_back(below);
}

void box(SceneDesc& scene) {
  BodyDesc body;
  body.name = "above";
  body.shape = BodyShape::box;
  body.half_extents = {0.2, 0.05, 0.2};
  body.pose.position = {-1.0, 0.06, 0.0};
  body.density = 100.0;
  body.friction = mu;
  scene.bodies.push_back(body);
}

void patch(SceneDesc& scene) {
  ObjectDesc above = cloth("above", 0.4, 0.4, 9, 9, 0.012);
  above.pose.position.x = -1.0;
  scene.objects.push_back(above);
}

/// A brick of particles that keeps its shape.
void brick(SceneDesc& scene) {
  ObjectDesc above;
  above.name = "above";
  above.type = ObjectType::solid;
  above.mesh = LIMBER_SOURCE_DIR "/assets/brick.obj";
  above.size = 0.4;
  above.density = 500.0;
  above.pose.position = {-1.0, 0.12, 0.0};
  above.material.friction = mu;
  scene.objects.push_back(above);
}

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
    scene.solver.substeps = substeps;
    scene.solver.damping = 0.0;
    scene.solver.friction_model = GetParam().model;
    scene.solver.particle_radius = 0.03;
    GetParam().pair.below(scene);
    GetParam().pair.above(scene);
    scene.solver.cloth_collision = scene.objects.size() > 1;
    return scene;
  }

  /// How far it slides in `seconds` on a slope of `share` times the friction's angle.
  double slide(double share) const {
    Rig rig(scene());
    rig.run(20);  // it comes to rest on the level
    const double angle = std::atan(share * mu), begin = middle(rig.world);
    rig.world.settings.gravity = {g * std::sin(angle), -g * std::cos(angle), 0.0};
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

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Pair& pair :
       {Pair{"BoxOnPlane", plane, box, 0.03}, Pair{"BoxOnTable", table, box, 0.03},
        Pair{"BoxOnSheet", sheet, box, 0.2}, Pair{"ClothOnPlane", plane, patch, 0.03},
        Pair{"ClothOnTable", table, patch, 0.05}, Pair{"ClothOnSheet", sheet, patch, 0.1},
        Pair{"BrickOnPlane", plane, brick, 0.05}, Pair{"BrickOnTable", table, brick, 0.05, 0.008},
        Pair{"BrickOnSheet", sheet, brick, 0.1}})
    for (const FrictionModel model : {FrictionModel::positional, FrictionModel::velocity_filter})
      all.push_back({pair, model});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Pairs, ContactLaw, testing::ValuesIn(cases()), [](const auto& info) {
  return std::string(info.param.pair.name) +
         (info.param.model == FrictionModel::positional ? "Positional" : "Filter");
});

}  // namespace
}  // namespace limber::inline LIMBER_PRECISION::contact_law_test
