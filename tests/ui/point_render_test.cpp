// Particles and fluids in the picture.
#include <cmath>

#include "app/view/fluid_shapes.hpp"
#include "tests/ui/render_test.hpp"

namespace limber::render_test {
namespace {

TEST_F(RenderTest, APointIsASphereInAnyKindOfView) {
  RenderFrame frame;
  frame.ground = false;
  const auto area = [&](const Camera& camera) {
    RenderFrame nothing = frame;
    nothing.points.clear();
    const Image empty = draw(nothing, camera), image = draw(frame, camera);
    int count = 0;
    for (std::size_t i = 0; i < image.rgb.size(); i += 3)
      count += std::abs(image.rgb[i] - empty.rgb[i]) + std::abs(image.rgb[i + 2] - empty.rgb[i + 2]) > 12;
    return double(count);
  };
  Camera camera = Camera::looking({0.0f, 1.0f, 3.0f}, {0.0f, 1.0f, 0.0f}, 0.6f);
  frame.points.add({0.0f, 1.0f, 0.0f}, 0.5f, packed_light({1.0f, 0.2f, 0.1f}));
  // From near by the outline is wider than the sphere: its tangents touch it at sin(a) = r / d.
  const double scale = height / (2.0 * std::tan(0.3)), tangent = std::tan(std::asin(0.5 / 3.0));
  EXPECT_NEAR(area(camera), 3.1416 * tangent * tangent * scale * scale, 60.0);
  camera.orthographic = true;
  EXPECT_NEAR(area(camera), 3.1416 * 0.25 * scale * scale / 9.0, 60.0);
  view_.msaa = 4;
  const double smooth = area(camera), radius = 0.5 * scale / 3.0;  // and now pixels that it has a part of
  EXPECT_GT(smooth, 3.1416 * radius * radius);
  EXPECT_LT(smooth, 3.1416 * radius * radius + 2.0 * 3.1416 * radius);
}

TEST_F(RenderTest, PointsHideEachOtherAndCastShadows) {
  RenderFrame frame = sheet(9, 0.0f);
  frame.bounds_max.y = 1.0f;
  const auto green = [](Rgb p) { return p.g > p.r + 30; };
  const Image bare = draw(frame, camera_);
  const std::uint32_t leaf = packed_light({0.02f, 0.5f, 0.02f}), red = packed_light({0.5f, 0.02f, 0.02f});
  frame.points.add({0.0f, 0.6f, 0.0f}, 0.2f, leaf);
  const Image alone = draw(frame, camera_);
  const int seen = count_where(alone, green);
  EXPECT_GT(seen, 200);
  EXPECT_LT(count_where(alone, [](Rgb p) { return p.sum() > 265; }),
            count_where(bare, [](Rgb p) { return p.sum() > 265; }));  // the shadow on the sheet
  const glm::vec3 before = glm::mix(glm::vec3(0.0f, 0.6f, 0.0f), camera_.position(), 0.2f);
  frame.points.add(before, 0.2f, red);
  EXPECT_EQ(count_where(draw(frame, camera_), green), 0);
  frame.points.spheres[1] = {0.0f, -0.3f, 0.0f, 0.2f};  // under the sheet
  EXPECT_NEAR(count_where(draw(frame, camera_), green), seen, 3);
}

/// Layers of particles 2 `radius` apart, `shift` m above the ground, every second row moved: a calm basin.
RenderFrame basin(int layers, float radius, float shift) {
  RenderFrame frame;
  frame.ground = false;
  frame.points.fluid_first = 0;
  frame.points.fluid_radius = radius;
  frame.shown_radius = 1.0f;
  const std::uint32_t water = packed_light({0.02f, 0.2f, 0.6f});
  for (int y = 0; y < layers; ++y)
    for (int z = -12; z <= 12; ++z)
      for (int x = -20; x <= 20; ++x)
        frame.points.add(2.0f * radius * glm::vec3(float(x) + 0.5f * float(z & 1), float(y), float(z)) +
                             glm::vec3(0.0f, shift, 0.0f),
                         radius, water);
  frame.bounds_min = {-1.0f, 0.0f, -1.0f};
  frame.bounds_max = {1.0f, 1.0f, 1.0f};
  return frame;
}

/// Largest step from a pixel to the next one on its right, within the middle of the picture's row `y`.
int roughest(const Image& image, int y) {
  int most = 0;
  for (int x = image.width / 3; x < 2 * image.width / 3; ++x)
    most = std::max(most, std::abs(pixel(image, x + 1, y).sum() - pixel(image, x, y).sum()));
  return most;
}

/// The balls of the fluid are invisible even at a grazing view, where rows of balls lie behind each other.
TEST_F(RenderTest, ACalmFluidIsSmooth) {
  const RenderFrame frame = basin(4, 0.03f, 0.0f);
  for (const float height_of_eye : {0.45f, 0.9f, 2.0f}) {
    const Camera camera = Camera::looking({0.0f, height_of_eye, 2.4f}, {0.0f, 0.2f, 0.0f}, 0.6f);
    const Image image = renderer_->draw_still(frame, camera, view_, width, height);
    const glm::vec4 clip =
        camera.projection(float(width) / float(height)) * camera.view() * glm::vec4(0.0f, 0.21f, 0.1f, 1.0f);
    const int row = int((0.5f - 0.5f * clip.y / clip.w) * float(height));
    EXPECT_GT(pixel(image, width / 2, row).b, pixel(image, width / 2, row).r + 60) << "no water there";
    EXPECT_LE(roughest(image, row), 12) << height_of_eye;
  }
}

/// A film is as blue at its rim as in its middle, and not much wider than its particles.
TEST_F(RenderTest, AThinFluidDoesNotFadeTowardsItsRim) {
  const float radius = 0.03f;
  const RenderFrame frame = basin(1, radius, 0.0f);
  const Camera camera = Camera::looking({0.0f, 3.5f, 0.01f}, {0.0f, 0.0f, 0.0f}, 0.6f);
  RenderFrame nothing;
  nothing.ground = false;
  const Image image = renderer_->draw_still(frame, camera, view_, width, height);
  const Image empty = renderer_->draw_still(nothing, camera, view_, width, height);
  const int y = height / 2;
  const auto changed = [&](int x) { return pixel(empty, x, y).r - pixel(image, x, y).r; };
  const int middle = changed(width / 2);
  int first = 0, least = middle;
  while (first < width / 2 && changed(first) < middle / 8) ++first;
  for (int x = first + 2; x < width / 2; ++x) least = std::min(least, changed(x));
  const double px = height / (2.0 * std::tan(0.3) * 3.5);  // px a metre
  EXPECT_NEAR(width / 2 - first, (40.0 + 1.0) * double(radius) * px, double(radius) * px);
  EXPECT_GT(3 * least, middle);
}

/// A clear fluid dims the sun on objects below it and not on objects above it. An opaque fluid blocks the
/// sun.
TEST_F(RenderTest, AFluidCastsAShadow) {
  view_.fluids = FluidLook::surface;
  camera_ = Camera::looking({0.0f, 4.0f, 0.5f}, {0.0f, 0.0f, 0.5f}, 0.5f);
  const auto light_on = [&](float opacity, float height_of_sheet, int x) {
    RenderFrame frame = sheet(9, height_of_sheet);
    frame.bounds_min = {-1.0f, 0.0f, -2.0f};
    frame.bounds_max = {1.0f, 1.0f, 1.0f};
    frame.points.fluid_first = 0;
    frame.points.fluid_radius = 0.03f;
    for (int k = 0; k < 6 * 20 * 20 && opacity >= 0.0f; ++k)
      frame.points.add(glm::vec3(-1.5f, 0.3f, 0.2f) + 0.06f * glm::vec3(k % 20, k / 400, k / 20 % 20), 0.03f,
                       packed_light({0.02f, 0.2f, 0.6f}, opacity));
    const Image image = draw(frame, camera_);
    return pixel(image, x, height / 2).sum();
  };
  constexpr int beside = width / 2 - 10, above = width / 2 - 110;  // the sun is on the left
  const int open = light_on(-1.0f, 0.0f, beside), clear = light_on(0.0f, 0.0f, beside);
  EXPECT_GT(open, clear + 20);
  EXPECT_GT(clear, light_on(1.0f, 0.0f, beside) + 20);
  EXPECT_NEAR(light_on(0.0f, 0.8f, above), light_on(-1.0f, 0.8f, above), 3);
}

TEST(FluidShapesTest, LieAgainstThePlaneThatTheyFillUpTo) {
  const float radius = 0.01f;
  std::vector<glm::vec4> particles;
  for (int k = 0; k < 15 * 15 * 8; ++k)
    particles.emplace_back(2.0f * radius * glm::vec3(k % 15, -(k / 225), k / 15 % 15), radius);
  particles.emplace_back(0.0f, 1.0f, 0.0f, radius);
  particles.emplace_back(0.0f, 2.0f, 0.0f, 0.0f);  // not in the scene
  FluidShapes shapes;
  ASSERT_TRUE(shapes.update(particles, radius));
  EXPECT_FALSE(shapes.update(particles, radius));
  std::size_t on_top = 0;
  for (const Ellipsoid& shape : shapes.ellipsoids()) {
    const glm::vec3 up(shape.axes[0].y, shape.axes[1].y, shape.axes[2].y);
    const float top = shape.center.y + glm::length(up), length = glm::length(shape.axes[0]);
    if (shape.center.y > 0.9f) {  // alone: a ball of its own volume
      EXPECT_NEAR(length, 1.24f * radius, 0.01f * radius);
      EXPECT_NEAR(shape.center.y, 1.0f, 1e-6f);
      continue;
    }
    EXPECT_LT(top, 1.3f * radius);
    on_top += top > 0.8f * radius && std::abs(shape.center.x - 14.0f * radius) < 8.5f * radius &&
              std::abs(shape.center.z - 14.0f * radius) < 8.5f * radius;
  }
  EXPECT_EQ(on_top, 9u * 9u);
  EXPECT_LT(shapes.ellipsoids().size(), particles.size() - 500) << "those inside are left out";
  EXPECT_LT(shapes.most().y, 1.0f + 1.3f * radius);
}

/// Spray is visible but casts no shadow. Points that fill a jet belong to the surface only.
TEST_F(RenderTest, SprayCastsNoShadow) {
  RenderFrame frame = sheet(9, 0.0f);
  frame.bounds_min.x = -3.0f, frame.bounds_max.y = 3.5f;
  const Image bare = draw(frame, camera_);
  // above the picture, towards the sun
  frame.points.add({-2.2f, 3.0f, 1.0f}, 0.2f, packed_light({0.9f, 0.9f, 0.9f}));
  EXPECT_GT(difference(draw(frame, camera_), bare), 20);
  frame.points.spray_count = 1;
  EXPECT_EQ(difference(draw(frame, camera_), bare), 0);
  frame.points.spheres[0] = {0.0f, 0.6f, 0.0f, 0.2f};
  EXPECT_GT(difference(draw(frame, camera_), bare), 20);
  frame.points.spray_count = 0;
  frame.points.between_first = 0;
  EXPECT_EQ(difference(draw(frame, camera_), bare), 0);
}

TEST_F(RenderTest, TheClippingPlaneCutsTheEdgesOfTetrahedra) {
  RenderFrame frame = sheet(9, 0.0f);
  frame.surfaces.reset();
  frame.ground = false;
  const auto red = [](Rgb p) { return p.r > p.b + 60; };
  frame.lines_on_top.push_back({{-0.5f, 0.5f, -1.0f}, {0.5f, 0.5f, -1.0f}, {0.8f, 0.0f, 0.0f}, 3.0f});
  frame.lines_on_top.push_back({{-0.5f, 0.5f, 1.0f}, {0.5f, 0.5f, 1.0f}, {0.8f, 0.0f, 0.0f}, 3.0f});
  frame.overlay.overlay = Overlay::tets;
  const int both = count_where(draw(frame, camera_), red);
  view_.clip = ClipPlane{{0.0f, 0.0f, 1.0f}, 0.0f};
  const int behind = count_where(draw(frame, camera_), red);
  EXPECT_GT(behind, 100);
  EXPECT_LT(behind, both / 2);
}

}  // namespace
}  // namespace limber::render_test
