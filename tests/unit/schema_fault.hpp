#pragma once

#include <string>

namespace limber {

/// What scene_schema() refuses in `scene` (JSON with comments), as "path: keyword"; "" if it accepts it.
std::string schema_fault(const std::string& scene);

}  // namespace limber
