// What each stage of a frame does; stepper.cpp has their order.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "engine/core/rates.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/trigonometry.hpp"
#include "engine/simd/rounding.hpp"
#include "engine/step/stepper.hpp"

namespace limber::inline LIMBER_PRECISION {
namespace {

/// The held vertex follows the mouse at most this fast, so that a jumping mouse cannot explode the scene.
constexpr double grab_speed = 12.0;  // m/s

}  // namespace

// ---- frame_begin

void Stepper::wake_coupled_bodies(World& world, const Moment& now, Team& team) {
  coupling_.begin_frame(world, now.dt, team);
}

/// What starts inside bodies and colliders would burst out of them.
void Stepper::emit_fluids(World& world, const Moment& now, Team& team) {
  if (team.rank() == 0) {
    if (world.frame == 0) limber::clear_fluids(world);
    limber::emit_fluids(world, world.time, double(now.dt));
  }
  team.barrier();
}

void Stepper::pair_bodies(World& world, const Moment& now, Team& team) {
  bodies_.begin_frame(world, now.dt, contacts_, team);
}

/// Broad phase, once a frame.
void Stepper::find_colliders(World& world, const Moment& now, Team& team) {
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b)
    contacts_.begin_frame(world, std::int32_t(b), now.dt);
}

void Stepper::load_constraints(World& world, const Moment&, Team& team) { method_.load(world, team); }

void Stepper::search_surfaces(World& world, const Moment& now, Team& team) {
  surface_contacts_.begin_frame(world, now.dt, team);
}

void Stepper::note_momentum(World& world, const Moment&, Team& team) {
  free_flight_.begin_frame(world, team);
}

// ---- substep_begin

void Stepper::move_volume_goals(World& world, const Moment& now, Team&) {
  Pressure::move_goals(world, now.h);
}

void Stepper::blow(World& world, const Moment& now, Team& team) {
  wind_.apply(world, now.end_time, now.h, team);
}

void Stepper::note_start(World& world, const Moment&, Team& team) {
  bdf2_.note_start(world, team);
  team.barrier();
}

/// What plain damping leaves of a velocity in a substep; the other law leaves rigid motion alone.
real Stepper::plain_keep(const MotionSettings& motion, real h) {
  const bool plain = motion.damping_law == DampingLaw::plain;
  return plain ? real(1 - damping_per_substep(motion.damping, double(h))) : real(1);
}

/// Held particles gain speed here too; predict() moves them, move_attachments() puts them back.
void Stepper::accelerate(World& world, const Moment& now, Team& team) {
  const MotionSettings& motion = *world.settings.solver.motion;
  const Share share = team.share(world.particles.padded(), particle_block);
  const real dv[4] = {now.h * real(motion.gravity.x), now.h * real(motion.gravity.y),
                      now.h * real(motion.gravity.z), real(0)};
  kernels_.accelerate(flat(world.particles.velocity), 4 * share.begin, 4 * share.end, dv,
                      plain_keep(motion, now.h));
}

void Stepper::damp_around_rigid_modes(World& world, const Moment& now, Team& team) {
  team.barrier();
  rigid_damping_.apply(world, real(damping_per_substep(world.settings.solver.motion->damping, double(now.h))),
                       team);
}

void Stepper::predict(World& world, const Moment& now, Team& team) {
  Particles& particles = world.particles;
  const Share share = team.share(particles.padded(), particle_block);
  kernels_.predict(flat(particles.position), flat(particles.previous), flat(particles.velocity),
                   4 * share.begin, 4 * share.end, now.h);
}

void Stepper::predict_second_order(World& world, const Moment& now, Team& team) {
  bdf2_.predict(world, now.h, team);
}

