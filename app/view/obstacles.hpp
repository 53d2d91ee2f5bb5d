// Converts colliders to drawn solids.
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

/// Whether the collider is a visible level plane at y = 0.
bool is_the_ground(const ColliderDesc& collider);

/// The collider as a solid. Nothing for an invisible collider or a plane that the drawn ground represents.
/// Any other plane becomes a thin slab whose upper face is the plane.
std::optional<PrimitiveDraw> obstacle_solid(const ColliderDesc& collider, bool ground_drawn);

/// A part of a rigid body in the body's frame. A hull gets no geometry here.
PrimitiveDraw part_solid(const BodyPart& part);

/// A cylinder from a to b, m.
PrimitiveDraw rod_solid(const glm::vec3& a, const glm::vec3& b, float radius);

/// The matrix of a collider's frame: rotation and translation.
glm::mat4 placement_of(const Placement& at);

/// Surface of a mesh collider, with smooth normals except at creases.
std::shared_ptr<const PrimitiveGeometry> solid_geometry(const TriMesh& mesh);

/// Half extents of the solid's world-aligned bounding box, m.
glm::vec3 solid_reach(const PrimitiveDraw& solid);

}  // namespace limber
