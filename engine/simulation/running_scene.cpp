#include "engine/simulation/running_scene.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/settings/method.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/parts/fluids/fluid_flow.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/build/settings_builder.hpp"
#include "engine/scene/build/world_builder.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/simulation/changed_model.hpp"
#include "engine/simulation/hand_ball.hpp"
#include "engine/state/displacement.hpp"
#include "engine/state/tear_room.hpp"
#include "engine/state/world_bytes.hpp"
#include "engine/step/probes.hpp"
#include "engine/verify/convergence.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

template <class T>
const KernelTable<T>* kernels_for([[maybe_unused]] Simd simd) {
  if constexpr (std::is_same_v<T, double>) {
    return kernels_double();
  } else {
    switch (simd) {
      case Simd::w4:
        return kernels_sse2();
      case Simd::w8:
        return kernels_avx2();
      case Simd::w16:
        return kernels_avx512();
      default:
        return kernels_scalar();
    }
  }
}

}  // namespace

void RunningScene::adopt_chosen_steps(const BuiltWorld& built, SceneDesc& scene) {
  scene.solver.step->substeps = built.world.settings.solver.step->substeps;
  scene.solver.step->iterations = built.world.settings.solver.step->iterations;
}

RunningScene::RunningScene(SceneDesc scene, BuiltWorld built, Simd simd, const KernelTable<real>& kernels,
                           const RunOptions& options)
    : scene_(std::move(scene)), simd_(simd), options_(options), kernels_(kernels) {
  adopt_chosen_steps(built, scene_);
  adopt(std::move(built));
  set_threads(options.threads, std::move(options_.workers));
}

RunningScene::RunningScene(const RunningScene& other)
    : scene_(other.scene_),
      model_(other.model_),
      model_now_(other.model_),
      model_parts_(other.start_.bodies.parts),
      world_(other.world_),
      start_(other.start_),
      edition_(other.edition_),
      simd_(other.simd_),
      options_(other.options_),
      kernels_(other.kernels_) {
  set_threads(other.chooses_threads_ ? 0 : other.pool_->size(), other.pool_->workers());
}

std::shared_ptr<const SceneModel> RunningScene::model() const {
  const std::uint64_t edition = world_.topology->edition;
  if (edition == torn_edition_ && world_.bodies.parts == model_parts_) return model_now_;
  torn_edition_ = edition;
  model_parts_ = world_.bodies.parts;
  if (edition == 0 && model_parts_ == start_.bodies.parts) return model_now_ = model_;
  return model_now_ = changed_model(*model_, world_);
}

StepReport RunningScene::step(const CancelFlag* cancel, std::vector<IterationTrace>* trace) {
  if (!trace) return step(cancel);
  trace->clear();
  TraceProbe probe(&convergence, *trace);
  solver_->set_probe(&probe);
  StepReport report = step(cancel);
  solver_->set_probe(nullptr);
  report.solver_ms -= probe.measuring_ms();
  return report;
}

StepReport RunningScene::step(const CancelFlag* cancel) {
  undo_.begin(world_);
  move_hand_ball(world_, scene_.solver.step->dt);
  StepReport report = solver_->step(world_, scene_.solver.step->dt, cancel);
  stepped_ = !undo_.end(world_, report);
  if (!stepped_) follow();
  return report;
}

void RunningScene::restart() {
  world_ = start_;
  apply_settings(scene_, start_, world_);
  make_room_for_tears(false);
  follow();
  stepped_ = false;
}

std::shared_ptr<const void> RunningScene::save(std::shared_ptr<const void> reuse) const {
  std::shared_ptr<Saved> saved;
  if (reuse.use_count() == 1) saved = std::static_pointer_cast<Saved>(std::const_pointer_cast<void>(reuse));
  reuse.reset();
  if (!saved) saved = std::make_shared<Saved>();
  saved->world = world_;  // direct assignment, without a temporary World: vectors then reuse their storage
  saved->model_version = model_->version;
  if (!saved_scene_) saved_scene_ = std::make_shared<const SceneDesc>(scene_);
  saved->scene = saved_scene_;
  saved->edition = edition_;
  saved->bytes = size_of(*saved);
  return saved;
}

bool RunningScene::restore(const std::shared_ptr<const void>& saved) {
  const Saved* state = static_cast<const Saved*>(saved.get());
  if (!state || state->model_version != model_->version) return false;
  const bool other_bodies = state->world.bodies.parts != world_.bodies.parts;
  const bool other_colliders = state->world.colliders.size() != world_.colliders.size();
  world_ = state->world;
  world_.changed(Change::settings);
  if (other_bodies) world_.changed(Change::bodies);
  if (other_colliders) world_.changed(Change::everything);
  stepped_ = false;
  if (state->edition != edition_) {
    scene_ = *state->scene;
    saved_scene_ = state->scene;
    edition_ = state->edition;
    pool_->measure_again();
  }
  make_room_for_tears(false);
  follow();
  return true;
}

