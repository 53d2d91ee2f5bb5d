// Length of a run without a window, in frames.
#pragma once

#include <optional>

#include "engine/core/expected.hpp"

namespace limber {

struct SceneDesc;

inline constexpr double default_seconds = 5.0;

/// Number of frames, at least one, in `seconds` of simulated time. Fails beyond max_frames.
Expected<int> frames_in(double seconds, const SceneDesc& scene);

}  // namespace limber
