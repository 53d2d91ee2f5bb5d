// Where in its file a part of a scene stands, for errors that are found after it was read.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "engine/core/expected.hpp"

namespace limber {

/// The line on which the innermost of the nested `keys` stands, as in {"bodies", "crate"}, or of the last one
/// that is there; 0 where the file cannot be read as JSON. Reads it again: for the way of an error only.
int line_in_scene_file(const std::string& file, std::initializer_list<std::string_view> keys);

/// The error with the scene's file and that line, unless it names a file of its own.
Error placed_in_scene(Error error, const std::string& file, std::initializer_list<std::string_view> keys);

/// The same for an error of the part {section, name} of the scene, "body 'rock'" in words. What is wrong in a
/// file of its own (a mesh) stands under that file's name, so the message has the place in the scene.
Error placed_in_part(Error error, const std::string& scene_file, std::string_view kind,
                     std::string_view section, std::string_view name);

}  // namespace limber
