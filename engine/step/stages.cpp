// The functions of the stages of a frame; stepper.cpp has their order.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "engine/core/rates.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/trigonometry.hpp"
#include "engine/state/displacement.hpp"
#include "engine/state/heat_state.hpp"
#include "engine/state/softened.hpp"
#include "engine/state/turns.hpp"
#include "engine/step/stepper.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// The held vertex follows the mouse at most this fast, so that a jumping mouse cannot explode the scene.
constexpr double grab_speed = 12.0;  // m/s

}  // namespace

// ---- frame_begin

void Stepper::wake_coupled_bodies(World& world, const Moment& now, Team& team) {
  coupling_.begin_frame(world, now.dt, team);
}

void Stepper::wake_in_air(World& world, const Moment&, Team& team) {
  if (team.rank() == 0) wind_.wake_bodies(world);
  team.barrier();
}

/// Emits fluids outside bodies and colliders: particles that start inside would burst out of them.
void Stepper::emit_fluids(World& world, const Moment& now, Team& team) {
  if (team.rank() == 0) {
    if (world.frame == 0) limber::clear_fluids(world);
    limber::emit_fluids(world, world.time, double(now.dt), near_mouth_);
  }
  team.barrier();
}

void Stepper::soften_warm(World& world, const Moment&, Team& team) {
  soften(world, team.rank(), team.size());
  team.barrier();
}

void Stepper::begin_heat(World& world, const Moment&, Team& team) { heat_.begin(world, team); }

