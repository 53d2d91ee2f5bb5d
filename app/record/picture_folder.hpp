// Where the files go that a key press saves.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/expected.hpp"

namespace limber {

/// Reserves "limber_SCENE_0001" and `extension`, or the first number after it that is free, in $LIMBER_OUTPUT
/// or else the working folder, by creating the file empty: nothing is ever overwritten. Returns its absolute
/// path.
Expected<std::string> reserve_file(const std::string& scene, std::string_view extension);

/// Likewise beside "FOLDER/NAME.EXT": "FOLDER/NAME_SCENE_0001.EXT".
Expected<std::string> reserve_beside(const std::string& path, const std::string& scene);

}  // namespace limber
