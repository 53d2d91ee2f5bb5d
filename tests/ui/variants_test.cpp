// Several variants of a scene share one clock and one stream of user input.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include "app/commands/scene_source.hpp"
#include "app/commands/sweep_grid.hpp"
#include "app/lab/session.hpp"
#include "app/shell/scene_input.hpp"
#include "app/ui/panels/message_area.hpp"
#include "app/ui/widgets/line_plot.hpp"
#include "app/ui/widgets/variant_labels.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "tests/ui/small_cloth.hpp"

namespace limber::variants_test {
namespace {

using test::small_cloth;

const RunOptions one_thread{Precision::f32, Simd::scalar, 1};

SetValue method(const char* name) { return {"solver.method", std::string(name)}; }

struct VariantsTest : testing::Test {
  VariantsTest() : session(one_thread, {}) {}
  void open(std::vector<VariantSettings> variants, SceneDesc scene = small_cloth()) {
    session.open(std::move(scene), std::nullopt, std::move(variants));
    session.pause();
    publish();
  }
  void publish() { session.publish(shown); }
  void step(int frames) {
    for (int i = 0; i < frames; ++i) session.step_once();
    publish();
  }
  const RunStatus& status(std::size_t k) const { return shown.variants[k].status; }
  const RenderFrame& frame(std::size_t k) const { return shown.variants[k].frame; }