/// Ends at a barrier: methods weigh constraints by the inverse masses in rows of other blocks.
void Stepper::begin_moves(World& world, const Moment&, Team& team) {
  const Share mine = team.share(world.particles.padded(), particle_block);
  begin_frame_moves(world.particles, mine.begin, mine.end);
  // a speed that was set from outside is bounded before it makes a displacement too long for its digits
  const real limit = real(world.settings.solver.motion->max_speed);
  for (std::int64_t i = mine.begin; i < mine.end; ++i) {
    vec4& v = world.particles.velocity[std::size_t(i)];
    if (const real squared = glm::dot(vec3(v), vec3(v)); squared > limit * limit)
      v *= limit / std::sqrt(squared);
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

// ---- substep_begin

void Stepper::move_volume_goals(World& world, const Moment& now, Team&) {
  Pressure::move_goals(world, now.h);
}

void Stepper::blow(World& world, const Moment& now, Team& team) {
  wind_.apply(world, {now.end_time, now.h, now.in_frame == 0, now.remaining == 1}, team);
}

void Stepper::note_start(World& world, const Moment&, Team& team) {
  bdf2_.note_start(world, team);
  team.barrier();
}

/// Share of a velocity that plain damping keeps in a substep; 1 under the other law, which leaves rigid
/// motion alone.
real Stepper::plain_keep(const MotionSettings& motion, real h) {
  const bool plain = motion.damping_law == DampingLaw::plain;
  return plain ? real(1 - damping_per_substep(motion.damping, double(h))) : real(1);
}

/// m/s, what gravity adds in substep `number`. The multiples of a power of two next to g t are taken, so that
/// a free fall adds numbers that float holds exactly up to 256 m/s: rounding v + g h instead is the same for
/// every particle and substep, and after 10 s at 40 substeps a frame a thousandth of the speed.
vec3 Stepper::gravity_gain(const glm::dvec3& gravity, double h, std::int64_t number) {
  constexpr double grid = 256.0 * std::numeric_limits<real>::epsilon() / 2.0;
  const auto speed = [&](double g, std::int64_t n) { return std::nearbyint(g * h * double(n) / grid); };
  vec3 gained;
  for (int k = 0; k < 3; ++k)
    gained[k] = real(grid * (speed(gravity[k], number + 1) - speed(gravity[k], number)));
  return gained;
}

/// Held particles gain speed here too; predict() moves them, move_attachments() puts them back.
void Stepper::accelerate(World& world, const Moment& now, Team& team) {
  const MotionSettings& motion = *world.settings.solver.motion;
  const Share share = team.share(world.particles.padded(), particle_block);
  const vec3 gained = gravity_gain(motion.gravity, double(now.h), now.number);
  const real dv[4] = {gained.x, gained.y, gained.z, real(0)};
  kernels_.accelerate(flat(world.particles.velocity), 4 * share.begin, 4 * share.end, dv,
                      plain_keep(motion, now.h));
}

/// Boussinesq: particles warmer than the air are lighter by the share beta (T - T_air), and their inertia
/// stays.
void Stepper::lift_warm_fluids(World& world, const Moment& now, Team& team) {
  const vec3 gained = now.h * vec3(world.settings.solver.motion->gravity);
  const HeatState& heat = *world.heat;
  const Share mine = team.share(world.particles.count, particle_block);
  for (std::int64_t k = mine.begin; k < mine.end; ++k) {
    const std::size_t i = std::size_t(k);
    const double expansion = material_of(world, std::int32_t(k)).expansion;
    if (!(expansion > 0.0) || !(world.particles.position[i].w > real(0))) continue;
    const real lighter = real(expansion * (heat.temperature[i] - world.settings.heat->ambient));
    world.particles.velocity[i] -= vec4(lighter * gained, real(0));
  }
}

void Stepper::damp_around_rigid_modes(World& world, const Moment& now, Team& team) {
  team.barrier();
  rigid_damping_.apply(world, real(damping_per_substep(world.settings.solver.motion->damping, double(now.h))),
                       team);
}

void Stepper::predict(World& world, const Moment& now, Team& team) {
  Particles& particles = world.particles;
  const Share share = team.share(particles.padded(), particle_block);
  predict_moves(particles, share.begin, share.end, now.h, has(Subsystem::watched));
  if (has(Subsystem::particles))
    std::copy(particles.previous.begin() + share.begin, particles.previous.begin() + share.end,
              started_.begin() + share.begin);
}

/// Applies to `moved` the changes that contacts made to positions. Ends at a barrier.
void Stepper::take_moves(World& world, Team& team) {
  if (!has(Subsystem::watched)) return;
  const Share mine = team.share(world.particles.padded(), particle_block);
  limber::take_moves(world.particles, mine.begin, mine.end);
  team.barrier();
}

/// Updates positions after changes of `moved`. Ends at a barrier.
void Stepper::show_moves(World& world, Team& team) {
  if (!has(Subsystem::watched)) return;
  const Share mine = team.share(world.particles.padded(), particle_block);
  show_moved(world.particles, mine.begin, mine.end);
  team.barrier();
}

void Stepper::predict_second_order(World& world, const Moment& now, Team& team) {
  bdf2_.predict(world, now.h, team);
  const Share mine = team.share(world.particles.padded(), particle_block);
  show_moved(world.particles, mine.begin, mine.end);
}

/// Turns have rows of their own behind those of particles. Held turns follow their prescribed motion or their
/// carrier.
void Stepper::predict_turns(World& world, const Moment& now, Team& team) {
  Particles& particles = world.particles;
  const RodMatter& rods = world.topology->rods;
  const Share mine = team.share(turn_rows(particles.turns), particle_block);
  limber::predict_turns(particles, rods.first_row + mine.begin, rods.first_row + mine.end, now.h,
                        plain_keep(*world.settings.solver.motion, now.h));
  for (const RodHold& hold : rods.holds) {
    if (hold.turn < mine.begin || hold.turn >= mine.end || hold.body >= 0) continue;
    glm::dvec4 carrier(0.0, 0.0, 0.0, 1.0);
    if (hold.collider >= 0) {
      const StaticContacts::Pose* const pose =
          contacts_.pose(world, now.in_frame, std::size_t(hold.collider));
      carrier = precise_quaternion_of(
          glm::dmat3(pose ? pose->rotation : world.colliders[std::size_t(hold.collider)].rotation));
    }
    hold_turn(particles, std::size_t(rods.first_row + hold.turn), hold, carrier, now.end_time, now.h);
  }
  const std::optional<TurnGrab>& held = world.user.turn_grab;
  if (!held || held->turn < mine.begin || held->turn >= mine.end) return;
  const double share = double(now.in_frame + 1) / world.settings.solver.step->substeps;
  RodHold hand{held->turn, held->rest, 0.0};
  hand.collider = 0;  // goes there from where it is, as what is carried does
  constexpr double whole_turn = 6.283185307179586477;
  const double half = 0.5 * (held->angle + share * twist_way(*held, double(now.dt))) / whole_turn;
  hand.rest = rotated(hand.rest, glm::dvec4(0.0, 0.0, sin_turns(half), sin_turns(half + 0.25)));
  hold_turn(particles, std::size_t(rods.first_row + hand.turn), hand, glm::dvec4(0.0, 0.0, 0.0, 1.0),
            now.end_time, now.h);
}

/// rad, how far the frame in the hand is turned in a frame of dt seconds.
double Stepper::twist_way(const TurnGrab& held, double dt) {
  constexpr double fastest = 30.0;  // rad/s
  return std::clamp(held.target - held.angle, -fastest * dt, fastest * dt);
}

/// Predicts bodies, after turns.
void Stepper::carry_turns(World& world, const Moment& now, Team& team) {
  const RodMatter& rods = world.topology->rods;
  const vec4* const rows = bodies_.rows_of_bodies();
  const Share mine = team.share(std::int64_t(rods.holds.size()));
  for (std::int64_t k = mine.begin; k < mine.end; ++k) {
    const RodHold& hold = rods.holds[std::size_t(k)];
    if (hold.body < 0) continue;
    const vec4 turn = turn_quaternion(vec3(rows[body_rows * hold.body + row_turn]));
    const glm::dvec4 carrier(rotated(turn, world.bodies.orientation[std::size_t(hold.body)]));
    hold_turn(world.particles, std::size_t(rods.first_row + hold.turn), hold, carrier, now.end_time, now.h);
  }
  team.barrier();
}

void Stepper::move_attachments(World& world, const Moment& now, Team& team) {
  Particles& particles = world.particles;
  const Share share = team.share(particles.padded(), particle_block);
  const auto place = [&](std::int32_t i, const glm::dvec3& x) {
    particles.position[std::size_t(i)] = vec4(vec3(x), real(0));
    particles.moved[std::size_t(i)] = vec4(vec3(x - glm::dvec3(particles.origin[std::size_t(i)])), real(0));
  };

  auto attachment =
      std::lower_bound(world.user.attachments.begin(), world.user.attachments.end(), share.begin,
                       [](const Attachment& a, std::int64_t i) { return a.particle < i; });
  for (; attachment != world.user.attachments.end() && attachment->particle < share.end; ++attachment) {
    if (attachment->body >= 0) continue;  // Coupling puts it in place
    place(attachment->particle,
          attachment->collider >= 0
              ? glm::dvec3(contacts_.carried(world, now.in_frame, std::size_t(attachment->collider),
                                             vec3(attachment->rest)))
              : attachment->rest + attachment->amplitude * sin_turns(now.end_time / attachment->period));
  }

  for (std::int64_t i = std::max<std::int64_t>(share.begin, particles.count); i < share.end; ++i)
    place(std::int32_t(i), glm::dvec3(0.0));  // padding
  for (const TearRoom::Object& object : world.topology->tears.objects) {
    const std::int64_t end = std::min<std::int64_t>(object.first_spare + object.spares, share.end);
    for (std::int64_t i = std::max<std::int64_t>(object.first_spare + object.used, share.begin); i < end; ++i)
      place(std::int32_t(i), glm::dvec3(0.0));  // in reserve
  }

  if (world.user.grab && world.user.grab->particle >= share.begin && world.user.grab->particle < share.end) {
    const std::size_t i = std::size_t(world.user.grab->particle);
    const glm::dvec3 x = glm::dvec3(particles.origin[i]) + glm::dvec3(particles.moved_before[i]);
    glm::dvec3 move = (world.user.grab->target - x) / double(now.remaining);
    const double distance = std::sqrt(glm::dot(move, move)), longest = grab_speed * double(now.h);
    if (distance > longest) move *= longest / distance;
    place(world.user.grab->particle, x + move);
  }
}

void Stepper::predict_bodies(World& world, const Moment& now, Team& team) {
  const MotionSettings& motion = *world.settings.solver.motion;
  bodies_.predict(world, now.h, plain_keep(motion, now.h),
                  gravity_gain(motion.gravity, double(now.h), now.number), contacts_, now.in_frame, team);
}

void Stepper::note_velocities(World& world, const Moment&, Team& team) { spin_.note(world, team); }

void Stepper::aim_coupling(World& world, const Moment& now, Team& team) {
  coupling_.aim(world, bodies_, now.h, now.h * real(now.remaining - 1), team);
}

/// Notes why swarms of surfaces get further sweeps over contacts: only for objects of the swarm, not for any
/// far away.
void Stepper::note_traits(const World& world) {
  std::fill(surface_traits_.begin(), surface_traits_.end(), std::uint8_t(0));
  for (std::size_t o = 0; o < surface_traits_.size() && has(Subsystem::pressure); ++o)
    if (pressure_.takes(world, world.topology->objects[o].first))
      surface_traits_[o] = SurfaceContacts::pressed;
  if (has(Subsystem::coupling))
    coupling_.for_moved([&](std::int32_t i) {
      surface_traits_[std::size_t(world.particles.object[std::size_t(i)])] |= SurfaceContacts::beside_bodies;
    });
  surface_contacts_.note_traits(surface_traits_);
  for (std::size_t o = 0; o < surface_traits_.size(); ++o)
    surface_traits_[o] = surface_contacts_.has(std::int32_t(o), SurfaceContacts::beside_bodies,
                                               SurfaceContacts::beside_bodies);
}

void Stepper::aim_surfaces(World& world, const Moment&, Team& team) {
  if (team.rank() == 0) note_traits(world);
  take_moves(world, team);
  surface_contacts_.aim(world, team);
  show_moves(world, team);
}

void Stepper::release_clusters(World&, const Moment&, Team& team) { matching_.release(team); }

void Stepper::begin_soft_bodies(World&, const Moment&, Team& team) { soft_.begin_substep(team); }

void Stepper::warm_particles(World& world, const Moment& now, Team& team) {
  team.barrier();  // all threads have predicted their particles
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
/// block can cost a hundred times as much as elsewhere: then a free thread takes the next block, between
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
  for_contact_blocks(world, team, [&](std::int32_t b) {
    contacts_.find(world, b, now.h, now.in_frame);
    contacts_.warm_rods(world, b);
  });
}

void Stepper::take_cluster_contacts(World& world, const Moment&, Team& team) {
  team.barrier();  // all threads have found their contacts
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
  if (is_damped(world)) sweep.previous = flat(world.particles.moved_before);
  sweep.origin = flat(world.particles.origin);
  sweep.turns = !RodSolver::enabled(world);
  sweep.inverse_h = real(1) / now.h;
  return sweep;
}

void Stepper::note_contacts(World& world, const Moment&, Team& team) {
  take_moves(world, team);
  bdf2_.note_contacts(world, team);
  team.barrier();  // constraints move particles of other threads
}

/// Ends at a barrier.
void Stepper::note_pushes(World& world, const Moment&, Team& team) {
  take_moves(world, team);
  spin_.note_pushes(world, team);
  team.barrier();
}

void Stepper::project_constraints(World& world, const Moment& now, Team& team) {
  take_moves(world, team);
  method_.iterate(world, sweep(world, now), team);
  show_moves(world, team);
}

void Stepper::project_soft_bodies(World& world, const Moment& now, Team& team) {
  take_moves(world, team);
  soft_.project(world, now.h, team);
  show_moves(world, team);
}

void Stepper::begin_rods(World&, const Moment&, Team&) { rods_.begin_frame(); }

/// Whoever looks at weights in a substep sees those that contacts and ties have met in it so far.
void Stepper::lend_rods(World& world, const Moment& now, Team& team) {
  if (!has(Subsystem::watched)) return;
  team.barrier();  // all threads' particles are in place
  rods_.lend_weights(world, now.h, now.in_frame == 0, team);
}

void Stepper::take_rods(World& world, const Moment&, Team& team) {
  if (!has(Subsystem::watched)) return;
  take_moves(world, team);
  team.barrier();
  rods_.take_weights(world, team);
}

/// Contacts and ties have to know where the rod's own forces lead it.
void Stepper::project_rods(World& world, const Moment& now, Team& team) {
  if (now.iteration > 0) return;
  rods_.solve(world, now.h, RodSolver::Pass::first, has(Subsystem::watched), team);
  show_moves(world, team);
}

void Stepper::answer_rods(World& world, const Moment& now, Team& team) {
  const bool last = now.iteration + 1 == world.settings.solver.step->iterations,
             met = has(Subsystem::watched);
  if (last && !met) return;
  take_moves(world, team);
  rods_.solve(world, now.h, last ? RodSolver::Pass::pushed : RodSolver::Pass::all, met, team);
  show_moves(world, team);
}

/// Projects the pressure of closed objects, whose constraint extends over a whole object.
void Stepper::project_pressure(World& world, const Moment& now, Team& team) {
  pressure_.project(world, sweep(world, now), team);
  show_moves(world, team);
}

void Stepper::balance_pushes(World& world, const Moment&, Team& team) {
  spin_.balance_pushes(world, team);
  show_moves(world, team);
}

void Stepper::note_solved(World& world, const Moment&, Team& team) { bdf2_.note_solved(world, team); }

void Stepper::advance_spray(World& world, const Moment& now, Team& team) {
  spray_.advance(world, fluids_.lists(), now.dt, team);
}

FluidSolver::Walls Stepper::fluid_walls() {
  return {has(Subsystem::colliders) ? &contacts_ : nullptr, has(Subsystem::coupling) ? &coupling_ : nullptr,
          has(Subsystem::coupling) ? &bodies_ : nullptr, has(Subsystem::spin) ? &spin_.touched() : nullptr};
}

void Stepper::project_fluids(World& world, const Moment& now, Team& team) {
  fluids_.project(world, fluid_walls(), now.h, team);
}

/// Pairs read positions and add to `moved`.
void Stepper::push_cloth(World& world, std::uint8_t asked, std::uint8_t having, Team& team) {
  take_moves(world, team);
  surface_contacts_.push(world, asked, having, team);
  show_moves(world, team);
}

/// Projects contacts between surfaces, then those with colliders, of the swarms that have exactly the traits
/// `having` among those `asked`.
void Stepper::push_cloth_on(World& world, std::uint8_t asked, std::uint8_t having, Team& team) {
  push_cloth(world, asked, having, team);
  if (has(Subsystem::colliders)) project_contacts_of(world, asked, having, team);
}

/// Contacts with colliders of the particles of swarms of surfaces that have the traits asked for.
void Stepper::project_contacts_of(World& world, std::uint8_t asked, std::uint8_t having, const Team& team) {
  const auto takes = [&](std::int32_t i) {
    return surface_contacts_.has(world.particles.object[std::size_t(i)], asked, having);
  };
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b) contacts_.project(world, std::int32_t(b), takes);
}

void Stepper::push_surfaces(World& world, const Moment&, Team& team) { push_cloth(world, 0, 0, team); }

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

/// Projects the contacts of grains and clusters: other particles have not been moved yet.
void Stepper::project_warm_contacts(World& world, const Moment&, Team& team) {
  const ParticleMatter& matter = world.topology->matter;
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b)
    contacts_.project(world, std::int32_t(b), [&](std::int32_t i) { return matter.takes_part(i); });
}

