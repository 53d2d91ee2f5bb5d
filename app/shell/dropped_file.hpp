// What a drop on the window opens.
#pragma once

#include <string>
#include <vector>

#include "engine/core/expected.hpp"

namespace limber {

/// The file to open: the first of `paths` that is a scene (.json) or a mesh (.obj, shown as cloth). Fails
/// when there is none, saying what it was that was dropped.
Expected<std::string> file_to_open(const std::vector<std::string>& paths);

}  // namespace limber
