// Rows of a joint: constrained values, and the directions of their impulses.
//
// The unknowns are those of contacts (contact/bodies/body_contact.hpp): dx and a rotation vector theta of
// each body since the substep began. A row has a value v(u), at first order
//
//   J u = l . (dx_a - dx_b) + arm_a . theta_a - arm_b . theta_b
//
// and a multiplier: impulses act along l, angular impulses along the arms. For the point of a ball joint l is
// an axis of the world and the arms are r x l, which gives the 3 x 3 block K = (w_a + w_b) 1 + sum [r] I^-1
// [r]^T.
#pragma once

#include "engine/state/joints.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

inline constexpr int most_joint_rows = 6;

/// Pose of a body.
struct JointPose {
  glm::dvec3 position{0.0};
  glm::dmat3 rotation{1.0};
};

struct JointRow {
  glm::dvec3 l{0.0}, arm_a{0.0}, arm_b{0.0};
  bool angular = false;  ///< l is zero and both arms are one axis
  bool bounded = false;  ///< its value has bounds or a motor; other values are held at 0
};

/// Number of rows of a joint. A row with bounds, if there is one, is the last.
int joint_rows(const Joint& joint, const JointMaterial& material);

/// Values of a joint's rows: errors in m or rad, or, for a bounded row, the turn, displacement or cone angle.
/// Turns that differ by a full turn are equivalent: the one nearest to the middle of the bounds is taken.
void joint_values(const Joint& joint, const JointMaterial& material, const JointPose& a, const JointPose& b,
                  double values[most_joint_rows]);

/// Gradients of a joint's rows.
void joint_gradients(const Joint& joint, const JointMaterial& material, const JointPose& a,
                     const JointPose& b, JointRow rows[most_joint_rows]);

}}  // namespace limber::LIMBER_PRECISION
