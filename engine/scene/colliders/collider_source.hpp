// What a ColliderDesc stands for: its motion in time and, for a mesh, its surface and distance field.
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

/// Where collider `c` of the scene's list is at any time. A parent that is none of those above it counts as
/// none.
RigidMotion motion_of(std::span<const ColliderDesc> colliders, std::size_t c);

/// Every `parent` names a collider above its own.
Expected<void> check_parents(const SceneDesc& scene);

/// Reads the mesh and takes its distance field from the cache, or builds it (a second or so). Empty for the
/// other shapes. Fails on a missing or garbled mesh, and on an open one that is not a shell.
Expected<ColliderMesh> load_collider_mesh(const SceneDesc& scene, const ColliderDesc& collider);

}  // namespace limber
