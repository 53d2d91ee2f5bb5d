// Contact of surfaces with each other comes to rest, and sticking contacts do not creep.
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace surface_rest_test { namespace {

ObjectDesc sheet(const std::string& name, int columns, int rows, double width, double height, bool upright,
                 const glm::dvec3& position) {
  ObjectDesc object;
  object.name = name;
  object.cloth->columns = columns, object.cloth->rows = rows;
  object.cloth->width = width, object.cloth->height = height;
  object.cloth->upright = upright;
  object.pose.position = position;
  object.material->thickness = 0.006;
  object.material->density = 0.2;
  object.material->bend_compliance = 3e3;
  object.material->friction = 0.5;
  return object;
}

SceneDesc scene_of_cloth() {
  SceneDesc scene;
  scene.name = "surfaces at rest";
  scene.solver.step->substeps = 10;
  scene.solver.motion->damping = 0.3;
  scene.solver.contact->cloth_collision = true;
  return scene;
}

/// m/s, of the vertices [0, count) over a second.
double mean_speed(Rig& rig, Index count) {
  double sum = 0.0;
  for (int frame = 0; frame < 60; ++frame) {
    rig.run(1);
    for (Index vertex = 0; vertex < count; ++vertex) sum += double(glm::length(vec3(rig.v(vertex))));
  }
  return sum / (60.0 * double(count));
}

/// Five sheets on the ground. Their weight passes through four layers of contacts, swept in an order that no
/// search may change.
TEST(SurfaceRest, AStackOfSheetsLiesStill) {
  SceneDesc scene = scene_of_cloth();
  for (int i = 0; i < 5; ++i) {
    scene.objects.push_back(sheet("sheet" + std::to_string(i), 7, 7, 0.24, 0.24, false,
                                  {0.001 * i, 0.012 * (i + 1), 0.0007 * i}));
    scene.objects.back().pose.rotation_degrees = {0.0, 3.0 * i, 0.0};
  }
  scene.colliders.emplace_back();
  scene.colliders[0].name = "ground";
  scene.colliders[0].shape = ColliderShape::plane;
  scene.colliders[0].friction = 0.6;
  Rig rig(scene);
  rig.run(100);
  const double speed = mean_speed(rig, 245);
  std::printf("          mean speed %.4f mm/s\n", 1e3 * speed);
  EXPECT_LT(speed, 0.09e-3);
}

/// A strip hangs between two pads of cloth that stand still, nearer than thicknesses ask for.
TEST(SurfaceRest, APinchedStripDoesNotCreep) {
  SceneDesc scene = scene_of_cloth();
  scene.objects.push_back(sheet("strip", 3, 8, 0.06, 0.21, true, {0.0, 0.5, 0.0}));
  for (int side = 0; side < 2; ++side) {
    scene.objects.push_back(sheet("pad" + std::to_string(side), 3, 3, 0.12, 0.12, true,
                                  {0.003, 0.55, side == 0 ? -0.0054 : 0.0054}));
    for (long vertex = 0; vertex < 9; ++vertex) scene.objects.back().pins.emplace_back(vertex);
  }
  Rig rig(scene);
  rig.run(60);
  const double before = double(rig.x(0).y);
  rig.run(120);
  const double crept = before - double(rig.x(0).y);
  std::printf("          %.4f mm in 2 s, from %.4f m\n", 1e3 * crept, before);
  EXPECT_LT(std::abs(crept), 0.1e-3 / 30.0);
}

}}}}  // namespace limber::LIMBER_PRECISION::surface_rest_test
