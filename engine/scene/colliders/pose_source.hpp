// Loads the poses of a deforming collider from files.
#pragma once

#include "engine/core/expected.hpp"
#include "engine/geometry/files/obj_reader.hpp"
#include "engine/geometry/mesh/collider_mesh.hpp"

namespace limber {

struct ColliderDesc;
struct SceneDesc;

/// Reads the files of collider.frames in order, as poses of the mesh `obj` that was read from `path`. All
/// poses get the scale and centre of `out`. Fails, with file and line, if a pose and the mesh differ in their
/// number of vertices, if there is no pose, and if a mesh without `shell` encloses no volume.
Expected<void> load_poses(const SceneDesc& scene, const ColliderDesc& collider, const std::string& path,
                          ObjMesh& obj, ColliderMesh& out);

}  // namespace limber
