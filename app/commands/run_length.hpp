// How many frames a run without a window has.
#pragma once

#include <optional>

#include "engine/core/expected.hpp"

namespace limber {

struct SceneDesc;

inline constexpr double default_seconds = 5.0;

/// Of so many seconds, at least one. Fails beyond max_frames.
Expected<int> frames_in(double seconds, const SceneDesc& scene);

}  // namespace limber
