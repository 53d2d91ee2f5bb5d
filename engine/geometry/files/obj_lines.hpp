// Lines of an OBJ, its statements `l 1 2 3`, for wires, ropes and hair.
#pragma once

#include <glm/vec3.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/expected.hpp"

namespace limber {

/// The points of each line. All other statements, such as faces, are skipped. Indices count from 1 or, if
/// negative, back from the last vertex so far; a slash and what follows it are ignored. Fails at the first
/// offending statement with its line; `name` stands for the file.
Expected<std::vector<std::vector<glm::dvec3>>> lines_of_obj(std::string_view text, const std::string& name);

Expected<std::vector<std::vector<glm::dvec3>>> read_obj_lines(const std::string& path);

}  // namespace limber
