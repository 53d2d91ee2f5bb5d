#include "engine/parts/motion/settling.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "engine/constraints/constraint_types.hpp"
#include "engine/constraints/energy.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/parts/motion/spin_keeper.hpp"
#include "engine/state/constraint_set.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// m/s, change of velocity within a tenth of a second below which constraints no longer correct an error.
constexpr double quiet = 0.005;

bool is_fixed(const Bodies& bodies, std::size_t i) { return !(bodies.position[i].w > real(0)); }

bool has_motor(const World& world) {
  const auto& joints = world.settings.joint_materials;
  return std::any_of(joints.begin(), joints.end(), [](const JointMaterial& j) { return j.speed != 0.0; });
}

/// lambda^T A lambda of a slot.
template <class Type>
double weighed(const StencilBatch<Type>& batch, const StencilState<Type>& state, std::size_t slot) {
  constexpr int rows = row_count<Type>();
  DoubleLane softness[softness_numbers<Type>()], rest[Type::rest_count], A[rows][rows];
  for (std::size_t r = 0; r < batch.rest.size(); ++r) rest[r] = double(rest_row(batch, state, r)[slot]);
  for (std::size_t k = 0; k < state.softness.size(); ++k) softness[k] = double(state.softness[k][slot]);
  compliance_of<Type, DoubleLane>(softness, rest, A);
  double sum = 0.0;
  for (int k = 0; k < rows; ++k)
    for (int l = 0; l <= k; ++l)
      sum += (k == l ? 1.0 : 2.0) * A[k][l].v * double(state.lambda[std::size_t(k)][slot]) *
             double(state.lambda[std::size_t(l)][slot]);
  return sum;
}

}  // namespace

/// J, per object: 1/2 f^T A f over the constraints of compliance A, with the forces f = lambda / h^2 that
/// they exerted in the last substep. An error of a constraint is a force that it did not exert, so it is not
/// included.
void SettlingBound::find_acting(const World& world) {
  std::fill(acting_.begin(), acting_.end(), 0.0);
  const double half = 0.5 * std::pow(inverse_h_squared(world), 2.0);
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    const auto& batch = std::get<type>(*world.topology->constraints);
    const auto& state = std::get<type>(*world.matter.constraints);
    for (std::size_t s = 0; s < std::size_t(batch.slots()); ++s)
      if (const std::int32_t o = batch.object[s]; o >= 0 && state.softness[0][s] > real(0))
        acting_[std::size_t(o)] += half * weighed<Type>(batch, state, s);
  });
}

void begin_settling(World& world) {
  Settling& settling = world.settling;
  if (!(settling.left > 0.0)) settling.stored.assign(world.topology->objects.size(), 0.0);
  settling.left = Settling::least;
  settling.until = world.time + Settling::most;
}

SettlingBound::Energy& SettlingBound::Energy::operator+=(const Energy& other) {
  mass += other.mass, before += other.before, work += other.work, after += other.after;
  return *this;
}

void SettlingBound::reserve(const World& world) {
  pieces_.clear();
  const std::vector<ParticleRange>& objects = world.topology->objects;
  for (std::size_t o = 0; o < objects.size(); ++o)
    for (std::int32_t begin = objects[o].first, end; begin < objects[o].end(); begin = end) {
      end = std::min((begin / particle_block + 1) * particle_block, objects[o].end());
      pieces_.push_back({std::int32_t(o), begin, end});
    }
  piece_sums_.assign(pieces_.size(), {});
  started_.assign(std::size_t(world.particles.padded()), vec4(0));
  predicted_ = started_;
  reserve_bodies(world);
}

void SettlingBound::reserve_bodies(const World& world) {
  bodies_.assign(std::size_t(world.bodies.count()), {});
  groups_.assign(world.topology->objects.size() + bodies_.size(), {});
  driven_.assign(groups_.size(), 0);
  scale_.assign(groups_.size(), real(1));
  acting_.assign(world.topology->objects.size(), 0.0);
}

void SettlingBound::begin_frame(const World& world) {
  const std::size_t objects = world.topology->objects.size();
  const bool all = std::any_of(world.colliders.begin(), world.colliders.end(),
                               [](const Collider& c) { return c.motion.moves(); });
  std::fill(driven_.begin(), driven_.end(), std::uint8_t(all));
  const auto drive = [&](std::int32_t particle) {
    driven_[std::size_t(world.particles.object[std::size_t(particle)])] = 1;
  };
  if (world.user.grab) drive(world.user.grab->particle);
  for (const Attachment& a : world.user.attachments)
    if (a.amplitude != glm::dvec3(0.0) || a.body >= 0) drive(a.particle);
  if (world.user.body_grab) driven_[objects + std::size_t(world.user.body_grab->body)] = 1;
  if (has_motor(world)) std::fill(driven_.begin() + std::ptrdiff_t(objects), driven_.end(), std::uint8_t(1));
}

void SettlingBound::note_start(const World& world, const Team& team) {
  const Share mine = team.share(world.particles.padded(), particle_block);
  std::copy(world.particles.velocity.begin() + mine.begin, world.particles.velocity.begin() + mine.end,
            started_.begin() + mine.begin);
  for (std::size_t i = 0; i < bodies_.size() && team.rank() == 0; ++i)
    if (!is_fixed(world.bodies, i))
      bodies_[i] = {glm::dvec3(world.bodies.position[i]), kinetic_energy(world.bodies, i)};
}

