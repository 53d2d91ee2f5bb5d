// Reads the rigid bodies of a scene file.
#pragma once

#include "engine/scene/file/json_document.hpp"

namespace limber {

struct SceneDesc;

/// Appends the body that `member` (its name and its keys) describes. Fails, with the line of the fault.
/// scene.file must be set before, because meshes are searched in its folder.
Expected<void> read_body(const JsonMember& member, SceneDesc& scene);

}  // namespace limber
