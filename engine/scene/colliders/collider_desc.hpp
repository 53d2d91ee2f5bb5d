// A collider of a scene, as a plain struct.
#pragma once

#include <glm/vec3.hpp>
#include <span>
#include <string>

#include "engine/geometry/queries/collider_shape.hpp"
#include "engine/scene/colliders/look.hpp"
#include "engine/scene/colliders/pose.hpp"

namespace limber {

struct Field;

/// An obstacle. A plane goes through `position`; its normal is +y, rotated by the pose. The axis of a capsule
/// is y. The motion is a function of time only: the position is position + t linear_velocity + amplitude s,
/// with s = sin(2 pi (t / period + phase)). The collider rotates steadily about its position, and by s *
/// swing about its pivot. The motion of its parent is added.
struct ColliderDesc {
  std::string name;
  ColliderShape shape = ColliderShape::sphere;
  Pose pose;
  double radius = 0.5;           ///< m, sphere and capsule
  glm::dvec3 half_extents{0.5};  ///< m, box
  double half_length = 0.5;      ///< m, capsule: half the distance between the cap centres
  std::string mesh;              ///< path of an OBJ, closed or a shell, searched like an object's mesh
  double size = 0.0;             ///< m, longest side after scaling the mesh; 0 keeps the file's units
  std::string frames;            ///< "walk_*.obj": poses of a deforming mesh; empty: the mesh is rigid
  double frame_rate = 24.0;  ///< 1/s
  bool loop = true;          ///< the poses repeat: the first one follows the last one
  int resolution = 64;       ///< cells of the distance field along the mesh's longest side
  double shell = 0.0;        ///< m, thickness of a mesh that is a sheet; 0: a closed solid
  double friction = 0.3;     ///< Coulomb mu
  double restitution = 0.0;  ///< e: a bounce returns e times the normal speed
  glm::dvec3 linear_velocity{0.0};    ///< m/s
  glm::dvec3 angular_velocity{0.0};   ///< deg/s, about an axis through the position
  glm::dvec3 amplitude{0.0};          ///< m
  glm::dvec3 swing{0.0};              ///< deg, axis and amplitude of the rotation about the pivot
  glm::dvec3 pivot{0.0};              ///< m, in the coordinates of `position`: the pivot at rest
  double period = 2.0;                ///< s
  double phase = 0.0;                 ///< turns
  double start = 0.0;                 ///< s, when the motion begins
  double swings = 0.0;                ///< periods that the motion lasts; 0: unlimited
  std::string parent;                 ///< a collider earlier in the file whose motion is added to this one's
  std::string collides_with = "all";  ///< names, separated by commas (scene/build/touch_lists.hpp)
  double temperature = -300.0;        ///< degrees C; below -273: exchanges no heat
  bool drains = false;                ///< removes the fluid that touches it
  bool visible = true;
  bool glass = false;  ///< drawn transparent
  glm::dvec3 color{0.45, 0.48, 0.52};
  Look look = Look::plain;
};
std::span<const Field> collider_fields();
/// True if `field` of collider_fields() has a meaning for this shape (a plane has no radius).
bool applies(const ColliderDesc& collider, const Field& field);

}  // namespace limber