void Stepper::move_attachments(World& world, const Moment& now, Team& team) {
  Particles& particles = world.particles;
  const Share share = team.share(particles.padded(), particle_block);
  const auto place = [&](std::int32_t i, const vec3& x) {
    particles.position[std::size_t(i)] = vec4(x, real(0));
  };

  auto attachment =
      std::lower_bound(world.user.attachments.begin(), world.user.attachments.end(), share.begin,
                       [](const Attachment& a, std::int64_t i) { return a.particle < i; });
  for (; attachment != world.user.attachments.end() && attachment->particle < share.end; ++attachment) {
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

  if (world.user.grab && world.user.grab->particle >= share.begin && world.user.grab->particle < share.end) {
    const glm::dvec3 x(particles.previous[std::size_t(world.user.grab->particle)]);
    glm::dvec3 move = (world.user.grab->target - x) / double(now.remaining);
    const double distance = std::sqrt(glm::dot(move, move)), longest = grab_speed * double(now.h);
    if (distance > longest) move *= longest / distance;
    place(world.user.grab->particle, vec3(x + move));
  }
}

void Stepper::predict_bodies(World& world, const Moment& now, Team& team) {
  bodies_.predict(world, now.h, plain_keep(*world.settings.solver.motion, now.h), contacts_, now.in_frame,
                  team);
}

void Stepper::aim_coupling(World& world, const Moment& now, Team& team) {
  coupling_.aim(world, bodies_, now.h, now.h * real(now.remaining - 1), team);
}

void Stepper::aim_surfaces(World& world, const Moment&, Team& team) { surface_contacts_.aim(world, team); }

void Stepper::release_clusters(World&, const Moment&, Team& team) { matching_.release(team); }

void Stepper::warm_particles(World& world, const Moment& now, Team& team) {
  team.barrier();  // everybody's particles are predicted
  particle_contacts_.begin_substep(world, now.h, now.in_frame, team);
}

void Stepper::begin_fluids(World& world, const Moment& now, Team& team) {
  fluids_.begin_substep(world, now.h, team);
}

void Stepper::aim_sheets(World& world, const Moment& now, Team& team) {
  std::array<SheetContacts::Sorted, 2> sorted;
  std::size_t count = 0;
  if (has(Subsystem::particles)) sorted[count++] = {&particle_contacts_.grid(), particle_contacts_.stray()};
  if (has(Subsystem::fluids)) sorted[count++] = {&fluids_.grid(), fluids_.stray()};
  sheet_contacts_.aim(world, std::span(sorted).first(count), particle_contacts_.clusters(), now.h, team);
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

void Stepper::find_contacts(World& world, const Moment& now, Team& team) {
  for_contact_blocks(world, team, [&](std::int32_t b) { contacts_.find(world, b, now.h, now.in_frame); });
}

void Stepper::take_cluster_contacts(World& world, const Moment&, Team& team) {
  team.barrier();  // everybody's contacts are found
  particle_contacts_.clusters().take(world, contacts_, team);
}

void Stepper::aim_clusters(World& world, const Moment& now, Team& team) {
  team.barrier();
  particle_contacts_.aim_clusters(world, now.h, now.in_frame, team);
}

// ---- iteration

/// Every other sweep since the start runs backward, if the order alternates.
Sweep<real> Stepper::sweep(const World& world, const Moment& now) {
  const SolverSettings& solver = world.settings.solver;
  const bool odd = (now.number * solver.step->iterations + now.iteration) % 2 == 1;
  Sweep<real> sweep{is_compliant(solver.method->kind), now.iteration == 0, real(1) / (now.h * now.h)};
  sweep.backward = solver.method->order == Order::alternating && odd;
  if (is_damped(world)) sweep.previous = flat(world.particles.previous);
  sweep.inverse_h = real(1) / now.h;
  return sweep;
}

void Stepper::note_contacts(World& world, const Moment&, Team& team) {
  bdf2_.note_contacts(world, team);
  team.barrier();  // constraints move particles of other threads
}

void Stepper::project_constraints(World& world, const Moment& now, Team& team) {
  method_.iterate(world, sweep(world, now), team);
}

/// With what reaches over a whole object.
void Stepper::project_pressure(World& world, const Moment& now, Team& team) {
  pressure_.project(world, sweep(world, now), team);
}

void Stepper::note_solved(World& world, const Moment&, Team& team) { bdf2_.note_solved(world, team); }

void Stepper::advance_spray(World& world, const Moment& now, Team& team) {
  spray_.advance(world, fluids_.lists(), now.dt, team);
}

FluidSolver::Walls Stepper::fluid_walls() {
  return {has(Subsystem::colliders) ? &contacts_ : nullptr, has(Subsystem::coupling) ? &coupling_ : nullptr,
          has(Subsystem::coupling) ? &bodies_ : nullptr};
}

void Stepper::project_fluids(World& world, const Moment& now, Team& team) {
  fluids_.project(world, fluid_walls(), now.h, team);
}

void Stepper::push_surfaces(World& world, const Moment&, Team& team) { surface_contacts_.push(world, team); }

void Stepper::push_particles(World& world, const Moment& now, Team& team) {
  particle_contacts_.push(world, now.h, team);
}

void Stepper::project_sheets(World& world, const Moment&, Team& team) {
  sheet_contacts_.project(world, team);
}

void Stepper::lift_particles(World& world, const Moment&, Team& team) {
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b) contacts_.lift(world, std::int32_t(b));
}

void Stepper::project_contacts(World& world, const Moment&, Team& team) {
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b) contacts_.project(world, std::int32_t(b));
}