/// Contacts of the particles that bodies may have moved since.
void Stepper::project_contacts_again(World& world, const Moment&, Team& team) {
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b)
    contacts_.project(world, std::int32_t(b), [&](std::int32_t i) { return coupling_.moves(world, i); });
}

/// Lets particles that a collider pushed push the layers on them. Otherwise the lowest layers of a stack
/// close up until impact zones hold them apart, and these feed its motion. Light layers carry heavy ones with
/// the collider's help.
void Stepper::pass_on(World& world, const Moment&, Team& team) {
  constexpr std::uint8_t uneven = SurfaceContacts::uneven;
  if (surface_contacts_.any(SurfaceContacts::pressed, 0)) {
    team.barrier();
    push_cloth_on(world, SurfaceContacts::pressed, 0, team);
  }
  if (!surface_contacts_.any(uneven, uneven)) return;
  team.barrier();
  take_moves(world, team);
  surface_contacts_.push_supported(world, contacts_, team);
  show_moves(world, team);
  project_contacts_of(world, uneven, uneven, team);
}

/// Solves the contacts of rigid clusters. Begins at a barrier, because clusters contain other threads'
/// particles.
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

/// Matches the shapes of clusters, between barriers, because clusters contain other threads' particles.
void Stepper::match_shapes(World& world, const Moment&, Team& team) {
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end && has(Subsystem::colliders); ++b)
    contacts_.for_pushed(std::int32_t(b), [&](std::int32_t i) { matching_.add_support_mass(i); });
  team.barrier();
  take_moves(world, team);
  matching_.project(world, team);
  team.barrier();
  show_moves(world, team);
}

