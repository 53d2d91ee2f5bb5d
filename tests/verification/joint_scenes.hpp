// Bodies and joints from which tests build scenes.
#pragma once

#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"

namespace limber::joint_scenes {

constexpr double pi = std::numbers::pi;

inline BodyDesc solid(const std::string& name, BodyShape shape, const glm::dvec3& position) {
  BodyDesc body;
  body.name = name;
  body.shape = shape;
  body.pose.position = position;
  return body;
}

/// A ball of 1 kg, or `mass`.
inline BodyDesc bob(const std::string& name, const glm::dvec3& position, double radius, double mass = 1.0) {
  BodyDesc body = solid(name, BodyShape::sphere, position);
  body.radius = radius;
  body.density = mass / (4.0 / 3.0 * pi * radius * radius * radius);
  return body;
}

inline JointDesc joint(const std::string& name, JointType type, const std::string& a, const std::string& b,
                       const glm::dvec3& at) {
  JointDesc desc;
  desc.name = name;
  desc.type = type;
  desc.a = a, desc.b = b;
  desc.at = at;
  return desc;
}

inline SceneDesc scene_of(std::vector<BodyDesc> bodies, std::vector<JointDesc> joints, int substeps = 8) {
  SceneDesc scene;
  scene.solver.step->substeps = substeps;
  scene.solver.motion->damping = 0.0;
  scene.bodies = std::move(bodies);
  scene.joints = std::move(joints);
  return scene;
}

/// A bob on a massless rod of 1 m about z, held back by `degrees`.
inline SceneDesc pendulum(double degrees, double radius, int substeps) {
  const double angle = degrees * pi / 180.0;
  const glm::dvec3 place(std::sin(angle), -std::cos(angle), 0.0);
  JointDesc hinge = joint("pivot", JointType::hinge, "bob", "", {});
  hinge.axis = {0.0, 0.0, 1.0};
  return scene_of({bob("bob", place, radius)}, {hinge}, substeps);
}

}  // namespace limber::joint_scenes
