// The renderer without a display, for tests. Tests are skipped if EGL has no OpenGL 3.3.
#pragma once

#include <glad/gl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>

#include "app/render/headless_context.hpp"
#include "app/render/renderer.hpp"
#include "tests/source_folder.hpp"

namespace limber::render_test {

inline const std::string shader_folder = test::source("shaders");
inline constexpr int width = 320, height = 200;

struct Rgb {
  int r, g, b;
  int sum() const { return r + g + b; }
};

inline Rgb pixel(const Image& image, int x, int y) {
  const std::size_t at = 3 * (std::size_t(y) * std::size_t(image.width) + std::size_t(x));
  return {image.rgb[at], image.rgb[at + 1], image.rgb[at + 2]};
}

/// Largest difference of any channel of any pixel.
inline int difference(const Image& a, const Image& b) {
  int most = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i)
    most = std::max(most, std::abs(int(a.rgb[i]) - int(b.rgb[i])));
  return most;
}

inline int count_where(const Image& image, auto predicate) {
  int count = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) count += predicate(pixel(image, x, y)) ? 1 : 0;
  }
  return count;
}

/// A flat n x n sheet of side 2 m at height y, facing up (row 0 at -z), red above and blue below.
inline RenderFrame sheet(int n, float y) {
  RenderFrame frame;
  auto surfaces = std::make_shared<SurfaceTopology>();
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) {
      const glm::vec2 uv(float(c) / float(n - 1), 1.0f - float(r) / float(n - 1));
      frame.positions.emplace_back(2.0f * uv.x - 1.0f, y, 1.0f - 2.0f * uv.y);
      frame.normals.emplace_back(0.0f, 1.0f, 0.0f);
      surfaces->uvs.push_back(uv);
    }
  }
  for (int r = 0; r + 1 < n; ++r) {
    for (int c = 0; c + 1 < n; ++c) {
      const auto a = std::uint32_t(r * n + c), below = a + std::uint32_t(n);
      for (const std::uint32_t i : {a, below, below + 1, a, below + 1, a + 1}) surfaces->indices.push_back(i);
    }
  }
  surfaces->draws.push_back(
      {0, std::uint32_t(surfaces->indices.size()), {0.6f, 0.03f, 0.03f}, {0.03f, 0.03f, 0.6f}, 0});
  frame.surfaces = surfaces;
  frame.bounds_min = {-1.0f, std::min(y, 0.0f), -1.0f};
  frame.bounds_max = {1.0f, y, 1.0f};
  return frame;
}

class RenderTest : public testing::Test {
 protected:
  void SetUp() override {
    auto context = HeadlessContext::create();
    if (!context) GTEST_SKIP() << context.error().text();
    context_ = std::move(*context);
    auto renderer = Renderer::create(context_->load(), shader_folder);
    ASSERT_TRUE(renderer) << renderer.error().text();
    renderer_ = std::move(*renderer);
    view_.msaa = 1;
    view_.shadow_size = 512;
  }
  void TearDown() override {
    if (renderer_) {
      EXPECT_EQ(glGetError(), GLenum(GL_NO_ERROR));
    }
    renderer_.reset();  // while its context is still current
  }

  Image draw(const RenderFrame& frame, const Camera& camera, int w = width, int h = height) {
    renderer_->draw(frame, camera, view_, w, h);
    return renderer_->read_pixels();
  }

  std::unique_ptr<HeadlessContext> context_;
  std::unique_ptr<Renderer> renderer_;
  ViewOptions view_;
  Camera camera_ = Camera::looking({0.0f, 2.0f, 4.0f}, {0.0f, 0.6f, 0.0f}, 0.7f);
};

}  // namespace limber::render_test
