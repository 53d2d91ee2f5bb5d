#include "engine/scene/build/joint_builder.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/scene/joints/joint_source.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Unit axes as columns: the first along x, the second as close to y as orthogonality allows, the third
/// perpendicular to both.
glm::dmat3 joint_axes(const glm::dvec3& x, const glm::dvec3& y) {
  const glm::dvec3 first = glm::normalize(x);
  glm::dvec3 across = y - glm::dot(y, first) * first;
  if (glm::length(across) < 1e-6)
    across = glm::cross(first, std::abs(first.x) < 0.6 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0));
  across = glm::normalize(across);
  return {first, across, glm::cross(first, across)};
}

/// A joint of `pair`. Positions in `desc` are those of the first copy.
Joint make_joint(const Bodies& bodies, const JointDesc& desc, std::int32_t source, const JointedPair& pair) {
  const auto center = [&](long i) { return glm::dvec3(bodies.position[std::size_t(i)]); };
  const auto turn = [&](long i) {
    return i < 0 ? glm::dmat3(1.0) : matrix_of(glm::dvec4(bodies.orientation[std::size_t(i)]));
  };
  const auto own = [&](long i, const glm::dvec3& x) {
    return i < 0 ? x : glm::transpose(turn(i)) * (x - center(i));
  };
  const glm::dvec3 moved = center(pair.a) - center(pair.first);
  const bool between_points = desc.type == JointType::distance;
  const glm::dvec3 at = desc.at + moved, at_b = between_points ? desc.at_b + moved : at;
  Joint joint;
  joint.type = desc.type;
  joint.source = source;
  joint.a = std::int32_t(pair.a), joint.b = std::int32_t(pair.b);
  joint.at_a = own(pair.a, at), joint.at_b = own(pair.b, at_b);
  const bool has_axis = desc.type != JointType::distance && desc.type != JointType::fixed;
  const bool crossed = desc.type == JointType::universal;
  const glm::dmat3 axes =
      has_axis ? joint_axes(desc.axis, crossed ? desc.axis_b : glm::dvec3(0.0)) : glm::dmat3(1.0);
  joint.axes_a = glm::transpose(turn(pair.a)) * axes;
  joint.axes_b = glm::transpose(turn(pair.b)) * axes;
  joint.length = desc.length > 0.0 ? desc.length : glm::distance(at, at_b);
  return joint;
}

}  // namespace

void add_joints(const SceneDesc& scene, World& world, Topology& topology, SceneModel& model) {
  for (std::size_t s = 0; s < scene.joints.size(); ++s) {
    const Expected<std::vector<JointedPair>> pairs = joined_pairs(scene, scene.joints[s]);
    for (const JointedPair& pair : *pairs)
      topology.joints.push_back(make_joint(world.bodies, scene.joints[s], std::int32_t(s), pair));
  }
  world.bodies.joints.assign(topology.joints.size(), {});
  std::vector<std::vector<std::int32_t>> at(std::size_t(world.bodies.count()));
  for (std::size_t j = 0; j < topology.joints.size(); ++j)
    for (const std::int32_t body : {topology.joints[j].a, topology.joints[j].b})
      if (body >= 0) at[std::size_t(body)].push_back(std::int32_t(j));
  topology.joint_offset.assign(1, 0);
  for (const auto& joints : at) {
    topology.joint_at.insert(topology.joint_at.end(), joints.begin(), joints.end());
    topology.joint_offset.push_back(std::int32_t(topology.joint_at.size()));
  }
  model.joints = scene.joints;
}

JointMaterial joint_material(const JointDesc& desc) {
  JointMaterial m;
  m.compliance = desc.compliance, m.angular_compliance = desc.angular_compliance, m.damping = desc.damping;
  m.collide = desc.collide;
  if (desc.break_force > 0.0) m.break_force = desc.break_force;
  const auto between = [&](double low, double high) {
    if (desc.limited) m.low = std::min(low, high), m.high = std::max(low, high);
  };
  if (desc.type == JointType::hinge) {
    between(glm::radians(desc.lower_degrees), glm::radians(desc.upper_degrees));
    m.speed = desc.motor_torque > 0.0 ? glm::radians(desc.motor_speed) : 0.0;
    m.drive = desc.motor_torque > 0.0 ? desc.motor_torque : desc.friction_torque;
  } else if (desc.type == JointType::slider) {
    between(desc.lower, desc.upper);
    m.speed = desc.motor_force > 0.0 ? desc.motor_velocity : 0.0;
    m.drive = desc.motor_force > 0.0 ? desc.motor_force : desc.friction_force;
  } else if (desc.type == JointType::ball && desc.cone_degrees < 180.0) {
    m.high = glm::radians(desc.cone_degrees);
  }
  m.pulls_only = desc.type == JointType::distance && desc.rope;
  return m;
}

}}  // namespace limber::LIMBER_PRECISION
