// Picks the file to open from files dropped on the window.
#pragma once

#include <string>
#include <vector>

#include "engine/core/expected.hpp"

namespace limber {

/// The first of `paths` that is a scene (.json) or a mesh (.obj, shown as cloth). Fails if there is none,
/// naming what was dropped.
Expected<std::string> file_to_open(const std::vector<std::string>& paths);

}  // namespace limber
