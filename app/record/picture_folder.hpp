// Chooses the files for pictures and videos saved by a key.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/expected.hpp"

namespace limber {

/// Reserves "limber_SCENE_0001" with `extension`, or the next free number, in $LIMBER_OUTPUT or else the
/// working folder. Creates the file empty, so that nothing is ever overwritten. Returns its absolute path.
Expected<std::string> reserve_file(const std::string& scene, std::string_view extension);

/// Reserves "FOLDER/NAME_SCENE_0001.EXT" beside "FOLDER/NAME.EXT" in the same way.
Expected<std::string> reserve_beside(const std::string& path, const std::string& scene);

}  // namespace limber
