#include "app/bench/scene_row.hpp"

#include <optional>
#include <utility>

#include "app/bench/pin.hpp"
#include "app/commands/run_recorder.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

Expected<std::vector<BenchRow>> measure_frames(const BenchJob& job, SceneDesc scene,
                                               const std::function<std::int64_t(const Measures&)>& items,
                                               int substeps) {
  constexpr int warm = 10, timed = 60;
  std::optional<PinToProcessor> pin;
  if (job.threads == 1) pin.emplace();
  scene.solver.step->substeps = substeps;
  RunOptions options;
  options.threads = job.threads;
  auto simulation = make_simulation(std::move(scene), options);
  if (!simulation) return simulation.error();
  RunRecorder record;
  for (int i = 0; i < warm + timed; ++i) {
    const StepReport step = (*simulation)->step();
    if (i >= warm) record.add(step, **simulation);
  }
  BenchRow row{job.name, job.threads, items((*simulation)->measure())};
  for (const BatchCount& batch : (*simulation)->batches()) row.phases += batch.phases;
  row.ms_per_step = record.wall_ms().median;
  row.ns_per_item = 1e6 * row.ms_per_step / double(row.constraints * substeps);
  return std::vector<BenchRow>{row};
}

Expected<std::vector<BenchRow>> measure_bodies(const BenchJob& job, SceneDesc scene, int warm) {
  std::optional<PinToProcessor> pin;
  if (job.threads == 1) pin.emplace();
  RunOptions options;
  options.threads = job.threads;
  auto simulation = make_simulation(std::move(scene), options);
  if (!simulation) return simulation.error();
  RunRecorder record;
  for (int i = 0; i < warm + 60; ++i) {
    const StepReport step = (*simulation)->step();
    if (i >= warm) record.add(step, **simulation);
  }
  BenchRow row{job.name, job.threads};
  for (const BatchCount& batch : (*simulation)->batches())
    if (batch.type == "joint") row.constraints = batch.constraints;
  if (row.constraints == 0) row.constraints = std::int64_t((*simulation)->body_count());
  row.ms_per_step = record.wall_ms().median;
  row.ns_per_item =
      1e6 * row.ms_per_step / double(row.constraints * (*simulation)->scene().solver.step->substeps);
  return std::vector<BenchRow>{row};
}

}  // namespace limber
