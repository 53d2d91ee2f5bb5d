// The Simulation face over one World, once per precision.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/parts/air/air_fields.hpp"
#include "engine/parts/fluids/fluid_flow.hpp"
#include "engine/parts/motion/settling.hpp"
#include "engine/parts/tearing/cutting.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/build/body_builder.hpp"
#include "engine/scene/build/settings_builder.hpp"
#include "engine/scene/build/touch_lists.hpp"
#include "engine/scene/build/world_builder.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_check.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_geometry.hpp"
#include "engine/simulation/changed_model.hpp"
#include "engine/simulation/hand_ball.hpp"
#include "engine/simulation/simulation.hpp"
#include "engine/state/displacement.hpp"
#include "engine/state/heat_state.hpp"
#include "engine/state/tear_room.hpp"
#include "engine/state/turns.hpp"
#include "engine/state/world_bytes.hpp"
#include "engine/step/frame_undo.hpp"
#include "engine/step/probes.hpp"
#include "engine/step/stepper.hpp"
#include "engine/verify/convergence.hpp"
#include "engine/verify/fastest_swing.hpp"
#include "engine/verify/heat.hpp"
#include "engine/verify/joint_measure.hpp"
#include "engine/verify/measure.hpp"
#include "engine/verify/soft_measure.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr bool in_double = std::is_same_v<real, double>;

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

/// The copy that save() hands out: a World, its settings, and the model it belongs to.
struct Saved {
  World world;
  std::shared_ptr<const SceneDesc> scene;  ///< shared by all copies between two changes
  std::uint64_t model_version = 0;
  std::uint64_t edition = 0;  ///< of the settings
  std::size_t bytes = 0;
};

