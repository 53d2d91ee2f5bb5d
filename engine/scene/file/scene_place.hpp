// Finds the line of a part of a scene in its file, for errors that are found after reading.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "engine/core/expected.hpp"

namespace limber {

/// Line of the innermost of the nested `keys`, as in {"bodies", "crate"}. If a key is missing, the line of
/// the last key found; 0 if the file is no valid JSON. Reads the file again, so call it for errors only.
int line_in_scene_file(const std::string& file, std::initializer_list<std::string_view> keys);

/// The error with the scene's file and the line of `keys`, unless it names a file of its own.
Error placed_in_scene(Error error, const std::string& file, std::initializer_list<std::string_view> keys);

/// Like placed_in_scene(), for an error of the part `name` in `section` ("bodies"); `kind` is the word for it
/// in messages ("body"). An error that names a file of its own (a mesh) keeps that file, so its text gets the
/// line in the scene.
Error placed_in_part(Error error, const std::string& scene_file, std::string_view kind,
                     std::string_view section, std::string_view name);

}  // namespace limber
