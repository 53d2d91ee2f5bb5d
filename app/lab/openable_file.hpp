// Tells files that the program can open from others with the same extension.
#pragma once

#include <string>

namespace limber {

enum class FileKind { none, scene, mesh, recording };

/// The kind of the file at `path`, from its name and its first 256 KiB. Scenes and input recordings are JSON
/// objects with a whole number as "format"; their other keys tell them apart. A mesh is a Wavefront OBJ. A
/// scene that does not parse, or lacks its format, still counts as a scene: opening it reports the error. All
/// other files, and unreadable ones, are `none`.
FileKind kind_of_file(const std::string& path);

/// Whether the name ends like that of a scene, a recording or a mesh. Does not open the file.
bool has_name_to_open(const std::string& path);

}  // namespace limber
