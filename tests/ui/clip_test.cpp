// The clipping plane: names, cuts and drags.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "app/tools/clip_drag.hpp"
#include "app/view/clip_marks.hpp"
#include "app/view/clip_plane.hpp"
#include "app/view/tet_section.hpp"
#include "engine/geometry/tets/tet_shapes.hpp"

namespace limber::clip_test {
namespace {

/// A bar of 2 x 0.5 x 0.4 m with heat that rises along x.
RenderFrame bar() {
  const TetMesh mesh = make_tet_bar({8, 2, 2}, {2.0, 0.5, 0.4});
  RenderFrame frame;
  auto surfaces = std::make_shared<SurfaceTopology>();
  for (const glm::dvec3& x : mesh.positions) {
    frame.positions.emplace_back(x);
    frame.heat.push_back(float(x.x));
  }
  for (const Tet& t : mesh.tets)
    surfaces->tets.push_back(
        {std::uint32_t(t[0]), std::uint32_t(t[1]), std::uint32_t(t[2]), std::uint32_t(t[3])});
  surfaces->solids.push_back({0, std::uint32_t(mesh.tets.size()), glm::vec3(0.2f), 0, false});
  frame.surfaces = surfaces;
  frame.focus_min = {-1.0f, -0.25f, -0.2f};
  frame.focus_max = {1.0f, 0.25f, 0.2f};
  return frame;
}

struct Section {
  std::vector<SectionVertex> corners;
  std::vector<std::uint32_t> ends;
  double area = 0.0;
};

Section section_of(const RenderFrame& frame, const ClipPlane& plane) {
  Section out;
  cut_tets(frame, plane, out.corners, out.ends);
  for (std::size_t i = 0; i + 2 < out.corners.size(); i += 3)
    out.area += 0.5 * glm::length(glm::cross(out.corners[i + 1].position - out.corners[i].position,
                                             out.corners[i + 2].position - out.corners[i].position));
  return out;
}

TEST(Clip, PlanesHaveNames) {
  const auto x = clip_named("x"), below = clip_named("-y=0.25");
  ASSERT_TRUE(x && below);
  EXPECT_EQ(x->through({0.7f, 1.0f, 1.0f}).offset, 0.7f);
  const ClipPlane plane = below->through(glm::vec3(5.0f));
  EXPECT_EQ(plane.normal, glm::vec3(0.0f, -1.0f, 0.0f));
  EXPECT_GT(plane.height({0.0f, 0.2f, 0.0f}), 0.0f);  // what lies below is cut away
  EXPECT_LT(plane.height({0.0f, 0.3f, 0.0f}), 0.0f);
  for (const char* bad : {"", "-", "w", "x=", "x=nan", "x=1m", "x=inf", "xy", "=1", "x =1"})
    EXPECT_FALSE(clip_named(bad)) << bad;
}

TEST(Clip, TheSectionOfABarHasItsAreaAndItsHeat) {
  const RenderFrame frame = bar();
  const Section across = section_of(frame, {{1.0f, 0.0f, 0.0f}, 0.1f});
  EXPECT_NEAR(across.area, 0.5 * 0.4, 1e-6);
  ASSERT_EQ(across.ends, std::vector<std::uint32_t>{std::uint32_t(across.corners.size())});
  for (const SectionVertex& corner : across.corners) {
    EXPECT_NEAR(corner.position.x, 0.1f, 1e-6f);
    EXPECT_NEAR(corner.heat, 0.1f, 1e-6f);
  }
  EXPECT_NEAR(section_of(frame, {{0.0f, 0.0f, 1.0f}, 0.03f}).area, 2.0 * 0.5, 1e-6);
  const float slope = std::sqrt(0.5f);
  EXPECT_NEAR(section_of(frame, {{slope, slope, 0.0f}, 0.02f}).area, 0.4 * 0.5 * std::sqrt(2.0), 1e-6);
  EXPECT_TRUE(section_of(frame, {{1.0f, 0.0f, 0.0f}, 1.5f}).corners.empty());
}

TEST(Clip, OnlyTheSidesOfPolygonsAreDrawnAsEdges) {
  const Section across = section_of(bar(), {{0.0f, 1.0f, 0.0f}, 0.06f});
  int inner = 0;
  for (std::size_t i = 0; i + 2 < across.corners.size(); i += 3)
    for (int k = 0; k < 3; ++k) {  // component k at the two ends of the side opposite to corner k
      const float a = across.corners[i + std::size_t((k + 1) % 3)].edge[k],
                  b = across.corners[i + std::size_t((k + 2) % 3)].edge[k];
      EXPECT_EQ(a, b);
      EXPECT_EQ(across.corners[i + std::size_t(k)].edge[k], 1.0f);
      inner += a == 1.0f;
    }
  EXPECT_GT(inner, 0);  // diagonals of quads, two triangles each
  EXPECT_EQ(inner % 2, 0);
}

TEST(Clip, ADragMovesThePlaneWithTheCursor) {
  const RenderFrame frame = bar();
  const glm::vec2 size(800.0f, 600.0f);
  const Camera camera = Camera::looking({0.3f, 0.5f, 4.0f}, {0.0f, 0.0f, 0.0f}, 0.7f);
  const Viewpoint view{camera, size};
  ClipPlane plane{{1.0f, 0.0f, 0.0f}, 0.2f};
  ClipDrag drag;
  const glm::vec2 dot(camera.project(clip_handle(plane, frame), size));
  EXPECT_FALSE(drag.press(plane, frame, view, dot + glm::vec2(40.0f, 0.0f), false));
  ASSERT_TRUE(drag.press(plane, frame, view, dot, false));
  drag.move(plane, view, dot + glm::vec2(60.0f, 0.0f));
  EXPECT_NEAR(camera.project(clip_handle(plane, frame), size).x, dot.x + 60.0f, 3.0f);
  drag.move(plane, view, dot);
  EXPECT_NEAR(plane.offset, 0.2f, 1e-6f);

  ClipPlane facing{{0.0f, 0.0f, 1.0f}, 0.1f};  // its normal points at the camera: up is away
  const glm::vec2 held(camera.project(clip_handle(facing, frame), size));
  ASSERT_TRUE(drag.press(facing, frame, view, held, false));
  drag.move(facing, view, held - glm::vec2(0.0f, 30.0f));
  EXPECT_LT(facing.offset, 0.09f);
}

TEST(Clip, ATurnKeepsTheDotInThePlane) {
  const RenderFrame frame = bar();
  const Camera camera = Camera::looking({1.0f, 1.0f, 4.0f}, {0.0f, 0.0f, 0.0f}, 0.7f);
  const Viewpoint view{camera, {800.0f, 600.0f}};
  ClipPlane plane{{0.0f, 1.0f, 0.0f}, 0.05f};
  const glm::vec3 handle = clip_handle(plane, frame);
  ClipDrag drag;
  ASSERT_TRUE(drag.press(plane, frame, view, glm::vec2(camera.project(handle, view.size)), true));
  drag.move(plane, view, glm::vec2(camera.project(handle, view.size)) + glm::vec2(50.0f, 80.0f));
  EXPECT_NEAR(glm::length(plane.normal), 1.0f, 1e-6f);
  EXPECT_LT(plane.normal.y, 0.95f);
  EXPECT_NEAR(plane.height(handle), 0.0f, 1e-6f);
}

}  // namespace
}  // namespace limber::clip_test
