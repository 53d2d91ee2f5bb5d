// Settings: division of a frame into substeps and iterations.
#pragma once

namespace limber {

struct StepSettings {
  int substeps = 10;
  bool automatic = false;  ///< `substeps` was chosen on loading (scene/build/choose_substeps.hpp)
  int iterations = 1;
  bool automatic_iterations = false;  ///< `iterations` was chosen on loading
  double dt = 1.0 / 60.0;             ///< s, one frame
};

}  // namespace limber
