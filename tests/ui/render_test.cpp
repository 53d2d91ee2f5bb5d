// Renders pictures without a display and measures them.
#include "tests/ui/render_test.hpp"

#include "app/render/stage_look.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <set>

namespace limber::render_test {
namespace {

TEST_F(RenderTest, ShowsTheFrontAndTheBackOfACloth) {
  const RenderFrame frame = sheet(9, 1.0f);
  const auto red = [](Rgb p) { return p.r > 2 * p.g && p.r > 2 * p.b; };
  const auto blue = [](Rgb p) { return p.b > 2 * p.g && p.b > 2 * p.r; };
  const Image above = draw(frame, Camera::looking({0.0f, 4.0f, 2.0f}, {0.0f, 1.0f, 0.0f}, 0.7f));
  EXPECT_GT(count_where(above, red), width * height / 10);
  EXPECT_EQ(count_where(above, blue), 0);
  const Image under = draw(frame, Camera::looking({0.0f, 0.2f, 2.5f}, {0.0f, 1.0f, 0.0f}, 0.7f));
  EXPECT_GT(count_where(under, blue), width * height / 20);
  EXPECT_EQ(count_where(under, red), 0);
}

/// Level with the ground the horizon is the middle of the picture: nothing is to be seen of it.
TEST_F(RenderTest, TheGroundOfEveryStageEndsWithoutALine) {
  for (const StageInfo& info : stages) {
    RenderFrame frame;
    frame.stage = info.stage;
    const Image image = draw(frame, Camera::looking({0.0f, 1.0f, 5.0f}, {0.0f, 1.0f, 0.0f}, 0.7f));
    const auto row_mean = [&](int y) {
      double sum = 0.0;
      for (int x = 0; x < width; ++x) sum += pixel(image, x, y).sum();
      return sum / (3.0 * width);
    };
    // Averaged over a row the dither is gone; the fog itself thins by less than one step a row up here.
    for (int y = height / 2 - 6; y < height / 2 + 7; ++y)
      EXPECT_NEAR(row_mean(y), row_mean(y - 1), 1.0) << info.name << ' ' << y;
  }
}

TEST_F(RenderTest, TheSceneChoosesItsStageAndAPersonAnother) {
  RenderFrame frame = sheet(9, 1.0f);
  std::vector<Image> images;
  for (const StageInfo& info : stages) {
    frame.stage = info.stage;
    view_.stage.reset();
    images.push_back(draw(frame, camera_));
    for (std::size_t i = 0; i + 1 < images.size(); ++i) EXPECT_GT(difference(images[i], images.back()), 4);
    frame.stage = Stage(1 - int(info.stage == Stage::checker));
    view_.stage = info.stage;
    EXPECT_EQ(difference(images.back(), draw(frame, camera_)), 0) << info.name;
  }
}

/// The ground must not distract: the squares of a checker differ by a tenth of their light.
TEST_F(RenderTest, ACheckerIsQuiet) {
  RenderFrame frame;
  const Camera camera = Camera::looking({0.0f, 3.0f, 0.4f}, {0.0f, 0.0f, 0.0f}, 0.7f);
  view_.stage = Stage::studio;
  const Image plain = draw(frame, camera);
  view_.stage = Stage::checker;
  const Image checker = draw(frame, camera);
  EXPECT_GT(difference(plain, checker), 4);
  EXPECT_LT(difference(plain, checker), 16);
  const StageLook& look = look_of(Stage::checker);
  for (int c = 0; c < 3; ++c) EXPECT_GE(look.ground_mark[c], 0.9f * look.ground[c] - 1e-6f);
}

/// On the stage paper, the ground is white below any object, and colours are visible.
TEST_F(RenderTest, PaperIsWhite) {
  RenderFrame frame = sheet(9, 1.0f);
  view_.stage = Stage::paper;
  const auto white = [](Rgb p) { return p.r >= 254 && p.g >= 254 && p.b >= 254; };
  const auto red = [](Rgb p) { return p.r > 2 * p.g && p.r > 2 * p.b; };
  view_.samples = 16;
  for (const Image& image :
       {draw(frame, camera_), renderer_->draw_still(frame, camera_, view_, width, height)}) {
    EXPECT_GT(count_where(image, red), width * height / 20);
    EXPECT_GT(count_where(image, white) + count_where(image, red), width * height * 97 / 100);
  }
}

TEST_F(RenderTest, ShadowFallsAwayFromTheSunAndNowhereElse) {
  // The sun stands at -x, so the shadow of a sheet 1 m up lies towards +x.
  const RenderFrame frame = sheet(9, 1.0f);
  const Camera camera = Camera::looking({0.0f, 6.0f, 6.0f}, {0.0f, 0.0f, 0.0f}, 0.8f);
  const glm::vec2 size(width, height);
  const glm::vec3 dark = camera.project({1.3f, 0.0f, -0.3f}, size),
                  lit = camera.project({-2.2f, 0.0f, 1.5f}, size);
  const Image with = draw(frame, camera);
  view_.shadows = false;
  const Image without = draw(frame, camera);
  EXPECT_LT(pixel(with, int(dark.x), int(dark.y)).sum(),
            0.75 * pixel(without, int(dark.x), int(dark.y)).sum());
  EXPECT_EQ(pixel(with, int(lit.x), int(lit.y)).sum(), pixel(without, int(lit.x), int(lit.y)).sum());
}

TEST_F(RenderTest, AFlatSheetDoesNotShadeItself) {
  const RenderFrame frame = sheet(33, 0.5f);
  const Camera camera = Camera::looking({0.0f, 3.0f, 0.5f}, {0.0f, 0.5f, 0.0f}, 0.35f);
  const Image with = draw(frame, camera);
  view_.shadows = false;
  // Only the sheet is in the picture; the filter's weights add up to one but for rounding.
  EXPECT_LE(difference(with, draw(frame, camera)), 1);
}

TEST_F(RenderTest, ContactDarkensTheGroundBesideASphere) {
  RenderFrame frame;
  frame.solids.push_back({PrimitiveDraw::Shape::sphere, glm::mat4(1.0f), 1.0f, 1.0f, glm::vec3(0.5f)});
  frame.solids[0].transform[3] = {0.0f, 1.0f, 0.0f, 1.0f};
  frame.bounds_min = {-1.0f, 0.0f, -1.0f};
  frame.bounds_max = {1.0f, 2.0f, 1.0f};
  // On the sunny side: no shadow there, only less sky.
  const Camera camera = Camera::looking({-5.0f, 1.0f, 0.0f}, {0.0f, 0.3f, 0.0f}, 0.6f);
  const glm::vec3 at = camera.project({-0.55f, 0.0f, 0.02f}, {width, height});
  const Image with = draw(frame, camera);
  view_.shadows = false;
  const Image without = draw(frame, camera);
  EXPECT_LT(pixel(with, int(at.x), int(at.y)).sum(), pixel(without, int(at.x), int(at.y)).sum() - 15);
}

TEST_F(RenderTest, TheSameFrameGivesTheSameBits) {
  RenderFrame frame = sheet(33, 1.0f);
  frame.lines.push_back({{-1.0f, 1.2f, 0.0f}, {1.0f, 1.4f, 0.5f}, glm::vec3(0.9f), 3.0f});
  view_.msaa = 4;
  const Image first = draw(frame, camera_);
  draw(sheet(5, 0.3f), camera_, 111, 57);  // something else in between
  EXPECT_EQ(difference(first, draw(frame, camera_)), 0);

  // A fresh renderer has no history to draw on.
  auto again = Renderer::create(context_->load(), shader_folder);
  ASSERT_TRUE(again) << again.error().text();
  (*again)->draw(frame, camera_, view_, width, height);
  EXPECT_EQ(difference(first, (*again)->read_pixels()), 0);
}

TEST_F(RenderTest, TakesAnySize) {
  const RenderFrame frame = sheet(9, 1.0f);
  const glm::ivec2 sizes[] = {{1, 1}, {3, 1}, {1, 7}, {333, 117}, {4096, 40}, {320, 200}};
  for (const int samples : {1, 4, 64}) {
    view_.msaa = samples;
    for (const glm::ivec2 size : sizes) {
      const Image image = draw(frame, camera_, size.x, size.y);
      EXPECT_EQ(image.width, size.x);
      EXPECT_EQ(image.height, size.y);
      ASSERT_EQ(image.rgb.size(), std::size_t(3 * size.x * size.y));
      EXPECT_GT(std::accumulate(image.rgb.begin(), image.rgb.end(), 0L), 50L * size.x * size.y);
    }
  }
  EXPECT_EQ(draw(frame, camera_, 0, -5).rgb.size(), 3u);
}

TEST_F(RenderTest, MultisamplingSmoothsEdgesAndNothingElse) {
  const RenderFrame frame = sheet(3, 1.0f);
  const Image sharp = draw(frame, camera_);
  view_.msaa = 4;
  const Image smooth = draw(frame, camera_);
  int changed = 0;
  for (std::size_t i = 0; i < sharp.rgb.size(); i += 3)
    changed += std::abs(sharp.rgb[i] - smooth.rgb[i]) > 8 ? 1 : 0;
  EXPECT_GT(changed, 50);
  EXPECT_LT(changed, width * height / 20);
}

TEST_F(RenderTest, MovedVerticesAndNewTrianglesShow) {
  RenderFrame frame = sheet(9, 1.0f);
  const Image before = draw(frame, camera_);
  for (glm::vec3& position : frame.positions) position.y += 0.3f;
  EXPECT_GT(difference(before, draw(frame, camera_)), 30);

  auto fewer = std::make_shared<SurfaceTopology>(*frame.surfaces);
  fewer->draws[0].index_count /= 2;
  const Image whole = draw(frame, camera_);
  frame.surfaces = fewer;
  EXPECT_GT(difference(whole, draw(frame, camera_)), 30);
}

TEST_F(RenderTest, PatternsShow) {
  RenderFrame frame = sheet(9, 1.0f);
  const Image plain = draw(frame, camera_);
  for (const int pattern : {1, 2, 3}) {
    auto patterned = std::make_shared<SurfaceTopology>(*frame.surfaces);
    patterned->draws[0].pattern = pattern;
    frame.surfaces = patterned;
    const Image image = draw(frame, camera_);
    int changed = 0;
    for (std::size_t i = 0; i < image.rgb.size(); i += 3)
      changed += std::abs(image.rgb[i + 1] - plain.rgb[i + 1]) > 40 ? 1 : 0;
    EXPECT_GT(changed, 500) << pattern;
  }
  // A mesh without uv has nowhere to put a pattern.
  auto bare = std::make_shared<SurfaceTopology>(*frame.surfaces);
  std::ranges::fill(bare->uvs, glm::vec2(0.5f));
  frame.surfaces = bare;
  const Image image = draw(frame, camera_);
  EXPECT_EQ(count_where(image, [](Rgb p) { return p.r > 150 && p.g > 110 && p.b < 110; }), 0);
}

TEST_F(RenderTest, WireframeDrawsTheEdgesOfTheTriangles) {
  const RenderFrame frame = sheet(5, 1.0f);
  const Camera camera = Camera::looking({0.0f, 4.0f, 0.4f}, {0.0f, 1.0f, 0.0f}, 0.7f);
  const Image filled = draw(frame, camera);
  view_.wireframe = true;
  const Image wire = draw(frame, camera);
  const glm::vec2 size(width, height);
  const glm::vec3 edge = camera.project({0.0f, 1.0f, 0.25f}, size),
                  inside = camera.project({0.38f, 1.0f, 0.12f}, size);
  EXPECT_LT(pixel(wire, int(edge.x), int(edge.y)).r, 0.7 * pixel(filled, int(edge.x), int(edge.y)).r);
  EXPECT_NEAR(pixel(wire, int(inside.x), int(inside.y)).r, pixel(filled, int(inside.x), int(inside.y)).r, 2);
}

TEST_F(RenderTest, LinesAndDotsHaveTheirWidthInPixels) {
  RenderFrame frame;
  frame.ground = false;
  const Camera camera = Camera::looking({0.0f, 0.0f, 5.0f}, {0.0f, 0.0f, 0.0f}, 0.7f);
  const Image empty = draw(frame, camera);
  frame.lines.push_back({{-9.0f, 0.0f, 0.0f}, {9.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, 6.0f});
  Image image = draw(frame, camera);
  const auto changed_in_column = [&](int x) {
    int count = 0;
    for (int y = 0; y < height; ++y)
      count += std::abs(pixel(image, x, y).g - pixel(empty, x, y).g) > 20 ? 1 : 0;
    return count;
  };
  EXPECT_NEAR(changed_in_column(width / 2), 6, 1);
  EXPECT_NEAR(changed_in_column(3), 6, 1);

  frame.lines.clear();
  frame.dots.push_back({{0.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 1.0f}, 20.0f});
  image = draw(frame, camera);
  EXPECT_NEAR(changed_in_column(width / 2), 20, 2);
  EXPECT_GT(pixel(image, width / 2, height / 2).sum(), 600);
  EXPECT_LT(pixel(image, width / 2 + 9, height / 2).sum(), 300) << "the dark rim";
}

TEST_F(RenderTest, AClothHidesLinesBehindIt) {
  RenderFrame frame = sheet(5, 1.0f);
  const Camera camera = Camera::looking({0.0f, 5.0f, 0.5f}, {0.0f, 1.0f, 0.0f}, 0.4f);
  const Image before = draw(frame, camera);
  frame.lines.push_back({{-0.5f, 0.5f, 0.0f}, {0.5f, 0.5f, 0.0f}, {0.0f, 1.0f, 0.0f}, 4.0f});
  EXPECT_EQ(difference(before, draw(frame, camera)), 0);
}

/// A deforming mesh has a new geometry in each frame and reuses its buffers; a mesh beside it stays
/// unchanged.
TEST_F(RenderTest, AMeshThatChangesItsShapeIsDrawnAsItIsNow) {
  const auto tile = [](float x, float half) {
    auto geometry = std::make_shared<PrimitiveGeometry>();
    geometry->positions = {{x, 1.0f - half, 0.0f}, {x + half, 1.0f - half, 0.0f}, {x, 1.0f + half, 0.0f}};
    geometry->normals.assign(3, {0.0f, 0.0f, 1.0f});
    geometry->reach = {std::abs(x) + half, 1.0f + half, 0.1f};
    PrimitiveDraw solid;
    solid.shape = PrimitiveDraw::Shape::mesh;
    solid.geometry = std::move(geometry);
    return solid;
  };
  RenderFrame frame;
  const PrimitiveDraw still = tile(-0.8f, 0.3f);
  frame.solids = {tile(0.2f, 0.2f), still};
  const Image before = draw(frame, camera_);
  frame.solids[0] = tile(0.2f, 0.5f);
  const Image after = draw(frame, camera_);
  EXPECT_GT(difference(before, after), 0);
  auto fresh = Renderer::create(context_->load(), shader_folder);
  ASSERT_TRUE(fresh);
  std::swap(renderer_, *fresh);
  EXPECT_EQ(difference(after, draw(frame, camera_)), 0);
  frame.solids = {still, tile(0.2f, 0.2f)};
  EXPECT_EQ(difference(before, draw(frame, camera_)), 0);
}

TEST_F(RenderTest, EverySolidIsRoundedWhereItShouldBe) {
  const Camera camera = Camera::looking({0.0f, 1.0f, 6.0f}, {0.0f, 1.0f, 0.0f}, 0.6f);
  RenderFrame frame;
  frame.ground = false;
  const Image empty = draw(frame, camera);
  const auto area = [&](PrimitiveDraw solid) {
    solid.transform[3] = {0.0f, 1.0f, 0.0f, 1.0f};
    frame.solids = {solid};
    const Image image = draw(frame, camera);
    int count = 0;
    for (std::size_t i = 0; i < image.rgb.size(); i += 3) {
      count +=
          std::abs(image.rgb[i] - empty.rgb[i]) + std::abs(image.rgb[i + 2] - empty.rgb[i + 2]) > 12 ? 1 : 0;
    }
    return double(count);
  };
  const auto shape = [](PrimitiveDraw::Shape which, float scale) {
    glm::mat4 transform(scale);
    transform[3][3] = 1.0f;
    return PrimitiveDraw{which, transform, 0.25f, 0.5f, {0.7f, 0.1f, 0.05f}};
  };
  // Silhouettes: pi r^2; the box shows its front face, 0.5 m nearer; pi r^2 + 4 r h for the capsule.
  const double px = height / (2.0 * 6.0 * std::tan(0.3)), near_px = px * 6.0 / 5.5;
  EXPECT_NEAR(area(shape(PrimitiveDraw::Shape::sphere, 0.5f)), 3.1416 * 0.25 * px * px, 0.04 * px * px);
  EXPECT_NEAR(area(shape(PrimitiveDraw::Shape::box, 0.5f)), near_px * near_px, 0.05 * px * px);
  EXPECT_NEAR(area(shape(PrimitiveDraw::Shape::capsule, 1.0f)), (3.1416 * 0.0625 + 0.5) * px * px,
              0.04 * px * px);
}

TEST_F(RenderTest, APaneIsSeenThroughAndCastsNoShadow) {
  RenderFrame frame = sheet(9, 1.0f);
  const Image without = draw(frame, camera_);
  PrimitiveDraw pane;
  pane.shape = PrimitiveDraw::Shape::box;
  pane.transform = glm::mat4(0.02f);  // upright, between the camera and the sheet's front half
  pane.transform[0][0] = 0.5f;
  pane.transform[1][1] = 1.0f;
  pane.transform[3] = {0.0f, 1.0f, 1.5f, 1.0f};
  frame.panes = {pane};
  const Image with = draw(frame, camera_);
  int changed = 0, outside = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const Rgb a = pixel(without, x, y), b = pixel(with, x, y);
      if (a.r == b.r && a.g == b.g && a.b == b.b) continue;
      ++changed;
      outside += x < width / 4 || x > 3 * width / 4;
      EXPECT_LT(std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b), 160);
    }
  EXPECT_GT(changed, width * height / 20);
  EXPECT_EQ(outside, 0);  // no shadow beside it
  const auto red = [](Rgb p) { return p.r > p.g + 40 && p.r > p.b + 40; };
  EXPECT_NEAR(count_where(with, red), count_where(without, red), width * height / 100);
}

/// Such as the ends of a glass front between two walls: the face is drawn, not stripes of both.
TEST_F(RenderTest, APaneInTheFaceOfAWallIsBehindIt) {
  RenderFrame frame;
  frame.bounds_max = {1.0f, 2.0f, 1.0f};
  PrimitiveDraw wall;
  wall.shape = PrimitiveDraw::Shape::box;
  wall.transform[3] = {0.0f, 1.0f, 0.0f, 1.0f};
  frame.solids = {wall};
  const Camera camera = Camera::looking({0.7f, 1.5f, 4.0f}, {0.0f, 1.0f, 1.0f}, 0.2f);
  const Image without = draw(frame, camera);
  PrimitiveDraw pane = wall;
  pane.transform[0][0] = pane.transform[1][1] = 0.87f;
  pane.transform[2][2] = 0.13f;
  pane.transform[3].z = 0.87f;
  frame.panes = {pane};
  EXPECT_EQ(difference(without, draw(frame, camera)), 0);
}

TEST_F(RenderTest, TheMiddleOfThePictureMovesWithoutTurningTheView) {
  const RenderFrame frame = sheet(9, 1.0f);
  const Camera level = Camera::looking({0.0f, 1.4f, 4.0f}, {0.0f, 1.2f, 0.0f}, 0.7f);
  Camera moved = level;
  moved.middle = {-0.5f, 0.25f};
  const Image plain = draw(frame, level), shifted = draw(frame, moved);
  const int dx = -width / 4, dy = -height / 8;
  int differing = 0;
  for (int y = height / 4; y < 3 * height / 4; ++y)
    for (int x = width / 4 + 1; x < 3 * width / 4; ++x) {
      const Rgb a = pixel(plain, x, y), b = pixel(shifted, x + dx, y + dy);
      differing += std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b) > 9;
    }
  EXPECT_LT(differing, width * height / 200);  // sheet, shadow, ground and sky alike; some pixels of edges
}