std::size_t RunningScene::bytes(const std::shared_ptr<const void>& saved) const {
  return saved ? static_cast<const Saved*>(saved.get())->bytes : 0;
}

void RunningScene::set_threads(int threads, std::shared_ptr<Workers> workers) {
  solver_.reset();
  chooses_threads_ = threads <= 0;
  const int most = options_.most_threads > 0 ? options_.most_threads : default_thread_count();
  if (!workers) workers = std::make_shared<Workers>(std::clamp(chooses_threads_ ? most : threads, 1, 256));
  const Sharing as_asked = options_.alone_if_starved ? Sharing::unless_starved : Sharing::always;
  pool_ = std::make_unique<Pool>(std::move(workers), chooses_threads_ ? Sharing::while_it_pays : as_asked);
  solver_ = std::make_unique<Stepper>(*pool_, kernels_);
  world_.changed(Change::everything);
  follow();
  stepped_ = false;
}

double RunningScene::time_sweeps(int sweeps) {
  const double h = scene_.solver.step->dt / scene_.solver.step->substeps;
  Sweep<real> sweep{is_compliant(scene_.solver.method->kind), true, real(1.0 / (h * h))};
  sweep.origin = flat(world_.particles.origin);
  const auto start = std::chrono::steady_clock::now();
  pool_->run([&](Team& team) {
    solver_->method().load(world_, team);
    for (int i = 0; i < sweeps; ++i) solver_->method().iterate(world_, sweep, team);
  });
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  end_frame_moves(world_.particles, 0, world_.particles.padded());
  return taken.count();
}

void RunningScene::adopt(BuiltWorld built) {
  clear_fluids(built.world);  // pictures and warnings of the start see every particle of an emitter
  world_ = built.world;
  start_ = std::move(built.world);
  model_ = model_now_ = std::move(built.model);
  torn_edition_ = 0;
  saved_scene_.reset();
  model_parts_ = world_.bodies.parts;
  stepped_ = false;
  make_room_for_tears(false);
  follow();
  if (pool_) pool_->measure_again();
}

/// Sizes all arrays for what has changed in the World, so that the next step allocates nothing.
void RunningScene::follow() {
  if (!solver_) return;
  const bool resized = world_.changes.has(Change::bodies) || world_.changes.has(Change::everything);
  solver_->follow(world_);
  if (resized) undo_.reserve(world_);
}

/// Reserves spare particles and slots for tears, if anything can tear or if `now`. The start state gets them
/// too, so that all Worlds of this build have arrays of equal length.
void RunningScene::make_room_for_tears(bool now) {
  const bool wanted = now || wants_tears(world_) || !start_.topology->tears.empty();
  if (!wanted || !world_.topology->tears.empty()) return;
  if (start_.topology->tears.empty()) adopt_tear_room(start_, with_tear_room(start_));
  adopt_tear_room(world_, start_.topology);
  refresh_softness(world_);
}

/// Bytes of a snapshot. A topology changed by tears, and body parts to which bodies were added, count only if
/// no other snapshot shares them.
std::size_t RunningScene::size_of(const Saved& saved) const {
  const Topology& topology = *saved.world.topology;
  const bool shared = topology.edition == 0 || topology.edition == saved_edition_;
  saved_edition_ = topology.edition;
  const auto& parts = saved.world.bodies.parts;
  const bool same_bodies = parts == start_.bodies.parts || parts == saved_parts_;
  saved_parts_ = parts;
  return byte_count(saved.world) + (shared ? 0 : byte_count(topology)) +
         (same_bodies ? 0 : byte_count(*parts));
}

Expected<std::unique_ptr<Simulation>> make_running_scene(SceneDesc scene, const RunOptions& options) {
  const Simd simd = RunningScene::in_double ? Simd::scalar : resolve(options.simd);
  const KernelTable<real>* kernels = kernels_for<real>(simd);
  if (!supported(simd) || !kernels)
    return Error{"this processor has no " + std::string(to_string(simd)) + "-wide instructions", "--simd", 0,
                 "use " + std::string(to_string(resolve(Simd::automatic)))};
  Expected<BuiltWorld> built = build_world(scene);
  if (!built) return built.error();
  return std::unique_ptr<Simulation>(
      std::make_unique<RunningScene>(std::move(scene), std::move(*built), simd, *kernels, options));
}

}}  // namespace limber::LIMBER_PRECISION
