#include "engine/verify/joint_measure.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

struct End {
  glm::dvec3 point, axis;
};

End end_of(const World& world, std::int32_t body, const glm::dvec3& at, const glm::dmat3& axes) {
  if (body == no_body) return {at, axes[0]};
  const std::size_t i = std::size_t(body);
  const glm::dmat3 turn = matrix_of(glm::dvec4(world.bodies.orientation[i]));
  return {glm::dvec3(world.bodies.position[i]) + turn * at, turn * axes[0]};
}

/// m, distance from the place that the joint requires; displacement along a slider's axis is free.
double error_of(const Joint& joint, const JointMaterial& material, const End& a, const End& b) {
  const glm::dvec3 apart = a.point - b.point;
  if (joint.type == JointType::slider) return glm::length(apart - glm::dot(apart, a.axis) * a.axis);
  if (joint.type != JointType::distance) return glm::length(apart);
  const double longer = glm::length(apart) - joint.length;
  return material.pulls_only ? std::max(longer, 0.0) : std::abs(longer);
}

}  // namespace

JointMark joint_mark(const World& world, std::size_t j) {
  const Joint& joint = world.topology->joints[j];
  const End a = end_of(world, joint.a, joint.at_a, joint.axes_a),
            b = end_of(world, joint.b, joint.at_b, joint.axes_b);
  const auto center = [&](std::int32_t body, const End& end) {
    return body == no_body ? glm::vec3(end.point) : glm::vec3(world.bodies.position[std::size_t(body)]);
  };
  JointMark mark;
  mark.type = joint.type, mark.source = joint.source;
  mark.a = glm::vec3(a.point), mark.b = glm::vec3(b.point);
  mark.center_a = center(joint.a, a), mark.center_b = center(joint.b, b);
  mark.axis = glm::vec3(a.axis);
  mark.broken = world.bodies.joints[j].broken;
  return mark;
}

void add_joints(const World& world, Measures& m) {
  m.swept_joints = world.bodies.swept_joints;
  for (std::size_t j = 0; j < world.bodies.joints.size(); ++j) {
    const Joint& joint = world.topology->joints[j];
    const JointMaterial& material = world.settings.joint_materials[std::size_t(joint.source)];
    m.broken_joints += world.bodies.joints[j].broken;
    if (world.bodies.joints[j].broken || material.compliance > 0.0) continue;
    const End a = end_of(world, joint.a, joint.at_a, joint.axes_a),
              b = end_of(world, joint.b, joint.at_b, joint.axes_b);
    m.measured.joints = true;
    const double error = error_of(joint, material, a, b);
    if (!(error > m.joint_error_max)) continue;
    m.joint_error_max = error;
    m.joint_farthest_apart = int(joint.source);
  }
}

}}  // namespace limber::LIMBER_PRECISION
