// Finds the mesh files that a scene names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/expected.hpp"

namespace limber {

struct SceneDesc;

/// The file that `mesh` names in `scene`: an absolute path as it is; else the first that exists beside the
/// scene file, in scene.assets, in the folder `assets` next to the scene file's folder, in the working
/// folder. Fails, naming the nearest .obj of those folders, if there is none.
Expected<std::string> find_mesh(const SceneDesc& scene, std::string_view mesh);

/// Checks that the mesh file exists and can be an OBJ; errors name the scene line.
Expected<void> check_mesh(const SceneDesc& scene, std::string_view mesh);

/// The files that match `pattern`, "walk_*.obj" with one star for any characters, in the order of their
/// numbers: of the first folder of find_mesh() that has any. Fails if none does.
Expected<std::vector<std::string>> find_frames(const SceneDesc& scene, std::string_view pattern);

/// Files from which `scene` was read and that no longer exist, each once: its own file, and meshes and frames
/// by the names in the scene.
std::vector<std::string> missing_files(const SceneDesc& scene);

}  // namespace limber
