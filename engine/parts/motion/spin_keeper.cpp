#include "engine/parts/motion/spin_keeper.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <limits>

#include "engine/core/settings/motion.hpp"
#include "engine/geometry/symmetric3.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Principal moments below this share of the largest are rounding errors of points in a line: there is no
/// rotation about that axis.
constexpr double least_moment = 1e3 * double(std::numeric_limits<real>::epsilon());

/// I^-1 b, without the axes about which there is no inertia.
glm::dvec3 turned_by(const glm::dmat3& inertia, const glm::dvec3& b) {
  const auto [values, axes] = eigen_symmetric(inertia);
  const double largest = std::max({values.x, values.y, values.z});
  glm::dvec3 turn(0.0);
  for (int k = 0; k < 3; ++k)
    if (values[k] > least_moment * largest) turn += glm::dot(axes[k], b) / values[k] * axes[k];
  return turn;
}

glm::dmat3 symmetric(const glm::dvec3& diagonal, const glm::dvec3& mixed) {
  return {diagonal.x, mixed.x, mixed.y, mixed.x, diagonal.y, mixed.z, mixed.y, mixed.z, diagonal.z};
}

glm::dmat3 inertia_in_world(const Bodies& bodies, std::size_t i) {
  const glm::dmat3 r(rotation_of(bodies.orientation[i]));
  const glm::dvec3 moments(inertia_of(bodies.inverse_inertia[i]));
  return r * glm::dmat3(moments.x, 0, 0, 0, moments.y, 0, 0, 0, moments.z) * glm::transpose(r);
}

/// Whether the bound on the speed may have slowed a body.
bool is_bounded(const World& world, std::size_t i) {
  return glm::length(vec3(world.bodies.velocity[i])) > real(0.999 * world.settings.solver.motion->max_speed);
}

}  // namespace

double kinetic_energy(const Bodies& bodies, std::size_t i) {
  const glm::dvec3 v(bodies.velocity[i]), inverse(bodies.inverse_inertia[i]);
  const glm::dvec3 own =
      glm::dvec3(bodies.angular_momentum[i]) * glm::dmat3(rotation_of(bodies.orientation[i]));
  return 0.5 * (glm::dot(v, v) / double(bodies.position[i].w) + glm::dot(own, inverse * own));
}

void SpinKeeper::Sums::add(const real* sums) {
  const auto three = [&](int row) { return glm::dvec3(sums[row], sums[row + 1], sums[row + 2]); };
  mass += double(sums[momentum_mass]);
  place += three(momentum_place), slip += three(momentum_slip), after += three(momentum_after);
  lost += three(momentum_lost), turn += three(momentum_turn);
  spread += three(momentum_spread), mixed += three(momentum_spread + 3);
}

/// Adds sums relative to another origin, which lies at `d` from this one's.
void SpinKeeper::Sums::add(const Sums& other, const glm::dvec3& d) {
  const glm::dvec3& f = other.place;
  mass += other.mass;
  place += f + other.mass * d;
  slip += other.slip, after += other.after, lost += other.lost;
  turn += other.turn + glm::cross(d, other.lost);
  spread += other.spread + 2.0 * f * d + other.mass * d * d;
  mixed += other.mixed + glm::dvec3(f.x * d.y + f.y * d.x, f.x * d.z + f.z * d.x, f.y * d.z + f.z * d.y) +
           other.mass * glm::dvec3(d.x * d.y, d.x * d.z, d.y * d.z);
  inertia += other.inertia;
  spin += other.spin + glm::cross(d, other.after);
  energy_before += other.energy_before, energy += other.energy;
}

void SpinKeeper::reserve(const World& world) {
  parts_.reserve(world);
  before_.assign(std::size_t(world.particles.rows()), vec4(0));
  pushed_from_ = before_;
  wanted_.assign(std::size_t(world.particles.padded() / particle_block), 0);
}

void SpinKeeper::begin_step(const World& world, int threads) {
  parts_.begin_frame(world);
  forget(threads);
}

