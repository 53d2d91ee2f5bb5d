#include "app/bench/cloth_rows.hpp"

#include <optional>
#include <utility>

#include "app/bench/pin.hpp"
#include "app/commands/run_recorder.hpp"
#include "app/commands/scene_source.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {
namespace {

using Rows = Expected<std::vector<BenchRow>>;

/// Measures the frames [first, last) of a scene.
Rows measure_frames(const BenchJob& job, SceneDesc scene, int first, int last) {
  std::optional<PinToProcessor> pin;
  if (job.threads == 1) pin.emplace();
  RunOptions options;
  options.threads = job.threads;
  auto simulation = make_simulation(std::move(scene), options);
  if (!simulation) return simulation.error();
  RunRecorder record;
  for (int i = 0; i < last; ++i) {
    const StepReport step = (*simulation)->step();
    if (i >= first) record.add(step, **simulation);
  }
  BenchRow row{job.name, job.threads, (*simulation)->model()->vertex_count};
  row.ms_per_step = record.wall_ms().median;
  const SolverSettings& solver = (*simulation)->scene().solver;
  row.ns_per_item =
      1e6 * row.ms_per_step / (double(row.constraints) * solver.step->substeps * solver.step->iterations);
  row.strain = (*simulation)->measure().strain.mean;
  return std::vector<BenchRow>{row};
}

/// Measures a shipped scene with cloth of `count` x `count` vertices and cloth_collision.
Rows measure_touching(const BenchJob& job, const char* name, int first, int last) {
  Expected<SceneDesc> scene = load_scene(name);
  if (!scene) return scene.error();
  scene->solver.contact->cloth_collision = true;
  for (ObjectDesc& object : scene->objects) object.cloth->columns = object.cloth->rows = job.count;
  return measure_frames(job, std::move(*scene), first, last);
}

/// Swinging cloth without contact.
Rows measure_hanging(const BenchJob& job) { return measure_touching(job, "cloth_hang", 30, 60); }

/// Cloth draped over the sphere, while its folds touch.
Rows measure_draped(const BenchJob& job) { return measure_touching(job, "cloth_drape_sphere", 60, 75); }

/// Cloth torn by a ball, without contact between the pieces.
Rows measure_tearing(const BenchJob& job) {
  Expected<SceneDesc> scene = load_scene("tear_ball");
  if (!scene) return scene.error();
  scene->solver.contact->cloth_collision = false;
  return measure_frames(job, std::move(*scene), 25, 55);
}

/// Three closed surfaces under pressure that touch the ground only.
Rows measure_volumes(const BenchJob& job) {
  Expected<SceneDesc> scene = load_scene("three_characters");
  if (!scene) return scene.error();
  scene->solver.contact->cloth_collision = false;
  return measure_frames(job, std::move(*scene), 60, 90);
}

}  // namespace

std::vector<BenchJob> cloth_jobs(int threads) {
  return {{"contacts of a hanging cloth 200x200", threads, measure_hanging, 200},
          {"contacts of a draped cloth 200x200", threads, measure_draped, 200},
          {"tearing", threads, measure_tearing},
          {"volumes of three characters", threads, measure_volumes}};
}

}  // namespace limber
