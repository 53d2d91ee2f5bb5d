#include "engine/scene/file/scene_desc.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

// running_scene.cpp defines this function once per precision.
namespace f32 {
Expected<std::unique_ptr<Simulation>> make_running_scene(SceneDesc scene, const RunOptions& options);
}
namespace f64 {
Expected<std::unique_ptr<Simulation>> make_running_scene(SceneDesc scene, const RunOptions& options);
}

std::span<const Precision> built_precisions() {
  static constexpr Precision all[] = {Precision::f32, Precision::f64};
  return std::span(all).first(LIMBER_DOUBLE_PRECISION ? 2 : 1);
}

Expected<std::unique_ptr<Simulation>> make_simulation(SceneDesc scene, const RunOptions& options) {
#if LIMBER_DOUBLE_PRECISION
  if (options.precision == Precision::f64) return f64::make_running_scene(std::move(scene), options);
#else
  if (options.precision == Precision::f64)
    return Error{"this build has no double precision", {}, 0, "cmake -D LIMBER_DOUBLE_PRECISION=ON"};
#endif
  return f32::make_running_scene(std::move(scene), options);
}

}  // namespace limber