/// Sizes all arrays by part. Storage is kept.
void SpinKeeper::forget(int threads) {
  if (!parts_.any_free()) return;
  touched_.reset(parts_.of_particle(), parts_.of_body(), std::int32_t(parts_.parts().size()), threads);
  wholes_.resize(parts_.parts().size());
  balances_.resize(parts_.parts().size());
  piece_sums_.resize(momentum_sums * parts_.pieces().size());
  body_starts_.resize(parts_.of_body().size());
  std::fill(wanted_.begin(), wanted_.end(), std::uint8_t(0));
  for (const ConnectedParts::Piece& piece : parts_.pieces())
    if (!parts_.parts()[std::size_t(piece.part)].held) wanted_[std::size_t(piece.begin / particle_block)] = 1;
}

void SpinKeeper::follow_tears(const World& world, const Team& team) {
  if (team.rank() != 0) return;
  parts_.follow_tears(world);
  forget(team.size());
}

void SpinKeeper::note(const World& world, const Team& team) {
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b)
    if (wanted_[std::size_t(b)])
      std::copy_n(world.particles.velocity.begin() + b * particle_block, particle_block,
                  before_.begin() + b * particle_block);
  const Share turns = team.share(turn_rows(world.particles.turns), particle_block);  // as predicted
  std::copy(world.particles.velocity.begin() + world.particles.padded() + turns.begin,
            world.particles.velocity.begin() + world.particles.padded() + turns.end,
            before_.begin() + world.particles.padded() + turns.begin);
  if (team.rank() != 0) return;
  const Bodies& bodies = world.bodies;
  for (std::size_t i = 0; i < body_starts_.size(); ++i)
    body_starts_[i] = {glm::dvec3(bodies.position[i]), glm::dvec3(bodies.velocity[i]),
                       glm::dvec3(bodies.angular_momentum[i]), kinetic_energy(bodies, i)};
}

bool SpinKeeper::takes_part(std::int32_t part) const {
  return !parts_.parts()[std::size_t(part)].held && !touched_.is_touched(part);
}

void SpinKeeper::sum_piece(const World& world, const StaticContacts* colliders, std::size_t number, real h) {
  const ConnectedParts::Piece& piece = parts_.pieces()[number];
  if (!takes_part(piece.part)) return;
  const Particles& particles = world.particles;
  const Whole& whole = wholes_[std::size_t(piece.part)];
  MomentumView<real> view{flat(particles.origin),
                          flat(particles.moved),
                          flat(particles.moved_before),
                          flat(before_),
                          flat(particles.velocity),
                          {},
                          h};
  for (int k = 0; k < 3; ++k) view.center[k] = real(whole.origin[k]);
  kernels_.sum(view, piece.begin, piece.end, piece_sums_.data() + momentum_sums * number);
  if (colliders) add_known_pushes(world, *colliders, number, h);
}

/// The impulses of colliders are part of u. A piece lies within one block of particles.
void SpinKeeper::add_known_pushes(const World& world, const StaticContacts& colliders, std::size_t number,
                                  real h) {
  const ConnectedParts::Piece& piece = parts_.pieces()[number];
  const glm::dvec3 origin = wholes_[std::size_t(piece.part)].origin;
  glm::dvec3 impulse(0.0), turn(0.0);
  for (const StaticContact& contact : colliders.of_block(piece.begin / particle_block)) {
    if (contact.particle < piece.begin || contact.particle >= piece.end || !(contact.pushed > real(0)))
      continue;
    const auto push = colliders.known_push(world, contact);
    if (!push) continue;
    impulse += push->impulse;
    turn += glm::cross(push->place - origin, push->impulse);
  }
  real* const sums = piece_sums_.data() + momentum_sums * number;
  for (int k = 0; k < 3; ++k) {
    sums[momentum_lost + k] += real(impulse[k] / double(h));
    sums[momentum_turn + k] += real(turn[k] / double(h));
  }
}

/// Sums of a body about the position of its centre at the start.
SpinKeeper::Sums SpinKeeper::sums_of_body(const World& world, std::int32_t body, real h) const {
  const std::size_t i = std::size_t(body);
  const Bodies& bodies = world.bodies;
  const BodyStart& start = body_starts_[i];
  const glm::dvec3 v(bodies.velocity[i]), moved = glm::dvec3(bodies.position[i]) - start.place;
  Sums sums;
  sums.mass = 1.0 / double(bodies.position[i].w);
  sums.place = sums.mass * moved;
  sums.slip = sums.mass * (moved - double(h) * v);
  sums.after = sums.mass * v;
  sums.lost = sums.mass * (start.velocity - v);
  sums.turn = start.angular_momentum - glm::dvec3(bodies.angular_momentum[i]) - glm::cross(sums.slip, v);
  sums.spread = sums.mass * moved * moved;
  sums.mixed = sums.mass * glm::dvec3(moved.x * moved.y, moved.x * moved.z, moved.y * moved.z);
  sums.inertia = inertia_in_world(bodies, i);
  sums.spin = glm::dvec3(bodies.angular_momentum[i]) + sums.mass * glm::cross(moved, v);
  sums.energy_before = start.energy, sums.energy = kinetic_energy(bodies, i);
  return sums;
}

