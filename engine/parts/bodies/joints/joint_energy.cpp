// Bounds on the energy of joints, for substeps in which their equations have no good solution.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/contact/bodies/body_contact.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/kernels/joint_limits.hpp"
#include "engine/parts/bodies/joints/joint_solver.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr double first_damping = 1e-6, most_damping = 1e4, damping_factor = 100.0;

/// Twice the kinetic energy of the displacements, kg m^2.
double energy(const JointIsland& island) {
  double sum = 0.0;
  for (const IslandBody& body : island.bodies)
    if (body.movable)
      sum += glm::dot(body.shift, body.shift) / body.w + glm::dot(body.turn, body.own_inertia * body.turn);
  return sum;
}

/// Twice the work that motors and springs have done, kg m^2: an impulse times the mean of the motion before
/// and after it, of a motor no faster than it aims to go.
double motor_work(const JointIsland& island) {
  double sum = 0.0;
  for (const IslandLink& link : island.links)
    for (int r = 0; r < link.count; ++r) {
      const IslandRow& row = link.rows[r];
      double now = motion_along(island, link, row);
      if (row.drive > 0.0)
        now = std::clamp(now, std::min(row.aim, row.free), std::max(row.aim, row.free));
      else if (row.softness == 0.0)
        continue;
      const double lambda = row.drive > 0.0 ? std::clamp(row.lambda, -row.drive, row.drive) : row.lambda;
      sum += std::max(0.0, lambda * (row.free + now));
    }
  return sum;
}

/// The largest turn of a body in the substep, rad.
double largest_turn(const JointIsland& island) {
  double square = 0.0;
  for (const IslandBody& body : island.bodies)
    if (body.movable) square = std::max(square, glm::dot(body.turn, body.turn));
  return std::sqrt(square);
}

}  // namespace

/// Joints have done nothing in this substep, and begin the next one with nothing.
void JointSolver::forget(JointIsland& island) {
  for (const IslandBody& body : island.bodies)
    if (body.movable) pushed_[std::size_t(body.number)] = turned_[std::size_t(body.number)] = glm::dvec3(0.0);
  for (IslandLink& link : island.links)
    for (int r = 0; r < link.count; ++r) link.rows[r].lambda = 0.0;
}

/// The motion without joints.
void JointSolver::take_out(JointIsland& island) {
  for (IslandBody& body : island.bodies) {
    if (!body.movable) continue;
    body.shift -= body.w * pushed_[std::size_t(body.number)],
        body.turn -= glm::dvec3(turned_[std::size_t(body.number)]);
  }
  forget(island);
}

/// Energy of the motion without joints; notes that motion's rate along each row.
double JointSolver::free_energy(JointIsland& island) {
  for (IslandBody& body : island.bodies) {
    if (!body.movable) continue;
    const std::size_t i = std::size_t(body.number);
    body.kept_shift = body.shift - body.w * pushed_[i], body.kept_turn = body.turn - turned_[i];
  }
  const auto swap = [&] {
    for (IslandBody& body : island.bodies)
      if (body.movable) std::swap(body.shift, body.kept_shift), std::swap(body.turn, body.kept_turn);
  };
  swap();
  const double free = energy(island);
  for (IslandLink& link : island.links)
    for (int r = 0; r < link.count; ++r) link.rows[r].free = motion_along(island, link, link.rows[r]);
  swap();
  return free;
}

/// Takes back the last Newton step of push.
void JointSolver::step_back(JointIsland& island) {
  for (IslandLink& link : island.links)
    for (int r = 0; r < link.count; ++r) {
      IslandRow& row = link.rows[r];
      apply(island, link, row, row.before - row.lambda);
      row.lambda = row.before;
    }
}

/// More Newton steps of push, with the gradients of the substep's start, until the joints are held; true if
/// they are. An error that push left would be mended without a velocity (mend()): a turn without its share of
/// the angular momentum, which slim bodies take up as a spin about their own axes.
///
/// An impulse at the arm of the start also turns a body about its axis in the middle of its turn t, against
/// the inertia I_axis there, so steps converge at a rate of about (t/2)^2 I / I_axis. In a loop near a change
/// point they converge by halves, to impulses without bounds: a step that is not sure to converge is taken
/// back.
bool JointSolver::push_until_held(const World& world, JointIsland& island) {
  constexpr double most_left = JointLimits::held_by_push * JointLimits::held_by_push;
  const double gain = island.closed ? JointLimits::gain_in_loop : JointLimits::gain_in_tree;
  double error = predicted_error(world, island);
  for (int step = 0; step < JointLimits::most_push_steps && error >= most_left; ++step) {
    for (IslandLink& link : island.links)
      for (int r = 0; r < link.count; ++r) link.rows[r].before = link.rows[r].lambda;
    solve(world, island, JointStage::push);
    const double now = predicted_error(world, island);
    if (!(now < std::max(gain * gain * error, most_left))) {
      step_back(island);
      return false;
    }
    error = now;
  }
  return error < most_left;
}

