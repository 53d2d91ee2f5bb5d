// Where the pictures go that a key press saves.
#pragma once

#include <string>

#include "engine/core/expected.hpp"

namespace limber {

/// Reserves "limber_SCENE_0001.png", or the first number after it that is free, in $LIMBER_OUTPUT or else the
/// working folder, by creating the file empty: nothing is ever overwritten. Returns its absolute path.
Expected<std::string> reserve_picture(const std::string& scene);

}  // namespace limber
