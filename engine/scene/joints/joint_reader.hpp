// The joints of a scene file.
#pragma once

#include "engine/scene/file/json_document.hpp"

namespace limber {

struct SceneDesc;

/// Appends the joint that `member` (its name and its keys) describes. Fails with the line of the fault. Does
/// not check that its bodies exist, because they may follow in the file (check_joint does).
Expected<void> read_joint(const JsonMember& member, SceneDesc& scene);

}  // namespace limber
