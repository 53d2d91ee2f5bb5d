// Reads the ties of a scene file.
#pragma once

#include "engine/core/expected.hpp"

namespace limber {

struct JsonMember;
struct SceneDesc;
struct TieDesc;

Expected<void> read_tie(const JsonMember& member, SceneDesc& scene);

/// Checks a tie: its ends exist and have equal numbers of points, and at least one end can move.
Expected<void> check_tie(const SceneDesc& scene, const TieDesc& tie);
Expected<void> check_ties(const SceneDesc& scene);

}  // namespace limber
