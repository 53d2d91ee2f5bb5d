#include "app/bench/joint_rows.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "app/bench/scene_row.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"

namespace limber {
namespace {

/// Shifts the lattice so that the first copy stands at the body's position, for which joint anchors are
/// given.
void begin_there(BodyDesc& body) {
  body.pose.position += 0.5 * body.spacing * glm::dvec3(body.copies.x - 1.0, 0.0, body.copies.z - 1.0);
}

SceneDesc scene_of_joints() {
  SceneDesc scene;
  scene.name = "bench";
  scene.solver.step->substeps = 8;
  return scene;
}

/// Chains of capsules, one chain for every copy of a link.
Expected<std::vector<BenchRow>> measure_chains(const BenchJob& job) {
  SceneDesc scene = scene_of_joints();
  constexpr int links = 20;
  for (int k = 0; k < links; ++k) {
    BodyDesc link;
    link.name = "link" + std::to_string(k);
    link.shape = BodyShape::capsule;
    link.radius = 0.02, link.half_length = 0.08;
    link.copies = {1.0, 1.0, double(job.count)};
    link.spacing = {1.0, 1.0, 1.0};
    link.pose.position = {0.2 * k, 0.0, 0.0};
    link.pose.rotation_degrees = {0.0, 0.0, 90.0};
    JointDesc joint;
    joint.name = "joint" + std::to_string(k);
    joint.a = link.name;
    if (k > 0) joint.b = scene.bodies.back().name;
    joint.at = {0.2 * k - 0.1, 0.0, 0.0};
    begin_there(link);
    scene.bodies.push_back(std::move(link));
    scene.joints.push_back(std::move(joint));
  }
  return measure_bodies(job, std::move(scene), 60);
}

/// A body of a ragdoll, with the centre of its first copy at `center`.
BodyDesc limb(const char* name, const glm::dvec3& half_extents, const glm::dvec3& center, int copies) {
  BodyDesc body;
  body.name = name;
  body.half_extents = half_extents;
  body.pose.position = center;
  body.copies = {double(copies / 10), 1.0, 10.0};
  body.spacing = {2.0, 1.0, 1.0};
  begin_there(body);
  return body;
}
JointDesc cone(const char* a, const char* b, const glm::dvec3& at, const glm::dvec3& axis, double degrees) {
  JointDesc joint;
  joint.name = std::string(a) + "_on_" + b, joint.a = a, joint.b = b;
  joint.at = at, joint.axis = axis, joint.cone_degrees = degrees;
  return joint;
}
JointDesc hinge(const char* a, const char* b, const glm::dvec3& at, double lower, double upper) {
  JointDesc joint;
  joint.name = std::string(a) + "_on_" + b, joint.a = a, joint.b = b;
  joint.type = JointType::hinge;
  joint.at = at, joint.axis = {0.0, 0.0, 1.0};
  joint.limited = true, joint.lower_degrees = lower, joint.upper_degrees = upper;
  return joint;
}

/// Ragdolls upright, arms hanging, 0.4 m above the ground.
Expected<std::vector<BenchRow>> measure_ragdolls(const BenchJob& job) {
  SceneDesc scene = scene_of_joints();
  const auto add = [&](const char* name, const glm::dvec3& half, const glm::dvec3& center) {
    scene.bodies.push_back(limb(name, half, center, job.count));
  };
  add("pelvis", {0.12, 0.08, 0.16}, {0.0, 1.4, 0.0});
  add("chest", {0.12, 0.2, 0.18}, {0.0, 1.7, 0.0});
  add("head", {0.1, 0.12, 0.1}, {0.0, 2.04, 0.0});
  add("left_arm", {0.05, 0.14, 0.05}, {0.0, 1.72, 0.25});
  add("right_arm", {0.05, 0.14, 0.05}, {0.0, 1.72, -0.25});
  add("left_forearm", {0.045, 0.14, 0.045}, {0.0, 1.42, 0.25});
  add("right_forearm", {0.045, 0.14, 0.045}, {0.0, 1.42, -0.25});
  add("left_thigh", {0.07, 0.2, 0.07}, {0.0, 1.1, 0.09});
  add("right_thigh", {0.07, 0.2, 0.07}, {0.0, 1.1, -0.09});
  add("left_shin", {0.06, 0.2, 0.06}, {0.0, 0.66, 0.09});
  add("right_shin", {0.06, 0.2, 0.06}, {0.0, 0.66, -0.09});
  const glm::dvec3 up(0.0, 1.0, 0.0);
  scene.joints = {cone("chest", "pelvis", {0.0, 1.49, 0.0}, up, 30.0),
                  cone("head", "chest", {0.0, 1.91, 0.0}, up, 40.0),
                  cone("left_arm", "chest", {0.0, 1.87, 0.25}, up, 90.0),
                  cone("right_arm", "chest", {0.0, 1.87, -0.25}, up, 90.0),
                  hinge("left_forearm", "left_arm", {0.0, 1.57, 0.25}, 0.0, 140.0),
                  hinge("right_forearm", "right_arm", {0.0, 1.57, -0.25}, 0.0, 140.0),
                  cone("left_thigh", "pelvis", {0.0, 1.31, 0.09}, up, 60.0),
                  cone("right_thigh", "pelvis", {0.0, 1.31, -0.09}, up, 60.0),
                  hinge("left_shin", "left_thigh", {0.0, 0.88, 0.09}, -140.0, 0.0),
                  hinge("right_shin", "right_thigh", {0.0, 0.88, -0.09}, -140.0, 0.0)};
  ColliderDesc ground;
  ground.name = "ground", ground.shape = ColliderShape::plane;
  scene.colliders = {ground};
  return measure_bodies(job, std::move(scene), 60);
}

/// Nets of spheres without contacts. Each sphere is joined to the next in its row and to the one below; the
/// first row is fixed.
Expected<std::vector<BenchRow>> measure_grid(const BenchJob& job) {
  SceneDesc scene = scene_of_joints();
  for (int k = 0; k < job.count; ++k) {
    BodyDesc row;
    row.name = "row" + std::to_string(k);
    row.shape = BodyShape::sphere;
    row.radius = 0.4;
    row.arrangement = Arrangement::line;
    row.copies = {double(job.count), 1.0, 1.0};
    row.spacing = {1.0, 0.0, 0.0};
    row.pose.position = {0.0, -1.0 * k, 0.0};
    row.collides_with = "none";
    row.fixed = k == 0;
    if (k > 0) {
      JointDesc along, down;
      along.name = "along" + std::to_string(k), along.a = row.name, along.chain = true;
      along.at = {0.5, -1.0 * k, 0.0};
      down.name = "down" + std::to_string(k), down.a = row.name, down.b = scene.bodies.back().name;
      down.at = {0.0, 0.5 - k, 0.0};
      scene.joints.push_back(std::move(along));
      scene.joints.push_back(std::move(down));
    }
    scene.bodies.push_back(std::move(row));
  }
  return measure_bodies(job, std::move(scene), 60);
}

/// Rings of 24 boxes on hinges that turn at 3 rad/s about their axes while they fall: each is one closed
/// loop, like the track of a tank.
Expected<std::vector<BenchRow>> measure_rings(const BenchJob& job) {
  SceneDesc scene = scene_of_joints();
  constexpr int links = 24;
  constexpr double radius = 0.5, speed = 3.0, degree = std::numbers::pi / 180.0;
  const auto at_angle = [](double angle, double r) {
    return glm::dvec3(r * std::cos(angle), r * std::sin(angle), 0.0);
  };
  const double step = 2.0 * std::numbers::pi / links;
  for (int k = 0; k < links; ++k) {
    BodyDesc link;
    link.name = "link" + std::to_string(k);
    link.half_extents = {0.015, 0.9 * radius * std::tan(0.5 * step), 0.05};
    link.copies = {1.0, 1.0, double(job.count)};
    link.spacing = {1.0, 1.0, 0.3};
    link.pose.position = at_angle(step * k, radius * std::cos(0.5 * step));
    link.pose.rotation_degrees = {0.0, 0.0, step * k / degree};
    link.velocity = speed * glm::dvec3(-link.pose.position.y, link.pose.position.x, 0.0);
    link.angular_velocity = {0.0, 0.0, speed / degree};
    begin_there(link);
    JointDesc pin;
    pin.name = "pin" + std::to_string(k), pin.type = JointType::hinge;
    pin.a = link.name, pin.b = "link" + std::to_string((k + 1) % links);
    pin.at = at_angle(step * (k + 0.5), radius), pin.axis = {0.0, 0.0, 1.0};
    scene.bodies.push_back(std::move(link));
    scene.joints.push_back(std::move(pin));
  }
  return measure_bodies(job, std::move(scene), 60);
}

}  // namespace

std::vector<BenchJob> joint_jobs(int threads) {
  return {{"joints chains 100 x 20", threads, measure_chains, 100},
          {"joints ragdolls 100", threads, measure_ragdolls, 100},
          {"joints rings 20 x 24", threads, measure_rings, 20},
          {"joints grid 10 x 10", threads, measure_grid, 10},
          {"joints grid 30 x 30", threads, measure_grid, 30},
          {"joints grid 100 x 100", threads, measure_grid, 100}};
}

}  // namespace limber
