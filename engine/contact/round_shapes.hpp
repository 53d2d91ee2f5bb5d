// Contact arms for shapes of revolution, whose surface does not change when they rotate about their axis (a
// sphere: about any axis).
//
// A frictionless contact has no torque about that axis, because the line along its normal n through the
// contact point meets the axis. Coupling rows take the contact point from the substep's start (see
// coupling_row.hpp) but n from a later point of the path, so this line misses the axis. The part of the arm
// that would give a torque about the axis must be removed: otherwise frictionless contacts would spin round
// bodies up, the faster they already rotate the more.
#pragma once

#include <glm/geometric.hpp>

#include "engine/geometry/convex/convex_shape.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Whether a shape is one of revolution, about its y axis.
inline bool is_round(const ConvexShape& shape) {
  return shape.kind == ConvexKind::sphere || shape.kind == ConvexKind::capsule ||
         shape.kind == ConvexKind::cylinder;
}

/// The part of a body's rotation vector (rad) that moves the surface of a shape.
inline vec3 visible_turn(const ConvexShape& shape, const Placed& at, const vec3& turn) {
  switch (shape.kind) {
    case ConvexKind::sphere:
      return vec3(0);
    case ConvexKind::capsule:
    case ConvexKind::cylinder:
      return turn - glm::dot(turn, at.rotation[1]) * at.rotation[1];
    case ConvexKind::box:
    case ConvexKind::hull:
      break;
  }
  return turn;
}

/// m, arm from the middle of a shape to a contact point at `surface_point` + `away`, without the component
/// that would give an impulse along `normal` a torque about an axis of revolution.
inline vec3 arm_without_free_torque(const ConvexShape& shape, const Placed& at, const vec3& normal,
                                    const vec3& surface_point, const vec3& away) {
  // Sine between axis and normal; below it the contact is at the flat end of a cylinder.
  constexpr real least_side = real(0.1);
  const vec3 r = surface_point - at.position;
  if (shape.kind == ConvexKind::sphere) return glm::dot(normal, r + away) * normal;
  if (shape.kind != ConvexKind::capsule && shape.kind != ConvexKind::cylinder) return r + away;
  const vec3 across = glm::cross(at.rotation[1], normal);
  const real square = glm::dot(across, across);
  if (!(square > real(0))) return r + away;
  const auto in_plane = [&](const vec3& v) { return v - (glm::dot(v, across) / square) * across; };
  const bool from_side = shape.kind == ConvexKind::capsule || square > least_side * least_side;
  return from_side ? in_plane(r + away) : r + in_plane(away);
}

}}  // namespace limber::LIMBER_PRECISION