/// Lets soft bodies flow, between barriers, because clusters read other threads' particles.
void Stepper::flow_soft_bodies(World& world, const Moment& now, Team& team) {
  take_moves(world, team);
  team.barrier();
  soft_.flow(world, now.h, team);
  team.barrier();
}

void Stepper::flow_constraints(World& world, const Moment& now, Team& team) {
  take_moves(world, team);
  team.barrier();
  PlasticFlow::run(world, double(now.h), team);
  team.barrier();
}

void Stepper::push_bodies(World& world, const Moment& now, Team& team) { bodies_.push(world, now.h, team); }

/// Like pass_on(), for layers on a layer that a body pushed.
void Stepper::pass_on_from_bodies(World& world, const Moment&, Team& team) {
  if (!surface_contacts_.any(SurfaceContacts::beside_bodies, SurfaceContacts::beside_bodies)) return;
  team.barrier();
  push_cloth(world, SurfaceContacts::beside_bodies, SurfaceContacts::beside_bodies, team);
  coupling_.project(world, bodies_, particle_contacts_.clusters(), surface_traits_, team);
}

/// Projects frozen chunks, between barriers, because chunks contain other threads' particles.
void Stepper::hold_frozen(World& world, const Moment&, Team& team) {
  team.barrier();
  take_moves(world, team);
  frozen_.project(world, has(Subsystem::colliders) ? &contacts_ : nullptr, team);
  team.barrier();
  show_moves(world, team);
}

