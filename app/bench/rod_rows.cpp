#include "app/bench/rod_rows.hpp"

#include "app/bench/scene_row.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/rod.hpp"

namespace limber {
namespace {

Expected<std::vector<BenchRow>> measure_rods(const BenchJob& job, int rods, int segments, RodSolve solve) {
  SceneDesc scene;
  scene.solver.method->rods = solve;
  ObjectDesc rod;
  rod.name = "rod";
  rod.type = ObjectType::rod;
  rod.rod->segments = segments;
  rod.rod->radius = 0.003;
  rod.copies = {double(rods), 1.0, 1.0};
  rod.spacing = {0.1, 1.0, 0.1};
  rod.density = 1000.0;
  rod.material->youngs_modulus = 1e8;
  scene.objects.push_back(rod);
  return measure_frames(job, scene, [&](const Measures&) { return std::int64_t(rods) * segments; });
}

template <RodSolve solve>
Expected<std::vector<BenchRow>> measure_many(const BenchJob& job) {
  return measure_rods(job, 100, 50, solve);
}
Expected<std::vector<BenchRow>> measure_long(const BenchJob& job) {
  return measure_rods(job, 1, 2000, RodSolve::direct);
}

}  // namespace

std::vector<BenchJob> rod_jobs(int threads) {
  return {{"rods 100 x 50 direct", threads, measure_many<RodSolve::direct>},
          {"rods 100 x 50 sweeps", threads, measure_many<RodSolve::sweeps>},
          {"rod of 2000 direct", threads, measure_long}};
}

}  // namespace limber