std::int32_t SpinKeeper::whole_of(std::int32_t part) {
  while (wholes_[std::size_t(part)].first != part) {
    std::int32_t& up = wholes_[std::size_t(part)].first;
    up = wholes_[std::size_t(up)].first;
    part = up;
  }
  return part;
}

/// Joins parts that pushed each other into one whole; an impulse from outside on one of them counts for all.
void SpinKeeper::join_touching() {
  for (const auto& list : touched_.joined())
    for (const auto& [a, b] : list) {
      const std::int32_t first = whole_of(a), second = whole_of(b);
      wholes_[std::size_t(std::max(first, second))].first = std::min(first, second);
    }
  for (std::size_t p = 0; p < wholes_.size(); ++p) {
    Whole& whole = wholes_[std::size_t(whole_of(std::int32_t(p)))];
    whole.out |= !takes_part(std::int32_t(p));
    whole.bounded |= touched_.is_bounded(std::int32_t(p));
    whole.deforms |= parts_.parts()[p].body < 0;
  }
}

/// Adds the sums of all parts, one after the other. Serial.
void SpinKeeper::add_up(const World& world, real h) {
  for (std::size_t p = 0; p < wholes_.size(); ++p) {
    const std::int32_t first = wholes_[p].first = whole_of(std::int32_t(p));
    Whole& whole = wholes_[std::size_t(first)];
    if (whole.out) continue;
    const ConnectedParts::Part& part = parts_.parts()[p];
    Sums sums;
    if (part.body >= 0) sums = sums_of_body(world, part.body, h);
    for (std::int32_t k = part.first_piece; k < part.end_piece; ++k)
      sums.add(piece_sums_.data() + momentum_sums * std::size_t(k));
    whole.sums.add(sums, wholes_[p].origin - whole.origin);
  }
  for_turns(world, [&](std::size_t row, Whole& whole) {
    const double inertia = 1.0 / double(world.particles.moved[row].w);
    whole.sums.turn += inertia * (glm::dvec3(before_[row]) - glm::dvec3(world.particles.velocity[row]));
    whole.sums.inertia += glm::dmat3(inertia);
  });
}

/// Calls act(row, whole) for the orientations of rods that are free.
template <class Act>
void SpinKeeper::for_turns(const World& world, const Act& act) {
  const RodMatter& rods = world.topology->rods;
  for (std::size_t t = 0; t < rods.home.size(); ++t) {
    const std::size_t row = std::size_t(rods.first_row) + t;
    const std::int32_t part = parts_.of_particle()[std::size_t(rods.home[t])];
    if (part < 0 || world.particles.moved[row].w == real(0)) continue;
    if (Whole& whole = wholes_[std::size_t(wholes_[std::size_t(part)].first)]; !whole.out) act(row, whole);
  }
}

/// Solves for the rigid motion that restores the lost momenta. With e = p - x - h v the centre at the start
/// is c - h V - sum m e / M, so the loss of angular momentum about the centres is
///
///   sum m ((x - o) x d - e x v) + (sum m e x V + (sum m e + h sum m v) x D - sum m (p - o) x D) / M,
///
/// with D = sum m d, about the origin o at rest.
void SpinKeeper::solve(Whole& whole, double h) {
  const Sums& s = whole.sums;
  const glm::dvec3 c = s.place / s.mass, moved = s.slip + h * s.after;
  const glm::dvec3 lost =
      s.turn + (glm::cross(s.slip, s.after) + glm::cross(moved, s.lost)) / s.mass - glm::cross(c, s.lost);
  const glm::dvec3 spread = s.spread - s.mass * c * c;
  const glm::dvec3 mixed = s.mixed - s.mass * glm::dvec3(c.x * c.y, c.x * c.z, c.y * c.z);
  const glm::dmat3 inertia =
      glm::dmat3(spread.x + spread.y + spread.z) - symmetric(spread, mixed) + s.inertia;
  whole.turn = turned_by(inertia, lost);
  whole.shift = s.lost / s.mass;
  whole.center = whole.origin + c;
  if (!whole.bounded) return;
  const double share = whole.deforms ? 0.0 : share_within_energy(whole, inertia);
  whole.turn *= share, whole.shift *= share;
}

