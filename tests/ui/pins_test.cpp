// Corners of the first scene, pinned at other places and freed by hand: the cloth never passes through
// itself.
#include <gtest/gtest.h>

#include <glm/common.hpp>
#include <string>

#include "app/lab/session.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_library.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "tests/source_folder.hpp"

namespace limber::pins_test { namespace {

constexpr int side_vertices = 50;  // vertices, half of those of the scene

SceneDesc first_scene() {
  const std::string root = test::source("");
  auto scene = SceneLibrary({root + "/scenes"}, root + "/assets").find("cloth_hang");
  EXPECT_TRUE(scene);
  scene->objects[0].cloth->columns = scene->objects[0].cloth->rows = side_vertices;
  return std::move(*scene);
}

/// A hand with Shift: it takes the left corner to `place` within `frames` frames, drops it there
/// and frees the right one. Returns how many pairs of triangles cross each other, summed over looks at every
/// fifth frame.
std::int64_t crossings_after(SceneDesc scene, const glm::dvec3& place, int frames) {
  constexpr Index left = 0, right = side_vertices - 1;
  const glm::dvec3 from{-1.5, 3.4, 0.0};
  Session session({Precision::f32, Simd::automatic, 2}, {});
  session.open(std::move(scene));
  Publication shown;
  session.publish(shown);
  const std::uint64_t version = shown.frame.model_version;
  session.show(Overlay::intersections);  // which counts them in every picture
  std::int64_t crossings = 0;
  const auto steps = [&](int count) {
    for (int i = 0; i < count; ++i) {
      session.step_once();
      if (i % 5 != 4) continue;
      session.publish(shown);
      crossings += shown.status.intersections.value_or(0);
    }
  };
  steps(30);
  session.interact(GrabVertex{left, from}, version);
  for (int i = 1; i <= frames; ++i) {
    session.interact(MoveGrab{glm::mix(from, place, double(i) / frames)}, version);
    session.step_once();
  }
  session.interact(ReleaseGrab{true}, version);
  steps(20);
  session.interact(SetPinned{right, false}, version);
  steps(110);
  EXPECT_EQ(shown.status.fixed, std::vector<Index>{left});
  return crossings;
}

TEST(Pins, ACornerPinnedElsewhereNeverPullsTheFirstSceneThroughItself) {
  ASSERT_TRUE(first_scene().solver.contact->cloth_collision);
  for (const glm::dvec3 place :
       {glm::dvec3(0.5, 3.0, 0.6), {0.0, 1.2, 1.0}, {1.2, 2.4, -0.8}, {1.4, 3.4, 0.1}})
    EXPECT_EQ(crossings_after(first_scene(), place, 40), 0) << place.x << ", " << place.y << ", " << place.z;
  EXPECT_EQ(crossings_after(first_scene(), {1.0, 1.0, 0.5}, 6), 0) << "flung there";
}

}}  // namespace limber::pins_test
