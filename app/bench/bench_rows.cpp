#include "app/bench/bench_rows.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "app/bench/cloth_rows.hpp"
#include "app/bench/joint_rows.hpp"
#include "app/bench/picture_rows.hpp"
#include "app/bench/pin.hpp"
#include "app/bench/reference_loops.hpp"
#include "app/bench/rod_rows.hpp"
#include "app/bench/scene_row.hpp"
#include "app/bench/soft_rows.hpp"
#include "app/bench/tet_rows.hpp"
#include "app/commands/run_recorder.hpp"
#include "app/commands/scene_source.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"
#include "engine/simulation/simulation.hpp"
#include "engine/verify/pair_speed.hpp"

namespace limber {
namespace {

using Rows = Expected<std::vector<BenchRow>>;

constexpr int iterations = 10;
constexpr int repeats = 9;
constexpr int warm_up = 3;
constexpr double frame = 1.0 / 60.0;  // s

/// The engine's scene with the same cloth as ReferenceCloth.
SceneDesc reference_scene(int count, bool bending) {
  SceneDesc scene;
  scene.name = "bench";
  scene.solver.step->substeps = 1;
  scene.solver.step->iterations = iterations;
  scene.solver.motion->damping = 0.0;
  ObjectDesc cloth;
  cloth.name = "cloth";
  cloth.cloth->columns = cloth.cloth->rows = count;
  cloth.cloth->width = cloth.cloth->height = 10.0;
  cloth.material->bending = bending;
  cloth.pins = {std::string("top_left"), std::string("top_right")};
  scene.objects.push_back(std::move(cloth));
  return scene;
}

RunOptions with_threads(int threads) {
  RunOptions options;
  options.threads = threads;
  return options;
}

double project_ms(const StepReport& step) {
  for (const StepReport::Stage& stage : step.stages) {
    if (stage.name == "project") return stage.ms;
  }
  return step.solver_ms;
}

void keep_least(double& least, double value) { least = std::min(least, value); }

BatchCount batch_of(const Simulation& simulation, std::string_view type) {
  for (const BatchCount& batch : simulation.batches()) {
    if (batch.type == type) return batch;
  }
  return {type, 0, 0};
}

/// Ten projections of every distance constraint, by the engine, the textbook loop and the coloured loop in
/// turn. Takes the minimum of nine runs each, because the speed of these machines changes by the minute.
Rows measure_distance(const BenchJob& job) {
  std::optional<PinToProcessor> pin;
  if (job.threads == 1) pin.emplace();
  auto simulation = make_simulation(reference_scene(job.count, false), with_threads(job.threads));
  if (!simulation) return simulation.error();
  ReferenceCloth textbook(job.count, ReferenceCloth::Order::textbook);
  ReferenceCloth coloured(job.count, ReferenceCloth::Order::coloured);

  constexpr double unset = std::numeric_limits<double>::infinity();
  double engine_ms = unset, textbook_ms = unset, coloured_ms = unset;
  for (int i = 0; i < warm_up + repeats; ++i) {
    const double a = project_ms((*simulation)->step());
    const double b = 1e3 * textbook.step(float(frame), iterations);
    const double c = 1e3 * coloured.step(float(frame), iterations);
    if (i < warm_up) continue;
    keep_least(engine_ms, a);
    keep_least(textbook_ms, b);
    keep_least(coloured_ms, c);
  }

  const BatchCount batch = batch_of(**simulation, "distance");
  const auto row = [&](const std::string& name, std::int64_t constraints, int phases, double ms,
                       double strain) {
    const double ns = 1e6 * ms / (double(constraints) * iterations);
    return BenchRow{name, job.threads, constraints,      phases,          ns,
                    ms,   strain,      ms / textbook_ms, ms / coloured_ms};
  };
  std::vector<BenchRow> rows = {
      row(job.name, batch.constraints, batch.phases, engine_ms, (*simulation)->measure().strain.mean)};
  if (job.threads == 1) {
    const std::int64_t edges = std::int64_t(textbook.constraints());
    rows.push_back(row(job.name + " textbook loop", edges, 1, textbook_ms, textbook.mean_strain()));
    rows.push_back(
        row(job.name + " coloured loop", edges, coloured.colours(), coloured_ms, coloured.mean_strain()));
  }
  return rows;
}

/// Projective Dynamics: ten iterations of a cloth of count x count vertices with springs along, across and
/// over its edges (Wang 2015: 16,000 vertices, 87,000 constraints at 37 pictures a second). `phases` is 1.
Rows measure_projective(const BenchJob& job) {
  std::optional<PinToProcessor> pin;
  if (job.threads == 1) pin.emplace();
  SceneDesc scene = reference_scene(job.count, true);
  scene.solver.method->kind = SolverMethod::projective;
  scene.objects[0].material->stretch_compliance = 1e-4;
  scene.objects[0].material->bend_compliance = 1e3;
  scene.objects[0].material->bending_model = BendingModel::isometric;
  auto simulation = make_simulation(std::move(scene), with_threads(job.threads));
  if (!simulation) return simulation.error();
  double ms = std::numeric_limits<double>::infinity();
  for (int i = 0; i < warm_up + repeats; ++i) {
    const double step = project_ms((*simulation)->step());
    if (i >= warm_up) keep_least(ms, step);
  }
  std::int64_t constraints = 0;
  for (const BatchCount& batch : (*simulation)->batches()) constraints += batch.constraints;
  const double ns = 1e6 * ms / (double(constraints) * iterations);
  return std::vector<BenchRow>{
      {job.name, job.threads, constraints, 1, ns, ms, (*simulation)->measure().strain.mean}};
}

/// Dihedral bending: cost of ten iterations with bending, minus the cost without.
Rows measure_bending(const BenchJob& job) {
  std::optional<PinToProcessor> pin;
  if (job.threads == 1) pin.emplace();
  auto with = make_simulation(reference_scene(job.count, true), with_threads(job.threads));
  if (!with) return with.error();
  auto without = make_simulation(reference_scene(job.count, false), with_threads(job.threads));
  if (!without) return without.error();
  double with_ms = std::numeric_limits<double>::infinity(), without_ms = with_ms;
  for (int i = 0; i < warm_up + repeats; ++i) {
    const double a = project_ms((*with)->step()), b = project_ms((*without)->step());
    if (i < warm_up) continue;
    keep_least(with_ms, a);
    keep_least(without_ms, b);
  }
  const BatchCount batch = batch_of(**with, "bending");
  const double ms = with_ms - without_ms;
  const double ns = 1e6 * ms / (double(batch.constraints) * iterations);
  return std::vector<BenchRow>{
      {job.name, job.threads, batch.constraints, batch.phases, ns, ms, (*with)->measure().strain.mean}};
}

/// The volume constraint of a character: cost of ten iterations with it minus the cost without, per triangle.
Rows measure_volume(const BenchJob& job) {
  std::optional<PinToProcessor> pin;
  if (job.threads == 1) pin.emplace();
  Expected<SceneDesc> scene = load_scene("inflated_character");
  if (!scene) return scene.error();
  scene->solver.step->substeps = 1;
  scene->solver.step->iterations = iterations;
  ObjectDesc& character = scene->objects.front();
  character.pressure = 0.0;
  auto without = make_simulation(*scene, with_threads(job.threads));
  if (!without) return without.error();
  character.pressure = 1.0;
  auto with = make_simulation(*scene, with_threads(job.threads));
  if (!with) return with.error();
  double with_ms = std::numeric_limits<double>::infinity(), without_ms = with_ms;
  for (int i = 0; i < warm_up + repeats; ++i) {
    const double a = project_ms((*with)->step()), b = project_ms((*without)->step());
    if (i < warm_up) continue;
    keep_least(with_ms, a);
    keep_least(without_ms, b);
  }
  const std::int64_t triangles = std::int64_t((*with)->model()->objects.front().triangles.size());
  const double ms = with_ms - without_ms, ns = 1e6 * ms / (double(triangles) * iterations);
  return std::vector<BenchRow>{{job.name, job.threads, triangles, 1, ns, ms, (*with)->measure().strain.mean}};
}

/// Two seconds of the scene cloth_hang at another resolution: median frame of the second one.
Rows measure_scene(const BenchJob& job) {
  std::optional<PinToProcessor> pin;
  if (job.threads == 1) pin.emplace();
  Expected<SceneDesc> scene = load_scene("cloth_hang");
  if (!scene) return scene.error();
  scene->solver.contact->cloth_collision = false;  // the rows measure only constraints
  for (ObjectDesc& object : scene->objects) {
    object.cloth->columns = object.cloth->rows = job.count;
    object.material->bending = job.bending;
  }
  auto simulation = make_simulation(std::move(*scene), with_threads(job.threads));
  if (!simulation) return simulation.error();
  RunRecorder record;
  for (int i = 0; i < 120; ++i) {
    const StepReport step = (*simulation)->step();
    if (i >= 60) record.add(step, **simulation);
  }
  BenchRow row{job.name, job.threads};
  for (const BatchCount& batch : (*simulation)->batches()) {
    row.constraints += batch.constraints;
    row.phases += batch.phases;
  }
  const SolverSettings& solver = (*simulation)->scene().solver;
  row.ms_per_step = record.wall_ms().median;
  row.ns_per_item =
      1e6 * row.ms_per_step / (double(row.constraints) * solver.step->substeps * solver.step->iterations);
  row.strain = (*simulation)->measure().strain.mean;
  return std::vector<BenchRow>{row};
}

/// Bodies on a cloth: median frame of the second second of the scene trampoline, and the same per contact and
/// substep.
Rows measure_coupling(const BenchJob& job) {
  std::optional<PinToProcessor> pin;
  if (job.threads == 1) pin.emplace();
  Expected<SceneDesc> scene = load_scene("trampoline");
  if (!scene) return scene.error();
  auto simulation = make_simulation(std::move(*scene), with_threads(job.threads));
  if (!simulation) return simulation.error();
  RunRecorder record;
  double contacts = 0.0;
  for (int i = 0; i < 120; ++i) {
    const StepReport step = (*simulation)->step();
    if (i < 60) continue;
    record.add(step, **simulation);
    contacts += step.contacts / 60.0;
  }
  BenchRow row{job.name, job.threads, std::int64_t(contacts)};
  row.ms_per_step = record.wall_ms().median;
  row.ns_per_item = 1e6 * row.ms_per_step / (contacts * (*simulation)->scene().solver.step->substeps);
  row.strain = (*simulation)->measure().strain.mean;
  return std::vector<BenchRow>{row};
}

/// Frames of a shipped scene while it settles, minimum of the last ten; items are particles.
Rows measure_settling(const BenchJob& job) {
  std::optional<PinToProcessor> pin;
  if (job.threads == 1) pin.emplace();
  Expected<SceneDesc> scene = load_scene(job.name);
  if (!scene) return scene.error();
  auto simulation = make_simulation(std::move(*scene), with_threads(job.threads));
  if (!simulation) return simulation.error();
  double ms = std::numeric_limits<double>::infinity();
  for (int i = 0; i < job.count; ++i) {
    const double step = (*simulation)->step().solver_ms;
    if (i >= job.count - 10) keep_least(ms, step);
  }
  const std::int64_t particles = (*simulation)->model()->vertex_count;
  const double ns = 1e6 * ms / (double(particles) * (*simulation)->scene().solver.step->substeps);
  return std::vector<BenchRow>{{job.name, job.threads, particles, 1, ns, ms}};
}

/// A thousand solids of about 64 particles that do not touch each other: ten projections per frame.
Rows measure_shape_matching(const BenchJob& job) {
  std::optional<PinToProcessor> pin;
  if (job.threads == 1) pin.emplace();
  SceneDesc scene;
  scene.name = "bench";
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.solver.step->substeps = 1;
  scene.solver.step->iterations = iterations;
  scene.solver.contact->particle_radius = 0.04;
  Expected<SceneDesc> shipped = load_scene("pile_meshes");
  if (!shipped) return shipped.error();
  scene.assets = shipped->assets;
  ObjectDesc solid;
  solid.name = "solids";
  solid.type = ObjectType::solid;
  solid.mesh = "brick.obj";
  solid.size = 0.52;
  solid.copies = glm::dvec3(10.0);
  solid.tumble = 180.0;
  scene.objects.push_back(std::move(solid));
  auto simulation = make_simulation(std::move(scene), with_threads(job.threads));
  if (!simulation) return simulation.error();
  double ms = std::numeric_limits<double>::infinity();
  for (int i = 0; i < warm_up + repeats; ++i) {
    const double step = project_ms((*simulation)->step());
    if (i >= warm_up) keep_least(ms, step);
  }
  const std::int64_t particles = (*simulation)->model()->vertex_count;
  return std::vector<BenchRow>{
      {job.name, job.threads, particles, 1, 1e6 * ms / (double(particles) * iterations), ms}};
}

/// Contact manifolds of convex bodies, one pair at a time on one thread: resting on each other, and two boxes
/// out of reach. `phases` is the number of contact points per hundred pairs.
Rows measure_manifolds(const BenchJob& job) {
  const PinToProcessor pin;
  struct Case {
    const char* name;
    ConvexKind a, b;
    double gap;  // m
  };
  using enum ConvexKind;
  constexpr Case cases[] = {{"box box", box, box, 0},
                            {"box box apart", box, box, 0.2},
                            {"hull hull", hull, hull, 0},
                            {"cylinder box", cylinder, box, 0},
                            {"capsule box", capsule, box, 0},
                            {"sphere box", sphere, box, 0},
                            {"cylinder cylinder", cylinder, cylinder, 0}};
  std::vector<BenchRow> rows;
  for (const Case& c : cases) {
    const PairSpeed speed = measure_pairs(c.a, c.b, c.gap);
    rows.push_back({job.name + " " + c.name, 1, speed.pairs, int(100.0 * speed.points + 0.5),
                    speed.nanoseconds, 1e-6 * speed.nanoseconds * speed.pairs});
  }
  return rows;
}

/// A chain of job.count links that swings from one end: one linear system, solved twice in each of 8
/// substeps.
Rows measure_joints(const BenchJob& job) {
  SceneDesc scene;
  scene.name = "bench";
  scene.solver.step->substeps = 8;
  BodyDesc links;
  links.name = "links";
  links.shape = BodyShape::capsule;
  links.radius = 0.02, links.half_length = 0.08;
  links.arrangement = Arrangement::line;
  links.copies = {double(job.count), 1.0, 1.0};
  links.spacing = {0.2, 0.0, 0.0};
  links.pose.rotation_degrees = {0.0, 0.0, 90.0};
  JointDesc top, chain;
  top.name = "top", top.a = "links[0]", top.at = {-0.1, 0.0, 0.0};
  chain.name = "chain", chain.a = "links", chain.chain = true, chain.at = {0.1, 0.0, 0.0};
  scene.bodies = {links};
  scene.joints = {top, chain};
  return measure_bodies(job, std::move(scene), 60);
}

/// The frames after `warm` ones; `wide`: 5,060 cubes in a bin 2.3 times as wide.
Rows measure_pile(const BenchJob& job, bool wide, int warm) {
  Expected<SceneDesc> scene = load_scene("pile_boxes");
  if (!scene) return scene.error();
  // An even grid on a level floor, so that the numbers of this row stay comparable over years.
  scene->bodies[0].pose.position.y = 1.5;
  scene->bodies[0].spacing = glm::dvec3(1.5);
  scene->solver.step->substeps = 8;
  std::erase_if(scene->colliders, [](const ColliderDesc& one) { return one.name.ends_with("slope"); });
  if (wide) {
    const glm::dvec3 wider(2.3, 1.0, 2.3);
    for (ColliderDesc& wall : scene->colliders) wall.pose.position *= wider, wall.half_extents *= wider;
    scene->bodies[0].copies = {22, 10, 23};
  }
  return measure_bodies(job, std::move(*scene), warm);
}
Rows measure_pile(const BenchJob& job) { return measure_pile(job, job.count > 1000, 400); }
Rows measure_fall(const BenchJob& job) { return measure_pile(job, true, 30); }

/// A step of a fluid of job.count particles, with five iterations, after a block has spread in its basin.
/// Items are particles times iterations.
Rows measure_fluid(const BenchJob& job) {
  std::optional<PinToProcessor> pin;
  if (job.threads == 1) pin.emplace();
  SceneDesc scene;
  scene.name = "bench";
  scene.solver.step->substeps = 1;
  scene.solver.step->dt = 1.0 / 240.0;
  scene.solver.step->iterations = 5;
  ObjectDesc water;
  water.name = "water";
  water.type = ObjectType::fluid;
  const double side = std::cbrt(job.count / 12000.0);
  water.fluid->extent = side * glm::dvec3(1.2, 0.8, 0.5);
  water.pose.position = 0.5 * water.fluid->extent;
  const auto plane = [](const char* name, const glm::dvec3& position, const glm::dvec3& degrees) {
    ColliderDesc wall;
    wall.name = name, wall.shape = ColliderShape::plane, wall.pose = {position, degrees};
    return wall;
  };
  scene.objects = {water};
  scene.solver.contact->particle_radius = 0.0171;
  scene.colliders = {plane("ground", {0, 0, 0}, {0, 0, 0}), plane("left", {0, 0, 0}, {0, 0, -90}),
                     plane("right", {1.5 * side, 0, 0}, {0, 0, 90}), plane("back", {0, 0, 0}, {90, 0, 0}),
                     plane("front", {0, 0, 0.5 * side}, {-90, 0, 0})};
  auto simulation = make_simulation(std::move(scene), with_threads(job.threads));
  if (!simulation) return simulation.error();
  RunRecorder record;
  const int warm = 60, timed = job.count > 50000 ? 20 : 60;
  for (int i = 0; i < warm + timed; ++i) {
    const StepReport step = (*simulation)->step();
    if (i >= warm) record.add(step, **simulation);
  }
  BenchRow row{job.name, job.threads, std::int64_t((*simulation)->model()->vertex_count)};
  row.ms_per_step = record.wall_ms().median;
  row.ns_per_item = 1e6 * row.ms_per_step / (5.0 * double(row.constraints));
  return std::vector<BenchRow>{row};
}

}  // namespace

std::vector<BenchJob> bench_jobs(const std::vector<int>& threads) {
  std::vector<BenchJob> jobs = {{"manifolds", 1, measure_manifolds}};
  for (const int t : threads) {
    for (const int count : {50, 200}) {
      const std::string size = " " + std::to_string(count) + "x" + std::to_string(count);
      jobs.push_back({"distance" + size, t, measure_distance, count});
      jobs.push_back({"bending" + size, t, measure_bending, count});
    }
    jobs.push_back({"projective 126x126", t, measure_projective, 126});
    jobs.push_back({"volume of a character", t, measure_volume});
    jobs.push_back({"coupling", t, measure_coupling});
    jobs.push_back({"shape_matching", t, measure_shape_matching});
    jobs.push_back({"grains", t, measure_settling, 60});
    jobs.push_back({"pile_meshes", t, measure_settling, 240});
    jobs.push_back({"fluid 12000", t, measure_fluid, 12000});
    jobs.push_back({"fluid 100000", t, measure_fluid, 100000});
    jobs.push_back({"joints", t, measure_joints, 1000});
    jobs.push_back({"pile_boxes", t, measure_pile, 1000});
    jobs.push_back({"pile_boxes 5060", t, measure_pile, 5060});
    jobs.push_back({"pile_boxes 5060 falling", t, measure_fall, 5060});
    for (BenchJob& job : cloth_jobs(t)) jobs.push_back(std::move(job));
    for (BenchJob& job : tet_jobs(t)) jobs.push_back(std::move(job));
    for (BenchJob& job : soft_jobs(t)) jobs.push_back(std::move(job));
    for (BenchJob& job : rod_jobs(t)) jobs.push_back(std::move(job));
    for (BenchJob& job : joint_jobs(t)) jobs.push_back(std::move(job));
    for (const int count : {100, 200, 400}) {
      const std::string size = "cloth_hang " + std::to_string(count) + "x" + std::to_string(count);
      jobs.push_back({size, t, measure_scene, count, false});
      jobs.push_back({size + " bending", t, measure_scene, count, true});
    }
  }
  jobs.push_back(picture_job());
  return jobs;
}

}  // namespace limber
