// The joints of a scene file.
#pragma once

#include "engine/scene/file/json_document.hpp"

namespace limber {

struct SceneDesc;

/// Appends the joint that `member` (its name and its keys) describes. Fails with the line of the fault.
/// Whether its bodies exist is asked later (check_joint), as they may stand below.
Expected<void> read_joint(const JsonMember& member, SceneDesc& scene);

}  // namespace limber
