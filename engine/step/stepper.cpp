#include "engine/step/stepper.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "engine/core/trigonometry.hpp"
#include "engine/simd/rounding.hpp"

namespace limber::inline LIMBER_PRECISION {
namespace {

constexpr std::array<std::string_view, 6> stage_names{"predict", "contacts",   "project",
                                                      "guard",   "velocities", "tear"};

/// The held vertex follows the mouse at most this fast, so that a jumping mouse cannot explode the scene.
constexpr double grab_speed = 12.0;  // m/s

}  // namespace

namespace {

/// Kernels one lane wide, for what has to be done in order.
const KernelTable<real>& one_lane() {
#if LIMBER_DOUBLE
  return *kernels_double();
#else
  return *kernels_scalar();
#endif
}

}  // namespace

Stepper::Stepper(Pool& pool, const KernelTable<real>& kernels)
    : pool_(pool),
      kernels_(kernels),
      method_(kernels),
      surface_contacts_(kernels.pairs, kernels.leaves),
      bodies_(kernels, one_lane()),
      particle_contacts_(kernels.particles),
      matching_(kernels.matching),
      pressure_(kernels) {}

void Stepper::prepare(const World& world) {
  method_.prepare(world);
  contacts_.reserve(world);
  surface_contacts_.reserve(world);
  bodies_.reserve(world);
  coupling_.reserve(world);
  particle_contacts_.reserve(world);
  matching_.reserve(world);
  tearing_.reserve(world);
  pressure_.reserve(world);
  rigid_damping_.reserve(world);
  free_flight_.reserve(world);
  wind_.reserve(world);
}

void Stepper::prepare_bodies(const World& world) {
  bodies_.reserve_bodies(world);
  coupling_.reserve(world);
}

StepReport Stepper::step(World& world, double dt, const CancelFlag* cancel) {
  const auto start = std::chrono::steady_clock::now();
  const int substeps = world.settings.substeps;
  cancel_ = cancel;
  cancelled_at_.store(never_, std::memory_order_relaxed);
  nonfinite_.store(false, std::memory_order_relaxed);
  clock_.restart();
  contacts_.begin_step(world, dt);
  if (Tearing::enabled(world)) tearing_.begin_frame(world);
  if (!surface_contacts_.enabled(world)) {  // anything may cross
    world.tangle_watch = World::first_look;
    world.parted = false;
  }
  pressure_.begin_step(world);
  bodies_.begin_step(world, real(dt), contacts_);
  pool_.run([&](Team& team) {
    if (Coupling::enabled(world)) coupling_.begin_frame(world, real(dt), team);  // may wake bodies
    if (BodySolver::enabled(world)) bodies_.begin_frame(world, real(dt), contacts_, team);
    find_colliders(world, real(dt), team);
    method_.load(world, team);
    if (surface_contacts_.enabled(world)) surface_contacts_.begin_frame(world, real(dt), team);
    free_flight_.begin_frame(world, team);
    for (int s = 0; s < substeps; ++s) {
      const Substep now{real(dt / substeps), world.time + dt * (double(s + 1) / substeps), substeps - s,
                        world.frame * substeps + s, s};
      if (!substep(world, now, team)) return;
    }
    method_.store(world, team);
    const real h = real(dt / substeps);
    free_flight_.end_frame(world, contacts_, h, plain_keep(world.settings, h), team);
    if (BodySolver::enabled(world)) bodies_.end_frame(world, team);
    if (Coupling::enabled(world)) coupling_.end_frame(world, team);
    if (ParticleContacts::enabled(world)) particle_contacts_.end_frame(world, team);
  });
  if (cancelled_at_.load(std::memory_order_relaxed) != never_) return {.cancelled = true};
  world.time += dt;
  ++world.frame;
  for (Collider& collider : world.colliders) place(collider, world.time);

  StepReport report;
  for (std::size_t s = 0; s < stage_count; ++s) stages_[s] = {stage_names[s], clock_.ms(s)};
  report.stages = stages_;
  report.contacts = double(contacts_.total());
  if (BodySolver::enabled(world)) report.contacts += double(bodies_.contacts().touching(world));
  if (Coupling::enabled(world)) report.contacts += double(coupling_.touching());
  report.contacts += double(particle_contacts_.touching(world));
  if (SheetContacts::enabled(world)) report.contacts += double(sheet_contacts_.touching());
  if (surface_contacts_.enabled(world)) {
    report.surface_contacts = double(surface_contacts_.contacts());
    report.surface_watched = double(surface_contacts_.watched());
    report.surface_searches = surface_contacts_.searches();
    report.tangled = double(surface_contacts_.tangled());
    report.in_zones = double(surface_contacts_.in_zones());
  }
  report.nonfinite = nonfinite_.load(std::memory_order_relaxed) || bodies_.nonfinite();
  report.solver_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return report;
}

void Stepper::read_contacts(const World& world, std::vector<ContactMark>& out) {
  contacts_.read_contacts(world, out);
  if (BodySolver::enabled(world)) bodies_.contacts().read_contacts(world, out);
  if (Coupling::enabled(world)) coupling_.read_contacts(world, out);
  ParticleContacts::read_contacts(world, out);
  if (surface_contacts_.enabled(world)) surface_contacts_.read_contacts(world, out);
}

/// Ends at a barrier, after which every thread gets the same answer: whether the frame ends here. The first
/// thread alone looks at the flag, and notes the number of the checkpoint: a thread that is late and reads
/// the note when the first one has reached the next checkpoint still finds that it is not about its own.
bool Stepper::cancelled_at(const World& world, const Substep& now, int sweeps, Team& team) {
  const std::int64_t checkpoint = std::int64_t(now.in_frame) * (world.settings.iterations + 1) + sweeps;
  if (team.rank() == 0 && cancel_ && cancel_->load(std::memory_order_relaxed))
    cancelled_at_.store(checkpoint, std::memory_order_relaxed);
  team.barrier();
  return cancelled_at_.load(std::memory_order_relaxed) <= checkpoint;
}

/// Lines (5)-(16) of the paper. x is in `position` and becomes p at line (7); `previous` keeps the old x.
/// Returns false if the frame was cancelled.
bool Stepper::substep(World& world, const Substep& now, Team& team) {
  if (pressure_.enabled() && team.rank() == 0) Pressure::move_goals(world, now.h);
  accelerate(world, now, team);        // (5) v <- v + h w f_ext, (6) dampVelocities
  predict(world, now, team);           // (7) p <- x + h v
  move_attachments(world, now, team);  //     particles with w = 0 go where they are told
  if (BodySolver::enabled(world)) predict_bodies(world, now, team);
  lap(team, predict_stage);
  if (Coupling::enabled(world)) coupling_.aim(world, bodies_, now.h, now.h * real(now.remaining - 1), team);
  if (surface_contacts_.enabled(world)) surface_contacts_.aim(world, team);
  if (ParticleContacts::enabled(world)) warm_particles(world, now, team);
  find_contacts(world, now, team);  // (8) generateCollisionConstraints(x -> p)
  if (cancelled_at(world, now, 0, team)) return false;
  if (ParticleContacts::enabled(world)) answer_warm_start(world, now, team);
  lap(team, contact_stage);
  const bool compliant = is_compliant(world.settings.method);
  for (int i = 0; i < world.settings.iterations; ++i) {  // (9)
    const Sweep<real> sweep{compliant, i == 0, real(1) / (now.h * now.h),
                            runs_backward(world.settings, now, i)};
    method_.iterate(world, sweep, team);  // (10) C_1 ... C_M
    if (pressure_.enabled())
      pressure_.project(world, sweep, team);  //     with what reaches over a whole object
    if (surface_contacts_.enabled(world)) surface_contacts_.push(world, team);
    if (ParticleContacts::enabled(world)) {
      particle_contacts_.push(world, now.h, team);
      if (SheetContacts::enabled(world)) sheet_contacts_.project(world, team);
      lift_particles(world, team);
    }
    project_contacts(world, team);  //     C_M+1 ... C_M+Mcoll
    pass_on(world, team);
    if (particle_contacts_.has_rigid(world)) push_solids(world, i == 0, team);
    if (Coupling::enabled(world) && !world.colliders.empty() && i == 0)
      coupling_.support(world, bodies_, contacts_, team);
    if (Coupling::enabled(world)) coupling_.project(world, bodies_, team);
    if (ShapeMatching::enabled(world)) match_shapes(world, team);
    if (BodySolver::enabled(world)) bodies_.push(world, now.h, team);
    if (Coupling::enabled(world)) {
      coupling_.project(world, bodies_, team);
      project_contacts(world, team);
    }
    pass_on_from_bodies(world, team);
    if (i + 1 < world.settings.iterations && cancelled_at(world, now, i + 1, team)) return false;
  }  // (11)
  if (compliant && pressure_.enabled()) restore_volumes(world, now, team);
  stop_crossings(world, now, team);
  if (BodySolver::enabled(world)) bodies_.move(world, now.h, contacts_, now.in_frame, team);
  if (Coupling::enabled(world)) coupling_.carry(world, team);
  lap(team, project_stage);
  update_velocities(world, now, team);  // (12)-(15) v <- (p - x) / h, x <- p
  if (surface_contacts_.enabled(world)) guard_surfaces(world, now, team);
  if (BodySolver::enabled(world)) bodies_.update_velocities(world, now.h, team);
  if (Coupling::enabled(world)) coupling_.filter_velocities(world, bodies_, now.h, team);
  filter_velocities(world, now, team);  // (16) velocityUpdate; positional friction is in project_contacts
  if (ParticleContacts::enabled(world)) particle_contacts_.bounce(world, now.h, team);
  lap(team, velocity_stage);
  // not after the last one: what copies have been moved through shows until the next substep takes it back
  const bool due = now.remaining % 2 == 0 || world.settings.substeps == 1;
  if (due && Tearing::enabled(world)) tear(world, now, team);
  return true;
}

/// What a collider pushed pushes what lies on it, or the lowest layers of a stack close up until impact zones
/// hold them apart, and those feed its motion. (Where there is pressure, restore_volumes does so for XPBD.)
void Stepper::pass_on(World& world, Team& team) {
  if (world.colliders.empty() || !surface_contacts_.enabled(world) || pressure_.enabled()) return;
  team.barrier();
  surface_contacts_.push(world, team);
  project_contacts(world, team);
}

/// The same for what lies on what a body pushed.
void Stepper::pass_on_from_bodies(World& world, Team& team) {
  if (!Coupling::enabled(world) || !surface_contacts_.enabled(world)) return;
  team.barrier();
  surface_contacts_.push(world, team);
  coupling_.project(world, bodies_, team);
}

/// Once more after the contacts of the last iteration, or what hits something is left with less volume than
/// it is held at. (A stiffness of PBD counts iterations, and this would be another.)
void Stepper::restore_volumes(World& world, const Substep& now, Team& team) {
  const bool touches = !world.colliders.empty() || surface_contacts_.enabled(world);
  if (!touches || Coupling::enabled(world)) return;  // bodies have been pushed by what they touched
  team.barrier();
  pressure_.project(world, {true, false, real(1) / (now.h * now.h), false}, team);
  if (surface_contacts_.enabled(world)) surface_contacts_.push(world, team);
  project_contacts(world, team);
}

/// Every other sweep since the start, if the order alternates.
bool Stepper::runs_backward(const SolverSettings& settings, const Substep& now, int iteration) {
  return settings.order == Order::alternating && (now.number * settings.iterations + iteration) % 2 == 1;
}

void Stepper::warm_particles(World& world, const Substep& now, Team& team) {
  matching_.release(team);
  team.barrier();  // everybody's particles are predicted
  particle_contacts_.begin_substep(world, now.h, now.in_frame, team);
  if (SheetContacts::enabled(world))
    sheet_contacts_.aim(world, particle_contacts_.grid(), particle_contacts_.solids(),
                        particle_contacts_.stray(), now.h, team);
}

/// What colliders and shapes do about the warm start, or its contacts would look pushed apart.
void Stepper::answer_warm_start(World& world, const Substep& now, Team& team) {
  SolidContacts& rigid = particle_contacts_.solids();
  if (rigid.any()) rigid.take(world, contacts_, team);
  lift_particles(world, team);
  project_contacts(world, team);
  if (ShapeMatching::enabled(world)) match_shapes(world, team);
  team.barrier();
  if (rigid.any()) particle_contacts_.aim_solids(world, now.h, now.in_frame, team);
}

/// Between everybody's own particles and what the next ones do about their own.
void Stepper::push_solids(World& world, bool first, Team& team) {
  team.barrier();
  SolidContacts& solids = particle_contacts_.solids();
  solids.solve(world, first, team);
  if (SheetContacts::enabled(world)) sheet_contacts_.project_solids(world, solids, team);
}

/// Between everybody's own particles.
void Stepper::match_shapes(World& world, Team& team) {
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end && !world.colliders.empty(); ++b)
    contacts_.for_pushed(std::int32_t(b), [&](std::int32_t i) { matching_.brace(i); });
  team.barrier();
  matching_.project(world, team);
  team.barrier();
}