  Session session;
  Publications shown;
};

TEST_F(VariantsTest, AlikeOnesStayAlikeWhateverIsDoneToOne) {
  open({{}, {}});
  ASSERT_EQ(shown.variants.size(), 2u);
  const auto act = [&](const Command& command, std::size_t from) {
    session.interact(command, frame(from).model_version, from);
  };
  act(GrabVertex{60, {0.5, 2.5, 0.3}}, 1);
  step(3);
  act(ReleaseGrab{true}, 0);
  act(SetPinned{7, true}, 1);
  act(ThrowBall{{0.0, 2.0, 3.0}, {0.0, 0.0, -6.0}, 0.1}, 1);
  step(4);
  act(Cut{{glm::dvec3(0.0, 3.0, 2.0), glm::dvec3(0.0, 1.0, 2.0)},
          {glm::dvec3(0.0, 3.0, -2.0), glm::dvec3(0.0, 1.0, -2.0)}},
      1);
  step(3);
  EXPECT_GT(frame(0).positions.size(), 64u);  // it was cut
  EXPECT_EQ(frame(0).positions, frame(1).positions);
  EXPECT_EQ(frame(0).time, frame(1).time);
  ASSERT_FALSE(status(1).variant.distances.empty());
  EXPECT_EQ(status(1).variant.distances.back().max, 0.0f);
}

TEST_F(VariantsTest, TheFirstIsWhatItWouldBeAlone) {
  open({{}, {method("jacobi")}});
  step(10);
  auto alone = make_simulation(small_cloth(), one_thread);
  ASSERT_TRUE(alone) << alone.error().text();
  for (int i = 0; i < 10; ++i) (*alone)->step();
  std::vector<glm::vec3> positions(frame(0).positions.size());
  (*alone)->read(reading::Positions{std::span(positions)});
  EXPECT_EQ(frame(0).positions, positions);
  EXPECT_GT(status(1).variant.distances.back().rms, 0.0f);
  EXPECT_EQ(status(0).variant.text, "xpbd");
  EXPECT_EQ(status(1).variant.text, "jacobi");
}

TEST_F(VariantsTest, AnEditActsOnAllThatAreLinked) {
  open({{method("pbd")}, {method("jacobi")}});
  session.edit({"solver.substeps", 7L}, 1);
  session.edit(method("xpbd"), 1);  // what set them apart is each one's own
  publish();
  for (const std::size_t k : {0u, 1u}) EXPECT_EQ(status(k).scene->solver.step->substeps, 7);
  EXPECT_EQ(status(0).scene->solver.method->kind, SolverMethod::pbd);
  EXPECT_EQ(status(1).scene->solver.method->kind, SolverMethod::xpbd);
  session.link("solver.method", true);
  session.link("solver.substeps", false);
  session.edit(method("jacobi"), 0);
  session.edit({"solver.substeps", 3L}, 1);
  publish();
  for (const std::size_t k : {0u, 1u}) EXPECT_EQ(status(k).scene->solver.method->kind, SolverMethod::jacobi);
  EXPECT_EQ(status(0).scene->solver.step->substeps, 7);
  EXPECT_EQ(status(1).variant.text, "substeps 3");
}

TEST_F(VariantsTest, StepsBackTogetherAndToTheValuesOfThen) {
  open({{}, {method("jacobi")}});
  step(2);
  const auto first = frame(0).positions, second = frame(1).positions;
  session.edit({"solver.damping", 0.5}, 0);
  step(1);
  session.edit({"solver.damping", 0.9}, 0);
  session.step_back();
  publish();
  EXPECT_EQ(frame(0).positions, first);
  EXPECT_EQ(frame(1).positions, second);
  EXPECT_EQ(status(0).scene->solver.motion->damping, 0.5);
  session.step_back();
  publish();
  EXPECT_EQ(status(1).scene->solver.motion->damping, small_cloth().solver.motion->damping);
  step(3);  // the branch replays
  const auto recording = session.recording();
  ASSERT_TRUE(recording) << recording.error().text();
  EXPECT_TRUE(recording->inputs.empty());
}

TEST_F(VariantsTest, ACopyGoesOnFromWhatItCopies) {
  open({});
  step(5);
  session.add_variant(0);
  session.link("solver.method", false);
  publish();
  EXPECT_EQ(frame(1).positions, frame(0).positions);
  session.edit(method("jacobi"), 1);
  step(3);
  EXPECT_EQ(status(0).scene->solver.method->kind, SolverMethod::xpbd);
  EXPECT_NE(frame(1).positions, frame(0).positions);
  EXPECT_EQ(frame(1).time, frame(0).time);
  session.restart_as_opened();
  publish();
  EXPECT_EQ(status(1).scene->solver.method->kind, SolverMethod::jacobi) << "what sets it apart stays";
  session.edit({"objects.cloth.columns", 20L}, 1);  // all begin again, and are held at the same place
  publish();
  EXPECT_EQ(frame(0).frame, 0);
  EXPECT_EQ(frame(0).positions.size(), frame(1).positions.size());
  session.link("objects.cloth.columns", false);
  session.edit({"objects.cloth.columns", 9L}, 1);
  publish();
  const Index last = Index(frame(0).positions.size()) - 1;
  session.interact(GrabVertex{last, glm::dvec3(frame(0).positions.back())}, frame(0).model_version, 0);
  step(1);
  EXPECT_EQ(frame(1).dots_on_top.size(), 2u);
  session.remove_variant(0);  // recordings are of the first: it stays
  session.remove_variant(1);
  publish();
  EXPECT_EQ(shown.variants.size(), 1u);
  for (int i = 0; i < 5; ++i) session.add_variant(0);
  publish();
  EXPECT_EQ(shown.variants.size(), most_variants);
}

TEST_F(VariantsTest, AnotherMeshIsHeldAtTheSamePlace) {
  open({{}, {SetValue{"objects.cloth.columns", 15L}, SetValue{"objects.cloth.rows", 15L}}});
  ASSERT_EQ(frame(1).positions.size(), 225u);
  const Index vertex = 8 * 7 + 3;
  const glm::vec3 place = frame(0).positions[std::size_t(vertex)];
  session.interact(GrabVertex{vertex, glm::dvec3(place)}, frame(0).model_version, 0);
  step(1);
  ASSERT_EQ(frame(1).dots_on_top.size(), 2u);
  const float edge = 1.0f / 14.0f;  // of a cloth of a metre, about
  EXPECT_LT(glm::distance(frame(1).dots_on_top[0].position, place), edge);
}

TEST_F(VariantsTest, FramesOfOtherLengthsEndTogether) {
  const double dt = small_cloth().solver.step->dt;
  open({{}, {SetValue{"solver.dt", 0.5 * dt}}, {SetValue{"solver.dt", 2.0 * dt}}});
  step(6);
  EXPECT_NEAR(frame(0).time, 6.0 * dt, 1e-9);
  EXPECT_NEAR(frame(1).time, 6.0 * dt, 1e-9);
  EXPECT_NEAR(frame(2).time, 6.0 * dt, 1e-9);
}

TEST_F(VariantsTest, OneThatCannotGoOnHoldsUpNobody) {
  SceneDesc scene = small_cloth();
  BodyDesc box;
  box.name = "box";
  box.half_extents = glm::dvec3(0.1);
  box.pose.position = {2.0, 1.0, 0.0};
  scene.bodies.push_back(box);
  // A fixed body cannot be pulled out of the world.
  open({{}, {SetValue{"bodies.box.fixed", true}}}, scene);
  session.toggle_running();
  session.interact(GrabBody{0, {2.0, 1.0, 0.0}, {1e300, 0.0, 0.0}}, frame(0).model_version, 0);
  for (int i = 0; i < 3; ++i) session.advance(1.0 / 60 + 1e-4);
  publish();
  EXPECT_TRUE(status(0).variant.stopped);
  EXPECT_EQ(frame(0).frame, 0);
  EXPECT_FALSE(status(1).variant.stopped);
  EXPECT_EQ(frame(1).frame, 3);
  EXPECT_TRUE(session.running());
  const std::vector<Message> told = session.take_messages();
  EXPECT_TRUE(std::any_of(told.begin(), told.end(), [](const Message& message) {
    return message.variant == 0 && message.text.find("became non-finite") != std::string::npos;
  }));
  session.interact(ReleaseGrab{}, frame(0).model_version, 0);
  session.restart();
  for (int i = 0; i < 2; ++i) session.advance(1.0 / 60 + 1e-4);
  publish();
  EXPECT_EQ(frame(0).frame, 2);
  EXPECT_EQ(frame(1).frame, 2);
}

TEST_F(VariantsTest, ABadVariantIsAMessageThatNamesIt) {
  const SceneDesc scene = small_cloth();
  const auto read =
      read_variants(scene, {"solver.method=pbd solver.substeps=4", "solver.methd=pbd"}, "--variant");
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().text().find("--variant"), std::string::npos) << read.error().text();
  EXPECT_NE(read.error().text().find("solver.method"), std::string::npos) << read.error().text();
  const auto good = read_variants(scene, {"solver.method=pbd solver.substeps=4", ""}, "--variant");
  ASSERT_TRUE(good) << good.error().text();
  EXPECT_EQ(good->at(0).size(), 2u);
  EXPECT_TRUE(good->at(1).empty());
}

/// Messages about a variant's settings, start, state or refused values are removed with the variant.
TEST_F(VariantsTest, WhatWasSaidOfAVariantLeavesWithIt) {
  SceneDesc soft = small_cloth();
  soft.objects[0].material->stretch_compliance = 0.01;
  open({{}, {method("xpbd")}, {method("pbd")}, {{"solver.substeps", 1L}, {"solver.iterations", 200L}}}, soft);
  ui::MessageLog log;
  log.add(session.take_messages());
  const auto said_of = [&](std::size_t variant) {
    return std::count_if(log.entries().begin(), log.entries().end(),
                         [&](const auto& entry) { return entry.message.variant == variant; });
  };
  ASSERT_GT(said_of(2), 0) << "pbd has no use for a compliance";
  session.link("objects.cloth.material.stretch_compliance", false);
  session.edit({"objects.cloth.material.stretch_compliance", -3.0}, 2);
  log.add(session.take_messages());
  ASSERT_EQ(log.entries().back().message.severity, Message::Severity::error) << "refused";
  ASSERT_EQ(log.entries().back().message.variant, 2u);
  session.remove_variant(2);
  log.add(session.take_messages());
  EXPECT_EQ(said_of(2) + said_of(3), 0);
  session.edit(method("pbd"), 1);
  log.add(session.take_messages());
  EXPECT_GT(said_of(1), 0) << "the variant in its place";
  const std::size_t count = log.entries().size();
  session.edit({"solver.damping", 0.2}, 0);
  log.add(session.take_messages());
  EXPECT_EQ(log.entries().size(), count) << "what still holds is not said again";
  for (const auto& entry : log.entries()) EXPECT_EQ(entry.count, 1) << entry.message.text;
}

TEST(Panes, ADragStaysWhereItBegan) {
  Publications shown;
  shown.variants.resize(2);
  for (std::size_t k = 0; k < 2; ++k) {
    RenderFrame& frame = shown.variants[k].frame;
    frame.model_version = 5 + k;
    frame.ground = false;
    frame.points.begin_range(0, 1);
    frame.positions = {{0, 0, 0}};
    frame.points.add({0, 0, 0}, 0.5f, 0);
    shown.variants[k].status.variant.number = k;
  }
  const Pane panes[] = {{shown.variants[0], {0, 0}, {400, 300}}, {shown.variants[1], {400, 0}, {400, 300}}};
  Camera camera = Camera::looking({0, 0, 5}, {0, 0, 0}, 0.7f);
  SceneInput input;
  const InputEvent press[] = {CursorMoved{{600, 150}}, ButtonChanged{0, true, 0, {600, 150}}};
  SceneRequests asked = input.handle(press, {}, panes, camera);
  ASSERT_EQ(asked.commands.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<GrabVertex>(asked.commands[0]));
  EXPECT_EQ(asked.variant, 1u);
  EXPECT_EQ(asked.model_version, 6u);
  EXPECT_EQ(asked.pressed, 1u);
  const InputEvent away[] = {CursorMoved{{100, 150}}};  // over the other picture
  asked = input.handle(away, {}, panes, camera);
  ASSERT_EQ(asked.commands.size(), 1u);
  EXPECT_LT(std::get<MoveGrab>(asked.commands[0]).target.x, -1.0);
  EXPECT_EQ(asked.variant, 1u);
}

TEST(Cells, FillTheAreaSideBySideOrBelow) {
  const ui::Rect wide{{10, 20}, {1000, 400}}, high{{0, 0}, {400, 1000}};
  EXPECT_EQ(ui::view_cells(wide, 1).size(), 1u);
  const auto two = ui::view_cells(wide, 2), below = ui::view_cells(high, 2), four = ui::view_cells(wide, 4);
  EXPECT_EQ(two[0].position.y, two[1].position.y);
  EXPECT_EQ(two[1].right(), wide.right());
  EXPECT_EQ(below[0].position.x, below[1].position.x);
  EXPECT_EQ(four[3].bottom(), wide.bottom());
  for (const auto& cell : ui::view_cells({{0, 0}, {1, 1}}, 4)) EXPECT_GE(cell.size.x, 1.0f);
}

TEST(LinePlot, TicksAreRoundNumbers) {
  EXPECT_EQ(ui::axis_ticks(0.0, 10.0, 5, false), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(ui::axis_ticks(0.01, 100.0, 5, true).size(), 5u);
  EXPECT_EQ(ui::axis_ticks(3.0, 3.0, 5, false).size(), 1u);
  EXPECT_LE(ui::axis_ticks(1e-30, 1e30, 6, true).size(), 8u);
}

TEST(SweepGrid, IsEveryCombinationOfTheValues) {
  const SceneDesc scene = small_cloth();
  const auto grid =
      read_grid(scene, {"solver.substeps=1,5", "solver.damping=0:1:3", "solver.gravity=0,-1,0;0,0,0"});
  ASSERT_TRUE(grid) << grid.error().text();
  EXPECT_EQ(grid->runs(), 12u);
  EXPECT_EQ(grid->assignments(0),
            (std::vector<std::string>{"solver.substeps=1", "solver.damping=0", "solver.gravity=0,-1,0"}));
  EXPECT_EQ(grid->values(11), (std::vector<std::string>{"5", "1", "0,0,0"}));
  const auto factors = read_grid(scene, {"objects.cloth.material.stretch_compliance=1e-8:1e-2:4:log"});
  ASSERT_TRUE(factors) << factors.error().text();
  EXPECT_EQ(factors->values(1)[0], "1e-06");
  for (const char* bad : {"solver.substeps", "solver.substep=1", "solver.substeps=0,1", "solver.substeps=1:2",
                          "solver.damping=0:1:3:log", "solver.damping=0:1:9999999"})
    EXPECT_FALSE(read_grid(scene, {bad})) << bad;
  EXPECT_FALSE(read_grid(scene, {"solver.substeps=1", "solver.substeps=2"}));
}

}  // namespace
}  // namespace limber::variants_test
