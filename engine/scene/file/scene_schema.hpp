// The JSON Schema of a scene file, for editors and for `limber schema`.
#pragma once

#include <string>

namespace limber {

/// A JSON Schema (draft 2020-12) made from the same tables as the reader: units, ranges, defaults and
/// tooltips included. It accepts whatever read_scene accepts; checks that need the whole scene (a vertex
/// exists, a tunable path is known, a key fits the object's type) are left to the reader.
std::string scene_schema();

}  // namespace limber
