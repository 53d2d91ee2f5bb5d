// Pressure for users: refused for open surfaces, live for closed ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>

#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/geometry/mesh/enclosure.hpp"
#include "engine/geometry/mesh/shapes.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/simulation/simulation.hpp"
#include "tests/same_bits.hpp"
#include "tests/source_folder.hpp"
#include "tests/verification/scenes_in_code.hpp"

namespace limber::pressure_test { namespace {

/// Every second triangle of a closed mesh turned: all run as their neighbours do again, the majority as it
/// was.
TEST(OrientAlike, TurnsTheFewerTrianglesOfEachPart) {
  TriMesh box;
  for (int part = 0; part < 2; ++part) {
    const Index first = Index(box.positions.size());
    for (int corner = 0; corner < 8; ++corner)
      box.positions.emplace_back(3 * part + (corner & 1), (corner >> 1) & 1, corner >> 2);
    for (const Triangle& t : std::initializer_list<Triangle>{{0, 2, 1},
                                                             {1, 2, 3},
                                                             {4, 5, 6},
                                                             {5, 7, 6},
                                                             {0, 1, 4},
                                                             {1, 5, 4},
                                                             {2, 6, 3},
                                                             {3, 6, 7},
                                                             {0, 4, 2},
                                                             {2, 4, 6},
                                                             {1, 3, 5},
                                                             {3, 7, 5}})
      box.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
  const std::vector<Triangle> sound = box.triangles;
  EXPECT_EQ(orient_alike(box), 0);
  EXPECT_EQ(box.triangles, sound);
  for (const std::size_t t : {1, 4, 8, 11, 13, 20}) std::swap(box.triangles[t][1], box.triangles[t][2]);
  EXPECT_EQ(orient_alike(box), 6);
  const Expected<Enclosure> whole = enclose(box);
  ASSERT_TRUE(whole) << whole.error().text();
  EXPECT_NEAR(whole->volume, 2.0, 1e-12);
  EXPECT_NEAR(enclosed(sound, box.positions).volume, 2.0, 1e-12);
}

/// A ball of 5,120 triangles; its 2,562 vertices make it a large object.
SceneDesc balloons() {
  SceneDesc scene;
  ObjectDesc ball;
  ball.name = "ball";
  ball.mesh = test::source("assets/balloon.obj");
  ball.pressure = 1.5;
  ball.material->stretch_compliance = 0.05;
  scene.objects.push_back(ball);
  return scene;
}

std::unique_ptr<Simulation> start(const SceneDesc& scene, int threads = 1, Simd simd = Simd::scalar) {
  auto made = make_simulation(scene, {Precision::f32, simd, threads});
  EXPECT_TRUE(made) << (made ? "" : made.error().text());
  return std::move(*made);
}

TEST(Enclosure, OfABoxIsItsVolumeAndArea) {
  TriMesh box = make_box({1.0, 0.5, 0.25}, 3);
  for (glm::dvec3& x : box.positions) x += glm::dvec3(1e3, 2e3, -5e3);
  const Expected<Enclosure> inside = enclose(box);
  ASSERT_TRUE(inside);
  EXPECT_NEAR(inside->volume, 1.0, 1e-9);  // positions near 5e3 are rounded to 1e-12
  EXPECT_NEAR(inside->area, 7.0, 1e-9);
}

TEST(Enclosure, TurnsWhatIsInsideOut) {
  TriMesh box = make_box(glm::dvec3(0.5), 1);
  const std::vector<Triangle> outwards = box.triangles;
  for (Triangle& t : box.triangles) std::swap(t[1], t[2]);
  const Expected<Enclosure> inside = enclose(box);
  ASSERT_TRUE(inside);
  EXPECT_DOUBLE_EQ(inside->volume, 1.0);
  EXPECT_EQ(box.triangles, outwards);
}

TEST(Enclosure, NamesTheHole) {
  TriMesh box = make_box(glm::dvec3(0.5), 1);
  const Triangle lost = box.triangles.back();
  box.triangles.pop_back();
  const Expected<Enclosure> inside = enclose(box);
  ASSERT_FALSE(inside);
  EXPECT_NE(inside.error().message.find("3 border edges"), std::string::npos) << inside.error().message;
  bool named = false;
  for (std::size_t j = 0; j < 3; ++j) {
    const auto [low, high] = std::minmax(lost[j], lost[(j + 1) % 3]);
    named |= inside.error().message.ends_with(" " + std::to_string(low) + "-" + std::to_string(high));
  }
  EXPECT_TRUE(named) << inside.error().message;
}

TEST(Enclosure, RefusesNeighboursWoundAgainstEachOther) {
  TriMesh box = make_box(glm::dvec3(0.5), 1);
  std::swap(box.triangles[3][0], box.triangles[3][1]);
  const Expected<Enclosure> inside = enclose(box);
  ASSERT_FALSE(inside);
  EXPECT_NE(inside.error().message.find("wound against each other"), std::string::npos);
}

TEST(Enclosure, RefusesAFlatPocket) {
  TriMesh pocket;
  pocket.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  pocket.triangles = {{0, 1, 2}, {1, 3, 2}, {0, 3, 1}, {0, 2, 3}};
  const Expected<Enclosure> inside = enclose(pocket);
  ASSERT_FALSE(inside);
  EXPECT_NE(inside.error().message.find("encloses no volume"), std::string::npos);
}

TEST(Pressure, AGridCannotHoldIt) {
  SceneDesc scene = test::square_cloth(4);
  scene.objects[0].pressure = 1.0;
  const auto refused = make_simulation(scene, {});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("12 border edges"), std::string::npos) << refused.error().text();

  scene.objects[0].pressure = 0.0;
  auto simulation = start(scene);
  const auto live = simulation->submit(SetValue{"objects.cloth.pressure", 1.0});
  ASSERT_FALSE(live);
  EXPECT_EQ(live.error().message, refused.error().message);
  EXPECT_EQ(simulation->scene().objects[0].pressure, 0.0);
  EXPECT_FALSE(simulation->step().nonfinite);
}

TEST(Pressure, ChangesWhileItRuns) {
  SceneDesc scene = balloons();
  auto simulation = start(scene);
  for (const double pressure : {1.5, 0.6, 3.0}) {
    ASSERT_TRUE(simulation->submit(SetValue{"objects.ball.pressure", pressure}));
    for (int f = 0; f < 3; ++f) ASSERT_FALSE(simulation->step().nonfinite);
    EXPECT_LT(simulation->measure().volume_error_max, 1e-3) << pressure;
  }
  ASSERT_TRUE(simulation->submit(SetValue{"objects.ball.pressure", 0.0}));
  EXPECT_FALSE(simulation->step().nonfinite);
  EXPECT_TRUE(simulation->measure().volume_ratios.empty());
}

double volume_of(const Simulation& simulation) {
  std::vector<glm::dvec3> x(std::size_t(simulation.model()->vertex_count));
  simulation.read(reading::Positions{x});
  double volume = 0.0;
  for (const Triangle& t : simulation.model()->objects[0].triangles)
    volume += glm::dot(glm::cross(x[std::size_t(t[0])], x[std::size_t(t[1])]), x[std::size_t(t[2])]) / 6.0;
  return volume;
}

/// Four times the volume at rest a second, both ways, after a step back as well.
TEST(Pressure, IsReachedAtABoundedRate) {
  SceneDesc scene = balloons();
  scene.objects[0].pressure = 5.0;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  auto simulation = start(scene);
  const double at_rest = volume_of(*simulation);
  std::shared_ptr<const void> saved;
  for (int frame = 1; frame <= 70; ++frame) {
    if (frame == 31) saved = simulation->save();
    ASSERT_FALSE(simulation->step().nonfinite);
    const double expected = std::min(5.0, 1.0 + 4.0 * frame / 60.0);
    ASSERT_NEAR(volume_of(*simulation) / at_rest, expected, 1e-3 * expected) << "frame " << frame;
  }
  ASSERT_TRUE(simulation->restore(saved));
  ASSERT_FALSE(simulation->step().nonfinite);
  EXPECT_NEAR(volume_of(*simulation) / at_rest, 1.0 + 4.0 * 31 / 60.0, 3e-3);
  ASSERT_TRUE(simulation->submit(SetValue{"objects.ball.pressure", 2.0}));
  for (int frame = 30; frame > 10; --frame) {
    ASSERT_FALSE(simulation->step().nonfinite);
    const double expected = std::max(2.0, 1.0 + 4.0 * frame / 60.0);
    ASSERT_NEAR(volume_of(*simulation) / at_rest, expected, 1e-3 * expected) << "back to frame " << frame;
  }
}

/// Limbs that swell slowly are separated by contact. Inflated at once they would be pressed through each
/// other, and could only be kept apart by moving as one, with three times as many searches: seconds per
/// frame.
TEST(Pressure, WoundUpAtOnceNothingMovesAsOne) {
  SceneDesc scene;
  scene.solver.step->substeps = 8;
  scene.solver.contact->cloth_collision = true;
  ObjectDesc bear;
  bear.name = "bear";
  bear.mesh = test::source("assets/character.obj");
  bear.pressure = 5.0;
  bear.material->stretch_compliance = 0.05;
  scene.objects.push_back(bear);
  auto simulation = start(scene, 2, Simd::automatic);
  for (int frame = 0; frame < 10; ++frame) {
    const StepReport report = simulation->step();
    ASSERT_EQ(report.in_zones, 0.0) << "frame " << frame;
    ASSERT_LE(report.surface_searches, 4) << "frame " << frame;
  }
}

TEST(Pressure, SameBitsForAnyNumberOfThreadsAndInstructionSet) {
  SceneDesc scene = balloons();
  scene.objects[0].start = Start::random;
  scene.solver.step->substeps = 4;
  test::expect_same_bits([&](int threads, Simd simd) {
    auto simulation = start(scene, threads, simd);
    for (int f = 0; f < 4; ++f) EXPECT_FALSE(simulation->step().nonfinite);
    return simulation->state_hash();
  });
}

/// A slit releases the pressure: the stretched surface returns to its own size.
TEST(Pressure, ATornBalloonLosesIt) {
  SceneDesc scene = balloons();
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.solver.motion->damping = 0.9;
  auto held = start(scene);
  const double at_rest = volume_of(*held);
  for (int f = 0; f < 30; ++f) ASSERT_FALSE(held->step().nonfinite);
  const double inflated = volume_of(*held);
  EXPECT_GT(inflated, 1.3 * at_rest);
  Cut slit;
  slit.near = {glm::dvec3(-0.1, 5.0, 0.01), glm::dvec3(0.1, 5.0, 0.01)};
  slit.far = {glm::dvec3(-0.1, 0.0, 0.01), glm::dvec3(0.1, 0.0, 0.01)};
  ASSERT_TRUE(held->submit(slit));
  ASSERT_GT(held->measure().tears, 0);
  for (int f = 0; f < 60; ++f) ASSERT_FALSE(held->step().nonfinite);
  EXPECT_LT(volume_of(*held), 0.5 * (at_rest + inflated));
  EXPECT_TRUE(held->measure().volume_ratios.empty());
}

TEST(Start, FixedVerticesAreInPlaceAndTheOthersInTheBox) {
  SceneDesc scene = balloons();
  scene.objects[0].pins = {0L};
  auto in_place = start(scene);
  scene.objects[0].start = Start::random;
  auto thrown = start(scene);
  std::vector<glm::dvec3> rest(std::size_t(in_place->model()->vertex_count)), x(rest.size());
  in_place->read(reading::Positions{rest});
  thrown->read(reading::Positions{x});
  EXPECT_EQ(x[0], rest[0]);
  double moved = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    moved += glm::distance(x[i], rest[i]) / double(x.size());
    for (int k = 0; k < 3; ++k) ASSERT_LE(std::abs(x[i][k]), 0.5 + 1e-6);
  }
  EXPECT_GT(moved, 0.3);
}

}}  // namespace limber::pressure_test