class RunningScene final : public Simulation {
 public:
  RunningScene(SceneDesc scene, BuiltWorld built, Simd simd, const KernelTable<real>& kernels,
               const RunOptions& options)
      : scene_(std::move(scene)), simd_(simd), options_(options), kernels_(kernels) {
    scene_.solver.step->substeps = built.world.settings.solver.step->substeps;
    adopt(std::move(built));
    set_threads(options.threads, std::move(options_.workers));
  }
  RunningScene(const RunningScene& other)
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
    set_threads(other.chooses_threads_ ? 0 : other.threads(), other.workers());
  }

  const SceneDesc& scene() const override { return scene_; }
  std::shared_ptr<const SceneModel> model() const override;

  Expected<void> submit(const Command& command) override {
    return std::visit([this](const auto& c) { return act(c); }, command);
  }
  StepReport step(const CancelFlag* cancel) override;
  StepReport step_traced(std::vector<IterationTrace>& trace, const CancelFlag* cancel) override;
  ProjectionPoint read_projected(std::int64_t projections, std::span<glm::dvec3> out) override;
  void restart() override {
    world_ = start_;
    apply_settings(scene_, start_, world_);
    make_room_for_tears(false);
    solver_->prepare(world_);
    stepped_ = false;
  }

  std::shared_ptr<const void> save(std::shared_ptr<const void> reuse) const override;
  std::unique_ptr<Simulation> clone() const override { return std::make_unique<RunningScene>(*this); }
  bool restore(const std::shared_ptr<const void>& saved) override;
  std::size_t bytes(const std::shared_ptr<const void>& saved) const override {
    return saved ? static_cast<const Saved*>(saved.get())->bytes : 0;
  }

  std::int64_t frame() const override { return world_.frame; }
  double time() const override { return world_.time; }

  void read_positions(std::span<glm::vec3> out) const override { read(world_.particles.position, out); }
  void read_positions(std::span<glm::dvec3> out) const override { read(world_.particles.position, out); }
  void read_velocities(std::span<glm::dvec3> out) const override { read(world_.particles.velocity, out); }
  void read_absent(std::vector<Index>& out) const override {
    out.clear();
    for (const std::int32_t i : world_.topology->fluid.members)
      if (!world_.matter.fluid.present[std::size_t(i)]) out.push_back(outside(i));
    std::sort(out.begin(), out.end());
  }
  void read_spray(std::vector<glm::vec3>& out) const override {
    out.clear();
    for (const SprayPoint& point : world_.matter.fluid.spray) out.emplace_back(point.position);
  }
  std::size_t body_count() const override { return std::size_t(world_.bodies.count()); }
  void read_bodies(std::span<BodyPose> out) const override {
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = {glm::vec3(world_.bodies.position[i]), glm::mat3(rotation_of(world_.bodies.orientation[i]))};
  }
  void read_turns(std::vector<glm::dvec4>& out) const override {
    const RodMatter& rods = world_.topology->rods;
    out.clear();
    for (const RodSegment& segment : rods.segments)
      out.push_back(orientation_of(world_.particles, std::size_t(rods.first_row + segment.turn)));
  }
  void read_solids(std::vector<BodyPose>& out) const override;
  void read_clusters(std::vector<ClusterPose>& out) const override;
  void read_joints(std::vector<JointMark>& out) const override {
    out.clear();
    for (std::size_t j = 0; j < world_.bodies.joints.size(); ++j) out.push_back(joint_mark(world_, j));
  }
  void read_heat(HeatMap map, std::span<float> out) const override {
    const Method& method = solver_->method();
    write_heat(world_, method.constraints(world_), method.schedule(world_), map, out);
  }
  void read_body_heat(HeatMap map, std::span<float> out) const override { write_body_heat(world_, map, out); }

  void read_fixed(std::vector<Index>& out) const override {
    out.clear();
    for (const Attachment& a : world_.user.attachments)
      if (a.collider < 0 && a.body < 0) out.push_back(outside(a.particle));
  }
  std::optional<Index> held_vertex() const override {
    return world_.user.grab ? std::optional(outside(world_.user.grab->particle)) : std::nullopt;
  }
  std::optional<glm::dvec3> held_target() const override {
    if (world_.user.body_grab) return world_.user.body_grab->target;
    return world_.user.grab ? std::optional(world_.user.grab->target) : std::nullopt;
  }
  std::optional<glm::dvec3> held_body_point() const override {
    if (!world_.user.body_grab) return std::nullopt;
    const std::size_t i = std::size_t(world_.user.body_grab->body);
    return glm::dvec3(vec3(world_.bodies.position[i]) +
                      rotation_of(world_.bodies.orientation[i]) * world_.user.body_grab->own);
  }

  std::optional<HoldBall> held_ball() const override {
    if (!world_.user.ball) return std::nullopt;
    return HoldBall{world_.user.ball->position, world_.user.ball->radius};
  }

  void read_contacts(std::vector<ContactMark>& out) const override {
    out.clear();
    if (stepped_) solver_->read_contacts(world_, out);
  }
  void read_zones(std::vector<Index>& out) const override {
    out.clear();
    if (!stepped_) return;
    for (const std::int32_t i : solver_->zone_members(world_)) out.push_back(outside(i));
  }
  void read_intersections(std::vector<std::array<Triangle, 2>>& out) const override;
  void read_air(std::span<const glm::dvec3> places, std::span<glm::dvec3> out) const override {
    limber::LIMBER_PRECISION::read_air(*world_.settings.wind, world_.time, places, out);
  }

  Measures measure() const override { return limber::LIMBER_PRECISION::measure(world_, posed_); }
  double fastest_swing() const override { return limber::LIMBER_PRECISION::fastest_swing(world_); }
  std::int64_t count_intersections() const override {
    return limber::LIMBER_PRECISION::count_intersections(world_);
  }
  std::uint64_t state_hash() const override { return limber::LIMBER_PRECISION::state_hash(world_); }
  std::vector<BatchCount> batches() const override;
  int threads() const override { return pool_->size(); }
  int threads_at_work() const override { return pool_->at_work(); }
  bool chooses_threads() const override { return chooses_threads_; }
  const std::shared_ptr<Workers>& workers() const override { return pool_->workers(); }
  void set_threads(int threads, std::shared_ptr<Workers> workers) override {
    solver_.reset();
    chooses_threads_ = threads <= 0;
    const int most = options_.most_threads > 0 ? options_.most_threads : default_thread_count();
    if (!workers) workers = std::make_shared<Workers>(std::clamp(chooses_threads_ ? most : threads, 1, 256));
    const Sharing as_asked = options_.alone_if_starved ? Sharing::unless_starved : Sharing::always;
    pool_ = std::make_unique<Pool>(std::move(workers), chooses_threads_ ? Sharing::while_it_pays : as_asked);
    solver_ = std::make_unique<Stepper>(*pool_, kernels_);
    solver_->prepare(world_);
    stepped_ = false;
  }
  Simd simd() const override { return simd_; }
  Precision precision() const override { return in_double ? Precision::f64 : Precision::f32; }
  double time_sweeps(int sweeps) override;

 private:
  template <class Out>
  void read(const AlignedVector<vec4>& rows, std::span<Out> out) const {
    const std::vector<Index>& inside = world_.topology->external_to_internal;
    for (std::size_t v = 0; v < out.size(); ++v) out[v] = Out(rows[std::size_t(inside[v])]);
  }
  Index outside(std::int32_t particle) const {
    return world_.topology->internal_to_external[std::size_t(particle)];
  }

  void adopt(BuiltWorld built) {
    clear_fluids(built.world);  // pictures and warnings of the start see what will be there
    world_ = built.world;
    start_ = std::move(built.world);
    model_ = model_now_ = std::move(built.model);
    torn_edition_ = 0;
    saved_scene_.reset();
    model_parts_ = world_.bodies.parts;
    stepped_ = false;
    make_room_for_tears(false);
    if (solver_) solver_->prepare(world_);
    if (pool_) pool_->measure_again();
  }

  void make_room_for_tears(bool now);

  /// The particle of an external vertex id, or an Error.
  Expected<std::int32_t> particle(Index vertex) const {
    const std::vector<Index>& inside = world_.topology->external_to_internal;
    if (vertex < 0 || std::size_t(vertex) >= inside.size())
      return Error{"vertex " + std::to_string(vertex) + " does not exist", {}, 0, {}};
    return std::int32_t(inside[std::size_t(vertex)]);
  }

  Expected<void> check_pressures(const SceneDesc& changed) const;
  Expected<void> act(const SetValue& command);
  Expected<void> act(const GrabVertex& command);
  Expected<void> act(const GrabBody& command);
  Expected<void> act(const HoldBall& command);
  Expected<void> act(const ResizeBall& command);
  Expected<void> act(const MoveGrab& command);
  Expected<void> act(const TwistRod& command);
  Expected<void> act(const ReleaseGrab& command);
  Expected<void> act(const SetPinned& command);
  Expected<void> act(const Cut& command);
  Expected<void> act(const ThrowBall& command);
  Expected<void> act(const Warm& command);
  void follow_bodies();
  void follow_hand_ball();
  std::size_t size_of(const Saved& saved) const;
  bool is_pin(std::int32_t i) const;
  void set_attached(std::int32_t i, bool attached);

  SceneDesc scene_;
  std::shared_ptr<const SceneModel> model_;              ///< as it was built
  mutable std::shared_ptr<const SceneModel> model_now_;  ///< as it was in torn_edition_, with model_parts_
  mutable std::uint64_t torn_edition_ = 0;
  mutable std::shared_ptr<const BodyParts> model_parts_;
  World world_, start_;
  mutable PosedColliders posed_;  ///< for measuring
  FrameUndo undo_;
  mutable std::uint64_t saved_edition_ = 0;  ///< of the topology in the last copy that was handed out
  mutable std::shared_ptr<const BodyParts> saved_parts_;  ///< the bodies' in that copy
  mutable std::shared_ptr<const SceneDesc> saved_scene_;  ///< scene_ for copies; null: it has changed since
  std::uint64_t edition_ = 0;                             ///< of the settings; the same number, the same ones
  bool stepped_ = false;                                  ///< the solver knows the step that led here
  Simd simd_;
  RunOptions options_;  ///< as it was made
  bool chooses_threads_ = true;
  const KernelTable<real>& kernels_;
  std::unique_ptr<Pool> pool_;
  std::unique_ptr<Stepper> solver_;
};