/// What a collider pushed pushes what lies on it, or the lowest layers of a stack close up until impact zones
/// hold them apart, and those feed its motion.
void Stepper::pass_on(World& world, const Moment& now, Team& team) {
  team.barrier();
  surface_contacts_.push(world, team);
  project_contacts(world, now, team);
}

/// Between everybody's own particles and what the next ones do about their own.
void Stepper::push_clusters(World& world, const Moment& now, Team& team) {
  team.barrier();
  ClusterContacts& clusters = particle_contacts_.clusters();
  clusters.solve(world, now.iteration == 0, team);
  if (has(Subsystem::sheets)) sheet_contacts_.project_clusters(world, clusters, team);
}

/// Colliders that hold a particle up are known once they have pushed in this substep.
void Stepper::support_coupling(World& world, const Moment& now, Team& team) {
  if (now.iteration == 0) coupling_.support(world, bodies_, contacts_, team);
}

void Stepper::project_coupling(World& world, const Moment&, Team& team) {
  coupling_.project(world, bodies_, particle_contacts_.clusters(), team);
}

/// Between everybody's own particles.
void Stepper::match_shapes(World& world, const Moment&, Team& team) {
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end && has(Subsystem::colliders); ++b)
    contacts_.for_pushed(std::int32_t(b), [&](std::int32_t i) { matching_.add_support_mass(i); });
  team.barrier();
  matching_.project(world, team);
  team.barrier();
}

void Stepper::push_bodies(World& world, const Moment& now, Team& team) { bodies_.push(world, now.h, team); }

/// As pass_on(), for what lies on what a body pushed.
void Stepper::pass_on_from_bodies(World& world, const Moment&, Team& team) {
  team.barrier();
  surface_contacts_.push(world, team);
  coupling_.project(world, bodies_, particle_contacts_.clusters(), team);
}

// ---- substep_end

/// Once more after the contacts of the last iteration, or what hits something is left with less volume than
/// it is held at. (A stiffness of PBD counts iterations, and this would be another. Where there are bodies,
/// they have been pushed by what they touched.)
void Stepper::restore_volumes(World& world, const Moment& now, Team& team) {
  if (!has(Subsystem::colliders) && !has(Subsystem::surfaces)) return;
  team.barrier();
  pressure_.project(world, {true, false, real(1) / (now.h * now.h), false}, team);
  if (has(Subsystem::surfaces)) surface_contacts_.push(world, team);
  if (has(Subsystem::colliders)) project_contacts(world, now, team);
}

void Stepper::stop_crossings(World& world, const Moment& now, Team& team) {
  for_contact_blocks(world, team, [&](std::int32_t b) { contacts_.stop_crossings(world, b, now.in_frame); });
}

void Stepper::move_bodies(World& world, const Moment& now, Team& team) {
  bodies_.move(world, now.h, contacts_, now.in_frame, team);
}

void Stepper::carry_ties(World& world, const Moment&, Team& team) { coupling_.carry(world, team); }

void Stepper::end_second_order(World& world, const Moment&, Team& team) { bdf2_.end_solve(world, team); }

void Stepper::update_velocities(World& world, const Moment& now, Team& team) {
  Particles& particles = world.particles;
  const Share blocks = team.share(particles.padded() / particle_block);
  // |v_i| < limit / sqrt(3) in every component implies |v| < limit, so the bound costs one comparison
  const real limit = real(world.settings.solver.motion->max_speed * 0.57735);
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b) {
    const std::int64_t begin = 4 * b * particle_block, end = begin + 4 * particle_block;
    const ParticleMatter& matter = world.topology->matter;
    // grains and clusters answer an overlap without speed, so they have no such walk
    const bool walks = !has(Subsystem::fluids) && !matter.takes_part(std::int32_t(b * particle_block)) &&
                       !matter.takes_part(std::int32_t((b + 1) * particle_block - 1));
    const real rounding = walks ? real(rounding_walk) * std::numeric_limits<real>::epsilon() : real(0);
    if (!kernels_.update_velocities(flat(particles.position), flat(particles.previous),
                                    flat(particles.velocity), begin, end, real(1) / now.h, limit, rounding))
      bound_block(world, now, std::int32_t(b));
  }
}

