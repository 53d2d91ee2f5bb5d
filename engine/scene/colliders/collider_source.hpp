// Builds colliders: their motion in time and, for a mesh, the surface and the distance field.
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

/// Motion of collider `c` of the scene's list. A parent that does not stand above it in the list is ignored.
RigidMotion motion_of(std::span<const ColliderDesc> colliders, std::size_t c);

/// Fails if a `parent` is not the name of a collider that stands above in the file.
Expected<void> check_parents(const SceneDesc& scene);

/// Reads the mesh, and loads its distance field from the cache or builds it (about a second). The result is
/// empty for other shapes. Fails on a missing or malformed mesh, and on an open mesh without `shell`.
Expected<ColliderMesh> load_collider_mesh(const SceneDesc& scene, const ColliderDesc& collider);

}  // namespace limber
