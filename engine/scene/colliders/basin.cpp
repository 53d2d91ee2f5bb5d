#include "engine/scene/colliders/basin.hpp"

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/objects/fluid.hpp"

namespace limber {

ColliderDesc smooth_plane(const std::string& name, const glm::dvec3& position, const glm::dvec3& degrees) {
  ColliderDesc plane;
  plane.name = name;
  plane.shape = ColliderShape::plane;
  plane.pose = {position, degrees};
  plane.friction = 0.0;
  return plane;
}

ObjectDesc water_block(const glm::dvec3& extent, const glm::dvec3& middle) {
  ObjectDesc water;
  water.name = "water";
  water.type = ObjectType::fluid;
  water.fluid->extent = extent;
  water.pose.position = middle;
  water.material->friction = 0.0;
  return water;
}

SceneDesc basin(double radius, const glm::dvec3& corner, const glm::dvec3& block, double length) {
  SceneDesc scene;
  scene.name = "basin";
  scene.solver.contact->particle_radius = radius;
  scene.solver.step->substeps = 8;
  scene.solver.step->iterations = 3;
  scene.objects = {water_block(block, corner + 0.5 * block)};
  const glm::dvec3 far = corner + glm::dvec3(length, 0.0, block.z);
  scene.colliders = {smooth_plane("ground", corner, {0, 0, 0}), smooth_plane("left", corner, {0, 0, -90}),
                     smooth_plane("right", far, {0, 0, 90}), smooth_plane("back", corner, {90, 0, 0}),
                     smooth_plane("front", far, {-90, 0, 0})};
  return scene;
}

}  // namespace limber
