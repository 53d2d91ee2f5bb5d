// A joint as the sweeps of nets take it (joint_nets.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/vec3.hpp>

#include "engine/parts/bodies/joints/joint_rows.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace joint_net {

// over positions, there and back: of nets that only pull, that hinge or stop at limits, that are stiff
inline constexpr int sweeps_of_pull = 32, sweeps_of_limits = 128, sweeps_of_stiff = 512;

inline bool moves(const World& world, std::int32_t body) {
  return body >= 0 && world.bodies.position[std::size_t(body)].w > real(0);
}

/// Whether a ball joint is more than its point.
inline bool has_bounds(const JointMaterial& material) {
  return std::isfinite(material.low) || std::isfinite(material.high) || material.drive > 0.0;
}

inline bool is_plain_ball(const World& world, const Joint& joint) {
  return joint.type == JointType::ball &&
         !has_bounds(world.settings.joint_materials[std::size_t(joint.source)]);
}

/// Sweeps of a frame that a joint asks for in its net.
inline int sweeps_for(const World& world, const Joint& joint) {
  if (joint.type == JointType::fixed || joint.type == JointType::slider) return sweeps_of_stiff;
  if (joint.type == JointType::distance) return sweeps_of_pull;
  const JointMaterial& material = world.settings.joint_materials[std::size_t(joint.source)];
  const bool limited = std::isfinite(material.low) || std::isfinite(material.high);
  return joint.type == JointType::ball && !limited ? sweeps_of_pull : sweeps_of_limits;
}

inline JointPose pose_of(const World& world, std::int32_t body) {
  if (body < 0) return {};
  const std::size_t i = std::size_t(body);
  return {glm::dvec3(world.bodies.position[i]), matrix_of(glm::dvec4(world.bodies.orientation[i]))};
}

/// Rows of a joint as the kernels have them: the bounded one, if there can be one, is always there.
struct EveryRow {
  JointRow rows[most_joint_rows];
  int count;

  EveryRow(const World& world, const Joint& joint) {
    JointMaterial material = world.settings.joint_materials[std::size_t(joint.source)];
    material.drive = std::max(material.drive, 1.0);  // a row for it
    joint_gradients(joint, material, pose_of(world, joint.a), pose_of(world, joint.b), rows);
    count = joint_rows(joint, material);
  }
};

}}}  // namespace limber::LIMBER_PRECISION::joint_net
