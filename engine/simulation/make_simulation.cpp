#include "engine/simulation/simulation.hpp"

namespace limber {

// Defined once per precision in running_scene.cpp.
namespace f32 {
Expected<std::unique_ptr<Simulation>> make_running_scene(SceneDesc scene, const RunOptions& options);
}
namespace f64 {
Expected<std::unique_ptr<Simulation>> make_running_scene(SceneDesc scene, const RunOptions& options);
}

Expected<std::unique_ptr<Simulation>> make_simulation(SceneDesc scene, const RunOptions& options) {
  if (options.precision == Precision::f64) return f64::make_running_scene(std::move(scene), options);
  return f32::make_running_scene(std::move(scene), options);
}

}  // namespace limber
