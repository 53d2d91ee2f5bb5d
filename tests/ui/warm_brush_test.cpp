// The heat brush in the window: T and a left drag warm, with Shift they cool, while the scene runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <variant>
#include <vector>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "app/shell/scene_input.hpp"
#include "app/view/extract.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/verify/heat_map.hpp"
#include "tests/ui/small_cloth.hpp"

namespace limber::warm_brush_test { namespace {

const glm::vec2 view_size(800.0f, 600.0f), middle = 0.5f * view_size;

SceneDesc warm_block() {
  SceneDesc scene = test::small_cloth();
  scene.colliders.clear();
  ObjectDesc block;
  block.name = "block";
  block.type = ObjectType::fluid;
  block.fluid->extent = glm::dvec3(0.4);
  scene.objects = {block};
  scene.solver.contact->particle_radius = 0.02;
  scene.heat->enabled = true;
  return scene;
}

struct Window {
  explicit Window(const SceneDesc& scene) {
    auto made = make_simulation(scene, {Precision::f32, Simd::automatic, 1});
    EXPECT_TRUE(made) << (made ? "" : made.error().text());
    simulation = std::move(*made);
    extractor.show(HeatMap::temperature);
    show();
    camera =
        Camera::looking({0.7f, 0.9f, 3.0f}, 0.5f * (shown.frame.focus_min + shown.frame.focus_max), 0.7f);
  }
  void show() { extractor.extract(*simulation, shown.frame); }
  std::vector<Command> handle(const std::vector<InputEvent>& events) {
    const Pane pane{shown, {}, view_size};
    const SceneRequests asked = input.handle(events, {}, std::span(&pane, 1), camera, nullptr);
    for (const Command& command : asked.commands) EXPECT_TRUE(simulation->submit(command));
    return asked.commands;
  }
  std::vector<Command> frame_later() {
    simulation->step();
    show();
    return handle({});
  }

  std::unique_ptr<Simulation> simulation;
  FrameExtractor extractor;
  Publication shown;
  Camera camera;
  SceneInput input;
};

TEST(WarmBrush, WarmsWhileTheSceneRunsAndCoolsWithShift) {
  for (const int mods : {0, GLFW_MOD_SHIFT}) {
    Window window(warm_block());
    EXPECT_TRUE(window.handle({KeyChanged{GLFW_KEY_T, 0, GLFW_PRESS, mods}}).empty());
    EXPECT_TRUE(window.handle({ButtonChanged{GLFW_MOUSE_BUTTON_LEFT, true, mods, middle}}).empty());
    EXPECT_EQ(window.input.warming(), mods == 0 ? 1 : -1);
    EXPECT_TRUE(window.handle({CursorMoved{middle}}).empty());  // a scene that stands still
    const double before = window.simulation->measure().temperature.mean;
    const auto asked = window.frame_later();
    ASSERT_EQ(asked.size(), 1u);
    const auto* warm = std::get_if<Warm>(&asked.front());
    ASSERT_TRUE(warm);
    EXPECT_EQ(warm->degrees > 0.0, mods == 0);
    EXPECT_GT(warm->radius, 0.05);
    window.frame_later();
    const double after = window.simulation->measure().temperature.mean;
    EXPECT_EQ(after > before, mods == 0) << before << " " << after;
    EXPECT_NE(after, before);
    window.handle({ButtonChanged{GLFW_MOUSE_BUTTON_LEFT, false, mods, middle}});
    EXPECT_EQ(window.input.warming(), 0);
    EXPECT_TRUE(window.frame_later().empty());
  }
}

/// While the heat map of a field is shown, the brush paints this field.
TEST(WarmBrush, PaintsTheFieldWhoseMapIsShown) {
  for (const int mods : {0, GLFW_MOD_SHIFT}) {
    SceneDesc cloth = test::small_cloth();
    cloth.colliders.clear();  // nothing is in front of the cloth
    cloth.objects[0].cloth->columns = cloth.objects[0].cloth->rows = 25;
    Window window(cloth);
    window.extractor.show(HeatMap::stiffness_field);
    window.show();
    window.camera = Camera::looking(
        {0.7f, 0.9f, 3.0f}, 0.5f * (window.shown.frame.focus_min + window.shown.frame.focus_max), 0.7f);
    window.handle({KeyChanged{GLFW_KEY_T, 0, GLFW_PRESS, mods}});
    window.handle({ButtonChanged{GLFW_MOUSE_BUTTON_LEFT, true, mods, middle}});
    const auto asked = window.frame_later();
    ASSERT_EQ(asked.size(), 1u);
    const auto* paint = std::get_if<PaintField>(&asked.front());
    ASSERT_TRUE(paint);
    EXPECT_EQ(paint->factor < 1.0, mods == 0);
    std::vector<float> field(std::size_t(window.simulation->model()->vertex_count));
    window.simulation->read(reading::Heat{HeatMap::stiffness_field, field});
    const auto [low, high] = std::minmax_element(field.begin(), field.end());
    EXPECT_EQ(mods == 0 ? *low < 1.0f : *high > 1.0f, true) << *low << " " << *high;
  }
}

/// A scene without temperatures says so.
TEST(WarmBrush, IsRefusedWhereNothingHasATemperature) {
  SceneDesc scene = warm_block();
  scene.heat->enabled = false;
  auto made = make_simulation(scene, {Precision::f32, Simd::automatic, 1});
  ASSERT_TRUE(made);
  const auto done = (*made)->submit(Warm{{0, 0, 0}, 0.1, 10.0});
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().text().find("temperature"), std::string::npos);
}

/// Heat that is hastened says so in the legend.
TEST(WarmBrush, TheLegendTellsHowFastHeatRuns) {
  SceneDesc scene = warm_block();
  scene.heat->speed = 60.0;
  Window window(scene);
  EXPECT_EQ(window.shown.frame.heat_speed, 60.0f);
}

}}  // namespace limber::warm_brush_test
