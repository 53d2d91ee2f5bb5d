// Finds the mesh files that a scene names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/expected.hpp"

namespace limber {

struct SceneDesc;

/// Path of the file `mesh` of `scene`. An absolute path is returned as it is. A relative one is searched in
/// the folder of the scene file, in scene.assets, in the folder `assets` next to the scene file's folder, and
/// in the working folder. Fails, naming the nearest .obj of those folders, if no such file exists.
Expected<std::string> find_mesh(const SceneDesc& scene, std::string_view mesh);

/// Checks that the mesh file exists and can be an OBJ; errors name the scene line.
Expected<void> check_mesh(const SceneDesc& scene, std::string_view mesh);

/// Files that match `pattern` ("walk_*.obj", one star for any characters), sorted by their numbers, from the
/// first folder of find_mesh() that has any. Fails if there is none.
Expected<std::vector<std::string>> find_frames(const SceneDesc& scene, std::string_view pattern);

/// Files that `scene` was read from and that no longer exist, each once: the scene file, meshes and frames.
/// Meshes and frames have the names that the scene gives them.
std::vector<std::string> missing_files(const SceneDesc& scene);

}  // namespace limber
