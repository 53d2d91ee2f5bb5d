// Recognises mesh files that are no OBJ.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/expected.hpp"

namespace limber {

/// Advice on using a mesh, for messages where a scene or an OBJ was expected.
inline constexpr std::string_view mesh_advice =
    "'limber FILE.obj' opens an OBJ as cloth; in a scene it is \"mesh\": \"FILE.obj\"";

/// Fails, naming the format and a remedy, if the file is a mesh of another format than OBJ: by its first
/// bytes, or where these are inconclusive by its extension. Succeeds for all other files, and if there is no
/// file.
Expected<void> check_no_foreign_mesh(const std::string& path);

/// Whether the first statement of `text` is one of an OBJ.
bool begins_like_obj(std::string_view text);

}  // namespace limber
