// Joints of rigid bodies: geometry, parameters and state.
#pragma once

#include <cstdint>
#include <limits>
#include <tuple>

#include "engine/core/members.hpp"
#include "engine/core/real.hpp"
#include "engine/geometry/joint_type.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

inline constexpr std::int32_t no_body = -1;  ///< in place of a body: the world

/// A joint: two points, each of a body or the world, and a frame at each point. `axes[0]` is the axis about
/// which the joint rotates or along which it slides; for a universal joint axes_a[0] and axes_b[1] form the
/// cross. Points and frames are given in the frames of the bodies.
struct Joint {
  JointType type = JointType::ball;
  std::int32_t source = 0;          ///< in the scene's list
  std::int32_t a = 0, b = no_body;  ///< at least one of them can move
  glm::dvec3 at_a{0.0}, at_b{0.0};  ///< m
  glm::dmat3 axes_a{1.0}, axes_b{1.0};
  double length = 0.0;  ///< m, of a distance joint
};

/// Parameters of the joints of one entry of the scene. Angles in rad; an absent bound is infinite.
struct JointMaterial {
  static constexpr double none = std::numeric_limits<double>::infinity();
  double low = -none, high = none;  ///< rad or m, limits of the free motion; for a ball joint, of the cone
  double speed = 0.0;               ///< rad/s or m/s, target of the motor
  /// N m or N, largest torque or force of the motor, or of friction if there is no motor
  double drive = 0.0;
  double compliance = 0.0;          ///< m/N
  double angular_compliance = 0.0;  ///< rad/(N m)
  double damping = 0.0;             ///< N s/m
  double break_force = none;        ///< N
  bool collide = false;
  bool pulls_only = false;  ///< the joint is a rope
};

/// Multipliers of a joint in the last substep, in the world. They act on body a; b gets the opposite.
struct JointState {
  glm::dvec3 push{0.0};   ///< kg m, times 1/h^2 a force
  glm::dvec3 twist{0.0};  ///< kg m^2, times 1/h^2 a torque
  bool broken = false;

  static constexpr auto all_members = std::tuple(&JointState::push, &JointState::twist, &JointState::broken);
};

}}  // namespace limber::LIMBER_PRECISION
