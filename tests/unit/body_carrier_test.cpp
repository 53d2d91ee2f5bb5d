// Names of the bodies that deformable objects are attached to.
#include "engine/scene/bodies/body_carrier.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"

#include <gtest/gtest.h>

#include "engine/scene/bodies/body_source.hpp"

namespace limber::body_carrier_test {
namespace {

SceneDesc scene_with(const std::string& attach_to, bool two_way = true) {
  SceneDesc scene;
  BodyDesc wall;
  wall.name = "wall";
  wall.copies = {4.0, 3.0, 2.0};
  wall.arrangement = Arrangement::pyramid;
  scene.bodies.push_back(wall);
  ColliderDesc post;
  post.name = "post";
  scene.colliders.push_back(post);
  ObjectDesc cloth;
  cloth.name = "cloth";
  cloth.attachments.push_back({{0L}, {}, 1.0, attach_to, two_way});
  scene.objects.push_back(cloth);
  return scene;
}

TEST(BodyCarrier, CountsCopiesAsTheyAreMade) {
  for (const Arrangement arrangement : {Arrangement::lattice, Arrangement::pyramid})
    for (const glm::dvec3 copies : {glm::dvec3(1.0), glm::dvec3(4.0, 3.0, 2.0), glm::dvec3(2.0, 5.0, 1.0)}) {
      BodyDesc body;
      body.copies = copies;
      body.arrangement = arrangement;
      std::uint64_t drawn = 0;
      EXPECT_EQ(copies_of(body), body_placements({}, body, drawn).size());
    }
}

TEST(BodyCarrier, FindsABodyAndACopyOfIt) {
  const SceneDesc scene = scene_with("");
  EXPECT_FALSE(find_body_carrier(scene, "wall")->copy);
  EXPECT_EQ(find_body_carrier(scene, "wall[17]")->copy, 17u);
  for (const char* wrong :
       {"", "post", "wal", "wall[18]", "wall[", "wall[]", "wall[x]", "wall[-1]", "wall[1]2"})
    EXPECT_FALSE(find_body_carrier(scene, wrong)) << wrong;
}

TEST(BodyCarrier, OnlyATwoWayAttachmentToABodyLeavesItsVerticesFree) {
  const auto fixes = [](const std::string& name, bool two_way) {
    const SceneDesc scene = scene_with(name, two_way);
    return fixes_vertices(scene, scene.objects[0].attachments[0]);
  };
  EXPECT_FALSE(fixes("wall", true));
  EXPECT_TRUE(fixes("wall", false));
  EXPECT_TRUE(fixes("post", true));
  EXPECT_TRUE(fixes("", true));
}

TEST(BodyCarrier, AnUnknownOneIsNamed) {
  EXPECT_TRUE(check_carriers(scene_with("wall[2]")));
  EXPECT_TRUE(check_carriers(scene_with("post")));
  const Expected<void> wrong = check_carriers(scene_with("wall[18]"));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "'cloth' is attached to 'wall[18]', which is no collider and no body");
}

TEST(BodyCarrier, ANameOfTwoIsRefused) {
  SceneDesc scene = scene_with("post");
  scene.bodies[0].name = "post";
  const Expected<void> both = check_carriers(scene);
  ASSERT_FALSE(both);
  EXPECT_EQ(both.error().message, "'cloth' is attached to 'post', which is a collider and a body");
}

TEST(BodyCarrier, CopiesGoIntoCopies) {
  SceneDesc scene = scene_with("wall");  // eighteen of them
  const Expected<void> one = check_carriers(scene);
  ASSERT_FALSE(one);
  EXPECT_EQ(one.error().message, "of 'cloth' there are 1, of 'wall', to which they are attached, 18");
  EXPECT_EQ(one.error().hint, "as many of both, or name one copy, as in wall[0]");
  for (const double rounds : {1.0, 2.0}) {
    scene.objects[0].copies = {18.0, rounds, 1.0};
    EXPECT_TRUE(check_carriers(scene));
  }
  scene.objects[0].copies = {19.0, 1.0, 1.0};
  EXPECT_FALSE(check_carriers(scene));
}

}  // namespace
}  // namespace limber::body_carrier_test
