// Reads the objects of a scene file.
#pragma once

#include "engine/scene/file/json_document.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber {

struct SceneDesc;

/// Appends the object that `member` (its name and its keys) describes. Fails, with the line of the fault.
/// scene.file must be set before, because meshes are searched in its folder.
Expected<void> read_object(const JsonMember& member, SceneDesc& scene);

/// Reads a list of vertices, as in `pins`: numbers, ranges and names.
Expected<void> read_vertices(const JsonValue& json, std::string_view key, std::vector<VertexName>& out);

}  // namespace limber
