#include "tests/verification/rig.hpp"

#include <utility>

#include "engine/scene/world_builder.hpp"

namespace limber::inline LIMBER_PRECISION {

const KernelTable<real>& reference_kernels() {
#if LIMBER_DOUBLE
  return *kernels_double();
#else
  return *kernels_scalar();
#endif
}

Rig::Rig(const SceneDesc& scene, int threads)
    : world(std::move(build_world(scene)->world)), pool(threads), solver(pool, reference_kernels()) {
  solver.prepare(world);
}

Rig::~Rig() = default;

StepReport Rig::step() { return solver.step(world, world.settings.dt); }

}  // namespace limber::inline LIMBER_PRECISION
