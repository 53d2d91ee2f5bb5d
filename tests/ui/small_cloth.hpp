// A scene for tests of user input: cloth with a pinned corner above a ground, a ramp and a ball.
#pragma once

#include <string>

#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber::test {

inline SceneDesc small_cloth() {
  SceneDesc scene;
  scene.name = "small";
  ObjectDesc cloth;
  cloth.name = "cloth";
  cloth.cloth->columns = cloth.cloth->rows = 8;
  cloth.pose.position = {0.0, 2.0, 0.0};
  cloth.pins = {std::string("top_left")};
  scene.objects.push_back(cloth);
  ColliderDesc ground, tilted, ball;
  ground.name = "ground";
  ground.shape = ColliderShape::plane;
  tilted = ground;
  tilted.name = "ramp";
  tilted.pose.rotation_degrees = {0.0, 0.0, 30.0};
  ball.name = "ball";
  ball.radius = 0.25;
  scene.colliders = {ground, tilted, ball};
  return scene;
}

}  // namespace limber::test