// ---- substep_end

/// Projects volumes once more after the contacts of the last iteration: an object that hits something would
/// be left with less volume than its goal. (Not with PBD's stiffness, which counts iterations: this would be
/// another. An object that touches a body has pushed it already and is left out.)
void Stepper::restore_volumes(World& world, const Moment& now, Team& team) {
  if (!has(Subsystem::colliders) && !has(Subsystem::surfaces)) return;
  team.barrier();
  take_moves(world, team);
  Sweep<real> again{true, false, real(1) / (now.h * now.h)};
  again.origin = flat(world.particles.origin);
  const bool balanced = has(Subsystem::spin);
  if (balanced) spin_.note_pushes(world, team);
  team.barrier();
  if (has(Subsystem::coupling))
    pressure_.leave_out(
        world, [&](std::int32_t i) { return coupling_.moves(world, i); }, team);
  pressure_.project(world, again, team);
  if (balanced) spin_.balance_pushes(world, team);
  show_moves(world, team);
  if (has(Subsystem::surfaces)) {  // objects on a skin, too
    push_cloth_on(world, SurfaceContacts::pressed, SurfaceContacts::pressed, team);
  } else {
    const Share blocks = team.share(world.particles.padded() / particle_block);
    for (std::int64_t b = blocks.begin; b < blocks.end; ++b)
      contacts_.project(world, std::int32_t(b), [&](std::int32_t i) { return pressure_.takes(world, i); });
  }
  if (!has(Subsystem::coupling)) return;
  team.barrier();
  pressure_.leave_out(
      world, [](std::int32_t) { return false; }, team);
}

