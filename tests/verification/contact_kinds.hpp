// The kinds of objects whose contacts the tests of the contact law examine.
#pragma once

#include <string>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "tests/source_folder.hpp"

namespace limber::contact_kinds {

inline constexpr double mu = 0.5;

inline void plane(SceneDesc& scene) {
  ColliderDesc ground;
  ground.name = "below";
  ground.shape = ColliderShape::plane;
  ground.friction = mu;
  scene.colliders.push_back(ground);
}

/// A body that nothing moves.
inline void table(SceneDesc& scene) {
  BodyDesc body;
  body.name = "below";
  body.shape = BodyShape::box;
  body.half_extents = {4.0, 0.25, 1.0};
  body.pose.position = {0.0, -0.25, 0.0};
  body.friction = mu;
  body.fixed = true;
  scene.bodies.push_back(body);
}

inline ObjectDesc cloth(const char* name, double width, double height, int columns, int rows, double y) {
  ObjectDesc sheet;
  sheet.name = name;
  sheet.type = ObjectType::cloth;
  sheet.cloth->width = width, sheet.cloth->height = height, sheet.cloth->columns = columns,
  sheet.cloth->rows = rows;
  sheet.cloth->upright = false;
  sheet.pose.position = {0.0, y, 0.0};
  sheet.material->friction = mu;
  sheet.material->density = 1.0;
  sheet.material->thickness = 0.01;
  return sheet;
}

/// Cloth of which every vertex is held.
inline void sheet(SceneDesc& scene) {
  ObjectDesc below = cloth("below", 8.0, 2.0, 81, 21, 0.0);
  below.pins = {std::string("all")};
  scene.objects.push_back(below);
}

inline void box(SceneDesc& scene) {
  BodyDesc body;
  body.name = "above";
  body.shape = BodyShape::box;
  body.half_extents = {0.2, 0.05, 0.2};
  body.pose.position = {-1.0, 0.06, 0.0};
  body.density = 100.0;
  body.friction = mu;
  scene.bodies.push_back(body);
}

inline void patch(SceneDesc& scene) {
  ObjectDesc above = cloth("above", 0.4, 0.4, 9, 9, 0.012);
  above.pose.position.x = -1.0;
  scene.objects.push_back(above);
}

/// A brick of particles that keeps its shape.
inline void brick(SceneDesc& scene) {
  ObjectDesc above;
  above.name = "above";
  above.type = ObjectType::solid;
  above.mesh = test::source("assets/brick.obj");
  above.size = 0.4;
  above.density = 500.0;
  above.pose.position = {-1.0, 0.12, 0.0};
  above.material->friction = mu;
  scene.objects.push_back(above);
}

/// A kind of object that collides in the air, A from above. `y`: height of its centre, m.
struct Kind {
  const char* name;
  void (*add)(SceneDesc&, const char* name, double y, double speed);
};

inline void free_box(SceneDesc& scene, const char* name, double y, double speed) {
  BodyDesc body;
  body.name = name;
  body.shape = BodyShape::box;
  body.half_extents = {0.2, 0.05, 0.2};
  body.pose.position = {0.03, y, 0.02};
  body.velocity = {0.1, speed, 0.0};
  body.density = 100.0;
  body.friction = mu;
  scene.bodies.push_back(body);
}

inline void free_ball(SceneDesc& scene, const char* name, double y, double speed) {
  free_box(scene, name, y, speed);
  scene.bodies.back().shape = BodyShape::sphere;
  scene.bodies.back().radius = 0.05;
}

inline void free_patch(SceneDesc& scene, const char* name, double y, double speed) {
  ObjectDesc patch = cloth(name, 0.4, 0.4, 9, 9, y);
  patch.velocity = {-0.1, speed, 0.0};
  scene.objects.push_back(patch);
}

inline void free_brick(SceneDesc& scene, const char* name, double y, double speed) {
  brick(scene);
  scene.objects.back().name = name;
  scene.objects.back().pose.position = {0.02, y, 0.03};
  scene.objects.back().velocity = {0.0, speed, 0.1};
}

inline void free_grain(SceneDesc& scene, const char* name, double y, double speed) {
  ObjectDesc grain;
  grain.name = name;
  grain.type = ObjectType::grains;
  grain.copies = {1.0, 1.0, 1.0};
  grain.density = 1000.0;
  grain.pose.position = {0.01, y, 0.0};
  grain.velocity = {0.0, speed, 0.05};
  grain.material->friction = mu;
  scene.objects.push_back(grain);
}

inline constexpr Kind free_kinds[] = {{"Box", free_box},
                                      {"Ball", free_ball},
                                      {"Cloth", free_patch},
                                      {"Cluster", free_brick},
                                      {"Grain", free_grain}};

}  // namespace limber::contact_kinds