TEST_F(RenderTest, SurvivesFramesThatMakeNoSense) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const RenderFrame good = sheet(9, 1.0f);
  const Image before = draw(good, camera_);

  RenderFrame bad = good;
  bad.positions[3] = glm::vec3(nan);
  bad.normals.resize(4);
  bad.bounds_min = glm::vec3(inf);
  bad.bounds_max = glm::vec3(nan);
  bad.solids.push_back({PrimitiveDraw::Shape::sphere, glm::mat4(0.0f), 0.0f, 0.0f, glm::vec3(nan)});
  bad.solids.push_back({PrimitiveDraw::Shape::capsule, glm::mat4(nan), 0.0f, inf, glm::vec3(0.5f)});
  bad.points.add(glm::vec3(nan), 0.1f, 0);
  bad.points.add(camera_.position(), inf, 0);
  bad.points.add(camera_.position(), 0.0f, 0);
  bad.points.colors.pop_back();
  bad.lines.push_back({camera_.position(), camera_.position(), glm::vec3(1.0f), 0.0f});
  bad.dots.push_back({camera_.position(), glm::vec3(1.0f), -1.0f});
  draw(bad, camera_);
  bad.positions.resize(10);  // fewer than the triangles name
  draw(bad, camera_);
  auto beyond = std::make_shared<SurfaceTopology>(*good.surfaces);
  beyond->draws.push_back({100000, 300, {}, {}, 1});
  beyond->draws.push_back({0, 4000000000u, {}, {}, 1});
  beyond->uvs.clear();
  bad.surfaces = beyond;
  draw(bad, camera_);
  draw(RenderFrame(), camera_);

  EXPECT_EQ(difference(before, draw(good, camera_)), 0) << "nothing of it may stay behind";
}

