// Tells the files that the program can open from those that only have such a name.
#pragma once

#include <string>

namespace limber {

enum class FileKind { none, scene, mesh, recording };

/// The kind of the file at `path`, from its name and its first 256 KiB: a scene and an input recording are
/// JSON objects with a whole number as "format", told apart by their other keys; a mesh is a Wavefront OBJ. A
/// scene that is broken, or lacks its format, is still a scene: opening it tells what is wrong. `none` for
/// everything else and for what cannot be read.
FileKind kind_of_file(const std::string& path);

/// Whether the name ends as that of a scene, a recording or a mesh does. Does not look into the file.
bool has_name_to_open(const std::string& path);

}  // namespace limber
