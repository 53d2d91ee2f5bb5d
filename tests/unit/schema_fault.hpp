#pragma once

#include <string>

namespace limber {

/// The first fault that scene_schema() finds in `scene` (JSON with comments), as "path: keyword"; "" if none.
std::string schema_fault(const std::string& scene);

}  // namespace limber