TEST_F(RenderTest, AWrongShaderIsReportedWithFileAndLine) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "limber_broken_shaders";
  fs::remove_all(folder);
  fs::copy(shader_folder, folder);
  { std::ofstream(folder / "tone.glsl", std::ios::app) << "float broken() { return nowhere; }\n"; }
  std::ifstream file(folder / "tone.glsl");
  const auto lines = int(std::count(std::istreambuf_iterator<char>(file), {}, '\n'));
  const auto made = Renderer::create(context_->load(), folder.string());
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().file, (folder / "tone.glsl").string());
  EXPECT_EQ(made.error().line, lines);
  EXPECT_NE(made.error().message.find("nowhere"), std::string::npos) << made.error().message;

  fs::remove(folder / "sky.glsl");
  const auto incomplete = Renderer::create(context_->load(), folder.string());
  ASSERT_FALSE(incomplete);
  EXPECT_NE(incomplete.error().text().find("sky.glsl"), std::string::npos) << incomplete.error().text();
  fs::remove_all(folder);

  const auto missing = Renderer::create(context_->load(), "/no/such/folder");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().text().find("/no/such/folder"), std::string::npos) << missing.error().text();
}

TEST_F(RenderTest, SaysWhatItRunsOn) { EXPECT_EQ(renderer_->description().rfind("OpenGL ", 0), 0u); }

/// A saved picture is smooth whatever the window can afford: an edge against the sky has steps in between,
/// more of them than four samples can make.
TEST_F(RenderTest, APictureToKeepIsSmooth) {
  const RenderFrame frame = sheet(9, 1.0f);
  Camera camera = camera_;
  camera.yaw = 0.3f;
  view_.shadows = false;
  const auto values = [](const Image& image) {
    std::set<int> reds;
    for (std::size_t i = 0; i < image.rgb.size(); i += 3) reds.insert(image.rgb[i]);
    return reds.size();
  };
  const Image plain = draw(frame, camera), still = renderer_->draw_still(frame, camera, view_, width, height);
  ASSERT_EQ(still.rgb.size(), plain.rgb.size());
  EXPECT_GT(values(still), values(plain));
  view_.msaa = 64;  // as many as the driver has
  EXPECT_GT(values(still), values(draw(frame, camera)) * 3 / 4);
  int drawn = 0;
  renderer_->draw_still(frame, camera, view_, 64, 48, [&] { ++drawn; });
  EXPECT_GE(drawn, 1);
}

}  // namespace
}  // namespace limber::render_test
