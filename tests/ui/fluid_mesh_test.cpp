// Meshes of fluids, and how saved pictures draw them.
#include "app/view/fluid_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "app/record/fluid_surface.hpp"
#include "tests/closed_mesh.hpp"
#include "tests/ui/render_test.hpp"

namespace limber::render_test { namespace {

constexpr float radius = 0.02f;
const std::uint32_t water = packed_light({0.02f, 0.2f, 0.6f}), oil = packed_light({0.8f, 0.4f, 0.02f}),
                    paint = packed_light({0.1f, 0.5f, 0.1f}, 1.0f);

/// Adds particles 2 `radius` apart that fill a box of so many, with the low corner at `low`, m.
void add_box(PointCloud& points, const glm::ivec3& counts, const glm::vec3& low, std::uint32_t color) {
  points.fluid_first = 0;
  points.fluid_radius = radius;
  for (int z = 0; z < counts.z; ++z)
    for (int y = 0; y < counts.y; ++y)
      for (int x = 0; x < counts.x; ++x)
        points.add(low + radius * (1.0f + 2.0f * glm::vec3(x, y, z)), radius, color);
}

TriMesh mesh_of(const FluidMeshes& meshes, const FluidBody& body) {
  TriMesh mesh;
  for (const FluidMeshes::Vertex& vertex : meshes.vertices()) mesh.positions.emplace_back(vertex.position);
  for (std::uint32_t i = body.first_index; i < body.first_index + body.index_count; i += 3)
    mesh.triangles.push_back(
        {Index(meshes.indices()[i]), Index(meshes.indices()[i + 1]), Index(meshes.indices()[i + 2])});
  return mesh;
}

double volume_share(const PointCloud& points) {
  FluidMeshes meshes;
  EXPECT_TRUE(meshes.update(points));
  EXPECT_FALSE(meshes.update(points)) << "nothing changed";
  EXPECT_EQ(meshes.bodies().size(), 1u);
  const TriMesh mesh = mesh_of(meshes, meshes.bodies().front());
  EXPECT_TRUE(test::is_closed(mesh));
  return enclosed_volume(mesh) / (8.0 * std::pow(double(radius), 3.0) * double(points.size()));
}

TEST(FluidMeshesTest, AreClosedAndHoldTheVolumeOfTheirParticles) {
  PointCloud block, film, drops;
  add_box(block, {20, 20, 20}, glm::vec3(-0.3f), water);
  add_box(film, {20, 1, 20}, glm::vec3(0.0f), water);
  for (int k = 0; k < 27; ++k) add_box(drops, {1, 1, 1}, 0.213f * glm::vec3(k % 3, k / 3 % 3, k / 9), water);
  EXPECT_NEAR(volume_share(block), 1.0, 0.03);
  EXPECT_NEAR(volume_share(film), 1.37, 0.1);
  EXPECT_NEAR(volume_share(drops), 1.0, 0.1);
  PointCloud gone = block;
  for (glm::vec4& sphere : gone.spheres) sphere.w = 0.0f;
  FluidMeshes meshes;
  meshes.update(gone);
  EXPECT_TRUE(meshes.vertices().empty());
}

/// Particles at random places, of two colours: sheets that nearly touch stay apart.
TEST(FluidMeshesTest, HaveTwoTrianglesAtEveryEdge) {
  PointCloud points;
  points.fluid_first = 0;
  points.fluid_radius = radius;
  std::uint64_t state = 7;
  const auto random = [&] {
    return float((state = state * 6364136223846793005u + 1442695040888963407u) >> 40) / 16777216.0f;
  };
  for (int k = 0; k < 3000; ++k)
    points.add(0.8f * glm::vec3(random(), random(), random()), radius, k % 3 == 0 ? oil : water);
  FluidMeshes meshes;
  meshes.update(points);
  ASSERT_EQ(meshes.bodies().size(), 2u);
  for (const FluidBody& body : meshes.bodies()) EXPECT_TRUE(test::has_two_sides(mesh_of(meshes, body)));
}

/// Particles moved at random by a fifth of their distance leave a pool flat, with a normal straight up.
TEST(FluidMeshesTest, OfAPoolAreFlat) {
  PointCloud pool;
  add_box(pool, {24, 8, 24}, glm::vec3(0.0f), water);
  std::uint64_t state = 1;
  const auto random = [&] {
    return float((state = state * 6364136223846793005u + 1442695040888963407u) >> 40) / 16777216.0f - 0.5f;
  };
  for (glm::vec4& sphere : pool.spheres)
    sphere += 0.4f * radius * glm::vec4(random(), random(), random(), 0.0f);
  FluidMeshes meshes;
  meshes.update(pool);
  float low = 1e9f, high = -1e9f, upright = 1.0f;
  for (const FluidMeshes::Vertex& vertex : meshes.vertices()) {
    const glm::vec3 x = vertex.position / radius - glm::vec3(24.0f, 16.0f, 24.0f);
    if (std::abs(x.x) > 16.0f || std::abs(x.z) > 16.0f || x.y < -4.0f) continue;
    low = std::min(low, x.y), high = std::max(high, x.y);
    upright = std::min(upright, vertex.normal.y);
  }
  EXPECT_GT(low, -0.1f);
  EXPECT_LT(high, 0.5f);
  EXPECT_GT(upright, 0.995f);
}

/// Two fluids that fill a block together have one common outside, and meet without a gap.
TEST(FluidMeshesTest, OfTwoFluidsShareTheSpace) {
  PointCloud points;
  add_box(points, {16, 8, 16}, glm::vec3(0.0f), water);
  add_box(points, {16, 8, 16}, {0.0f, 16.0f * radius, 0.0f}, oil);
  FluidMeshes meshes;
  meshes.update(points);
  ASSERT_EQ(meshes.bodies().size(), 2u);
  double sum = 0.0;
  for (const FluidBody& body : meshes.bodies()) {
    const TriMesh mesh = mesh_of(meshes, body);
    EXPECT_TRUE(test::is_closed(mesh));
    sum += enclosed_volume(mesh);
  }
  EXPECT_NEAR(sum / enclosed_volume(mesh_of(meshes, meshes.clear())), 1.0, 0.02);
  add_box(points, {4, 4, 4}, {2.0f, 0.0f, 0.0f}, paint);
  meshes.update(points);
  EXPECT_EQ(meshes.bodies().size(), 3u);
  EXPECT_TRUE(meshes.bodies().back().opaque());
}

class FluidMeshRenderTest : public RenderTest {
 protected:
  /// Without ground, before a light backdrop.
  static RenderFrame empty() {
    RenderFrame frame;
    frame.ground = false;
    frame.shown_radius = 1.0f;
    frame.bounds_min = glm::vec3(-1.0f), frame.bounds_max = glm::vec3(1.0f);
    return frame;
  }
  Image still(const RenderFrame& frame, const Camera& camera) {
    view_.samples = 8;
    return renderer_->draw_still(frame, camera, view_, width, height);
  }
  Camera ahead_ = Camera::looking({0.0f, 0.0f, 3.0f}, {0.0f, 0.0f, 0.0f}, 0.6f);
};

/// Beer and Lambert: twice the depth dims each colour by the square, and red most.
TEST_F(FluidMeshRenderTest, DeepWaterIsDarkerThanThinWater) {
  const auto middle = [&](int layers) {
    RenderFrame frame = empty();
    if (layers > 0) add_box(frame.points, {24, 24, layers}, {-0.48f, -0.48f, -0.2f}, water);
    return pixel(still(frame, ahead_), width / 2, height / 2);
  };
  const Rgb none = middle(0), thin = middle(1), deep = middle(8), deeper = middle(16);
  EXPECT_LT(std::abs(none.sum() - thin.sum()), 110);
  EXPECT_LT(deep.r, thin.r - 20);
  EXPECT_LT(deeper.r, deep.r - 15);
  EXPECT_GT(deep.b, deep.r + 15);
  EXPECT_GT(none.r - deep.r, 2 * (none.b - deep.b));
}

/// A solid in the fluid ends the path of the light: the nearer it is to the surface, the clearer it shows.
TEST_F(FluidMeshRenderTest, ASolidInWaterShowsThroughWhatIsBeforeIt) {
  const auto red = [&](float depth) {
    RenderFrame frame = sheet(9, 0.0f);
    frame.ground = false;
    frame.shown_radius = 1.0f;
    frame.bounds_max.y = 1.0f;
    add_box(frame.points, {24, 12, 24}, {-0.48f, depth - 0.48f, -0.48f}, water);
    const Image image = still(frame, Camera::looking({0.0f, 3.0f, 0.01f}, {0.0f, 0.0f, 0.0f}, 0.5f));
    return pixel(image, width / 2, height / 2).r;
  };
  const int shallow = red(0.06f), middle = red(0.24f), under = red(0.48f);
  EXPECT_GT(shallow, middle + 15);
  EXPECT_GT(middle, under + 8);
}

/// A ball of water turns what is behind it upside down, as a lens does. An opaque one hides it.
TEST_F(FluidMeshRenderTest, ABallOfWaterIsALens) {
  RenderFrame frame = empty();
  PrimitiveDraw bar;
  bar.shape = PrimitiveDraw::Shape::box;
  bar.transform[0].x = 2.0f, bar.transform[1].y = 0.5f, bar.transform[2].z = 0.1f;
  bar.transform[3] = glm::vec4(0.0f, 0.62f, -1.4f, 1.0f);  // above the middle, behind the ball
  bar.color = {0.8f, 0.02f, 0.02f};
  frame.solids.push_back(bar);
  const auto ball = [&](std::uint32_t color) {
    frame.points.clear();
    frame.points.fluid_first = 0;
    frame.points.fluid_radius = radius;
    for (int k = 0; k < 27'000; ++k) {
      const glm::vec3 x = 2.0f * radius * (glm::vec3(k % 30, k / 30 % 30, k / 900) - 14.5f);
      if (glm::dot(x, x) < 0.16f) frame.points.add(x, radius, color);
    }
  };
  const auto reds = [&](const Image& image, int from, int to) {
    int count = 0;
    for (int y = from; y < to; ++y)
      for (int x = width / 2 - 30; x < width / 2 + 30; ++x) {
        const Rgb p = pixel(image, x, y);
        count += p.r > p.g + 25 && p.r > p.b + 25;
      }
    return count;
  };
  const std::uint32_t clear = packed_light({0.97f, 0.97f, 0.97f});
  frame.points.clear();
  const Image bare = still(frame, ahead_);
  ball(clear);
  const Image lens = still(frame, ahead_);
  ball(paint);
  const Image hidden = still(frame, ahead_);
  EXPECT_GT(reds(bare, 60, 100), 1000);
  EXPECT_EQ(reds(bare, 100, 145), 0);
  EXPECT_LT(reds(lens, 62, 100), 150);
  EXPECT_GT(reds(lens, 100, 145), 900);
  EXPECT_EQ(reds(hidden, 100, 145), 0);
}

/// At a grazing view, water mirrors a red wall behind it.
TEST_F(FluidMeshRenderTest, WaterMirrorsWhatStandsBehindIt) {
  RenderFrame frame = empty();
  add_box(frame.points, {40, 5, 40}, {-0.8f, -0.2f, -0.8f}, water);
  const Camera low = Camera::looking({0.0f, 0.25f, 2.4f}, {0.0f, 0.0f, 0.0f}, 0.6f);
  const Image open = still(frame, low);
  PrimitiveDraw wall;
  wall.shape = PrimitiveDraw::Shape::box;
  wall.transform[0].x = 3.0f, wall.transform[1].y = 3.0f, wall.transform[2].z = 0.05f;
  wall.transform[3] = glm::vec4(0.0f, 3.1f, -1.2f, 1.0f);  // ends above the water
  wall.color = {0.8f, 0.02f, 0.02f};
  frame.solids.push_back(wall);
  const Image walled = still(frame, low);
  const auto warmth = [&](const Image& image) {
    int sum = 0;
    const glm::vec4 clip =
        low.projection(float(width) / float(height)) * low.view() * glm::vec4(0.0f, 0.0f, -0.4f, 1.0f);
    const int y = int((0.5f - 0.5f * clip.y / clip.w) * float(height));
    for (int x = width / 2 - 20; x < width / 2 + 20; ++x) sum += pixel(image, x, y).r - pixel(image, x, y).b;
    return sum / 40;
  };
  EXPECT_GT(warmth(walled), warmth(open) + 12);
}

/// Drops of spray have different sizes and fade towards their rims.
TEST_F(FluidMeshRenderTest, SprayIsSoftAndOfManySizes) {
  RenderFrame frame = empty();
  constexpr int drops = 8;
  const Image bare = still(frame, ahead_);
  for (int k = 0; k < drops; ++k)
    frame.points.add({0.25f * (float(k) - 3.5f), 0.0f, 0.0f}, 0.05f, packed_light(glm::vec3(0.9f)));
  add_box(frame.points, {3, 3, 3}, {0.0f, -0.6f, 0.0f}, water);
  frame.points.spray_count = drops, frame.points.fluid_first = drops;
  const Image image = still(frame, ahead_);
  const double px = height / (2.0 * std::tan(0.3) * 3.0);  // per metre
  int least = 1'000'000, most = 0, faint = 0, changed = 0;
  for (int k = 0; k < drops; ++k) {
    const int middle = width / 2 + int(0.25 * (k - 3.5) * px), reach = int(0.12 * px);
    int area = 0;
    for (int y = height / 2 - reach; y <= height / 2 + reach; ++y)
      for (int x = middle - reach; x <= middle + reach; ++x) {
        const int by = std::abs(pixel(image, x, y).sum() - pixel(bare, x, y).sum());
        area += by > 3, faint += by > 3 && by<30, changed += by> 3;
      }
    least = std::min(least, area), most = std::max(most, area);
  }
  EXPECT_GT(least, 8);
  EXPECT_GT(most, 2 * least);
  EXPECT_GT(5 * faint, changed);
}

}}  // namespace limber::render_test