/// What plain damping leaves of a velocity in a substep; the other law leaves rigid motion alone.
real Stepper::plain_keep(const SolverSettings& settings, real h) {
  const bool plain = settings.damping_law == DampingLaw::plain;
  return plain ? real(1 - damping_per_substep(settings.damping, double(h))) : real(1);
}

void Stepper::accelerate(World& world, const Substep& now, Team& team) {
  const SolverSettings& settings = world.settings;
  const Share share = team.share(world.particles.padded(), particle_block);
  const real dv[4] = {now.h * real(settings.gravity.x), now.h * real(settings.gravity.y),
                      now.h * real(settings.gravity.z), real(0)};
  if (world.wind.enabled) wind_.apply(world, now.end_time, now.h, team);
  // held particles gain speed here too; predict moves them, move_attachments puts them back
  kernels_.accelerate(flat(world.particles.velocity), 4 * share.begin, 4 * share.end, dv,
                      plain_keep(settings, now.h));
  const double k = damping_per_substep(settings.damping, double(now.h));
  if (settings.damping_law == DampingLaw::plain || k == 0.0) return;
  team.barrier();
  rigid_damping_.apply(world, real(k), team);
}

void Stepper::predict(World& world, const Substep& now, const Team& team) {
  Particles& particles = world.particles;
  const Share share = team.share(particles.padded(), particle_block);
  kernels_.predict(flat(particles.position), flat(particles.previous), flat(particles.velocity),
                   4 * share.begin, 4 * share.end, now.h);
}

