#include "app/commands/run_length.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/commands/commands.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber {

Expected<int> frames_in(double seconds, const SceneDesc& scene) {
  const double dt = scene.solver.step->dt, frames = std::max(1.0, std::round(seconds / dt));
  if (frames <= max_frames) return int(frames);
  char text[96];
  std::snprintf(text, sizeof text, "%g s are %.0f frames of %g s, more than %d", seconds, frames, dt,
                max_frames);
  return Error{text, "--seconds"};
}

}  // namespace limber
