// Fields of materials: a factor everywhere is the material of that factor.
#include <gtest/gtest.h>

#include <cstdio>
#include <utility>
#include <vector>

#include "engine/core/material_field.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/geometry/field/material_share.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/solid.hpp"
#include "engine/scene/objects/tets.hpp"
#include "engine/state/material_fields.hpp"
#include "engine/state/world_hash.hpp"
#include "tests/source_folder.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace material_fields_test { namespace {

FieldSource everywhere(MaterialField quantity, double value) {
  FieldSource source;
  source.name = "all";
  source.quantity = quantity;
  source.value = value;
  return source;
}

SceneDesc scene_of(ObjectType type) {
  SceneDesc scene;
  scene.solver.step->substeps = 8, scene.solver.step->automatic = false;
  ObjectDesc object;
  object.name = "it";
  object.type = type;
  object.pose.position.y = 1.0;
  object.cloth->columns = object.cloth->rows = 9;
  object.tets->shape = TetShape::bar;
  object.tets->cells = glm::dvec3(6, 2, 2), object.tets->dimensions = glm::dvec3(0.6, 0.2, 0.2);
  object.material->stretch_compliance = 1e-3, object.material->bend_compliance = 1e3;
  object.material->damping_time = 0.01;
  if (type == ObjectType::cloth) object.pins = {std::string("top_left"), std::string("top_right")};
  if (type == ObjectType::tets) object.pins = {std::string("left")};
  if (type == ObjectType::rod || type == ObjectType::chain) object.pins = {long{0}};
  scene.objects = {object};
  return scene;
}

World after(const SceneDesc& scene, int frames) {
  Rig rig(scene);
  rig.run(frames);
  return rig.world;
}

double lowest(const World& world) {
  double low = 1e9;
  for (std::int32_t i = 0; i < world.particles.count; ++i)
    low = std::min(low, place_of(world.particles, std::size_t(i)).y);
  return low;
}

/// Half the stiffness everywhere is a material of half the stiffness, to the last bit, in every type of
/// object and under stiffnesses per iteration.
TEST(MaterialFields, HalfTheFactorIsHalfTheStiffness) {
  for (const ObjectType type : {ObjectType::cloth, ObjectType::chain, ObjectType::tets, ObjectType::rod})
    for (const SolverMethod method : {SolverMethod::xpbd, SolverMethod::pbd, SolverMethod::newton}) {
      if (type == ObjectType::rod && method != SolverMethod::xpbd) continue;
      SceneDesc field = scene_of(type), material = field, plain = field;
      for (SceneDesc* scene : {&field, &material, &plain}) scene->solver.method->kind = method;
      field.objects[0].fields = {everywhere(MaterialField::stiffness, 0.5)};
      Material& half = *material.objects[0].material;
      half.youngs_modulus *= 0.5;
      for (double* k : {&half.stretch_stiffness, &half.bend_stiffness, &half.solid_stiffness}) *k *= 0.5;
      for (double* a : {&half.stretch_compliance, &half.bend_compliance}) *a *= 2.0;
      const World soft = after(field, 12), same = after(material, 12), stiff = after(plain, 12);
      const auto at = [](const World& world, std::int32_t i) {
        return place_of(world.particles, std::size_t(i));
      };
      double differs = 0.0;
      for (std::int32_t i = 0; i < soft.particles.count; ++i) {
        ASSERT_EQ(at(soft, i), at(same, i)) << int(type) << " " << int(method) << " particle " << i;
        differs = std::max(differs, glm::distance(at(soft, i), at(stiff, i)));
      }
      EXPECT_GT(differs, 1e-6) << int(type) << " " << int(method);
    }
}

TEST(MaterialFields, FactorsOfDampingDensityAndThicknessAreThoseOfTheMaterial) {
  SceneDesc field = scene_of(ObjectType::cloth);
  field.objects[0].pins.clear();
  field.objects[0].pose.position.y = 0.05;
  field.objects[0].cloth->upright = false;
  ColliderDesc ground;
  ground.name = "ground", ground.shape = ColliderShape::plane;
  field.colliders = {ground};
  SceneDesc material = field;
  field.objects[0].fields = {everywhere(MaterialField::damping, 2.0), everywhere(MaterialField::density, 4.0),
                             everywhere(MaterialField::thickness, 2.0)};
  Material& other = *material.objects[0].material;
  other.damping_time *= 2.0, other.density *= 4.0, other.thickness *= 2.0;
  const World a = after(field, 40), b = after(material, 40);
  for (std::int32_t i = 0; i < a.particles.count; ++i)
    ASSERT_EQ(place_of(a.particles, std::size_t(i)), place_of(b.particles, std::size_t(i))) << i;
  EXPECT_GT(lowest(a), 1.9 * field.objects[0].material->thickness);
}

SceneDesc bar_of_clusters() {
  SceneDesc scene = scene_of(ObjectType::solid);
  scene.solver.contact->particle_radius = 0.02;
  scene.objects[0].mesh = test::source("assets/bar.obj");
  scene.objects[0].solid->cluster_size = 0.16, scene.objects[0].solid->youngs_modulus = 1e5;
  scene.objects[0].solid->damping_time = 0.01;
  scene.objects[0].pins = {std::string("left")};
  return scene;
}

TEST(MaterialFields, ClustersHaveTheirFactors) {
  SceneDesc field = bar_of_clusters(), material = field;
  field.objects[0].fields = {everywhere(MaterialField::stiffness, 0.5),
                             everywhere(MaterialField::damping, 2.0)};
  material.objects[0].solid->youngs_modulus *= 0.5, material.objects[0].solid->damping_time *= 2.0;
  const World a = after(field, 20), b = after(material, 20), plain = after(bar_of_clusters(), 20);
  double differs = 0.0;
  for (std::size_t i = 0; i < std::size_t(a.particles.count); ++i) {
    ASSERT_EQ(place_of(a.particles, i), place_of(b.particles, i)) << i;
    differs = std::max(differs, glm::distance(place_of(a.particles, i), place_of(plain.particles, i)));
  }
  EXPECT_GT(differs, 1e-5);
}

