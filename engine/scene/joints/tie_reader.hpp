// Ties of a scene file.
#pragma once

#include "engine/core/expected.hpp"

namespace limber {

struct JsonMember;
struct SceneDesc;
struct TieDesc;

Expected<void> read_tie(const JsonMember& member, SceneDesc& scene);

/// What must hold of a tie: its ends are there, with as many points, and something of it can move.
Expected<void> check_tie(const SceneDesc& scene, const TieDesc& tie);
Expected<void> check_ties(const SceneDesc& scene);

}  // namespace limber