void Stepper::stop_crossings(World& world, const Moment& now, Team& team) {
  TouchedParts* const touched = has(Subsystem::spin) ? &spin_.touched() : nullptr;
  for_contact_blocks(world, team, [&](std::int32_t b) {
    contacts_.keep_rods(world, b);
    contacts_.stop_crossings(world, b, now.in_frame, touched);
  });
}

void Stepper::move_bodies(World& world, const Moment& now, Team& team) {
  bodies_.move(world, now.h, contacts_, now.in_frame, team);
}

void Stepper::aim_ties(World& world, const Moment& now, Team& team) {
  ties_.aim(world, contacts_, now.h, now.in_frame, team);
}

void Stepper::project_ties(World& world, const Moment&, Team& team) {
  ties_.project(world, bodies_, rods_, team);
}

void Stepper::finish_ties(World& world, const Moment& now, Team& team) {
  ties_.finish(world, now.h, now.in_frame, team);
}

void Stepper::carry_ties(World& world, const Moment&, Team& team) { coupling_.carry(world, team); }

void Stepper::end_second_order(World& world, const Moment&, Team& team) {
  take_moves(world, team);
  bdf2_.end_solve(world, team);
}

void Stepper::update_velocities(World& world, const Moment& now, Team& team) {
  Particles& particles = world.particles;
  const Share blocks = team.share(particles.padded() / particle_block);
  // |v_i| < limit / sqrt(3) in every component implies |v| < limit, so the bound costs one comparison
  const real limit = real(world.settings.solver.motion->max_speed * 0.57735);
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b) {  // a block stays in the cache for all of it
    const std::int64_t begin = b * particle_block, end = begin + particle_block;
    if (has(Subsystem::watched)) limber::take_moves(particles, begin, end);
    if (has(Subsystem::particles)) take_moves_before(particles, started_, begin, end);
    if (!kernels_.update_velocities(flat(particles.moved), flat(particles.predicted),
                                    flat(particles.velocity), 4 * begin, 4 * end, now.h, limit))
      bound_block(world, now, std::int32_t(b));
    if (has(Subsystem::watched)) show_moved(particles, begin, end);
    if (has(Subsystem::surfaces))  // displacements by the guard add to the present velocity
      std::copy(particles.moved.begin() + begin, particles.moved.begin() + end,
                particles.predicted.begin() + begin);
  }
}

