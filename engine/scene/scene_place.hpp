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

}  // namespace limber