void Stepper::move_attachments(World& world, const Substep& now, const Team& team) {
  Particles& particles = world.particles;
  const Share share = team.share(particles.padded(), particle_block);
  const auto place = [&](std::int32_t i, const vec3& x) {
    particles.position[std::size_t(i)] = vec4(x, real(0));
  };

  auto attachment = std::lower_bound(world.attachments.begin(), world.attachments.end(), share.begin,
                                     [](const Attachment& a, std::int64_t i) { return a.particle < i; });
  for (; attachment != world.attachments.end() && attachment->particle < share.end; ++attachment) {
    if (attachment->body >= 0) continue;  // Coupling puts it in place
    place(
        attachment->particle,
        attachment->collider >= 0
            ? contacts_.carried(world, now.in_frame, std::size_t(attachment->collider),
                                vec3(attachment->rest))
            : vec3(attachment->rest + attachment->amplitude * sin_turns(now.end_time / attachment->period)));
  }

  for (std::int64_t i = std::max<std::int64_t>(share.begin, particles.count); i < share.end; ++i)
    place(std::int32_t(i), vec3(0));  // padding
  for (const TearRoom::Object& object : world.topology->tears.objects) {
    const std::int64_t end = std::min<std::int64_t>(object.first_spare + object.spares, share.end);
    for (std::int64_t i = std::max<std::int64_t>(object.first_spare + object.used, share.begin); i < end; ++i)
      place(std::int32_t(i), vec3(0));  // in reserve
  }

  if (world.grab && world.grab->particle >= share.begin && world.grab->particle < share.end) {
    const glm::dvec3 x(particles.previous[std::size_t(world.grab->particle)]);
    glm::dvec3 move = (world.grab->target - x) / double(now.remaining);
    const double distance = std::sqrt(glm::dot(move, move)), longest = grab_speed * double(now.h);
    if (distance > longest) move *= longest / distance;
    place(world.grab->particle, vec3(x + move));
  }
}

