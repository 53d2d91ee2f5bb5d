// Pictures compared with kept ones by how different they look, and that each effect shows in them.
//
// LIMBER_KEEP_PICTURES=1 writes the pictures anew; look at them before keeping them.
#include <gtest/gtest.h>
#include <stb_image.h>

#include <cstdlib>
#include <functional>
#include <string>

#include "app/record/png_writer.hpp"
#include "tests/ui/perceptual.hpp"
#include "tests/ui/render_test.hpp"

namespace limber::render_test { namespace {

using test::perceived;

/// Bounds for a driver of another version: mean Delta E, and that of the worst square.
constexpr double most_mean = 0.5, most_anywhere = 3.0;
/// An effect that is switched off must show at least so clearly somewhere.
constexpr double least_effect = 3.0;

PrimitiveDraw solid(PrimitiveDraw::Shape shape, glm::vec3 at, float size, glm::vec3 color, Look look) {
  PrimitiveDraw out;
  out.shape = shape;
  for (int k = 0; k < 3; ++k) out.transform[k][k] = size;
  out.transform[3] = glm::vec4(at, 1.0f);
  out.color = color;
  out.look = look;
  out.body = 0;
  return out;
}

RenderFrame looks() {
  using Shape = PrimitiveDraw::Shape;
  RenderFrame frame;
  frame.solids = {solid(Shape::box, {-1.1f, 0.3f, 0.0f}, 0.3f, {0.5f, 0.3f, 0.12f}, Look::wood),
                  solid(Shape::sphere, {-0.4f, 0.3f, 0.1f}, 0.3f, {0.4f, 0.4f, 0.4f}, Look::stone),
                  solid(Shape::cylinder, {0.3f, 0.3f, 0.0f}, 0.3f, {0.6f, 0.55f, 0.5f}, Look::metal),
                  solid(Shape::box, {1.0f, 0.3f, -0.5f}, 0.3f, {0.6f, 0.05f, 0.04f}, Look::plain),
                  solid(Shape::sphere, {0.95f, 0.3f, 0.4f}, 0.3f, {0.9f, 0.95f, 1.0f}, Look::glass)};
  frame.bounds_min = {-1.5f, 0.0f, -0.8f}, frame.bounds_max = {1.5f, 0.7f, 0.7f};
  return frame;
}

RenderFrame pool() {
  RenderFrame frame;
  frame.points.fluid_radius = 0.03f;
  frame.points.spray_first = 0;
  for (int k = 0; k < 60; ++k)
    frame.points.add({0.045f * float(k % 10) - 0.2f, 0.37f + 0.01f * float(k % 3), 0.05f * float(k / 10)},
                     0.012f, packed_light(glm::vec3(0.9f)));
  frame.points.spray_count = frame.points.fluid_first = 60;
  for (int z = 0; z < 10; ++z)
    for (int y = 0; y < 6; ++y)
      for (int x = 0; x < 20; ++x)
        frame.points.add(0.06f * glm::vec3(float(x) - 9.5f, float(y) + 0.5f, float(z) - 4.5f), 0.03f,
                         packed_light({0.05f, 0.25f, 0.6f}));
  PrimitiveDraw pane =
      solid(PrimitiveDraw::Shape::box, {0.0f, 0.3f, 0.34f}, 0.3f, {0.9f, 0.95f, 1.0f}, Look::glass);
  pane.body = -1;
  pane.transform[0].x = 0.66f, pane.transform[2].z = 0.03f;
  frame.panes.push_back(pane);
  frame.solids = {
      solid(PrimitiveDraw::Shape::sphere, {0.3f, 0.25f, -0.1f}, 0.12f, {0.7f, 0.1f, 0.05f}, Look::plain)};
  frame.bounds_min = {-0.7f, 0.0f, -0.4f}, frame.bounds_max = {0.7f, 0.5f, 0.4f};
  frame.shown_radius = 1.0f;
  return frame;
}

class GoldenTest : public RenderTest {
 protected:
  Image still(const RenderFrame& frame) {
    view_.samples = 16;
    return renderer_->draw_still(frame, camera_, view_, 240, 150);
  }

  /// Expects the picture to look like the kept one of this name.
  void expect_kept(const Image& image, const std::string& name) {
    const std::string path = test::source("tests/ui/golden/" + name + ".png");
    if (std::getenv("LIMBER_KEEP_PICTURES")) {
      ASSERT_TRUE(write_png(image, path));
    }
    int w = 0, h = 0, channels = 0;
    stbi_uc* bytes = stbi_load(path.c_str(), &w, &h, &channels, 3);
    ASSERT_NE(bytes, nullptr) << path;
    Image kept{w, h, std::vector<std::uint8_t>(bytes, bytes + std::size_t(3 * w * h))};
    stbi_image_free(bytes);
    const test::Difference seen = perceived(image, kept);
    EXPECT_LT(seen.mean, most_mean) << name;
    EXPECT_LT(seen.most, most_anywhere) << name;
  }

