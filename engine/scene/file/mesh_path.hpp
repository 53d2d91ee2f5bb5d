// Where the meshes that a scene names lie.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/expected.hpp"

namespace limber {

struct SceneDesc;

/// The file that `mesh` means in `scene`: an absolute path as it is; else the first that exists beside the
/// scene file, in scene.assets, in the folder `assets` next to the scene file's folder, in the working
/// folder. Fails, naming the nearest .obj of those folders, if none does.
Expected<std::string> find_mesh(const SceneDesc& scene, std::string_view mesh);

/// Whether there is such a file and it could be an OBJ: what can be said of it where the scene names it.
Expected<void> check_mesh(const SceneDesc& scene, std::string_view mesh);

/// The files that `pattern` means, "walk_*.obj" with one star for any characters, in the order of their
/// numbers: of the first of those folders that has any. Fails if none does.
Expected<std::vector<std::string>> find_frames(const SceneDesc& scene, std::string_view pattern);

/// What `scene` was read from and is not there any more, each once: its file, and meshes and frames as it
/// names them.
std::vector<std::string> missing_files(const SceneDesc& scene);

}  // namespace limber
