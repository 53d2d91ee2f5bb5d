// Settings: into what a frame is divided.
#pragma once

namespace limber {

struct StepSettings {
  int substeps = 10;
  bool automatic = false;  ///< `substeps` was chosen when the scene was loaded (scene/choose_substeps.hpp)
  int iterations = 1;
  double dt = 1.0 / 60.0;  ///< s, one frame
};

}  // namespace limber
