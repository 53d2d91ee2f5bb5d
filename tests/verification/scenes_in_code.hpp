// Small scenes for tests, made in code.
#pragma once

#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"

namespace limber::test {

/// A mass on a vertical spring below a fixed point at the origin.
inline SceneDesc hanging_mass(double mass, double rest_length, double compliance) {
  SceneDesc scene;
  scene.solver.step->substeps = 1;
  scene.solver.motion->damping = 0.0;
  ObjectDesc object;
  object.name = "spring";
  object.type = ObjectType::points;
  object.points->list = {{{0.0, 0.0, 0.0}, 0.0}, {{0.0, -rest_length, 0.0}, mass}};
  object.points->springs = {{{0, 1}, rest_length}};
  object.material->stretch_compliance = compliance;
  scene.objects.push_back(object);
  return scene;
}

/// A square cloth of n x n vertices, 2 m wide, free unless pinned.
inline SceneDesc square_cloth(int n) {
  SceneDesc scene;
  scene.solver.motion->damping = 0.0;
  ObjectDesc object;
  object.name = "cloth";
  object.cloth->columns = object.cloth->rows = n;
  scene.objects.push_back(object);
  return scene;
}

inline SceneDesc hanging_cloth(int n) {
  SceneDesc scene = square_cloth(n);
  scene.objects[0].pins = {std::string("top_left"), std::string("top_right")};
  return scene;
}

}  // namespace limber::test