/// Share s of the rigid motion that a group of bodies can get without exceeding its energy: the root of a s^2
/// + b s = the remaining energy.
double SpinKeeper::share_within_energy(const Whole& whole, const glm::dmat3& inertia) {
  constexpr double slack = 1e-4;
  const Sums& s = whole.sums;
  const glm::dvec3 spin = s.spin - glm::cross(s.place / s.mass, s.after);
  const double a = 0.5 *
                   (s.mass * glm::dot(whole.shift, whole.shift) + glm::dot(whole.turn, inertia * whole.turn)),
               b = glm::dot(whole.shift, s.after) + glm::dot(whole.turn, spin),
               room = std::max((1.0 + slack) * s.energy_before - s.energy, 0.0);
  if (a + b <= room) return 1.0;
  return a > 0.0 ? std::clamp((std::sqrt(b * b + 4.0 * a * room) - b) / (2.0 * a), 0.0, 1.0) : 0.0;
}

/// Adds the rigid motion of `whole` to `rows` of particles at `places`, relative to their origins.
void SpinKeeper::correct_piece(const World& world, std::size_t number, const Whole& whole,
                               AlignedVector<vec4>& rows, const AlignedVector<vec4>& places) const {
  const ConnectedParts::Piece& piece = parts_.pieces()[number];
  RigidMotionRow<real> motion;
  for (int k = 0; k < 3; ++k) {
    motion.shift[k] = real(whole.shift[k]), motion.turn[k] = real(whole.turn[k]);
    motion.center[k] = real(whole.center[k]);
  }
  kernels_.add(motion, piece.begin, piece.end, flat(world.particles.origin), flat(places), flat(rows));
}

void SpinKeeper::correct_body(World& world, std::int32_t body, const Whole& whole) const {
  if (whole.out) return;
  const std::size_t i = std::size_t(body);
  const glm::dvec3 arm = glm::dvec3(world.bodies.position[i]) - whole.center;
  const glm::dvec3 L = inertia_in_world(world.bodies, i) * whole.turn;
  world.bodies.velocity[i] += vec4(vec3(whole.shift + glm::cross(whole.turn, arm)), real(0));
  world.bodies.angular_momentum[i] += vec4(vec3(L), real(0));
}

void SpinKeeper::give_back(World& world, const StaticContacts* colliders, real h, Team& team) {
  const Share pieces = team.share(std::int64_t(parts_.pieces().size())),
              parts = team.share(std::int64_t(wholes_.size()));
  for (std::int64_t p = parts.begin; p < parts.end; ++p) {
    const ConnectedParts::Part& part = parts_.parts()[std::size_t(p)];
    Whole& whole = wholes_[std::size_t(p)] = {.first = part.group};
    whole.origin =
        part.body >= 0
            ? body_starts_[std::size_t(part.body)].place
            : glm::dvec3(
                  world.particles.origin[std::size_t(parts_.pieces()[std::size_t(part.first_piece)].begin)]);
    if (part.body >= 0 && is_bounded(world, std::size_t(part.body))) touched_.touch(std::int32_t(p));
  }
  team.barrier();
  for (std::int64_t k = pieces.begin; k < pieces.end; ++k) sum_piece(world, colliders, std::size_t(k), h);
  team.barrier();
  if (team.rank() == 0) {
    join_touching();
    add_up(world, h);
  }
  team.barrier();
  for (std::int64_t p = parts.begin; p < parts.end; ++p)
    if (Whole& whole = wholes_[std::size_t(p)]; whole.first == std::int32_t(p) && !whole.out)
      solve(whole, double(h));
  team.barrier();
  for (std::int64_t k = pieces.begin; k < pieces.end; ++k) {
    const std::size_t part = std::size_t(parts_.pieces()[std::size_t(k)].part);
    const Whole& whole = wholes_[std::size_t(wholes_[part].first)];
    if (!whole.out)
      correct_piece(world, std::size_t(k), whole, world.particles.velocity, world.particles.moved);
  }
  for (std::int64_t p = parts.begin; p < parts.end; ++p)
    if (const std::int32_t body = parts_.parts()[std::size_t(p)].body; body >= 0)
      correct_body(world, body, wholes_[std::size_t(wholes_[std::size_t(p)].first)]);
  if (team.rank() == 0) {
    for_turns(world, [&](std::size_t row, const Whole& whole) {
      world.particles.velocity[row] += vec4(vec3(whole.turn), real(0));
    });
    touched_.clear();
  }
}

