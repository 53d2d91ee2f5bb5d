// Saved pictures: the mean of several drawings with different suns, skies and shifts of the pixels.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <numeric>

#include "app/render/drawings.hpp"
#include "app/render/stage_look.hpp"
#include "tests/ui/render_test.hpp"

namespace limber::render_test {
namespace {

PrimitiveDraw box(glm::vec3 center, glm::vec3 half) {
  PrimitiveDraw solid{PrimitiveDraw::Shape::box, glm::mat4(1.0f), 1.0f, 1.0f, glm::vec3(0.5f)};
  solid.transform = glm::scale(glm::translate(glm::mat4(1.0f), center), half);
  return solid;
}

/// Straight down on (x, z).
Camera from_above(glm::vec3 at, float distance) {
  Camera camera = Camera::looking(at + glm::vec3(0.0f, distance, 0.0f), at, 0.7f);
  camera.look_from(Camera::Side::top);
  return camera;
}

TEST(Drawings, AreEvenOverPixelSunAndSky) {
  for (const int count : {16, 64, 100}) {
    glm::dvec2 pixel(0.0), sun(0.0);
    double spread = 0.0;
    for (int k = 0; k < count; ++k) {
      const Drawing one = drawing_of(k, count);
      pixel += glm::dvec2(one.pixel) / double(count);
      sun += glm::dvec2(one.sun) / double(count);
      spread += double(glm::dot(one.sun, one.sun)) / count;
      for (const glm::vec3& sky : one.sky) EXPECT_NEAR(glm::length(sky), 1.0f, 1e-5f);
      EXPECT_LE(glm::length(one.sun), 1.0f);
      EXPECT_LT(std::max(std::abs(one.pixel.x), std::abs(one.pixel.y)), 0.75f);
    }
    EXPECT_LT(glm::length(pixel), 2.5 / count);
    EXPECT_LT(glm::length(sun), 2.0 / count);
    EXPECT_NEAR(spread, 0.5, 1e-6);  // of a full disc
    // The mean over the sampled sky equals the effect of a uniform sky on a surface of any orientation.
    for (const glm::vec3 n :
         {glm::vec3(0.0f, 1.0f, 0.0f), glm::vec3(1.0f, 0.0f, 0.0f), glm::vec3(0.0f, 0.0f, 1.0f),
          glm::vec3(0.0f, -1.0f, 0.0f), glm::normalize(glm::vec3(-1.0f, 1.0f, 2.0f))}) {
      double light = 0.0;
      for (int k = 0; k < count; ++k)
        for (const glm::vec3& sky : drawing_of(k, count).sky)
          light += 2.0 * std::max(0.0, double(glm::dot(n, sky))) / (skies * count);
      EXPECT_NEAR(light, 0.5 + 0.5 * double(n.y), 1.0 / count) << n.x << ' ' << n.y << ' ' << n.z;
    }
  }
  EXPECT_FALSE(drawing_of(0, 1).samples_sky());
  EXPECT_EQ(drawing_of(0, 1).pixel, glm::vec2(0.0f));
}

TEST_F(RenderTest, APictureToKeepHasTheSameBitsTwice) {
  RenderFrame frame = sheet(17, 0.6f);
  frame.solids = {box({0.3f, 0.2f, 0.2f}, glm::vec3(0.2f))};
  view_.samples = 20;
  const Image first = renderer_->draw_still(frame, camera_, view_, width, height);
  draw(sheet(5, 0.3f), camera_, 111, 57);
  EXPECT_EQ(difference(first, renderer_->draw_still(frame, camera_, view_, width, height)), 0);
  auto again = Renderer::create(context_->load(), shader_folder);
  ASSERT_TRUE(again);
  EXPECT_EQ(difference(first, (*again)->draw_still(frame, camera_, view_, width, height)), 0);
}

TEST_F(RenderTest, OneDrawingIsWhatTheWindowShows) {
  const RenderFrame frame = sheet(9, 1.0f);
  view_.samples = 1;
  EXPECT_LE(difference(draw(frame, camera_), renderer_->draw_still(frame, camera_, view_, width, height)), 1);
}

/// Opaque where something is, a rim that is partly so, nothing of ground and backdrop; what is opaque looks
/// as before.
TEST_F(RenderTest, ATransparentPictureHasTheOpacityOfWhatItShows) {
  RenderFrame frame;
  frame.solids = {box({0.0f, 0.5f, 0.0f}, glm::vec3(0.5f))};
  frame.bounds_min = {-0.5f, 0.0f, -0.5f};
  frame.bounds_max = {0.5f, 1.0f, 0.5f};
  view_.samples = 16;
  view_.transparent = true;
  const Image image = renderer_->draw_still(frame, camera_, view_, width, height);
  ASSERT_EQ(image.opacity.size(), std::size_t(width * height));
  EXPECT_EQ(image.opacity.front(), 0);
  EXPECT_EQ(image.opacity.back(), 0);
  const glm::vec2 middle = camera_.project({0.0f, 0.5f, 0.0f}, {width, height});
  const std::size_t at = std::size_t(int(middle.y) * width + int(middle.x));
  EXPECT_EQ(image.opacity[at], 255);
  const auto partly = std::count_if(image.opacity.begin(), image.opacity.end(),
                                    [](std::uint8_t o) { return o > 20 && o < 235; });
  EXPECT_GT(partly, 10);
  EXPECT_LT(partly, width * height / 20);
  view_.transparent = false;
  frame.ground = false;
  const Image opaque = renderer_->draw_still(frame, camera_, view_, width, height);
  EXPECT_TRUE(opaque.opacity.empty());
  for (int channel = 0; channel < 3; ++channel)
    EXPECT_NEAR(opaque.rgb[3 * at + std::size_t(channel)], image.rgb[3 * at + std::size_t(channel)], 2);
}

/// Isolines are dark, a tenth of the scale apart, and nothing else changes.
TEST_F(RenderTest, IsolinesStandAtTenthsOfTheScale) {
  RenderFrame frame = sheet(41, 0.6f);
  for (const glm::vec3& place : frame.positions) frame.heat.push_back(0.5f * (place.x + 1.0f));
  frame.heat_scale.high = 1.0f;
  const Camera camera = from_above({0.0f, 0.6f, 0.0f}, 3.0f);
  const int w = 800, h = 600;
  const Image plain = draw(frame, camera, w, h);
  frame.heat_scale.isolines = true;
  const Image lined = draw(frame, camera, w, h);
  const int y = h / 2;
  int lines = 0;
  bool dark_before = false;
  for (int x = int(camera.project({-0.99f, 0.6f, 0.0f}, {w, h}).x);
       x < camera.project({0.99f, 0.6f, 0.0f}, {w, h}).x; ++x) {
    const bool dark = pixel(lined, x, y).sum() < 0.7 * pixel(plain, x, y).sum();
    lines += dark && !dark_before;
    dark_before = dark;
  }
  EXPECT_EQ(lines, 9);
  const glm::vec2 between = camera.project({0.1f, 0.6f, 0.0f}, {w, h});  // 0.55 of the scale
  EXPECT_EQ(pixel(lined, int(between.x), y).sum(), pixel(plain, int(between.x), y).sum());
}

/// The face of a box in even light is even where the box is plain, grained where it is wood or stone. Half a
/// turn of the box takes the grain along.
TEST_F(RenderTest, ALookFillsASolidAndTurnsWithIt) {
  RenderFrame frame;
  frame.solids = {box({0.0f, 0.5f, 0.0f}, glm::vec3(0.5f))};
  frame.bounds_min = {-0.5f, 0.0f, -0.5f};
  frame.bounds_max = {0.5f, 1.0f, 0.5f};
  view_.shadows = false;
  const Camera camera = from_above({0.0f, 1.0f, 0.0f}, 2.0f);
  const int w = 400, h = 300;
  const auto top = [&] {  // light of a lattice of places on the upper face
    const Image image = draw(frame, camera, w, h);
    std::vector<double> light;
    for (int z = -4; z <= 4; ++z)
      for (int x = -4; x <= 4; ++x) {
        const glm::vec3 p = camera.project({0.1f * float(x), 1.0f, 0.1f * float(z)}, {w, h});
        light.push_back(pixel(image, int(p.x), int(p.y)).sum());
      }
    return light;
  };
  const auto spread = [](const std::vector<double>& light) {
    const auto [low, high] = std::minmax_element(light.begin(), light.end());
    return *high / std::max(*low, 1.0);
  };
  const auto correlation = [](const std::vector<double>& a, const std::vector<double>& b) {
    const double n = double(a.size()), mean_a = std::accumulate(a.begin(), a.end(), 0.0) / n,
                 mean_b = std::accumulate(b.begin(), b.end(), 0.0) / n;
    double ab = 0.0, aa = 0.0, bb = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      ab += (a[i] - mean_a) * (b[i] - mean_b);
      aa += (a[i] - mean_a) * (a[i] - mean_a), bb += (b[i] - mean_b) * (b[i] - mean_b);
    }
    return ab / std::sqrt(aa * bb);
  };
  const std::vector<double> plain = top();
  EXPECT_LT(spread(plain), 1.1);
  for (const Look look : {Look::wood, Look::stone}) {
    frame.solids[0].look = look;
    const std::vector<double> grained = top();
    EXPECT_GT(spread(grained), 1.12) << int(look);
    frame.solids[0].transform =
        frame.solids[0].transform * glm::rotate(glm::mat4(1.0f), 3.14159265f, {0.0f, 1.0f, 0.0f});
    std::vector<double> turned = top();
    std::reverse(turned.begin(), turned.end());
    const double taken_along = correlation(turned, grained);
    EXPECT_GT(taken_along, 0.8) << int(look);
    std::reverse(turned.begin(), turned.end());
    EXPECT_LT(correlation(turned, grained), taken_along - 0.2) << int(look);
  }
  frame.solids[0].look = Look::metal;
  EXPECT_NE(top(), plain);
}

/// Light that falls at two moments is half of each.
TEST_F(RenderTest, APictureCanBeExposedAtSeveralMoments) {
  RenderFrame here, there;
  here.solids = {box({-0.4f, 0.5f, 0.0f}, glm::vec3(0.2f))};
  there.solids = {box({0.4f, 0.5f, 0.0f}, glm::vec3(0.2f))};
  for (RenderFrame* frame : {&here, &there})
    frame->bounds_min = {-0.6f, 0.0f, -0.5f}, frame->bounds_max = {0.6f, 1.0f, 0.5f}, frame->ground = false;
  view_.samples = 8;
  view_.transparent = true;
  renderer_->begin_still(view_, width, height);
  const PictureView first{here, camera_, {0, 0, width, height}},
      second{there, camera_, {0, 0, width, height}};
  renderer_->expose(std::span(&first, 1), 0, 6);
  renderer_->expose(std::span(&second, 1), 6, 2);
  const Image image = renderer_->end_still();
  const auto opacity = [&](const glm::vec3& place) {
    const glm::vec2 p = camera_.project(place, {width, height});
    return int(image.opacity[std::size_t(int(p.y) * width + int(p.x))]);
  };
  EXPECT_NEAR(opacity({-0.4f, 0.5f, 0.0f}), 255 * 6 / 8, 2);
  EXPECT_NEAR(opacity({0.4f, 0.5f, 0.0f}), 255 * 2 / 8, 2);
}

/// The rim of a shadow is sharp near its contact and wide far from the caster.
TEST_F(RenderTest, AShadowSoftensAwayFromItsContact) {
  RenderFrame frame;  // a low and a high wall across the sun's way
  frame.solids = {box({0.0f, 0.1f, -1.0f}, {0.02f, 0.1f, 0.8f}),
                  box({0.0f, 0.8f, 1.0f}, {0.02f, 0.8f, 0.8f})};
  frame.bounds_min = {-0.1f, 0.0f, -2.0f};
  frame.bounds_max = {0.1f, 1.6f, 2.0f};
  const Camera camera = from_above({0.7f, 0.0f, 0.0f}, 5.0f);
  view_.shadow_size = 1024;
  view_.samples = 8;
  const int w = 640, h = 400;
  const auto rim = [&](float z) {  // px of half light along a row
    ViewOptions bright = view_;
    bright.shadows = false;
    const Image with = renderer_->draw_still(frame, camera, view_, w, h),
                without = renderer_->draw_still(frame, camera, bright, w, h);
    const int y = int(camera.project({0.7f, 0.0f, z}, {w, h}).y),
              wall = int(camera.project({0.05f, 0.0f, z}, {w, h}).x);
    const auto lit = [&](int x) {
      return double(pixel(with, x, y).sum()) / std::max(pixel(without, x, y).sum(), 1);
    };
    const double dark = lit(wall + 6);
    EXPECT_LT(dark, 0.75);
    int count = 0;
    for (int x = wall + 3; x < w; ++x)
      count += lit(x) > dark + 0.2 * (1.0 - dark) && lit(x) < dark + 0.8 * (1.0 - dark);
    return count;
  };
  const int near = rim(-1.0f), far = rim(1.2f);
  EXPECT_GE(near, 1);
  EXPECT_GT(far, 2 * near + 2) << near;
}

/// A wall in a gap is as dark as the gap is deep, where the sky is sampled.
TEST_F(RenderTest, ACreviceIsDark) {
  RenderFrame frame;
  frame.solids = {box({-1.1f, 0.5f, 0.0f}, {1.0f, 0.5f, 2.0f}), box({1.1f, 0.5f, 0.0f}, {1.0f, 0.5f, 2.0f})};
  frame.bounds_min = {-2.1f, 0.0f, -2.0f};
  frame.bounds_max = {2.1f, 1.0f, 2.0f};
  const Camera camera = Camera::looking({1.0f, 2.2f, 0.0f}, {-0.1f, 0.8f, 0.0f}, 0.3f);
  const auto deeper = [&](int samples) {  // how much darker; the face is turned away from the sun
    view_.samples = samples;
    const Image image = renderer_->draw_still(frame, camera, view_, width, height);
    const glm::vec3 rim = camera.project({-0.1f, 0.97f, 0.0f}, {width, height}),
                    deep = camera.project({-0.1f, 0.8f, 0.0f}, {width, height});
    return pixel(image, int(rim.x), int(rim.y)).sum() - pixel(image, int(deep.x), int(deep.y)).sum();
  };
  EXPECT_LE(std::abs(deeper(4)), 8);
  EXPECT_GT(deeper(64), 60);
  view_.shadows = false;
  EXPECT_LE(std::abs(deeper(64)), 8);
}

/// Light that walls hide from each other comes back from them in their colour: deep in a gap between white
/// walls it is lighter than between black ones, which mirror no sky there either, and between red ones it is
/// redder than at the rim.
TEST_F(RenderTest, ACreviceTakesTheColourOfItsWalls) {
  RenderFrame frame;
  frame.solids = {box({-1.1f, 0.5f, 0.0f}, {1.0f, 0.5f, 2.0f}), box({1.1f, 0.5f, 0.0f}, {1.0f, 0.5f, 2.0f})};
  frame.bounds_min = {-2.1f, 0.0f, -2.0f};
  frame.bounds_max = {2.1f, 1.0f, 2.0f};
  const Camera camera = Camera::looking({1.0f, 2.2f, 0.0f}, {-0.1f, 0.8f, 0.0f}, 0.3f);
  view_.samples = 64;
  const auto deep = [&](glm::vec3 color) {  // light of the gap over that of the rim, linear, per channel
    for (PrimitiveDraw& solid : frame.solids) solid.color = color;
    const Image image = renderer_->draw_still(frame, camera, view_, width, height);
    const auto at = [&](float y) {
      const glm::vec3 place = camera.project({-0.1f, y, 0.0f}, {width, height});
      const Rgb p = pixel(image, int(place.x), int(place.y));
      return glm::vec3(p.r, p.g, p.b);
    };
    return glm::pow(at(0.75f) / at(0.93f), glm::vec3(2.2f));
  };
  const glm::vec3 black = deep(glm::vec3(0.03f)), white = deep(glm::vec3(0.8f)),
                  red = deep({0.6f, 0.04f, 0.04f});
  EXPECT_LT(black.g, 0.25f);
  EXPECT_GT(white.g, 0.65f);
  EXPECT_GT(red.r, red.g + 0.35f);
}

/// The edges of a box are rounded: the edge towards the sun is lighter than the face, the opposite one
/// darker, while the face between them is even. A mesh of the form of a box keeps its own normals.
TEST_F(RenderTest, TheEdgesOfABoxCatchTheLight) {
  RenderFrame frame;
  frame.ground = false;
  view_.shadows = false;
  frame.solids = {box({0.0f, 1.0f, 0.0f}, glm::vec3(0.5f))};
  frame.bounds_min = {-0.5f, 0.5f, -0.5f}, frame.bounds_max = {0.5f, 1.5f, 0.5f};
  const Camera camera = Camera::looking({0.0f, 1.0f, 3.0f}, {0.0f, 1.0f, 0.0f}, 0.5f);
  const auto light = [&](const Image& image, float x) {
    const glm::vec3 place = camera.project({x, 1.0f, 0.5f}, {width, height});
    return pixel(image, int(place.x), int(place.y)).sum();
  };
  const Image image = draw(frame, camera);
  const int face = light(image, 0.0f);
  EXPECT_GT(light(image, -0.485f), face + 20);
  EXPECT_LT(light(image, 0.485f), face - 20);
  EXPECT_NEAR(light(image, -0.4f), face, 4);
  EXPECT_NEAR(light(image, 0.4f), face, 4);
}

/// A plane in the light is as even as one without shadows: it shades itself in no drawing.
TEST_F(RenderTest, ALitPlaneIsEvenInAPictureToKeep) {
  const RenderFrame frame = sheet(33, 0.5f);
  const Camera camera = Camera::looking({0.0f, 3.0f, 0.5f}, {0.0f, 0.5f, 0.0f}, 0.35f);
  view_.samples = 32;
  const Image with = renderer_->draw_still(frame, camera, view_, width, height);
  view_.shadows = false;
  EXPECT_LE(difference(with, renderer_->draw_still(frame, camera, view_, width, height)), 2);
}

/// A wall that the sun only grazes does not either, in a scene so wide that a texel is large.
TEST_F(RenderTest, AWallInGrazingLightIsEven) {
  RenderFrame frame;
  frame.ground = false;
  frame.solids = {box({0.0f, 1.0f, 0.0f}, glm::vec3(1.0f))};
  frame.bounds_min = {-20.0f, 0.0f, -20.0f};
  frame.bounds_max = {20.0f, 4.0f, 20.0f};
  const glm::vec3 sun = look_of(Stage::studio).sun_towards,
                  right = glm::normalize(glm::cross(glm::vec3(0.0f, 0.0f, -1.0f), sun)),
                  diagonal = glm::normalize(right + glm::cross(sun, right));  // across the texels of the map
  for (const float facing : {0.2f, 0.26f, 0.4f}) {
    const glm::vec3 normal = facing * sun + std::sqrt(1.0f - facing * facing) * diagonal;
    const glm::vec3 center(0.0f, 1.0f, 0.0f);
    frame.solids[0].transform =
        glm::inverse(glm::lookAt(center, center - normal, glm::vec3(0.3f, 1.0f, 0.2f)));
    const Camera camera = Camera::looking(center + 4.0f * normal, center, 0.3f);
    const Image with = draw(frame, camera);
    view_.shadows = false;
    EXPECT_LE(difference(with, draw(frame, camera)), 2) << facing;
    view_.shadows = true;
  }
}

/// The shadow map covers the visible part of the scene: seen close up, a shadow's edge in a wide scene is as
/// sharp as in a small one.
TEST_F(RenderTest, TheShadowMapFollowsTheView) {
  RenderFrame frame;
  frame.solids = {box({0.0f, 0.1f, 0.0f}, glm::vec3(0.1f))};
  const Camera camera = from_above({0.2f, 0.0f, 0.0f}, 1.0f);
  const auto soft_pixels = [&](float reach) {
    frame.bounds_min = {-reach, 0.0f, -reach};
    frame.bounds_max = {reach, 0.2f, reach};
    const Image with = draw(frame, camera);
    view_.shadows = false;
    const Image without = draw(frame, camera);
    view_.shadows = true;
    int count = 0;
    for (int x = int(camera.project({0.13f, 0.0f, 0.0f}, {width, height}).x); x < width; ++x) {
      const double lit = double(pixel(with, x, height / 2).sum()) / pixel(without, x, height / 2).sum();
      count += lit > 0.6 && lit < 0.95;
    }
    return count;
  };
  const int small = soft_pixels(0.3f), wide = soft_pixels(30.0f);
  EXPECT_LE(wide, 2 * small + 2);
}

/// The light by normal equals the mean over the dome for surfaces of any orientation.
TEST(StageLook, TheLightOfTheDomeIsThatOfItsDirections) {
  const StageLook& look = look_of(Stage::studio);
  const std::array<glm::vec3, 9> by = light_by_normal(look);
  constexpr int count = 4096;
  for (const glm::vec3 n :
       {glm::vec3(0.0f, 1.0f, 0.0f), glm::vec3(1.0f, 0.0f, 0.0f), glm::vec3(0.0f, -1.0f, 0.0f),
        glm::normalize(glm::vec3(1.0f, 1.0f, 2.0f)), glm::normalize(glm::vec3(-2.0f, 1.0f, 1.0f))}) {
    glm::dvec3 sum(0.0);
    for (int k = 0; k < count; ++k)
      for (const float side : {1.0f, -1.0f}) {
        const glm::vec3 way = drawing_of(k, count).sky[0] * glm::vec3(1.0f, side, 1.0f);
        sum += 2.0 / count * std::max(0.0, double(glm::dot(n, way))) * glm::dvec3(light_from(look, way));
      }
    const std::array<float, 9> basis{
        1.0f, n.y, n.z, n.x, n.x * n.y, n.y * n.z, 3.0f * n.z * n.z - 1.0f, n.x * n.z, n.x * n.x - n.y * n.y};
    glm::dvec3 smooth(0.0);
    for (std::size_t i = 0; i < by.size(); ++i) smooth += glm::dvec3(by[i] * basis[i]);
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(smooth[c], sum[c], 0.03 * sum[c]) << n.x << ' ' << n.y << ' ' << n.z;
  }
}

/// With a lens, an object in front of the target is blurred, and one beside the target is not.
TEST_F(RenderTest, ALensBlursTheForeground) {
  RenderFrame frame;
  frame.ground = false;
  frame.solids = {box({-0.5f, 0.0f, 0.0f}, {0.4f, 0.4f, 0.01f}),
                  box({0.25f, 0.0f, 2.0f}, {0.2f, 0.2f, 0.01f})};
  for (PrimitiveDraw& solid : frame.solids) solid.color = glm::vec3(0.02f);
  frame.bounds_min = {-1.0f, -1.0f, -1.0f};
  frame.bounds_max = {1.0f, 1.0f, 3.0f};
  const Camera camera = Camera::looking({0.0f, 0.0f, 4.0f}, {0.0f, 0.0f, 0.0f}, 0.6f);
  view_.samples = 32;
  const auto between = [&](bool right) {  // px in the middle row of a half that are neither dark nor light
    const Image image = renderer_->draw_still(frame, camera, view_, width, height);
    const int sky = pixel(image, width / 2, 2).sum();
    int count = 0;
    for (int x = right ? width / 2 : 0; x < (right ? width : width / 2); ++x) {
      const int here = pixel(image, x, height / 2).sum();
      count += here < 9 * sky / 10 && here > sky / 4;
    }
    return count;
  };
  const int far = between(false), near = between(true);
  view_.lens = 0.2f;
  EXPECT_LE(between(false), far + 2);
  EXPECT_GT(between(true), near + 4);
}

/// Jelly lets the sun through, more where it is thin; rubber does not.
TEST_F(RenderTest, JellyGlowsWhereItIsThin) {
  const auto back_light = [&](Matter matter, float thickness) {
    RenderFrame frame = sheet(9, 1.0f);  // a slab over the eye: its lower face is turned away from the sun
    auto surfaces = std::make_shared<SurfaceTopology>(*frame.surfaces);
    surfaces->draws[0].matter = matter;
    surfaces->draws[0].back_color = surfaces->draws[0].color;
    const auto upper = std::uint32_t(frame.positions.size());
    for (std::uint32_t i = 0; i < upper; ++i) {
      frame.positions.push_back(frame.positions[i] + glm::vec3(0.0f, thickness, 0.0f));
      frame.normals.push_back(frame.normals[i]);
      surfaces->uvs.push_back(surfaces->uvs[i]);
    }
    for (std::size_t i = 0, count = surfaces->indices.size(); i < count; ++i)
      surfaces->indices.push_back(surfaces->indices[i] + upper);
    surfaces->draws[0].index_count *= 2;
    frame.surfaces = surfaces;
    frame.ground = false;
    frame.bounds_max.y = 1.0f + thickness;
    frame.shown_radius = 1.0f;
    view_.samples = 32;
    const Camera camera = Camera::looking({0.0f, 0.0f, 1.0f}, {0.0f, 1.0f, 0.0f}, 0.3f);
    return pixel(renderer_->draw_still(frame, camera, view_, width, height), width / 2, height / 2).r;
  };
  const int thick = back_light(Matter::jelly, 0.6f), thin = back_light(Matter::jelly, 0.03f);
  EXPECT_GT(thin, thick + 20);
  EXPECT_NEAR(back_light(Matter::rubber, 0.6f), thick, 12);
  EXPECT_NEAR(back_light(Matter::rubber, 0.03f), thick, 12);
}

/// An edge has intermediate values, whatever the window's anti-aliasing.
TEST_F(RenderTest, AnEdgeOfAPictureToKeepIsSmooth) {
  RenderFrame frame;
  frame.ground = false;
  frame.solids = {box({0.0f, 0.5f, 0.0f}, glm::vec3(0.5f))};
  frame.solids[0].color = glm::vec3(0.02f);
  const auto between = [&](int samples) {
    view_.samples = samples;
    const Image image = renderer_->draw_still(frame, camera_, view_, width, height);
    const int sky = pixel(image, 2, height / 2).sum(), black = pixel(image, width / 2, height / 2).sum();
    return count_where(image, [&](Rgb p) {
      return p.sum() > black + (sky - black) / 3 && p.sum() < sky - (sky - black) / 4;
    });
  };
  EXPECT_GT(between(16), between(1) + height / 4);
}

}  // namespace
}  // namespace limber::render_test