/// Pushes within a bound on the energy. Impulses along J of the substep's start that end J u there take
/// energy; they may add the energy of the path's bend. A larger step results where an error is to be
/// corrected in a direction that hardly changes it: then the system is damped until the step is within the
/// bound.
void JointSolver::push_within(const World& world, vec4* rows, JointIsland& island) {
  const double free = free_energy(island);
  double turn = 0.0, mass = 0.0;
  for (const IslandBody& body : island.bodies)
    if (body.movable) turn = std::max(turn, glm::dot(body.kept_turn, body.kept_turn)), mass += 1.0 / body.w;
  const double most =
      free * (1.0 + std::min(turn, 1.0)) + mass * JointLimits::way_of_errors * JointLimits::way_of_errors;
  solve(world, island, JointStage::push);
  aim_at_start(island);
  for (int k = 0; turn < JointLimits::most_sure_turn * JointLimits::most_sure_turn &&
                  largest_turn(island) < JointLimits::most_sure_turn && push_until_held(world, island) &&
                  k < JointLimits::most_follow && follow_turns(world, rows, island);)
    ++k;
  for (double damping = first_damping; !(energy(island) <= most + motor_work(island));
       damping *= damping_factor) {
    island.rough = true;
    take_out(island);
    if (damping > most_damping) return;
    solve(world, island, JointStage::push, damping);
  }
}

/// Settles an island in a rough substep. The projection on J u = 0 takes energy; the remaining energy may not
/// exceed the energy of the motion without joints, the work of motors and the loss of height. The admissible
/// motion nearest to the projection of u is a mean of that projection and of the projection of the motion
/// without joints.
///
/// Momenta are taken with the inertia at the bodies' present orientation, not at the predicted middle of a
/// turn: the same momentum about an axis of less inertia could be many times the energy.
void JointSolver::settle_within(const World& world, JointIsland& island, vec4* rows) {
  const double h = world.bodies.joint_step;
  double start = 0.0, free = 0.0, down = 0.0;
  for (IslandBody& body : island.bodies) {
    if (!body.movable) continue;
    const std::size_t i = std::size_t(body.number);
    const glm::dvec3 inverse(vec3(world.bodies.inverse_inertia[i])), v(vec3(world.bodies.velocity[i])),
        L = h * glm::dvec3(vec3(world.bodies.angular_momentum[i]));
    const glm::dmat3 middle = matrix_of(glm::dvec4(rows[body_rows * i + row_middle])), r = body.pose.rotation;
    const glm::dvec3 own = glm::transpose(middle) * L, turn = middle * (inverse * own);
    start += h * h * glm::dot(v, v) / body.w + glm::dot(own, inverse * own);
    const glm::dvec3 free_shift = body.shift - body.w * pushed_[i],
                     free_turn = glm::transpose(middle) * (body.turn - turned_[i]);
    free += glm::dot(free_shift, free_shift) / body.w + glm::dot(free_turn, free_turn / inverse);
    const glm::dvec3 mended = mending_[i].any ? mending_[i].shift : glm::dvec3(0.0);
    down += 2.0 * h * h * glm::dot(world.settings.solver.motion->gravity, pushed_[i] + mended / body.w);
    body.inverse_inertia =
        r * glm::dmat3(inverse.x, 0, 0, 0, inverse.y, 0, 0, 0, inverse.z) * glm::transpose(r);
    body.inertia = body.own_inertia = glm::inverse(body.inverse_inertia);
    turned_[i] += turn - body.inverse_inertia * L;
    rows[body_rows * i + row_middle] = world.bodies.orientation[i];
    set_inertia(rows, body);
  }
  turn_by_inertia(island);
  free_energy(island);
  solve(world, island, JointStage::settle);
  const double allowed = std::max(0.0, std::min(start, free) + down + motor_work(island));
  if (!(energy(island) <= allowed)) share_motion(world, island, allowed);
  for (IslandLink& link : island.links)
    for (int r = 0; r < link.count; ++r) link.rows[r].lambda = 0.0;  // none to go on with
}

/// The mean of the motion and of the projection of that without joints, nearest to the former, that has no
/// more energy than `most`; if there is none the latter, made slower.
void JointSolver::share_motion(const World& world, JointIsland& island, double most) {
  for (IslandBody& body : island.bodies) body.kept_shift = body.shift, body.kept_turn = body.turn;
  take_out(island);
  solve(world, island, JointStage::settle);
  double a = 0.0, b = 0.0, c = energy(island) - most;  // of a s^2 + 2 b s + c = 0
  const double slower = c > 0.0 ? std::sqrt(most / (c + most)) : 1.0;
  for (IslandBody& body : island.bodies) {
    if (!body.movable) continue;
    const glm::dvec3 shift = body.kept_shift - body.shift, turn = body.kept_turn - body.turn;
    a += glm::dot(shift, shift) / body.w + glm::dot(turn, body.inertia * turn);
    b += glm::dot(shift, body.shift) / body.w + glm::dot(turn, body.inertia * body.turn);
  }
  const double share =
      c < 0.0 && a > 0.0 ? std::clamp((std::sqrt(std::max(b * b - a * c, 0.0)) - b) / a, 0.0, 1.0) : 0.0;
  for (IslandBody& body : island.bodies) {
    if (!body.movable) continue;
    const std::size_t i = std::size_t(body.number);
    const glm::dvec3 shift = slower * (body.shift + share * (body.kept_shift - body.shift)),
                     turn = slower * (body.turn + share * (body.kept_turn - body.turn));
    pushed_[i] += (shift - body.shift) / body.w, turned_[i] += turn - body.turn;
    body.shift = shift, body.turn = turn;
  }
}

}}  // namespace limber::LIMBER_PRECISION