void Stepper::update_turn_velocities(World& world, const Moment& now, Team& team) {
  constexpr real limit = real(1e9);  // rad/s: predict_turns() bounds the turn
  Particles& particles = world.particles;
  const Share mine = team.share(turn_rows(particles.turns), particle_block);
  const std::int64_t first = particles.padded();
  if (!kernels_.update_velocities(flat(particles.moved), flat(particles.predicted), flat(particles.velocity),
                                  4 * (first + mine.begin), 4 * (first + mine.end), now.h, limit))
    nonfinite_.store(true, std::memory_order_relaxed);
}

/// Guards surfaces after velocities were taken, because taking velocities bounds speeds and with them
/// positions.
void Stepper::guard_surfaces(World& world, const Moment& now, Team& team) {
  team.barrier();
  const SurfaceContacts::Moment moment{now.h,
                                       now.h * real(world.settings.solver.step->substeps - now.remaining + 1),
                                       now.h * real(now.remaining - 1), now.in_frame};
  std::span<BodyWall> walls;
  if (has(Subsystem::coupling) && team.rank() == 0) walls = coupling_.list_walls(bodies_);
  TouchedParts* const touched = has(Subsystem::spin) ? &spin_.touched() : nullptr;
  if (surface_contacts_.guard(world, has(Subsystem::colliders) ? &contacts_ : nullptr, walls, moment, touched,
                              team))
    update_velocities(world, now, team);
}

