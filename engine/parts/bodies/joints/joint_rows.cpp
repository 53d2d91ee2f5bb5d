#include "engine/parts/bodies/joints/joint_rows.hpp"

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/kernels/joint_limits.hpp"
#include "engine/simd/atan2.hpp"
#include "engine/state/bodies.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr double pi = 3.14159265358979323846;

double angle_of(double y, double x) {
  using L = Lanes<double, 1>;
  return atan2(L(y), L(x)).v;
}

/// Twice the vector part of the quaternion that turns b's axes into a's: the rotation vector, where small.
glm::dvec3 turned(const glm::dmat3& a, const glm::dmat3& b) {
  const glm::dvec4 q = precise_quaternion_of(a * glm::transpose(b));
  return (q.w < 0.0 ? -2.0 : 2.0) * glm::dvec3(q);
}

/// The two ends of a joint, in the world.
struct JointEnds {
  glm::dvec3 point_a, point_b, apart;
  glm::dmat3 axes_a, axes_b;

  JointEnds(const Joint& joint, const JointPose& a, const JointPose& b)
      : point_a(a.position + a.rotation * joint.at_a),
        point_b(b.position + b.rotation * joint.at_b),
        apart(point_a - point_b),
        axes_a(a.rotation * joint.axes_a),
        axes_b(b.rotation * joint.axes_b) {}

  glm::dvec3 along() const {
    const double length = glm::length(apart);
    return length > JointLimits::least_length ? apart / length : glm::dvec3(0.0, 1.0, 0.0);
  }
  glm::dvec3 across() const {  // both axes of a universal joint
    const glm::dvec3 n = glm::cross(axes_a[0], axes_b[1]);
    const double length = glm::length(n);
    return length > JointLimits::least_length ? n / length : axes_a[2];
  }
};

/// a's turn against b about its axis, as near to the middle of the bounds as can be.
double hinge_angle(const JointEnds& ends, const JointMaterial& material) {
  const glm::dvec3 &x = ends.axes_a[1], &y = ends.axes_b[1];
  const double angle = angle_of(glm::dot(ends.axes_a[0], glm::cross(y, x)), glm::dot(y, x));
  const double middle = std::isfinite(material.low) ? 0.5 * (material.low + material.high) : 0.0;
  if (angle > middle + pi) return angle - 2.0 * pi;
  return angle < middle - pi ? angle + 2.0 * pi : angle;
}

bool is_bounded(const JointMaterial& material) {
  return std::isfinite(material.low) || std::isfinite(material.high) || material.drive > 0.0;
}

}  // namespace

int joint_rows(const Joint& joint, const JointMaterial& material) {
  const int bounded = is_bounded(material) ? 1 : 0;
  switch (joint.type) {
    case JointType::ball:
      return 3 + bounded;
    case JointType::hinge:
    case JointType::slider:
      return 5 + bounded;
    case JointType::fixed:
      return 6;
    case JointType::universal:
      return 4;
    case JointType::distance:
      break;
  }
  return 1;
}

void joint_values(const Joint& joint, const JointMaterial& material, const JointPose& a, const JointPose& b,
                  double values[most_joint_rows]) {
  const JointEnds ends(joint, a, b);
  const glm::dvec3 d = ends.apart;
  const bool bounded = is_bounded(material);  // an angle costs as much as all other rows
  const glm::dmat3 &x = ends.axes_a, &y = ends.axes_b;
  const auto put = [&](int first, const glm::dvec3& v) {
    for (int k = 0; k < 3; ++k) values[first + k] = v[k];
  };
  if (holds_points(joint.type)) put(0, d);
  switch (joint.type) {
    case JointType::ball:
      if (bounded) values[3] = angle_of(glm::length(glm::cross(y[0], x[0])), glm::dot(y[0], x[0]));
      break;
    case JointType::hinge: {
      const glm::dvec3 tilt = glm::cross(y[0], x[0]);
      values[3] = glm::dot(x[1], tilt), values[4] = glm::dot(x[2], tilt);
      if (bounded) values[5] = hinge_angle(ends, material);
      break;
    }
    case JointType::universal:
      values[3] = glm::dot(x[0], y[1]);
      break;
    case JointType::fixed:
      put(3, turned(x, y));
      break;
    case JointType::slider:
      values[0] = glm::dot(x[1], d), values[1] = glm::dot(x[2], d);
      put(2, turned(x, y));
      values[5] = glm::dot(x[0], d);
      break;
    case JointType::distance:
      values[0] = glm::length(d) - joint.length;
      break;
  }
}

void joint_gradients(const Joint& joint, const JointMaterial& material, const JointPose& a,
                     const JointPose& b, JointRow rows[most_joint_rows]) {
  const JointEnds ends(joint, a, b);
  const glm::dvec3 r_a = ends.point_a - a.position, r_b = ends.point_b - b.position;
  const glm::dmat3 &x = ends.axes_a, &y = ends.axes_b;
  const auto turn = [](const glm::dvec3& axis) { return JointRow{glm::dvec3(0.0), axis, axis, true, false}; };
  // a direction of a's turns with a, so it pushes at the point of b
  const auto slide = [&](const glm::dvec3& n) {
    return JointRow{n, glm::cross(ends.point_b - a.position, n), glm::cross(r_b, n), false, false};
  };
  const glm::dmat3 one(1.0);
  if (holds_points(joint.type))
    for (int k = 0; k < 3; ++k)
      rows[k] = {one[k], glm::cross(r_a, one[k]), glm::cross(r_b, one[k]), false, false};
  switch (joint.type) {
    case JointType::ball: {
      const glm::dvec3 n = glm::cross(y[0], x[0]);
      const double length = glm::length(n);
      rows[3] = turn(length > JointLimits::least_length ? n / length : x[1]);
      break;
    }
    case JointType::hinge:
      rows[3] = turn(x[1]), rows[4] = turn(x[2]), rows[5] = turn(x[0]);
      break;
    case JointType::universal:
      rows[3] = turn(ends.across());
      break;
    case JointType::fixed:
      for (int k = 0; k < 3; ++k) rows[3 + k] = turn(one[k]);
      break;
    case JointType::slider:
      rows[0] = slide(x[1]), rows[1] = slide(x[2]), rows[5] = slide(x[0]);
      for (int k = 0; k < 3; ++k) rows[2 + k] = turn(one[k]);
      break;
    case JointType::distance: {
      const glm::dvec3 n = ends.along();
      rows[0] = {n, glm::cross(r_a, n), glm::cross(r_b, n), false, material.pulls_only};
      return;
    }
  }
  const bool can_be = joint.type != JointType::fixed && joint.type != JointType::universal;
  if (can_be && is_bounded(material)) rows[joint_rows(joint, material) - 1].bounded = true;
}

}}  // namespace limber::LIMBER_PRECISION
