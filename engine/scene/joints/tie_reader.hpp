// Reads the ties of a scene file.
#pragma once

#include "engine/core/expected.hpp"

namespace limber {

struct JsonMember;
struct SceneDesc;
struct TieDesc;

Expected<void> read_tie(const JsonMember& member, SceneDesc& scene);

/// Checks a tie: both ends exist, a is an object, exactly one of `a_points`, `at` and `within` is given, and
/// the named vertices exist. add_ties() checks the numbers of points and whether an end can move.
Expected<void> check_tie(const SceneDesc& scene, const TieDesc& tie);
Expected<void> check_ties(const SceneDesc& scene);

}  // namespace limber
