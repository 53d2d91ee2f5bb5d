// Colliders: placed shapes with a signed distance, fixed or moving as a function of time.
#pragma once

#include "engine/core/real.hpp"
#include "engine/geometry/field/signed_distance_field.hpp"
#include "engine/geometry/queries/collider_shape.hpp"
#include "engine/geometry/rigid_motion.hpp"

namespace limber {
class SharpSurface;
}

namespace limber { inline namespace LIMBER_PRECISION {

/// A shape in place: local = transpose(rotation) * (world - position).
struct Collider {
  ColliderShape shape = ColliderShape::sphere;
  vec3 position{0};
  mat3 rotation{1};  ///< local to world
  vec3 size{0};  ///< sphere {radius}, box half extents, capsule {radius, half length}, mesh {m per unit of
                 ///< the field}
  real friction = 0;
  real restitution = 0;                        ///< share of the normal speed that a bounce gives back
  const SignedDistanceField* field = nullptr;  ///< mesh; owned by the Topology; null: it has poses
  const SharpSurface* sharp = nullptr;         ///< exact surface of the mesh with this field; null: none
  vec3 field_center{0};                        ///< mesh: the field's point at local 0
  RigidMotion motion;
  bool drains = false;  ///< removes the fluid that touches it
};

/// Sets the pose of a moving collider at `time` s; other colliders stay.
inline void place(Collider& collider, double time) {
  if (!collider.motion.moves()) return;
  const Placement now = collider.motion.at(time);
  collider.position = vec3(now.position);
  collider.rotation = mat3(now.rotation);
}

}}  // namespace limber::LIMBER_PRECISION
