// Colliders as solids to draw.
#pragma once

#include <glm/mat3x3.hpp>
#include <optional>

#include "app/view/render_frame.hpp"
#include "engine/geometry/rigid_motion.hpp"
#include "engine/scene/bodies/body_source.hpp"
#include "engine/scene/colliders/collider_desc.hpp"

namespace limber {

/// Rotation matrix of a Pose: about x, then y, then z.
glm::mat3 rotation_of(const Pose& pose);

/// A level plane at y = 0 that is to be seen.
bool is_the_ground(const ColliderDesc& collider);

/// The collider as a solid. Nothing for an invisible one, nor for a plane that the drawn ground already
/// shows; any other plane becomes a thin slab whose upper face is the plane.
std::optional<SolidDraw> obstacle_solid(const ColliderDesc& collider, bool ground_drawn);

/// A part of a rigid body in the body's frame; a hull without its geometry.
SolidDraw part_solid(const BodyPart& part);

/// A cylinder from a to b, m.
SolidDraw rod_solid(const glm::vec3& a, const glm::vec3& b, float radius);

/// Of a collider's own frame: rotation and translation.
glm::mat4 placement_of(const Placement& at);

/// A mesh collider's surface, smooth but for its creases.
std::shared_ptr<const SolidGeometry> solid_geometry(const TriMesh& mesh);

/// Half extents of the solid's world-aligned bounding box, m.
glm::vec3 solid_reach(const SolidDraw& solid);

}  // namespace limber
