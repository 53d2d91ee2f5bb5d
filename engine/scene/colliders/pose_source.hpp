// The poses of a collider that changes its shape, from files.
#pragma once

#include "engine/core/expected.hpp"
#include "engine/geometry/files/obj_reader.hpp"
#include "engine/geometry/mesh/collider_mesh.hpp"

namespace limber {

struct ColliderDesc;
struct SceneDesc;

/// Reads the files that collider.frames means, in order, as poses of `obj`, which was read from `path` and
/// whose scale and centre `out` has; they all get those. Fails, with file and line, where a pose has another
/// number of vertices than the mesh's file, on no pose, and where a mesh that is no shell has no inside.
Expected<void> load_poses(const SceneDesc& scene, const ColliderDesc& collider, const std::string& path,
                          ObjMesh& obj, ColliderMesh& out);

}  // namespace limber