/// After velocities were taken, which bounds speeds and with them positions.
void Stepper::guard_surfaces(World& world, const Moment& now, Team& team) {
  team.barrier();
  const SurfaceContacts::Moment moment{now.h,
                                       now.h * real(world.settings.solver.step->substeps - now.remaining + 1),
                                       now.h * real(now.remaining - 1), now.in_frame};
  std::span<const BodyWall> walls;
  if (has(Subsystem::coupling) && team.rank() == 0) walls = coupling_.list_walls(bodies_);
  if (surface_contacts_.guard(world, has(Subsystem::colliders) ? &contacts_ : nullptr, walls, moment, team))
    update_velocities(world, now, team);
}

/// The rare path: a particle faster than max_speed keeps its direction and loses the excess, in velocity and
/// position, so that no input makes the state run away; a non-finite one raises the flag.
void Stepper::bound_block(World& world, const Moment& now, std::int32_t block) {
  Particles& particles = world.particles;
  const real limit = real(world.settings.solver.motion->max_speed);
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

void Stepper::update_second_order(World& world, const Moment& now, Team& team) {
  bdf2_.finish(world, has(Subsystem::colliders) ? &contacts_ : nullptr, now.h, team);
}

void Stepper::update_body_velocities(World& world, const Moment& now, Team& team) {
  bodies_.update_velocities(world, now.h, team);
}

void Stepper::filter_coupling(World& world, const Moment& now, Team& team) {
  coupling_.filter_velocities(world, bodies_, particle_contacts_.clusters(), now.h, team);
}

void Stepper::filter_velocities(World& world, const Moment& now, Team& team) {
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b)
    contacts_.filter_velocities(world, std::int32_t(b), now.h);
}

void Stepper::bounce_particles(World& world, const Moment& now, Team& team) {
  particle_contacts_.bounce(world, now.h, team);
  if (has(Subsystem::sheets)) sheet_contacts_.bounce(world, particle_contacts_.clusters(), now.h, team);
}

void Stepper::bounce_surfaces(World& world, const Moment& now, Team& team) {
  surface_contacts_.bounce(world, now.h, team);
}

void Stepper::end_fluids(World& world, const Moment& now, Team& team) {
  fluids_.end_substep(world, fluid_walls(), now.h, team);
}

/// What colliders and bodies do to fluids that flow past them, and these to bodies.
void Stepper::drag_fluids(World& world, const Moment& now, Team& team) {
  if (has(Subsystem::colliders)) drag_at_colliders(world, contacts_, now.h, team);
  team.barrier();
  if (has(Subsystem::coupling)) coupling_.drag(world, bodies_, now.h, team);
}

/// In every other substep, but not in the last of several: what copies have been moved through shows until
/// the next substep takes it back.
void Stepper::tear(World& world, const Moment& now, Team& team) {
  if (now.remaining % 2 != 0 && world.settings.solver.step->substeps > 1) return;
  if (!tearing_.run(world, team)) return;
  method_.load(world, team);
  // other vertices have other neighbours now
  if (now.remaining > 1 && has(Subsystem::surfaces))
    surface_contacts_.follow_tears(world,
                                   now.h * real(world.settings.solver.step->substeps - now.remaining + 1),
                                   now.h * real(now.remaining - 1), team);
}

// ---- frame_end

void Stepper::drain_fluids(World& world, const Moment&, Team& team) {
  team.barrier();
  if (team.rank() == 0) limber::drain_fluids(world);
  team.barrier();
}

void Stepper::store_multipliers(World& world, const Moment&, Team& team) { method_.store(world, team); }

void Stepper::keep_momentum(World& world, const Moment& now, Team& team) {
  free_flight_.end_frame(world, contacts_, now.h, plain_keep(*world.settings.solver.motion, now.h), team);
}

void Stepper::end_bodies(World& world, const Moment&, Team& team) { bodies_.end_frame(world, team); }

void Stepper::end_coupling(World& world, const Moment&, Team& team) { coupling_.end_frame(world, team); }

void Stepper::end_particles(World& world, const Moment&, Team& team) {
  particle_contacts_.end_frame(world, team);
}

}  // namespace limber::inline LIMBER_PRECISION