TEST(MaterialFields, ASolidAndGrainsHaveTheirDensities) {
  SceneDesc grains = scene_of(ObjectType::grains);
  grains.solver.contact->particle_radius = 0.02;
  for (const SceneDesc& scene : {bar_of_clusters(), grains}) {
    SceneDesc field = scene, material = scene;
    field.objects[0].fields = {everywhere(MaterialField::density, 4.0)};
    material.objects[0].density *= 4.0;
    const World a = after(field, 20), b = after(material, 20);
    double moved = 0.0;
    for (std::size_t i = 0; i < std::size_t(a.particles.count); ++i) {
      ASSERT_NEAR(double(a.particles.inverse_mass[i]), double(b.particles.inverse_mass[i]),
                  1e-6 * double(b.particles.inverse_mass[i]));
      ASSERT_NEAR(glm::distance(place_of(a.particles, i), place_of(b.particles, i)), 0.0, 1e-4) << i;
      moved = std::max(moved, double(glm::length(vec3(a.particles.velocity[i]))));
    }
    EXPECT_GT(moved, 1e-3);
  }
}

TEST(MaterialFields, ABarThatIsSoftAtItsClampHangsLowerThanOneWithASoftTip) {
  const auto hangs = [](double soft_at) {
    SceneDesc scene = scene_of(ObjectType::tets);
    scene.objects[0].material->youngs_modulus = 1e6;
    FieldSource soft;
    soft.type = FieldSourceType::gradient;
    soft.value = 0.1;
    soft.from = glm::dvec3(-soft_at, 0, 0), soft.to = glm::dvec3(soft_at, 0, 0);
    scene.objects[0].fields = {soft};
    scene.solver.motion->damping = 0.95;
    scene.solver.step->substeps = 20;
    return lowest(after(scene, 60));
  };
  const double at_clamp = hangs(-0.3), at_tip = hangs(0.3);
  std::printf("  soft at the clamp %.4f m, at the tip %.4f m\n", at_clamp, at_tip);
  EXPECT_LT(at_clamp, at_tip - 0.05);
}

TEST(MaterialFields, SharesOfEachTypeOfSource) {
  FieldSource s;
  const auto share = [&](double x, double y = 0.0) {
    return share_at(s, glm::dvec3(x, y, 0), {0.2, 0.7, 2});
  };
  EXPECT_EQ(share(5.0), 1.0);
  s.type = FieldSourceType::box, s.half_extents = glm::dvec3(0.1, 0.2, 0.1), s.edge = 0.1;
  EXPECT_EQ(share(0.1, 0.2), 1.0);
  EXPECT_NEAR(share(0.15), 0.5, 1e-12);
  EXPECT_EQ(share(0.3), 0.0);
  s.type = FieldSourceType::sphere, s.radius = 0.1, s.edge = 0.0;
  EXPECT_EQ(share(0.09), 1.0);
  EXPECT_EQ(share(0.11), 0.0);
  s.type = FieldSourceType::gradient;
  EXPECT_EQ(share(3.0, -1.0), 0.0);
  EXPECT_NEAR(share(3.0, 0.25), 0.25, 1e-12);
  EXPECT_EQ(share(3.0, 2.0), 1.0);
  s.type = FieldSourceType::colors;
  for (const auto& [channel, value] :
       {std::pair(ColorChannel::red, 0.2), {ColorChannel::green, 0.7}, {ColorChannel::blue, 1.0}}) {
    s.channel = channel;
    EXPECT_EQ(share(0.0), value);
  }
  s.type = FieldSourceType::noise;
  double low = 1.0, high = 0.0;
  for (int k = 0; k < 1000; ++k) {
    const double now = share(0.013 * k, -3.0);
    low = std::min(low, now), high = std::max(high, now);
    EXPECT_NEAR(now, share(0.013 * k + 1e-7, -3.0), 1e-5);  // continuous
  }
  EXPECT_GT(low, 0.0);
  EXPECT_LT(low, 0.2);
  EXPECT_GT(high, 0.8);
  EXPECT_LT(high, 1.0);
  s.value = 0.25, s.elsewhere = 2.0, s.type = FieldSourceType::everywhere;
  const FieldSource both[] = {s, s};
  EXPECT_EQ(factor_at(both, MaterialField::stiffness, {}, {}), 0.0625);
  EXPECT_EQ(factor_at(both, MaterialField::damping, {}, {}), 1.0);
}

TEST(MaterialFields, AWorldWithoutFieldsHoldsNoneAndItsHashIsAsBefore) {
  const SceneDesc plain = scene_of(ObjectType::cloth);
  SceneDesc field = plain;
  field.objects[0].fields = {everywhere(MaterialField::stiffness, 1.0)};
  Rig without(plain), with(field);
  EXPECT_TRUE(without.world.fields->empty());
  EXPECT_TRUE(without.world.topology->field_places.empty());
  EXPECT_TRUE(with.world.fields->has(MaterialField::stiffness));
  EXPECT_FALSE(with.world.fields->has(MaterialField::damping));
  World copy = with.world;
  EXPECT_EQ(world_hash(copy), world_hash(with.world));
  paint_field(copy, MaterialField::stiffness, glm::dvec3(0, 1, 0), 0.3, 0.5);
  EXPECT_NE(world_hash(copy), world_hash(with.world));
}

}}}}  // namespace limber::LIMBER_PRECISION::material_fields_test
