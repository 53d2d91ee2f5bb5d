// Reads the joints of a scene file.
#pragma once

#include "engine/scene/file/json_document.hpp"

namespace limber {

struct SceneDesc;

/// Appends the joint that `member` (its name and its keys) describes. Fails, with the line of the fault.
/// Bodies may follow in the file, so check_joint() must check later that they exist.
Expected<void> read_joint(const JsonMember& member, SceneDesc& scene);

}  // namespace limber
