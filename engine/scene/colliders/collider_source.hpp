// Contents of a ColliderDesc: its motion in time and, for a mesh, its surface and distance field.
#pragma once

#include <glm/mat3x3.hpp>
#include <span>

#include "engine/core/expected.hpp"
#include "engine/geometry/mesh/collider_mesh.hpp"
#include "engine/geometry/rigid_motion.hpp"
#include "engine/scene/colliders/collider_desc.hpp"

namespace limber {

struct SceneDesc;

/// Rotation matrix of a Pose: about x, then y, then z.
glm::dmat3 rotation_matrix(const Pose& pose);

/// Motion of collider `c` of the scene's list. A parent that is not among the colliders above it counts as
/// none.
RigidMotion motion_of(std::span<const ColliderDesc> colliders, std::size_t c);

/// Checks that every `parent` names a collider above its own.
Expected<void> check_parents(const SceneDesc& scene);

/// Reads the mesh and loads its distance field from the cache, or builds it (about a second). Empty for other
/// shapes. Fails on a missing or malformed mesh, and on an open mesh without `shell`.
Expected<ColliderMesh> load_collider_mesh(const SceneDesc& scene, const ColliderDesc& collider);

}  // namespace limber