/// Whether pressure acts on a part whose particles all move freely.
bool SpinKeeper::is_balanced(const World& world, std::int32_t number) const {
  const ConnectedParts::Part& part = parts_.parts()[std::size_t(number)];
  if (part.held || part.body >= 0) return false;
  const std::int32_t first = parts_.pieces()[std::size_t(part.first_piece)].begin,
                     object = world.particles.object[std::size_t(first)];
  return object >= 0 && world.matter.volume_goals[std::size_t(object)].volume > real(0);
}

void SpinKeeper::note_pushes(const World& world, const Team& team) {
  const Share pieces = team.share(std::int64_t(parts_.pieces().size()));
  for (std::int64_t k = pieces.begin; k < pieces.end; ++k) {
    const ConnectedParts::Piece& piece = parts_.pieces()[std::size_t(k)];
    if (!is_balanced(world, piece.part)) continue;
    std::copy(world.particles.moved.begin() + piece.begin, world.particles.moved.begin() + piece.end,
              pushed_from_.begin() + piece.begin);
  }
}

/// The corrections dp of an iteration change the velocities of line (13) by dp / h at the positions x of the
/// substep's start. Each of them has no torque about the point where it acts, but they act one after the
/// other, and about x their sum is
///
///   T = sum m x x dp,
///
/// T is of second order in dp: zero if constraints are satisfied, but a steady torque if a skin and the
/// pressure inside work against each other by a share of its size in every substep. With friction a balloon
/// then rolls, faster with more substeps. A rigid motion of the positions x cancels T, and sum m dp as well.
void SpinKeeper::balance_pushes(World& world, Team& team) {
  const Share pieces = team.share(std::int64_t(parts_.pieces().size())),
              parts = team.share(std::int64_t(balances_.size()));
  const Particles& particles = world.particles;
  for (std::int64_t k = pieces.begin; k < pieces.end; ++k) {
    const ConnectedParts::Piece& piece = parts_.pieces()[std::size_t(k)];
    if (!is_balanced(world, piece.part)) continue;
    const ConnectedParts::Part& part = parts_.parts()[std::size_t(piece.part)];
    const vec4& origin = particles.origin[std::size_t(parts_.pieces()[std::size_t(part.first_piece)].begin)];
    const MomentumView<real> view{flat(particles.origin),
                                  flat(particles.moved_before),
                                  flat(particles.moved_before),
                                  flat(pushed_from_),
                                  flat(particles.moved),
                                  {origin.x, origin.y, origin.z},
                                  real(0)};
    kernels_.sum(view, piece.begin, piece.end, piece_sums_.data() + momentum_sums * std::size_t(k));
  }
  team.barrier();
  for (std::int64_t p = parts.begin; p < parts.end; ++p) {
    if (!is_balanced(world, std::int32_t(p))) continue;
    const ConnectedParts::Part& part = parts_.parts()[std::size_t(p)];
    Whole& whole = balances_[std::size_t(p)] = {};
    whole.origin =
        glm::dvec3(particles.origin[std::size_t(parts_.pieces()[std::size_t(part.first_piece)].begin)]);
    for (std::int32_t k = part.first_piece; k < part.end_piece; ++k)
      whole.sums.add(piece_sums_.data() + momentum_sums * std::size_t(k));
    solve(whole, 0.0);
  }
  team.barrier();
  for (std::int64_t k = pieces.begin; k < pieces.end; ++k)
    if (const std::int32_t part = parts_.pieces()[std::size_t(k)].part; is_balanced(world, part))
      correct_piece(world, std::size_t(k), balances_[std::size_t(part)], world.particles.moved,
                    particles.moved_before);
}

}}  // namespace limber::LIMBER_PRECISION
