#include "app/view/obstacles.hpp"

#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/trigonometric.hpp>

namespace limber {
namespace {

constexpr float kSlabHalfWidth = 2.5f, kSlabHalfThickness = 0.01f;  // m

bool is_the_ground(const ColliderDesc& plane) {
  const bool upright = rotation_of(plane.pose)[1].y > 0.9999f;
  return upright && std::abs(plane.pose.position.y) < 1e-6;
}

}  // namespace

glm::mat3 rotation_of(const Pose& pose) {
  const glm::vec3 angle = glm::radians(glm::vec3(pose.rotation_degrees));
  const glm::mat4 z = glm::rotate(glm::mat4(1.0f), angle.z, glm::vec3(0, 0, 1));
  const glm::mat4 zy = glm::rotate(z, angle.y, glm::vec3(0, 1, 0));
  return glm::mat3(glm::rotate(zy, angle.x, glm::vec3(1, 0, 0)));
}

std::optional<SolidDraw> obstacle_solid(const ColliderDesc& collider, bool ground_drawn) {
  if (!collider.visible) return std::nullopt;
  SolidDraw solid;
  solid.color = collider.color;
  solid.transform = glm::mat4(rotation_of(collider.pose));
  solid.transform[3] = glm::vec4(glm::vec3(collider.pose.position), 1.0f);
  switch (collider.shape) {
    case ColliderShape::plane:
      if (ground_drawn && is_the_ground(collider)) return std::nullopt;
      solid.shape = SolidDraw::Shape::box;
      solid.transform = glm::translate(solid.transform, glm::vec3(0.0f, -kSlabHalfThickness, 0.0f));
      solid.transform =
          glm::scale(solid.transform, glm::vec3(kSlabHalfWidth, kSlabHalfThickness, kSlabHalfWidth));
      break;
    case ColliderShape::sphere:
      solid.shape = SolidDraw::Shape::sphere;
      solid.transform = glm::scale(solid.transform, glm::vec3(float(collider.radius)));
      break;
    case ColliderShape::box:
      solid.shape = SolidDraw::Shape::box;
      solid.transform = glm::scale(solid.transform, glm::vec3(collider.half_extents));
      break;
    case ColliderShape::capsule:
      solid.shape = SolidDraw::Shape::capsule;
      solid.radius = float(collider.radius);
      solid.half_length = float(collider.half_length);
      break;
  }
  return solid;
}

glm::vec3 solid_reach(const SolidDraw& solid) {
  const glm::vec3 x(solid.transform[0]), y(solid.transform[1]), z(solid.transform[2]);
  switch (solid.shape) {
    case SolidDraw::Shape::sphere:
      return glm::vec3(glm::length(x));
    case SolidDraw::Shape::capsule:
      return glm::abs(y) * solid.half_length + solid.radius;
    case SolidDraw::Shape::box:
      break;
  }
  return glm::abs(x) + glm::abs(y) + glm::abs(z);
}

}  // namespace limber
