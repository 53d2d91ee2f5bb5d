// The JSON Schema of a scene file, for editors and for `limber schema`.
#pragma once

#include <string>

namespace limber {

/// A JSON Schema (draft 2020-12) made from the reader's tables, with units, ranges, defaults and tooltips.
/// The schema accepts every scene that read_scene() accepts. It leaves to the reader all checks that need the
/// whole scene: whether a vertex exists, a tunable path is known, or a key fits the object's type.
std::string scene_schema();

}  // namespace limber