void Stepper::predict_bodies(World& world, const Substep& now, Team& team) {
  bodies_.predict(world, now.h, plain_keep(world.settings, now.h), contacts_, now.in_frame, team);
}

/// Broad phase, once a frame.
void Stepper::find_colliders(const World& world, real dt, const Team& team) {
  if (world.colliders.empty()) return;
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b) contacts_.begin_frame(world, std::int32_t(b), dt);
  lap(team, contact_stage);
}

/// Calls act(block) for the blocks of a thread's own particles. Near a collider that changes its shape a
/// block can cost a hundred times as much as elsewhere: then whoever is free takes the next one, between
/// barriers.
template <class Act>
void Stepper::for_contact_blocks(const World& world, Team& team, const Act& act) {
  const std::int32_t count = world.particles.padded() / particle_block;
  if (!contacts_.uneven(world) || team.size() == 1) {
    const Share blocks = team.share(count);
    for (std::int64_t b = blocks.begin; b < blocks.end; ++b) act(std::int32_t(b));
    return;
  }
  if (team.rank() == 0) next_block_.store(0, std::memory_order_relaxed);
  team.barrier();
  for (std::int32_t b; (b = next_block_.fetch_add(1, std::memory_order_relaxed)) < count;) act(b);
  team.barrier();
}