  /// Expects a change of the frame or the view to show.
  void expect_shown(const Image& image, const RenderFrame& without, const char* effect) {
    EXPECT_GT(perceived(image, still(without)).most, least_effect) << effect;
  }
};

TEST_F(GoldenTest, ASheetOverTheGround) {
  camera_ = Camera::looking({1.5f, 1.6f, 2.6f}, {0.0f, 0.3f, 0.0f}, 0.7f);
  RenderFrame frame = sheet(21, 0.4f);
  for (std::size_t v = 0; v < frame.positions.size(); ++v) {
    glm::vec3& x = frame.positions[v];
    x.y += 0.15f * std::sin(5.0f * x.x);
    frame.normals[v] = glm::normalize(glm::vec3(-0.75f * std::cos(5.0f * x.x), 1.0f, 0.0f));
  }
  frame.bounds_max.y = 0.6f;
  auto surfaces = std::make_shared<SurfaceTopology>(*frame.surfaces);
  surfaces->draws.front().pattern = 3;
  frame.surfaces = surfaces;
  const Image image = still(frame);
  expect_kept(image, "sheet");
  view_.shadows = false;
  expect_shown(image, frame, "shadows");
  view_.shadows = true;
  view_.stage = Stage::night;
  expect_shown(image, frame, "stage");
  view_.stage.reset();
  auto plain = std::make_shared<SurfaceTopology>(*surfaces);
  plain->draws.front().pattern = 0;
  RenderFrame other = frame;
  other.surfaces = plain;
  expect_shown(image, other, "pattern");
}

TEST_F(GoldenTest, SolidsOfWoodStoneMetalAndGlass) {
  camera_ = Camera::looking({0.4f, 1.2f, 3.6f}, {0.0f, 0.25f, 0.0f}, 0.55f);
  const RenderFrame frame = looks();
  const Image image = still(frame);
  expect_kept(image, "looks");
  for (std::size_t k : {0, 1, 2, 4}) {
    RenderFrame plain = frame;
    plain.solids[k].look = Look::plain;
    expect_shown(image, plain, look_names[std::size_t(frame.solids[k].look)].data());
  }
}

TEST_F(GoldenTest, WaterBehindGlassWithFoam) {
  camera_ = Camera::looking({0.5f, 0.9f, 1.9f}, {0.0f, 0.2f, 0.0f}, 0.6f);
  const RenderFrame frame = pool();
  const Image image = still(frame);
  expect_kept(image, "pool");
  RenderFrame without = frame;
  without.panes.clear();
  expect_shown(image, without, "pane");
  without = frame;
  for (std::size_t k = 0; k < frame.points.spray_count; ++k) without.points.spheres[k].w = 0.0f;
  expect_shown(image, without, "foam");
  without = frame;
  without.solids.clear();
  expect_shown(image, without, "ball under water");
  view_.fluids = FluidLook::balls;
  expect_shown(image, frame, "surface");
}

/// Glass shows what is behind it, upside down through a ball and moved little through a pane, and mirrors its
/// surroundings at grazing angles.
TEST_F(GoldenTest, GlassRefracts) {
  camera_ = Camera::looking({0.0f, 0.6f, 3.0f}, {0.0f, 0.6f, 0.0f}, 0.55f);
  RenderFrame frame;
  frame.ground = false;
  frame.bounds_min = glm::vec3(-1.0f), frame.bounds_max = glm::vec3(1.0f);
  PrimitiveDraw wall =
      solid(PrimitiveDraw::Shape::box, {0.0f, 1.6f, -1.2f}, 1.0f, {0.7f, 0.03f, 0.03f}, Look::plain);
  wall.transform[0].x = 3.0f, wall.transform[2].z = 0.05f;
  frame.solids.push_back(wall);  // red above the middle
  const auto redness = [&](const Image& image, double y) {
    const Rgb p = pixel(image, image.width / 2, int(y * image.height));
    return p.r - p.b;
  };
  const Image bare = still(frame);
  ASSERT_GT(redness(bare, 0.4), 60);
  ASSERT_LT(redness(bare, 0.6), 20);
  frame.solids.push_back(
      solid(PrimitiveDraw::Shape::sphere, {0.0f, 0.6f, 0.0f}, 0.4f, {0.9f, 0.95f, 1.0f}, Look::glass));
  const Image ball = still(frame);
  EXPECT_LT(redness(ball, 0.4), 30);
  EXPECT_GT(redness(ball, 0.6), 40);
  frame.solids.back() =
      solid(PrimitiveDraw::Shape::box, {0.0f, 0.6f, 0.0f}, 0.4f, {0.9f, 0.95f, 1.0f}, Look::glass);
  frame.solids.back().transform[2].z = 0.02f;
  const Image pane = still(frame);
  EXPECT_GT(redness(pane, 0.4), 60);
  EXPECT_LT(redness(pane, 0.6), 20);
}

}}  // namespace limber::render_test