/// Velocities of the second order come from longer ways than the substep's.
void Stepper::answer_walls(World& world, const Moment& now, Team& team) {
  surface_contacts_.answer_walls(world, coupling_.walls(), now.h,
                                 has(Subsystem::spin) ? &spin_.touched() : nullptr, team);
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
    if (has(Subsystem::spin)) spin_.touched().touch_particle(i);
    v *= limit / speed;
    vec4& moved = particles.moved[std::size_t(i)];
    moved = vec4(vec3(particles.moved_before[std::size_t(i)]) + now.h * vec3(v), moved.w);
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
void Stepper::thicken_fluids(World& world, const Moment& now, Team& team) {
  if (!fluids_.thick()) return;
  team.barrier();
  take_moves(world, team);
  fluids_.thicken(world, fluid_walls(), now.h, team);
  if (has(Subsystem::frozen))  // chunks stay rigid
    frozen_.project(world, has(Subsystem::colliders) ? &contacts_ : nullptr, team);
  team.barrier();
  show_moves(world, team);
}

void Stepper::drag_fluids(World& world, const Moment& now, Team& team) {
  if (has(Subsystem::colliders) && !fluids_.thick()) drag_at_colliders(world, contacts_, now.h, team);
  team.barrier();
  if (has(Subsystem::coupling)) coupling_.drag(world, bodies_, now.h, team);
}

/// Tells whom each subsystem has pushed. Every subsystem that pushes particles or bodies must be listed here:
/// keep_spin() would take back pushes that it does not know.
void Stepper::tell_touched(const World& world, Team& team) {
  TouchedParts& touched = spin_.touched();
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end && has(Subsystem::colliders); ++b)
    contacts_.tell_touched(world, std::int32_t(b), touched);
  if (has(Subsystem::surfaces)) surface_contacts_.tell_touched(world, touched, team);
  if (has(Subsystem::particles)) particle_contacts_.tell_touched(touched, team);
  if (has(Subsystem::sheets)) sheet_contacts_.tell_touched(touched, team);
  if (has(Subsystem::bodies)) bodies_.tell_touched(world, touched, team);
  if (has(Subsystem::coupling)) coupling_.tell_touched(world, touched, team);
}

void Stepper::keep_spin(World& world, const Moment& now, Team& team) {
  team.barrier();
  tell_touched(world, team);
  spin_.give_back(world, has(Subsystem::colliders) ? &contacts_ : nullptr, now.h, team);
}

void Stepper::note_energies(World& world, const Moment&, Team& team) { settling_.note_start(world, team); }

void Stepper::note_forces(World& world, const Moment&, Team& team) { settling_.note_predicted(world, team); }

void Stepper::bound_energies(World& world, const Moment& now, Team& team) {
  settling_.bound(world, now.h, team);
}

/// Notes the particles that leave clusters of soft solids; they leave after the frame (`step`).
void Stepper::look_for_breaks(World& world, const Moment&, Team& team) {
  take_moves(world, team);
  soft_breaking_.look(world, team);
}

/// Notes the tetrahedra over their strength; vertices are split after the frame (`step`).
void Stepper::look_for_tears(World& world, const Moment&, Team& team) {
  take_moves(world, team);
  team.barrier();
  tet_tearing_.look(world, team);
}

/// Tears cloth in every other substep, but not in the last of several: crossings of the copies show until the
/// next substep takes them back.
void Stepper::tear(World& world, const Moment& now, Team& team) {
  if (now.remaining % 2 != 0 && world.settings.solver.step->substeps > 1) return;
  if (!tearing_.run(world, team)) return;
  method_.load(world, team);
  if (has(Subsystem::spin)) spin_.follow_tears(world, team);
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

void Stepper::exchange_heat(World& world, const Moment& now, Team& team) {
  heat_.run(world, has(Subsystem::colliders) ? &contacts_ : nullptr, double(now.dt), team);
}

/// Ends at a barrier: methods weigh constraints by the places of other blocks' particles.
void Stepper::store_multipliers(World& world, const Moment&, Team& team) {
  method_.store(world, team);
  team.barrier();
}

/// Ends at a barrier: "end moves" counts particles from other origins.
void Stepper::store_rods(World& world, const Moment& now, Team& team) {
  rods_.store(world, now.h, team);
  team.barrier();
}

void Stepper::end_moves(World& world, const Moment&, Team& team) {
  const Share mine = team.share(world.particles.padded(), particle_block);
  end_frame_moves(world.particles, mine.begin, mine.end);
}

void Stepper::end_bodies(World& world, const Moment&, Team& team) { bodies_.end_frame(world, team); }

void Stepper::end_coupling(World& world, const Moment&, Team& team) { coupling_.end_frame(world, team); }

void Stepper::end_surfaces(World& world, const Moment&, Team& team) {
  surface_contacts_.end_frame(world, team);
}

void Stepper::end_particles(World& world, const Moment&, Team& team) {
  particle_contacts_.end_frame(world, team);
}

}}  // namespace limber::LIMBER_PRECISION
