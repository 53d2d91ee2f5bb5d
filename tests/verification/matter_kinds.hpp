// An example of every kind of simulated object, for tests that must hold for all of them.
#pragma once

#include <string>

#include "engine/core/settings/material.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/basin.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/tets.hpp"
#include "tests/source_folder.hpp"

namespace limber::test {

/// Adds one of a kind of matter, half a metre up and x m aside.
struct MatterKind {
  const char* name;
  void (*add)(SceneDesc&, const char* name, double x);
};

inline ObjectDesc object(ObjectType type, const char* name, const glm::dvec3& position) {
  ObjectDesc object;
  object.name = name;
  object.type = type;
  object.pose.position = position;
  return object;
}

inline void cloth(SceneDesc& scene, const char* name, double x) {
  ObjectDesc sheet = object(ObjectType::cloth, name, {x, 0.5, 0.02});
  sheet.cloth->columns = sheet.cloth->rows = 17;
  sheet.cloth->width = sheet.cloth->height = 1.0;
  sheet.cloth->upright = false;
  scene.objects.push_back(sheet);
}
inline void tets(SceneDesc& scene, const char* name, double x) {
  ObjectDesc block = object(ObjectType::tets, name, {x, 0.5, 0.02});
  block.tets->dimensions = glm::dvec3(0.3);
  block.tets->resolution = 3;
  block.pose.rotation_degrees = {20.0, 0.0, 10.0};
  scene.objects.push_back(block);
}
inline void grains(SceneDesc& scene, const char* name, double x) {
  ObjectDesc heap = object(ObjectType::grains, name, {x, 0.5, 0.02});
  heap.copies = glm::dvec3(4.0);
  heap.spacing = glm::dvec3(0.07);
  scene.objects.push_back(heap);
}
inline void cluster(SceneDesc& scene, const char* name, double x) {
  ObjectDesc brick = object(ObjectType::solid, name, {x, 0.5, 0.02});
  brick.mesh = test::source("assets/brick.obj");
  brick.size = 0.4;
  brick.pose.rotation_degrees = {20.0, 0.0, 10.0};
  scene.objects.push_back(brick);
}
inline void fluid(SceneDesc& scene, const char* name, double x) {
  ObjectDesc drop = water_block({0.3, 0.3, 0.3}, {x, 0.4, 0.02});
  drop.name = name;
  scene.objects.push_back(drop);
}
inline void bodies(SceneDesc& scene, const char* name, double x) {
  BodyDesc pile;
  pile.name = name;
  pile.shape = BodyShape::box;
  pile.half_extents = glm::dvec3(0.1);
  pile.copies = {1.0, 3.0, 1.0};
  pile.spacing = {0.0, 0.25, 0.0};
  pile.pose.position = {x, 0.5, 0.02};
  pile.pose.rotation_degrees = {10.0, 0.0, 5.0};
  scene.bodies.push_back(pile);
}

/// Held on one side and too weak for its weight.
inline void tearing_cloth(SceneDesc& scene, const char* name, double x) {
  cloth(scene, name, x);
  scene.objects.back().pins = {std::string("left")};
  scene.objects.back().material->tear_strain = 0.01;
  scene.objects.back().material->stretch_compliance = 1e-3;
}
inline void balloon(SceneDesc& scene, const char* name, double x) {
  ObjectDesc skin = object(ObjectType::cloth, name, {x, 0.5, 0.02});
  skin.mesh = test::source("assets/balloon_small.obj");
  skin.size = 0.5;
  skin.pressure = 1.2;
  skin.pose.rotation_degrees = {20.0, 0.0, 10.0};
  scene.objects.push_back(skin);
}

inline constexpr MatterKind matter_kinds[] = {
    {"Cloth", cloth}, {"Tets", tets},     {"Grains", grains},         {"Cluster", cluster},
    {"Fluid", fluid}, {"Bodies", bodies}, {"Tearing", tearing_cloth}, {"Balloon", balloon}};

}  // namespace limber::test