void Stepper::find_contacts(const World& world, const Substep& now, Team& team) {
  if (world.colliders.empty()) return;
  for_contact_blocks(world, team, [&](std::int32_t b) { contacts_.find(world, b, now.h, now.in_frame); });
}

void Stepper::project_contacts(World& world, const Team& team) {
  if (world.colliders.empty()) return;
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b) contacts_.project(world, std::int32_t(b));
}

void Stepper::lift_particles(World& world, const Team& team) {
  if (world.colliders.empty()) return;
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b) contacts_.lift(world, std::int32_t(b));
}

/// Only its own particles, as in project_contacts and below.
void Stepper::stop_crossings(World& world, const Substep& now, Team& team) {
  if (world.colliders.empty()) return;
  for_contact_blocks(world, team, [&](std::int32_t b) { contacts_.stop_crossings(world, b, now.in_frame); });
}

void Stepper::filter_velocities(World& world, const Substep& now, const Team& team) {
  if (!contacts_.filters(world)) return;
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b)
    contacts_.filter_velocities(world, std::int32_t(b), now.h);
}

void Stepper::update_velocities(World& world, const Substep& now, const Team& team) {
  Particles& particles = world.particles;
  const Share blocks = team.share(particles.padded() / particle_block);
  // |v_i| < limit / sqrt(3) in every component implies |v| < limit, so the bound costs one comparison
  const real limit = real(world.settings.max_speed * 0.57735);
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b) {
    const std::int64_t begin = 4 * b * particle_block, end = begin + 4 * particle_block;
    const ParticleMatter& matter = world.topology->matter;
    // grains and clusters answer an overlap without speed, so they have no such walk
    const bool walks = !matter.takes_part(std::int32_t(b * particle_block)) &&
                       !matter.takes_part(std::int32_t((b + 1) * particle_block - 1));
    const real rounding = walks ? real(rounding_walk) * std::numeric_limits<real>::epsilon() : real(0);
    if (!kernels_.update_velocities(flat(particles.position), flat(particles.previous),
                                    flat(particles.velocity), begin, end, real(1) / now.h, limit, rounding))
      bound_block(world, now, std::int32_t(b));
  }
}

/// After velocities were taken, which bounds speeds and with them positions.
void Stepper::guard_surfaces(World& world, const Substep& now, Team& team) {
  team.barrier();
  const SurfaceContacts::Moment moment{now.h, now.h * real(world.settings.substeps - now.remaining + 1),
                                       now.h * real(now.remaining - 1), now.in_frame};
  std::span<const BodyWall> walls;
  if (Coupling::enabled(world) && team.rank() == 0) walls = coupling_.list_walls(bodies_);
  if (surface_contacts_.guard(world, world.colliders.empty() ? nullptr : &contacts_, walls, moment, team))
    update_velocities(world, now, team);
  lap(team, guard_stage);
}

/// The rare path: a particle faster than max_speed keeps its direction and loses the excess, in velocity and
/// position, so that no input makes the state run away; a non-finite one raises the flag.
void Stepper::bound_block(World& world, const Substep& now, std::int32_t block) {
  Particles& particles = world.particles;
  const real limit = real(world.settings.max_speed);
  for (std::int32_t i = block * particle_block; i < (block + 1) * particle_block; ++i) {
    vec4& v = particles.velocity[std::size_t(i)];
    const real speed = std::sqrt(glm::dot(v, v));
    if (!std::isfinite(speed)) nonfinite_.store(true, std::memory_order_relaxed);
    if (!(speed > limit)) continue;
    free_flight_.forbid();
    v *= limit / speed;
    vec4& x = particles.position[std::size_t(i)];
    x = vec4(vec3(particles.previous[std::size_t(i)]) + now.h * vec3(v), x.w);
  }
}

void Stepper::tear(World& world, const Substep& now, Team& team) {
  const bool torn = tearing_.run(world, team);
  if (torn) method_.load(world, team);
  // other vertices have other neighbours now
  if (torn && now.remaining > 1 && surface_contacts_.enabled(world))
    surface_contacts_.follow_tears(world, now.h * real(world.settings.substeps - now.remaining + 1),
                                   now.h * real(now.remaining - 1), team);
  lap(team, tear_stage);
}

void Stepper::lap(const Team& team, Stage stage) {
  if (team.rank() == 0) clock_.lap(stage);
}

}  // namespace limber::inline LIMBER_PRECISION
