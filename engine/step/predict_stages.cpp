// Stages at the beginning of a substep: forces, prediction, contacts. order.hpp has their order.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "engine/core/rates.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/trigonometry.hpp"
#include "engine/state/bodies.hpp"
#include "engine/state/displacement.hpp"
#include "engine/state/heat_state.hpp"
#include "engine/state/turns.hpp"
#include "engine/step/stepper.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// The vertex that the user drags follows the mouse at most this fast, so that a jumping mouse cannot explode
/// the scene.
constexpr double grab_speed = 12.0;  // m/s

}  // namespace

void Stepper::move_volume_goals(World& world, const Moment& now, Team&) {
  Pressure::move_goals(world, now.h);
}

void Stepper::note_energies(World& world, const Moment&, Team& team) { settling_.note_start(world, team); }

void Stepper::note_start(World& world, const Moment&, Team& team) { bdf2_.note_start(world, team); }

void Stepper::blow(World& world, const Moment& now, Team& team) {
  wind_.apply(world, {now.end_time, now.h, now.in_frame == 0, now.remaining == 1}, team);
}

/// Share of a velocity that plain damping leaves in a substep; 1 under the other damping law, which leaves
/// rigid motion unchanged.
real Stepper::plain_keep(const MotionSettings& motion, real h) {
  const bool plain = motion.damping_law == DampingLaw::plain;
  return plain ? real(1 - damping_per_substep(motion.damping, double(h))) : real(1);
}

/// m/s, change of velocity by gravity in substep `number`. The multiples of a power of two next to g t are
/// used, so that a free fall adds numbers that float represents exactly up to 256 m/s. Rounding v + g h
/// instead has the same error for every particle and substep, which after 10 s at 40 substeps a frame is a
/// thousandth of the speed.
vec3 Stepper::gravity_gain(const glm::dvec3& gravity, double h, std::int64_t number) {
  constexpr double grid = 256.0 * std::numeric_limits<real>::epsilon() / 2.0;
  const auto speed = [&](double g, std::int64_t n) { return std::nearbyint(g * h * double(n) / grid); };
  vec3 gained;
  for (int k = 0; k < 3; ++k)
    gained[k] = real(grid * (speed(gravity[k], number + 1) - speed(gravity[k], number)));
  return gained;
}

/// Also accelerates fixed particles; predict() then moves them, and move_attachments() sets them back.
void Stepper::accelerate(World& world, const Moment& now, Team& team) {
  const MotionSettings& motion = *world.settings.solver.motion;
  const Share share = team.share(world.particles.padded(), particle_block);
  const vec3 gained = gravity_gain(motion.gravity, double(now.h), now.number);
  const real dv[4] = {gained.x, gained.y, gained.z, real(0)};
  kernels_.accelerate(flat(world.particles.velocity), 4 * share.begin, 4 * share.end, dv,
                      plain_keep(motion, now.h));
}

/// Boussinesq approximation: the weight of particles warmer than the air is reduced by the share beta (T -
/// T_air); their inertia stays.
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
  rigid_damping_.apply(world, real(damping_per_substep(world.settings.solver.motion->damping, double(now.h))),
                       team);
}

void Stepper::predict(World& world, const Moment& now, Team& team) {
  Particles& particles = world.particles;
  if (particles.count == 0) return;  // padding has no place of its own
  const Share share = team.share(particles.padded(), particle_block);
  predict_moves(particles, share.begin, share.end, now.h, has(Subsystem::watched));
  if (has(Subsystem::particles))
    std::copy(particles.previous.begin() + share.begin, particles.previous.begin() + share.end,
              started_.begin() + share.begin);
}

void Stepper::predict_second_order(World& world, const Moment& now, Team& team) {
  bdf2_.predict(world, now.h, team);
  const Share mine = team.share(world.particles.padded(), particle_block);
  show_moved(world.particles, mine.begin, mine.end);
}

