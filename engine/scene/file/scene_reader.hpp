// Scene files: JSON in, SceneDesc out, with file, line and the nearest valid name for everything wrong.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/expected.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber {

/// Reads a scene file. `assets` is the folder of the shipped meshes ("" = none). Fails, with the line, on
/// JSON that is none, an unknown or repeated key, a wrong type, a value out of range, an unknown choice,
/// vertex or tunable path, a missing mesh. Meshes are found but not read.
Expected<SceneDesc> read_scene(const std::string& path, const std::string& assets = "");

/// The same from text; `name` stands for the file in errors, names the scene and is where meshes are
/// searched.
Expected<SceneDesc> parse_scene(std::string_view text, const std::string& name,
                                const std::string& assets = "");

/// A scene for any mesh: as cloth, two metres long, dropped onto a sphere on the ground. Fails as read_obj
/// does.
Expected<SceneDesc> scene_from_obj(const std::string& path);

}  // namespace limber