std::shared_ptr<const SceneModel> RunningScene::model() const {
  const std::uint64_t edition = world_.topology->edition;
  if (edition == torn_edition_ && world_.bodies.parts == model_parts_) return model_now_;
  torn_edition_ = edition;
  model_parts_ = world_.bodies.parts;
  if (edition == 0 && model_parts_ == start_.bodies.parts) return model_now_ = model_;
  return model_now_ = changed_model(*model_, world_);
}

/// Spare particles and slots, once something can tear or `now`. The start gets them too, so that all worlds
/// of this build have the same arrays.
void RunningScene::make_room_for_tears(bool now) {
  const bool wanted = now || wants_tears(world_) || !start_.topology->tears.empty();
  if (!wanted || !world_.topology->tears.empty()) return;
  if (start_.topology->tears.empty()) adopt_tear_room(start_, with_tear_room(start_));
  adopt_tear_room(world_, start_.topology);
  refresh_softness(world_);
  if (solver_) solver_->prepare(world_);
}

/// Copies of clones are exchanged, so no two of them may give one number to different settings.
std::uint64_t next_edition() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

bool finite(const glm::dvec3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

Expected<void> check_radius(double radius) {
  if (radius >= 0.001 && radius <= 10.0) return {};
  return Error{"a ball's radius is 0.001 to 10 m", {}, 0, {}};
}

StepReport RunningScene::step(const CancelFlag* cancel) {
  undo_.begin(world_);
  move_hand_ball(world_, scene_.solver.step->dt);
  StepReport report = solver_->step(world_, scene_.solver.step->dt, cancel);
  stepped_ = !undo_.end(world_, *solver_, report);
  return report;
}

StepReport RunningScene::step_traced(std::vector<IterationTrace>& trace, const CancelFlag* cancel) {
  trace.clear();
  TraceProbe probe(&convergence, trace);
  solver_->set_probe(&probe);
  StepReport report = step(cancel);
  solver_->set_probe(nullptr);
  report.solver_ms -= probe.measuring_ms();
  return report;
}

ProjectionPoint RunningScene::read_projected(std::int64_t projections, std::span<glm::dvec3> out) {
  StopProbe probe(projections);
  undo_.begin(world_);
  move_hand_ball(world_, scene_.solver.step->dt);
  solver_->set_probe(&probe);
  const StepReport report = solver_->step(world_, scene_.solver.step->dt);
  solver_->set_probe(nullptr);
  read(world_.particles.position, out);
  undo_.put_back(world_, *solver_);
  stepped_ = false;
  const StepPoint& at = probe.at();
  return {at.stage, at.substep, at.iteration, !report.stopped};
}

/// Torn topologies, and parts of bodies to which some were added, are copies that a snapshot may be the only
/// one to hold.
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

std::shared_ptr<const void> RunningScene::save(std::shared_ptr<const void> reuse) const {
  std::shared_ptr<Saved> saved;
  if (reuse.use_count() == 1) saved = std::static_pointer_cast<Saved>(std::const_pointer_cast<void>(reuse));
  reuse.reset();
  if (!saved) saved = std::make_shared<Saved>();
  saved->world = world_;  // not through a temporary: vectors copy into the storage they have
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
  if (other_colliders)
    follow_hand_ball();
  else if (other_bodies)
    solver_->prepare_bodies(world_);
  stepped_ = false;
  if (state->edition != edition_) {
    scene_ = *state->scene;
    saved_scene_ = state->scene;
    edition_ = state->edition;
    pool_->measure_again();
  }
  solver_->prepare_method(world_);
  make_room_for_tears(false);
  return true;
}

void RunningScene::read_intersections(std::vector<std::array<Triangle, 2>>& out) const {
  out.clear();
  for (const TrianglePair& pair : find_intersections(world_)) {
    std::array<Triangle, 2>& both = out.emplace_back();
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t j = 0; j < 3; ++j)
        both[k][j] = outside(world_.topology->triangles[std::size_t(pair[k])][j]);
  }
}

