#include "app/bench/tet_rows.hpp"

#include <optional>
#include <utility>

#include "app/bench/pin.hpp"
#include "app/commands/run_recorder.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"
#include "engine/scene/scene_desc.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {
namespace {

constexpr int warm_frames = 10, timed_frames = 60;

SceneDesc hanging_bar(const glm::dvec3& cells, SolidModel model) {
  SceneDesc scene;
  scene.solver.step->substeps = 10;
  ObjectDesc bar;
  bar.name = "bar";
  bar.type = ObjectType::tets;
  bar.tets.shape = TetShape::bar;
  bar.tets.cells = cells;
  bar.tets.dimensions = 0.05 * cells;
  bar.density = 1000.0;
  bar.pins = {std::string("left")};
  bar.material->model = model;
  bar.material->youngs_modulus = 1e6;
  bar.material->poisson_ratio = 0.4;
  scene.objects.push_back(bar);
  return scene;
}

Expected<std::vector<BenchRow>> measure_bar(const BenchJob& job, const glm::dvec3& cells, SolidModel model) {
  std::optional<PinToProcessor> pin;
  if (job.threads == 1) pin.emplace();
  RunOptions options;
  options.threads = job.threads;
  auto simulation = make_simulation(hanging_bar(cells, model), options);
  if (!simulation) return simulation.error();
  RunRecorder record;
  for (int i = 0; i < warm_frames + timed_frames; ++i) {
    const StepReport step = (*simulation)->step();
    if (i >= warm_frames) record.add(step, **simulation);
  }
  const Measures measures = (*simulation)->measure();
  BenchRow row{job.name, job.threads, measures.tets};
  for (const BatchCount& batch : (*simulation)->batches()) row.phases += batch.phases;
  row.ms_per_step = record.wall_ms().median;
  row.ns_per_item = 1e6 * row.ms_per_step / (double(measures.tets) * 10.0);
  return std::vector<BenchRow>{row};
}

template <SolidModel model>
Expected<std::vector<BenchRow>> measure_model(const BenchJob& job) {
  return measure_bar(job, {32, 8, 6}, model);
}
Expected<std::vector<BenchRow>> measure_large(const BenchJob& job) {
  return measure_bar(job, {64, 16, 12}, SolidModel::neo_hookean);
}

}  // namespace

std::vector<BenchJob> tet_jobs(int threads) {
  return {{"tets 7680 neo_hookean", threads, measure_model<SolidModel::neo_hookean>},
          {"tets 7680 stvk", threads, measure_model<SolidModel::stvk>},
          {"tets 7680 corotated", threads, measure_model<SolidModel::corotated>},
          {"tets 7680 strain", threads, measure_model<SolidModel::strain>},
          {"tets 7680 volume", threads, measure_model<SolidModel::volume>},
          {"tets 61440 neo_hookean", threads, measure_large}};
}

}  // namespace limber