void SettlingBound::note_predicted(const World& world, const Team& team) {
  const Share mine = team.share(world.particles.padded(), particle_block);
  std::copy(world.particles.velocity.begin() + mine.begin, world.particles.velocity.begin() + mine.end,
            predicted_.begin() + mine.begin);
}

SettlingBound::Energy SettlingBound::energy_of(const World& world, const Piece& piece, real h) const {
  Energy sum;
  const Particles& particles = world.particles;
  for (std::size_t i = std::size_t(piece.begin); i < std::size_t(piece.end); ++i) {
    if (!(particles.moved[i].w > real(0))) continue;
    const double m = 1.0 / double(particles.moved[i].w);
    const glm::dvec3 before(started_[i]), predicted(predicted_[i]), after(particles.velocity[i]);
    const glm::dvec3 moved = glm::dvec3(particles.moved[i]) - glm::dvec3(particles.moved_before[i]);
    sum.mass += m;
    sum.before += 0.5 * m * glm::dot(before, before);
    sum.work += m * glm::dot(predicted - before, moved) / double(h);
    sum.after += 0.5 * m * glm::dot(after, after);
  }
  return sum;
}

/// Only the work of gravity counts, because velocities also contain changes that contacts carry over from the
/// last substep.
SettlingBound::Energy SettlingBound::energy_of_body(const World& world, std::size_t i) const {
  if (is_fixed(world.bodies, i)) return {};
  const BodyStart& start = bodies_[i];
  const double m = 1.0 / double(world.bodies.position[i].w);
  const glm::dvec3 moved = glm::dvec3(world.bodies.position[i]) - start.place;
  return {m, start.energy, m * glm::dot(world.settings.solver.motion->gravity, moved),
          kinetic_energy(world.bodies, i)};
}

/// Adds the energy of elastic forces that have decreased to the energy of their object; forces that have
/// increased store the energy that the object lost. Serial.
void SettlingBound::give_back(World& world) {
  const MethodSettings& method = *world.settings.solver.method;
  // There are no usable multipliers.
  if (method.kind != SolverMethod::xpbd || !is_coloured(method.order)) return;
  find_acting(world);
  for (std::size_t o = 0; o < acting_.size(); ++o) {
    Energy& e = groups_[o];
    double& stored = world.settling.stored[o];
    e.work += std::max(0.0, stored - acting_[o]);
    stored = std::min(acting_[o], stored + std::max(0.0, e.before + e.work - e.after));
  }
}

/// Limits the energy that groups gained beyond the work of forces to the kinetic energy that other groups
/// lost, by one factor for all. Serial.
void SettlingBound::share_out(World& world, real h) {
  const std::size_t objects = world.topology->objects.size();
  std::fill(groups_.begin(), groups_.end(), Energy{});
  for (std::size_t k = 0; k < pieces_.size(); ++k) groups_[std::size_t(pieces_[k].object)] += piece_sums_[k];
  for (std::size_t i = 0; i < bodies_.size(); ++i) groups_[objects + i] = energy_of_body(world, i);
  give_back(world);
  double gains = 0.0, losses = 0.0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Energy& e = groups_[g];
    gains += driven_[g] ? 0.0 : std::max(0.0, e.after - e.due());
    losses += std::max(0.0, e.before - e.after);
  }
  const double share = gains > losses ? losses / gains : 1.0;
  bool busy = false;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Energy& e = groups_[g];
    const double gain = e.after - e.due();
    scale_[g] = real(1);
    if (driven_[g] || !(gain > 0.0) || share == 1.0) continue;
    scale_[g] = real(std::sqrt((e.due() + share * gain) / e.after));
    busy = busy || 0.1 / double(h) * (1.0 - share) * gain > 0.5 * e.mass * quiet * quiet;
  }
  Settling& settling = world.settling;
  settling.left = busy ? std::max(settling.left, Settling::least) : settling.left - double(h);
  if (settling.left <= 0.5 * double(h) || world.time > settling.until) settling.left = 0.0;
}

void SettlingBound::bound(World& world, real h, Team& team) {
  const Share pieces = team.share(std::int64_t(pieces_.size()));
  for (std::int64_t k = pieces.begin; k < pieces.end; ++k)
    piece_sums_[std::size_t(k)] = energy_of(world, pieces_[std::size_t(k)], h);
  team.barrier();
  if (team.rank() == 0) share_out(world, h);
  team.barrier();
  for (std::int64_t k = pieces.begin; k < pieces.end; ++k) {
    const Piece& piece = pieces_[std::size_t(k)];
    const real scale = scale_[std::size_t(piece.object)];
    for (std::size_t i = std::size_t(piece.begin); i < std::size_t(piece.end); ++i) {
      if (scale != real(1)) world.particles.velocity[i] *= scale;
      // BDF2 must not extrapolate a step that corrects an error.
      if (!world.history.step_before.empty()) world.history.step_before[i].w = real(0);
    }
  }
  const std::size_t objects = world.topology->objects.size();
  for (std::size_t i = 0; i < bodies_.size() && team.rank() == 0; ++i) {
    world.bodies.velocity[i] *= scale_[objects + i];
    world.bodies.angular_momentum[i] *= scale_[objects + i];
  }
}

}}  // namespace limber::LIMBER_PRECISION
