// Every scene opens with its whole subject in view and large, in windows, views side by side and saved
// pictures.
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/trigonometric.hpp>
#include <string>
#include <vector>

#include "app/render/fitted_view.hpp"
#include "app/render/subject.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/theme.hpp"
#include "app/ui/widgets/heat_legend.hpp"
#include "app/ui/widgets/overlay_legend.hpp"
#include "app/ui/widgets/variant_labels.hpp"
#include "app/view/extract.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_reader.hpp"
#include "engine/scene/file/view_desc.hpp"
#include "engine/simulation/simulation.hpp"
#include "engine/verify/heat_map.hpp"
#include "tests/source_folder.hpp"

namespace limber::framing_test { namespace {

constexpr float least_filled = 0.6f;  // of the free area's width or height

/// A rectangle that grows. px
struct Bounds {
  glm::vec2 low{1e9f}, high{-1e9f};
  void add(glm::vec2 at) { low = glm::min(low, at), high = glm::max(high, at); }
};

/// The picture of everything that moves, point by point.
Bounds project_subject(const RenderFrame& frame, const Camera& camera, glm::vec2 picture) {
  Bounds bounds;
  const auto add = [&](glm::vec3 at) {
    const glm::vec3 pixel = camera.project(at, picture);
    EXPECT_GT(pixel.z, 0.0f) << "behind the camera";
    bounds.add(glm::vec2(pixel));
  };
  for (std::size_t v = 0; v < frame.positions.size(); ++v)
    if (!frame.is_absent(v)) add(frame.positions[v]);
  const glm::mat4 view = camera.view();
  const glm::vec3 right(view[0][0], view[1][0], view[2][0]), up(view[0][1], view[1][1], view[2][1]);
  for (const glm::vec4& ball : frame.points.spheres)
    if (ball.w > 0.0f)
      for (const glm::vec3& way : {right, -right, up, -up}) add(glm::vec3(ball) + ball.w * way);
  for (const PrimitiveDraw& solid : frame.solids) {
    if (!solid.deforms && (solid.body < 0 || solid.fixed)) continue;
    const auto at = [&](float x, float y, float z) {
      return glm::vec3(solid.transform * glm::vec4(x, y, z, 1));
    };
    if (solid.shape == PrimitiveDraw::Shape::mesh) {
      for (const glm::vec3& point : solid.geometry->positions) add(at(point.x, point.y, point.z));
    } else if (solid.shape == PrimitiveDraw::Shape::box) {
      for (int i = 0; i < 8; ++i) add(at(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
    } else {  // round: the ends of its axes
      const float y = solid.shape == PrimitiveDraw::Shape::capsule ? solid.half_length + solid.radius : 1.0f;
      const float r = solid.shape == PrimitiveDraw::Shape::capsule ? solid.radius : 1.0f;
      for (const float s : {-1.0f, 1.0f}) add(at(s * r, 0, 0)), add(at(0, s * y, 0)), add(at(0, 0, s * r));
    }
  }
  return bounds;
}

/// An ImGui frame of a window of that size, without a window.
struct Panels {
  explicit Panels(ImVec2 size) {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DisplaySize = size;
    ui::apply_theme(1.0f);
    ImGui::GetIO().Fonts->Build();
    ImGui::NewFrame();
  }
  ~Panels() {
    ImGui::EndFrame();
    ImGui::DestroyContext();
  }
};

/// The area that panels, labels and the frame's legends leave of the first of `count` pictures.
OpenArea free_area(const RenderFrame& frame, ui::Rect view, std::size_t count, glm::vec2 window) {
  const ui::Rect cell = ui::view_cells(view, count).front();
  ui::Rect below = cell;
  below.position.y += ui::label_height(count), below.size.y -= ui::label_height(count);
  const ui::Rect legends[] = {ui::heat_legend(below, frame), ui::overlay_legend(below, frame)};
  const ui::Rect clear = ui::clear_of(below, legends);
  const glm::vec2 corner(clear.position.x, clear.position.y), size(clear.size.x, clear.size.y);
  if (count < 2) return {window, corner, size};
  return {{cell.size.x, cell.size.y}, corner - glm::vec2(cell.position.x, cell.position.y), size};
}

void expect_framed(const SceneDesc& scene, const RenderFrame& frame, const OpenArea& area,
                   const std::string& where) {
  Camera camera = Camera::looking(scene.camera.position, scene.camera.target,
                                  glm::radians(float(scene.camera.fov_degrees)));
  if (frame.ground) camera.stay_above(0.0f);
  camera.stand_in(area);
  FittedView().follow(camera, frame, area);
  const Bounds seen = project_subject(frame, camera, area.picture);
  if (seen.low.x > seen.high.x) return;  // nothing is there yet
  const glm::vec2 end = area.corner + area.size, filled = (seen.high - seen.low) / area.size;
  EXPECT_GE(seen.low.x, area.corner.x) << where;
  EXPECT_GE(seen.low.y, area.corner.y) << where;
  EXPECT_LE(seen.high.x, end.x) << where;
  EXPECT_LE(seen.high.y, end.y) << where;
  EXPECT_GE(std::max(filled.x, filled.y), least_filled) << where;
}

std::vector<std::string> scene_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(test::source("scenes")))
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class Framing : public testing::TestWithParam<std::string> {};

TEST_P(Framing, TheSubjectIsWholeAndLarge) {
  auto scene = read_scene(test::source("scenes/") + GetParam() + ".json", test::source("assets"));
  ASSERT_TRUE(scene) << scene.error().text();
  const SceneDesc desc = *scene;
  RunOptions options;
  options.threads = 1;
  auto simulation = make_simulation(std::move(*scene), options);
  ASSERT_TRUE(simulation) << simulation.error().text();
  FrameExtractor extractor;
  RenderFrame frame;
  extractor.show(HeatMap(desc.view->heat_map));
  extractor.show(Overlay(desc.view->debug_view));
  extractor.extract(**simulation, frame);
  for (const glm::vec2 window : {glm::vec2(1280, 800), glm::vec2(1920, 1080)}) {
    const Panels panels({window.x, window.y});
    const ui::Rect view = ui::make_layout(ImGui::GetFrameHeight(), 0.52f).view;
    const std::string size = std::to_string(int(window.x)) + " wide, views: ";
    for (const std::size_t count : {1u, 2u, 4u})
      expect_framed(desc, frame, free_area(frame, view, count, window), size + std::to_string(count));
  }
  for (const glm::vec2 picture : {glm::vec2(1280, 720), glm::vec2(400, 250)}) {
    const Panels panels({picture.x, picture.y});
    const ui::Rect whole{{0.0f, 0.0f}, {picture.x, picture.y}};
    for (const std::size_t count : {1u, 4u})
      expect_framed(desc, frame, free_area(frame, whole, count, picture), "picture");
  }
}

class FramingOverTime : public testing::TestWithParam<std::string> {};

/// Below something in the air there is room for its fall, unless there is no gravity.
TEST(Framing, RoomForAFallOnlyWhereThingsFall) {
  RenderFrame frame;
  frame.subject_min = frame.focus_min = {-1.0f, 2.0f, -1.0f};
  frame.subject_max = frame.focus_max = {1.0f, 3.0f, 1.0f};
  const Camera camera = Camera::looking({0.0f, 2.5f, 8.0f}, {0.0f, 2.5f, 0.0f}, 0.7f);
  const OpenArea area{{800.0f, 600.0f}, {0.0f, 0.0f}, {800.0f, 600.0f}};
  const auto below = [&] {
    return reach_of_surroundings(frame, Reach(), camera, area, {0.0f, 2.5f, 0.0f}).below.y;
  };
  const float with_fall = below();
  frame.falls = false;
  EXPECT_GT(with_fall, below() + 1.5f);
}

/// One ball beside hundreds of particles belongs to the picture as much as they do; one of a hundred
/// particles that has gone far does not.
TEST(Framing, OneBodyBesideManyParticlesIsNoOutlier) {
  RenderFrame frame;
  frame.frame = 1;
  for (int i = 0; i < 216; ++i)
    frame.positions.emplace_back(0.8f + 0.02f * float(i % 6), 0.02f * float(i / 36),
                                 0.02f * float(i / 6 % 6));
  PrimitiveDraw ball{PrimitiveDraw::Shape::sphere, glm::scale(glm::mat4(1.0f), glm::vec3(0.1f))};
  ball.transform[3] = glm::vec4(-1.0f, 1.0f, 0.0f, 1.0f);
  ball.body = 0;
  frame.solids = {ball};
  const Camera camera = Camera::looking({0.0f, 0.5f, 4.0f}, {0.0f, 0.5f, 0.0f}, 0.7f);
  const OpenArea area{{800.0f, 600.0f}, {0.0f, 0.0f}, {800.0f, 600.0f}};
  const auto left = [&] {
    return reach_of_subject(frame, camera, area, glm::vec3(0.0f)).below.x;
  };  // of z t - x
  EXPECT_GT(left(), 1.0f);
  frame.solids.clear();
  EXPECT_LT(left(), 0.5f);
  frame.positions[0] = {-30.0f, 0.0f, 0.0f};
  EXPECT_LT(left(), 0.5f);
}

/// The subject stays whole and does not shrink to a small part of the picture over the first seconds of a
/// run.
TEST_P(FramingOverTime, TheSubjectStaysWholeAndLarge) {
  auto scene = read_scene(test::source("scenes/") + GetParam() + ".json", test::source("assets"));
  ASSERT_TRUE(scene) << scene.error().text();
  const CameraDesc from = scene->camera;
  RunOptions options;
  options.threads = 1;
  auto simulation = make_simulation(std::move(*scene), options);
  ASSERT_TRUE(simulation) << simulation.error().text();
  const glm::vec2 picture(1280, 720);
  const OpenArea area{picture, glm::vec2(0.0f), picture};
  Camera camera = Camera::looking(from.position, from.target, glm::radians(float(from.fov_degrees)));
  FrameExtractor extractor;
  RenderFrame frame;
  FittedView view;
  for (int step = 0; step <= 120; ++step) {
    extractor.extract(**simulation, frame);
    if (frame.ground) camera.stay_above(0.0f);
    view.follow(camera, frame, area);
    (*simulation)->step();
    if (step % 30 != 0) continue;
    const Bounds seen = project_subject(frame, camera, picture);
    const glm::vec2 filled = (seen.high - seen.low) / picture, spare = 0.05f * picture;  // while it glides
    EXPECT_TRUE(seen.low.x >= -spare.x && seen.low.y >= -spare.y && seen.high.x <= picture.x + spare.x &&
                seen.high.y <= picture.y + spare.y)
        << "frame " << step << ": " << seen.low.x << ", " << seen.low.y << " to " << seen.high.x << ", "
        << seen.high.y;
    if (step == 120) {
      EXPECT_GE(std::max(filled.x, filled.y), 0.35f);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, FramingOverTime,
                         testing::Values("dominoes", "balloon", "three_vertices", "folded_cloth", "catenary",
                                         "joints", "marbles", "spring_chain", "cloth_from_obj"),
                         [](const auto& scene) { return scene.param; });

INSTANTIATE_TEST_SUITE_P(Scenes, Framing, testing::ValuesIn(scene_names()),
                         [](const auto& scene) { return scene.param; });

}}  // namespace limber::framing_test
