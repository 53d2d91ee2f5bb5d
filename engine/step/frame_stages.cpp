// Stages at the beginning and the end of a frame; order.hpp has their order.
#include <cmath>
#include <glm/geometric.hpp>

#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/state/displacement.hpp"
#include "engine/state/local_material.hpp"
#include "engine/step/stepper.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Emits fluids, and removes those that start inside bodies and colliders, because they would burst out.
void Stepper::emit_fluids(World& world, const Moment& now, Team&) {
  if (world.frame == 0) limber::clear_fluids(world);
  limber::emit_fluids(world, world.time, double(now.dt), near_mouth_);
}

void Stepper::wake_coupled_bodies(World& world, const Moment& now, Team& team) {
  coupling_.begin_frame(world, now.dt, team);
}

void Stepper::wake_in_air(World& world, const Moment&, Team&) { wind_.wake_bodies(world); }

void Stepper::begin_heat(World& world, const Moment&, Team& team) { heat_.begin(world, team); }

void Stepper::soften_warm(World& world, const Moment&, Team& team) {
  soften(world, team.rank(), team.size());
}

void Stepper::begin_moves(World& world, const Moment&, Team& team) {
  const Share mine = team.share(world.particles.padded(), particle_block);
  begin_frame_moves(world.particles, mine.begin, mine.end);
  // A velocity that was set from outside is bounded before it becomes a displacement too long for its
  // precision.
  const real limit = real(world.settings.solver.motion->max_speed);
  for (std::int64_t i = mine.begin; i < mine.end; ++i) {
    vec4& v = world.particles.velocity[std::size_t(i)];
    if (const real squared = glm::dot(vec3(v), vec3(v)); squared > limit * limit)
      v *= limit / std::sqrt(squared);
  }
}

void Stepper::pair_bodies(World& world, const Moment& now, Team& team) {
  bodies_.begin_frame(world, now.dt, contacts_, team);
}

/// Finds the colliders near particles (broad phase), once a frame.
void Stepper::find_colliders(World& world, const Moment& now, Team& team) {
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b)
    contacts_.begin_frame(world, std::int32_t(b), now.dt);
}

void Stepper::load_constraints(World& world, const Moment&, Team& team) { method_.load(world, team); }

void Stepper::begin_rods(World&, const Moment&, Team&) { rods_.begin_frame(); }

void Stepper::search_surfaces(World& world, const Moment& now, Team& team) {
  surface_contacts_.begin_frame(world, now.dt, team);
}

void Stepper::search_skins(World& world, const Moment& now, Team& team) {
  skins_.begin_frame(world, contacts_, now.dt, team);
}

void Stepper::advance_spray(World& world, const Moment& now, Team& team) {
  spray_.advance(world, fluids_.lists(), now.dt, team);
}

void Stepper::drain_fluids(World& world, const Moment&, Team&) { limber::drain_fluids(world); }

void Stepper::exchange_heat(World& world, const Moment& now, Team& team) {
  heat_.run(world, has(Subsystem::colliders) ? &contacts_ : nullptr, double(now.dt), team);
}

/// Records the tetrahedra that exceed their strength; step() splits vertices after the frame.
void Stepper::look_for_tears(World& world, const Moment&, Team& team) {
  take_moves(world, team);
  tet_tearing_.look(world, team);
}

/// Records the particles that leave clusters of soft solids; step() removes them after the frame.
void Stepper::look_for_breaks(World& world, const Moment&, Team& team) {
  take_moves(world, team);
  soft_breaking_.look(world, team);
}

void Stepper::store_multipliers(World& world, const Moment&, Team& team) { method_.store(world, team); }

void Stepper::store_rods(World& world, const Moment& now, Team& team) { rods_.store(world, now.h, team); }

void Stepper::end_bodies(World& world, const Moment&, Team& team) { bodies_.end_frame(world, team); }

void Stepper::end_coupling(World& world, const Moment&, Team& team) { coupling_.end_frame(world, team); }

void Stepper::end_surfaces(World& world, const Moment&, Team& team) {
  surface_contacts_.end_frame(world, team);
}

void Stepper::end_particles(World& world, const Moment&, Team& team) {
  particle_contacts_.end_frame(world, team);
}

void Stepper::end_moves(World& world, const Moment&, Team& team) {
  const Share mine = team.share(world.particles.padded(), particle_block);
  end_frame_moves(world.particles, mine.begin, mine.end);
}

}}  // namespace limber::LIMBER_PRECISION