void RunningScene::read_solids(std::vector<BodyPose>& out) const {
  const ParticleMatter& matter = world_.topology->matter;
  out.clear();
  for (std::size_t s = 0; s < matter.solids.size(); ++s) {
    const Solid& solid = matter.solids[s];
    if (solid.soft >= 0) continue;
    glm::dvec3 sum(0.0);  // all of a solid's particles weigh the same
    for (std::int32_t i = solid.first; i < solid.first + solid.count; ++i)
      sum += glm::dvec3(world_.particles.position[std::size_t(i)]);
    out.push_back(
        {glm::vec3(sum / double(solid.count)), glm::mat3(rotation_of(world_.matter.cluster_rotations[s]))});
  }
}

void RunningScene::read_clusters(std::vector<ClusterPose>& out) const { pose_clusters(world_, out); }

std::vector<BatchCount> RunningScene::batches() const {
  std::vector<BatchCount> out;
  for_each_type([&](auto type) {
    const auto& batch = std::get<type>(solver_->method().constraints(world_));
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    if (batch.constraints > 0)
      out.push_back({Type::name, batch.constraints, batch.colors, has_projection<Type>()});
  });
  const std::int64_t volumes =
      std::count_if(world_.matter.volume_goals.begin(), world_.matter.volume_goals.end(),
                    [](const VolumeGoal& goal) { return goal.volume > real(0); });
  if (volumes > 0) out.push_back({"volume", volumes, 1});
  if (!world_.bodies.joints.empty()) out.push_back({"joint", std::int64_t(world_.bodies.joints.size()), 1});
  return out;
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

/// Pressure is a live setting, and only a closed surface can have it: an open one is told as when it is
/// built.
Expected<void> RunningScene::check_pressures(const SceneDesc& changed) const {
  for (std::size_t o = 0; o < world_.topology->enclosures.size(); ++o) {
    const ObjectDesc& object = changed.objects[std::size_t(world_.topology->object_source[o])];
    if (object.pressure == 0.0 || world_.topology->enclosures[o].volume > 0.0) continue;
    if (const Expected<ObjectGeometry> geometry = build_geometry(changed, object); !geometry)
      return geometry.error();
  }
  return {};
}

/// Whether constraints and contacts feel a live setting: errors left by its former values are then repaid.
bool leaves_error(std::string_view path) {
  constexpr std::string_view others[] = {"solver.gravity",    "solver.damping",  "solver.damping_law",
                                         "solver.max_speed",  "solver.sleeping", "solver.sleep_time",
                                         "solver.sleep_speed"};
  const bool of_solver = path.starts_with("solver.");
  return path.starts_with("objects.") || path.starts_with("bodies.") || path.starts_with("joints.") ||
         (of_solver && std::find(std::begin(others), std::end(others), path) == std::end(others));
}

Expected<void> RunningScene::act(const SetValue& command) {
  SceneDesc changed = scene_;
  Expected<Setting> setting = find_setting(changed, command.path);
  if (!setting) return setting.error();
  if (Expected<void> done = set(*setting->field, setting->settings, command.value); !done) {
    Error error = done.error();
    error.file = command.path;
    return error;
  }
  if (setting->field->effect == Effect::rebuild) {
    Expected<BuiltWorld> built = build_world(changed);
    if (!built) return built.error();
    scene_ = std::move(changed);
    scene_.solver.step->substeps = built->world.settings.solver.step->substeps;
    adopt(std::move(*built));
  } else {
    if (changed.solver.step->automatic && !scene_.solver.step->automatic) {
      const Expected<BuiltWorld> built = build_world(changed);  // for its choice
      if (!built) return built.error();
      changed.solver.step->substeps = built->world.settings.solver.step->substeps;
    }
    if (const Expected<void> held = check_pressures(changed); !held) return held.error();
    if (const Expected<void> known = check_touches(changed); !known) return known.error();
    if (const Expected<void> method = check_method(*changed.solver.method); !method) return method.error();
    if (const Expected<void> skins = check_objects_of_method(changed); !skins) return skins.error();
    scene_ = std::move(changed);
    apply_settings(scene_, start_, world_);
    if (world_.user.ball) add_hand_ball(world_);
    solver_->prepare_method(world_);
    if (world_.frame > 0 && leaves_error(command.path)) begin_settling(world_);
    wake_all(world_);
    pool_->measure_again();
    edition_ = next_edition();
    saved_scene_.reset();
    make_room_for_tears(false);
  }
  return {};
}

Expected<void> RunningScene::act(const GrabVertex& command) {
  if (!finite(command.target)) return Error{"grab target is not finite", {}, 0, {}};
  const Expected<std::int32_t> i = particle(command.vertex);
  if (!i) return i.error();
  (void)act(ReleaseGrab{});
  world_.user.grab = Grab{*i, command.target};
  fix_particle(world_, *i);
  return {};
}

Expected<void> RunningScene::act(const GrabBody& command) {
  if (!finite(command.target) || !finite(command.point)) return Error{"grab target is not finite", {}, 0, {}};
  if (command.body < 0 || command.body >= Index(world_.bodies.count()))
    return Error{"body " + std::to_string(command.body) + " does not exist", {}, 0, {}};
  (void)act(ReleaseGrab{});
  const std::size_t i = std::size_t(command.body);
  if (world_.bodies.position[i].w == real(0)) return {};  // a fixed one does not follow
  real farthest = 0;                                      // the point hit lies on the body
  for (const auto& shape : world_.bodies.parts->shapes)
    if (std::size_t(shape.body) == i) farthest = std::max(farthest, shape.reach);
  glm::dvec3 way = command.point - glm::dvec3(world_.bodies.position[i]);
  if (const double length = glm::length(way); length > double(farthest)) way *= double(farthest) / length;
  wake(world_, std::array{std::int32_t(command.body)});
  const vec3 r(way);
  world_.user.body_grab =
      BodyGrab{std::int32_t(command.body), r * rotation_of(world_.bodies.orientation[i]), command.target};
  return {};
}

/// Resizes all arrays by collider, after the ball was taken or let go.
void RunningScene::follow_hand_ball() {
  solver_->prepare(world_);
  undo_.reserve(world_);
}

Expected<void> RunningScene::act(const HoldBall& command) {
  if (!finite(command.position)) return Error{"the ball is nowhere", {}, 0, {}};
  if (const Expected<void> sound = check_radius(command.radius); !sound) return sound;
  (void)act(ReleaseGrab{});
  world_.user.ball = HandBall{command.position, command.position, command.radius};
  add_hand_ball(world_);
  follow_hand_ball();
  return {};
}

Expected<void> RunningScene::act(const ResizeBall& command) {
  if (const Expected<void> sound = check_radius(command.radius); !sound) return sound;
  if (!world_.user.ball) return {};
  world_.user.ball->radius = command.radius;
  return {};
}

Expected<void> RunningScene::act(const MoveGrab& command) {
  if (!finite(command.target)) return Error{"grab target is not finite", {}, 0, {}};
  if (world_.user.ball) world_.user.ball->target = command.target;
  if (world_.user.grab) world_.user.grab->target = command.target;
  if (world_.user.body_grab) world_.user.body_grab->target = command.target;
  return {};
}

/// The segment that begins at the vertex, at the end of a rod the one that ends there.
Expected<void> RunningScene::act(const TwistRod& command) {
  if (!std::isfinite(command.angle)) return Error{"the twist is not finite", {}, 0, {}};
  const Expected<std::int32_t> i = particle(command.vertex);
  if (!i) return i.error();
  const RodMatter& rods = world_.topology->rods;
  std::int32_t turn = -1;
  for (const RodSegment& segment : rods.segments)
    if (segment.points[0] == *i || (turn < 0 && segment.points[1] == *i)) turn = segment.turn;
  if (turn < 0)
    return Error{
        "vertex " + std::to_string(command.vertex) + " is of no rod, so it cannot be twisted", {}, 0, {}};
  std::optional<TurnGrab>& held = world_.user.turn_grab;
  if (!held || held->turn != turn) {
    const glm::dvec3 here(world_.particles.position[std::size_t(*i)]);
    if (!is_in_hand(world_, *i) || held)
      if (const Expected<void> taken = act(GrabVertex{command.vertex, here}); !taken) return taken;
    const std::size_t row = std::size_t(rods.first_row + turn);
    held = TurnGrab{turn, orientation_of(world_.particles, row), 0.0, 0.0};
    put_turn(world_.particles, row, held->rest, real(0));
    world_.particles.velocity[row] = vec4(0);
  }
  held->target = command.angle;
  return {};
}

Expected<void> RunningScene::act(const ReleaseGrab& command) {
  world_.user.body_grab.reset();
  if (const std::optional<TurnGrab> held = std::exchange(world_.user.turn_grab, std::nullopt)) {
    const std::size_t row = std::size_t(world_.topology->rods.first_row + held->turn);
    put_turn(world_.particles, row, orientation_of(world_.particles, row),
             world_.particles.inverse_mass[row]);
    world_.particles.velocity[row] = vec4(0);
  }
  if (world_.user.ball) {
    remove_hand_ball(world_);
    follow_hand_ball();
  }
  if (!world_.user.grab) return {};
  const std::int32_t i = world_.user.grab->particle;
  world_.user.grab.reset();
  // a pin stays where it was dropped, a carried vertex goes back to its carrier
  if (command.pin || is_pin(i)) set_attached(i, true);
  free_particle(world_, i);
  return {};
}

Expected<void> RunningScene::act(const SetPinned& command) {
  const Expected<std::int32_t> i = particle(command.vertex);
  if (!i) return i.error();
  set_attached(*i, command.pinned);
  return {};
}

Expected<void> RunningScene::act(const Cut& command) {
  for (const auto* corners : {&command.near, &command.far})
    for (const glm::dvec3& corner : *corners)
      if (!finite(corner)) return Error{"the cut is not finite", {}, 0, {}};
  const Topology& topology = *world_.topology;
  if (topology.triangles.empty() && topology.rods.empty() && topology.matter.soft.empty()) return {};
  if (!topology.triangles.empty() || !topology.rods.empty()) make_room_for_tears(true);
  std::vector<char> carriers;
  for (const ObjectModel& object : model_->objects) carriers.push_back(!object.carried.empty());
  const CutResult result = cut(world_, command.near, command.far, command.begins, carriers);
  if (result.made == 0 && result.full)
    return Error{"this has been torn into as many pieces as there is room for", {}, 0, "restart it"};
  if (result.made == 0 && !result.refusal.empty()) return Error{std::string(result.refusal), {}, 0, {}};
  return {};
}

/// Resizes all arrays by body, after bodies were added or removed: the next step must not allocate for its
/// copies.
void RunningScene::follow_bodies() {
  solver_->prepare_bodies(world_);
  undo_.reserve(world_);
}

Expected<void> RunningScene::act(const ThrowBall& command) {
  constexpr double farthest = 1e6;  // m
  if (!finite(command.position) || !finite(command.velocity) || glm::length(command.position) > farthest)
    return Error{"the ball is thrown from nowhere", {}, 0, {}};
  if (const Expected<void> sound = check_radius(command.radius); !sound) return sound;
  if (!(command.density >= 1.0 && command.density <= 20000.0))
    return Error{"a ball's density is 1 to 20000 kg/m^3", {}, 0, {}};
  BodyDesc ball = thrown_ball(command.radius, command.density);
  const double speed = glm::length(command.velocity), most = scene_.solver.motion->max_speed;
  ball.velocity = speed > most ? command.velocity * (most / speed) : command.velocity;
  const Expected<BodyGeometry> geometry = build_body(scene_, ball);
  if (!geometry) return geometry.error();
  add_body(world_, make_body(ball, *geometry, {command.position, glm::dmat3(1.0)}), body_material(ball));
  follow_bodies();
  return {};
}

Expected<void> RunningScene::act(const Warm& command) {
  if (!finite(command.place)) return Error{"the place to warm is not finite", {}, 0, {}};
  if (!(command.radius >= 0.001 && command.radius <= 10.0))
    return Error{"a brush of heat has a radius of 0.001 to 10 m", {}, 0, {}};
  if (!(std::abs(command.degrees) <= 5000.0))
    return Error{"a brush of heat warms or cools by 5000 K at most", {}, 0, {}};
  if (world_.heat->empty())
    return Error{"nothing in this scene has a temperature", {}, 0, "set heat.enabled"};
  brush_heat(world_, command.place, command.radius, command.degrees);
  return {};
}

/// Where the attachment of particle i is in the list, or belongs.
template <class List>
auto place_in(List& attachments, std::int32_t i) {
  return std::lower_bound(attachments.begin(), attachments.end(), i,
                          [](const Attachment& a, std::int32_t p) { return a.particle < p; });
}

/// Whether particle i is attached to a fixed place in the world: nothing carries it, and it has no motion of
/// its own.
bool RunningScene::is_pin(std::int32_t i) const {
  if (!is_attached(world_, i)) return false;
  const Attachment& at = *place_in(world_.user.attachments, i);
  return at.collider < 0 && at.body < 0 && at.amplitude == glm::dvec3(0.0);
}

/// Attaches particle i at its present place (and detaches it from a carrier), or frees it. A particle without
/// mass in its file cannot be freed: it has no mass to return to.
void RunningScene::set_attached(std::int32_t i, bool attached) {
  auto& list = world_.user.attachments;
  const auto at = place_in(list, i);
  const bool present = is_attached(world_, i);
  const Attachment here{i, glm::dvec3(world_.particles.position[std::size_t(i)]), glm::dvec3(0.0), 1.0};
  if (attached && present) *at = here;
  if (attached && !present) list.insert(at, here);
  if (attached) fix_particle(world_, i);
  if (!attached && present && world_.particles.inverse_mass[std::size_t(i)] > real(0)) list.erase(at);
  if (!attached) free_particle(world_, i);
}

}  // namespace

Expected<std::unique_ptr<Simulation>> make_running_scene(SceneDesc scene, const RunOptions& options) {
  const Simd simd = in_double ? Simd::scalar : resolve(options.simd);
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
