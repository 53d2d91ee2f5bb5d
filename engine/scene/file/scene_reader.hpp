// Reads scene files: JSON to SceneDesc. Errors carry the file, the line and the nearest valid name.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/expected.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber {

/// Reads a scene file. `assets` is the folder of the shipped meshes ("" = none). Fails, with the line, on
/// invalid JSON, an unknown or repeated key, a wrong type, a value out of range, an unknown choice, vertex or
/// tunable path, and a missing mesh. Looks for meshes but does not read them.
Expected<SceneDesc> read_scene(const std::string& path, const std::string& assets = "");

/// Like read_scene(), from text. `name` stands for the file in errors, gives the scene its name, and its
/// folder is searched for meshes.
Expected<SceneDesc> parse_scene(std::string_view text, const std::string& name,
                                const std::string& assets = "");

/// Makes a scene for a mesh: a cloth two metres long that falls onto a sphere on the ground. Fails as
/// read_obj() does.
Expected<SceneDesc> scene_from_obj(const std::string& path);

}  // namespace limber
