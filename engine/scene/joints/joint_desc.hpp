// A joint of a scene, as a plain struct.
#pragma once

#include <glm/vec3.hpp>
#include <span>
#include <string>

#include "engine/geometry/joint_type.hpp"

namespace limber {

struct Field;

/// A joint between two bodies, or between a body and the world. If bodies have copies, each copy gets a
/// joint. Anchors and axes are in world coordinates at the start and hold for the first copy; for other
/// copies they move along with the body.
struct JointDesc {
  std::string name;
  JointType type = JointType::ball;
  std::string a, b;                  ///< a body, or copy i of it as name[i]; b empty: the world
  bool chain = false;                ///< joins each copy of a to the next one
  glm::dvec3 at{0.0};                ///< m
  glm::dvec3 at_b{0.0};              ///< m, distance joint: anchor on b
  glm::dvec3 axis{0.0, 1.0, 0.0};    ///< normalised by the builder
  glm::dvec3 axis_b{1.0, 0.0, 0.0};  ///< universal joint: axis of b
  bool collide = false;
  bool limited = false;
  double lower_degrees = -90.0, upper_degrees = 90.0;
  double lower = -0.5, upper = 0.5;  ///< m
  double cone_degrees = 180.0;
  double motor_speed = 0.0;      ///< deg/s
  double motor_torque = 0.0;     ///< N m
  double motor_velocity = 0.0;   ///< m/s
  double motor_force = 0.0;      ///< N
  double friction_torque = 0.0;  ///< N m
  double friction_force = 0.0;   ///< N
  double length = 0.0;           ///< m; 0: the distance at the start
  bool rope = false;
  double compliance = 0.0;          ///< m/N
  double angular_compliance = 0.0;  ///< rad/(N m)
  double damping = 0.0;             ///< N s/m
  double break_force = 0.0;         ///< N; 0: never
  double thickness = 0.02;          ///< m, distance joint: drawn diameter
  double cord = 0.0;                ///< m, ball joint: diameter of drawn cords to its bodies; 0: none
  glm::dvec3 color{0.20, 0.17, 0.13};
};
std::span<const Field> joint_fields();
/// True if `field` of joint_fields() has a meaning for this type of joint (a ball joint has no motor).
bool applies(const JointDesc& joint, const Field& field);

}  // namespace limber