/// Predicts the orientations of rod segments, which have rows behind those of particles. Clamped ones follow
/// their prescribed motion or their carrier.
void Stepper::predict_turns(World& world, const Moment& now, Team& team) {
  Particles& particles = world.particles;
  const RodMatter& rods = world.topology->rods;
  const Share mine = team.share(turn_rows(particles.turns), particle_block);
  kernels_.predict_turns({flat(particles.origin), flat(particles.moved), flat(particles.predicted),
                          flat(particles.moved_before), flat(particles.velocity)},
                         rods.first_row + mine.begin, rods.first_row + mine.end, now.h,
                         plain_keep(*world.settings.solver.motion, now.h), most_turn);
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
  hand.collider = 0;  // moves there from its present orientation, like carried ones
  constexpr double whole_turn = 6.283185307179586477;
  const double half = 0.5 * (held->angle + share * twist_way(*held, double(now.dt))) / whole_turn;
  hand.rest = rotated(hand.rest, glm::dvec4(0.0, 0.0, sin_turns(half), sin_turns(half + 0.25)));
  hold_turn(particles, std::size_t(rods.first_row + hand.turn), hand, glm::dvec4(0.0, 0.0, 0.0, 1.0),
            now.end_time, now.h);
}

/// rad, rotation of the segment that the user twists, in a frame of dt seconds.
double Stepper::twist_way(const TurnGrab& held, double dt) {
  constexpr double fastest = 30.0;  // rad/s
  return std::clamp(held.target - held.angle, -fastest * dt, fastest * dt);
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
    if (attachment->body >= 0) continue;  // Coupling moves it
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
      place(std::int32_t(i), glm::dvec3(0.0));  // in reserve for tears
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

/// Sets the inverse masses of points of rods for contacts and ties in this substep.
void Stepper::lend_rods(World& world, const Moment& now, Team& team) {
  rods_.lend_weights(world, now.h, now.in_frame == 0, team);
}

void Stepper::predict_bodies(World& world, const Moment& now, Team& team) {
  const MotionSettings& motion = *world.settings.solver.motion;
  bodies_.predict(world, now.h, plain_keep(motion, now.h),
                  gravity_gain(motion.gravity, double(now.h), now.number), contacts_, now.in_frame, team);
}

/// Rotates the segments of rods that bodies carry. Must come after predict_turns() and predict_bodies().
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
}

void Stepper::note_velocities(World& world, const Moment&, Team& team) { spin_.note(world, team); }

void Stepper::note_forces(World& world, const Moment&, Team& team) { settling_.note_predicted(world, team); }

void Stepper::aim_coupling(World& world, const Moment& now, Team& team) {
  coupling_.aim(world, bodies_, contacts_, now.in_frame, now.h, now.h * real(now.remaining - 1), team);
}

void Stepper::aim_ties(World& world, const Moment& now, Team& team) {
  ties_.aim(world, contacts_, now.h, now.in_frame, team);
}

/// Sets the traits of each object's surface, by which its swarm gets further sweeps.
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
  take_moves(world, team);
  if (team.rank() == 0) note_traits(world);
  surface_contacts_.aim(world, team);
  show_moves(world, team);
}

void Stepper::begin_soft_bodies(World&, const Moment&, Team& team) { soft_.begin_substep(team); }

void Stepper::release_clusters(World&, const Moment&, Team& team) { matching_.release(team); }

void Stepper::begin_fluids(World& world, const Moment& now, Team& team) {
  fluids_.begin_substep(world, now.h, team);
}

void Stepper::warm_particles(World& world, const Moment& now, Team& team) {
  particle_contacts_.begin_substep(world, now.h, now.in_frame, team);
}

void Stepper::aim_sheets(World& world, const Moment& now, Team& team) {
  std::array<SheetContacts::Sorted, 2> sorted;
  std::size_t count = 0;
  if (has(Subsystem::particles)) sorted[count++] = {&particle_contacts_.grid(), particle_contacts_.stray()};
  if (has(Subsystem::fluids)) sorted[count++] = {&fluids_.grid(), fluids_.stray()};
  sheet_contacts_.aim(world, std::span(sorted).first(count), particle_contacts_.clusters(), now.h, team);
}

void Stepper::find_contacts(World& world, const Moment& now, Team& team) {
  for_contact_blocks(world, team, [&](std::int32_t b) {
    contacts_.find(world, b, now.h, now.in_frame);
    contacts_.warm_rods(world, b);
    contacts_.warm_kept(world, b);
  });
}

void Stepper::take_cluster_contacts(World& world, const Moment&, Team& team) {
  particle_contacts_.clusters().take(world, contacts_, team);
}

void Stepper::aim_clusters(World& world, const Moment& now, Team& team) {
  particle_contacts_.aim_clusters(world, now.h, now.in_frame, team);
}

/// Finds the contacts of skins, after colliders and shapes have responded to the warm start.
void Stepper::aim_skins(World& world, const Moment& now, Team& team) {
  skins_.aim(world, contacts_, bodies_, now.h, now.in_frame, team);
}

}}  // namespace limber::LIMBER_PRECISION
