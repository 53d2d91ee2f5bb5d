// The user's hand in fluids and grains is a visible ball that grows with the wheel and pushes.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <variant>
#include <vector>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "app/shell/scene_input.hpp"
#include "app/view/extract.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "tests/ui/small_cloth.hpp"

namespace limber::hand_test { namespace {

const glm::vec2 view_size(800.0f, 600.0f);

SceneDesc block_of(ObjectType type) {
  SceneDesc scene = test::small_cloth();
  scene.colliders.clear();
  ObjectDesc block;
  block.name = "block";
  block.type = type;
  block.fluid->extent = glm::dvec3(0.4);
  if (type == ObjectType::grains) block.copies = glm::dvec3(10.0);
  block.spacing = glm::dvec3(0.04);
  scene.objects = {block};
  scene.solver.contact->particle_radius = 0.02;
  return scene;
}

/// Mouse actions in the middle of the picture of a scene, without a window.
struct Window {
  explicit Window(const SceneDesc& scene) {
    auto made = make_simulation(scene, {Precision::f32, Simd::automatic, 1});
    EXPECT_TRUE(made) << (made ? "" : made.error().text());
    simulation = std::move(*made);
    show();
    camera =
        Camera::looking({0.7f, 0.9f, 3.0f}, 0.5f * (shown.frame.focus_min + shown.frame.focus_max), 0.7f);
  }
  void show() {
    extractor.extract(*simulation, shown.frame);
    shown.status.fixed = extractor.fixed();
  }
  std::vector<Command> mouse(const InputEvent& event) {
    const Pane pane{shown, {}, view_size};
    const std::vector<InputEvent> events{event};
    const SceneRequests asked = input.handle(events, {}, std::span(&pane, 1), camera, nullptr);
    for (const Command& command : asked.commands) EXPECT_TRUE(simulation->submit(command));
    show();
    return asked.commands;
  }

  std::unique_ptr<Simulation> simulation;
  FrameExtractor extractor;
  Publication shown;
  Camera camera;
  SceneInput input;
};

class Hand : public testing::TestWithParam<ObjectType> {};

TEST_P(Hand, IsABallInLooseMatter) {
  Window window(block_of(GetParam()));
  const glm::vec2 middle = 0.5f * view_size;
  const float distance = window.camera.distance;
  const auto pressed = window.mouse(ButtonChanged{GLFW_MOUSE_BUTTON_LEFT, true, 0, middle});
  ASSERT_EQ(pressed.size(), 1u);
  const auto* held = std::get_if<HoldBall>(&pressed.front());
  ASSERT_TRUE(held);
  EXPECT_GT(held->radius, 0.05);
  ASSERT_EQ(window.shown.frame.panes.size(), 1u);  // it is seen
  EXPECT_NEAR(glm::length(glm::vec3(window.shown.frame.panes[0].transform[0])), held->radius, 1e-6);
  const auto grown = window.mouse(Scrolled{{0.0f, 3.0f}, middle});
  ASSERT_EQ(grown.size(), 1u);
  EXPECT_GT(std::get<ResizeBall>(grown.front()).radius, 1.3 * held->radius);
  EXPECT_EQ(window.camera.distance, distance);  // the wheel is the ball's while it is held
  const auto moved = window.mouse(CursorMoved{middle + glm::vec2(40.0f, 0.0f)});
  ASSERT_EQ(moved.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<MoveGrab>(moved.front()));
  for (int i = 0; i < 5; ++i) window.simulation->step();
  EXPECT_GT(window.simulation->held().ball->position.x, held->position.x + 0.05);
  window.mouse(ButtonChanged{GLFW_MOUSE_BUTTON_LEFT, false, 0, middle});
  EXPECT_TRUE(window.shown.frame.panes.empty());
  window.mouse(Scrolled{{0.0f, 3.0f}, middle});
  EXPECT_LT(window.camera.distance, distance);
}

INSTANTIATE_TEST_SUITE_P(Matter, Hand, testing::Values(ObjectType::fluid, ObjectType::grains));

/// Cloth is held by a vertex as ever.
TEST(HandOnCloth, HoldsAVertex) {
  SceneDesc scene = test::small_cloth();
  scene.objects[0].cloth->upright = true;
  scene.colliders.clear();
  Window window(scene);
  const auto pressed = window.mouse(ButtonChanged{GLFW_MOUSE_BUTTON_LEFT, true, 0, 0.5f * view_size});
  ASSERT_EQ(pressed.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<GrabVertex>(pressed.front()));
  EXPECT_TRUE(window.mouse(Scrolled{{0.0f, 3.0f}, 0.5f * view_size}).empty());
}

}}  // namespace limber::hand_test
