// Joints that a substep left apart are brought together: positions alone, by a damped Newton iteration.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/contact/bodies/body_contact.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/parts/bodies/joints/joint_solver.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr double square(double x) { return x * x; }

constexpr int most_newton_steps = 16;
constexpr double held = 1e-5, nearly_held = 1e-4;  // m or rad, of all rows of an island together
constexpr double longest_turn = 0.25;              // rad, of a body in a Newton step
constexpr double first_mending_damping = 1e-6, most_mending_damping = 1e6, mending_damping_factor = 100.0;
constexpr double smallest_gain = 0.99;  // of an error, that a step worth another one leaves
/// Shares of the way that bodies are given: from the start of the substep the joints can always be held.
constexpr double ways[] = {1.0, 0.5, 0.25, 0.0};

glm::dvec3 shortened(const glm::dvec3& v, double most) {
  const double length = glm::length(v);
  return length > most ? (most / length) * v : v;
}

/// A rotation by about `turn`, rad, whatever its length.
glm::dvec4 small_turn(const glm::dvec3& turn) {
  const glm::dvec4 q(0.5 * turn, 1.0);
  return q / std::sqrt(glm::dot(q, q));
}

/// Error of a row whose value is `value`. Rows with compliance have none.
double error_of(const IslandRow& row, double value) {
  if (row.softness > 0.0) return 0.0;
  const double low = row.bounded ? row.low + std::min(row.goal, 0.0) : row.goal,
               high = row.bounded ? row.high + std::max(row.goal, 0.0) : row.goal;
  return value - std::clamp(value, low, high);
}

/// Visits every row with its error at the poses IslandBody::predicted.
template <class Visit>
void visit_errors(const World& world, JointIsland& island, const Visit& visit) {
  for (IslandLink& link : island.links) {
    if (link.count == 0) continue;
    double values[most_joint_rows];
    const Joint& joint = world.topology->joints[std::size_t(link.joint)];
    joint_values(joint, world.settings.joint_materials[std::size_t(joint.source)],
                 island.bodies[std::size_t(link.a)].predicted, island.bodies[std::size_t(link.b)].predicted,
                 values);
    for (int r = 0; r < link.count; ++r) visit(link.rows[r], error_of(link.rows[r], values[r]));
  }
}

/// Computes every row's error at the present poses and notes it in the row; returns the sum of squares.
double measure_error(const World& world, JointIsland& island) {
  double sum = 0.0;
  visit_errors(world, island, [&](IslandRow& row, double error) {
    row.missing = error;
    row.mode = row.softness > 0.0 || (row.bounded && error == 0.0) ? RowMode::idle : RowMode::held;
    sum += error * error;
  });
  return sum;
}

/// Moves the bodies by a share of their displacements, within the limits of a substep: those by which
/// BodySolver::move_mended shortens them, or else the poses that are mended here are not those of its end.
void displace(const World& world, JointIsland& island, double share) {
  const double farthest = world.bodies.joint_step * world.settings.solver.motion->max_speed;
  for (IslandBody& body : island.bodies) {
    if (!body.movable) continue;
    body.predicted = displaced(body.pose, share * shortened(body.shift, farthest),
                               share * shortened(body.turn, double(most_turn)));
  }
}

/// x <- x + M^-1 J^T (J M^-1 J^T + damping)^-1 (-C), the least motion by mass.
void newton_step(const World& world, JointIsland& island, double damping) {
  for (IslandLink& link : island.links) {
    if (link.count == 0) continue;
    const Joint& joint = world.topology->joints[std::size_t(link.joint)];
    const IslandBody &a = island.bodies[std::size_t(link.a)], &b = island.bodies[std::size_t(link.b)];
    JointRow gradients[most_joint_rows];
    joint_gradients(joint, world.settings.joint_materials[std::size_t(joint.source)], a.predicted,
                    b.predicted, gradients);
    for (int r = 0; r < link.count; ++r) {
      static_cast<JointRow&>(link.rows[r]) = gradients[r];
      link.rows[r].turn_a = a.inverse_inertia * gradients[r].arm_a;
      link.rows[r].turn_b = b.inverse_inertia * gradients[r].arm_b;
    }
  }
  island.damping = damping;
  factor(island);
  for (std::size_t k = 0; k < island.links.size(); ++k)
    for (int r = 0; r < island.links[k].count; ++r)
      island.solution[k * BlockCholesky::most + std::size_t(r)] = -island.links[k].rows[r].missing;
  island.matrix.solve(island.sizes, island.solution);
  for (IslandBody& body : island.bodies) body.kept_shift = body.kept_turn = glm::dvec3(0.0);
  for (std::size_t k = 0; k < island.links.size(); ++k) {
    const IslandLink& link = island.links[k];
    IslandBody &a = island.bodies[std::size_t(link.a)], &b = island.bodies[std::size_t(link.b)];
    for (int r = 0; r < link.count; ++r) {
      const IslandRow& row = link.rows[r];
      if (row.mode == RowMode::idle) continue;
      const double lambda = island.solution[k * BlockCholesky::most + std::size_t(r)];
      a.kept_shift += (a.w * lambda) * row.l, a.kept_turn += lambda * row.turn_a;
      b.kept_shift -= (b.w * lambda) * row.l, b.kept_turn -= lambda * row.turn_b;
    }
  }
  double most = square(longest_turn);
  for (const IslandBody& body : island.bodies)
    if (body.movable) most = std::max(most, glm::dot(body.kept_turn, body.kept_turn));
  const double share = longest_turn / std::sqrt(most);
  for (IslandBody& body : island.bodies)
    if (body.movable)
      body.predicted = {body.predicted.position + share * body.kept_shift,
                        matrix_of(small_turn(share * body.kept_turn)) * body.predicted.rotation};
}

/// Levenberg and Marquardt: steps that take the joints farther apart are taken back and damped. Returns the
/// sum of squares of the remaining errors.
double bring_together(const World& world, JointIsland& island) {
  double error = measure_error(world, island), damping = 0.0;
  for (int k = 0; k < most_newton_steps && error > square(held); ++k) {
    for (IslandBody& body : island.bodies) body.before = body.predicted;
    newton_step(world, island, damping);
    const double now = measure_error(world, island);
    if (now < error) {
      if (damping == 0.0 && now > smallest_gain * error) return now;  // they contradict each other
      error = now;
      damping = damping > first_mending_damping ? damping / mending_damping_factor : 0.0;
      continue;
    }
    for (IslandBody& body : island.bodies) body.predicted = body.before;
    measure_error(world, island);
    if (damping > most_mending_damping) break;
    damping = std::max(first_mending_damping, damping * mending_damping_factor);
  }
  return error;
}

}  // namespace

void aim_at_start(JointIsland& island) {
  for (IslandLink& link : island.links)
    for (int r = 0; r < link.count; ++r) {
      IslandRow& row = link.rows[r];
      const double error = row.bounded ? row.start - std::clamp(row.start, row.low, row.high) : row.start;
      row.goal = error - std::clamp(error, -row.fastest, row.fastest);
    }
}

double predicted_error(const World& world, JointIsland& island) {
  displace(world, island, 1.0);
  double sum = 0.0;
  visit_errors(world, island, [&](const IslandRow&, double error) { sum += error * error; });
  return sum;
}

/// Notes the difference between the mended poses and those to which dx and theta would have led.
void JointSolver::note_mending(JointIsland& island) {
  for (IslandBody& body : island.bodies) {
    if (!body.movable) continue;
    Mending& mending = mending_[std::size_t(body.number)];
    mending.any = true;
    mending.shift = body.predicted.position - body.before.position;
    mending.turn = precise_quaternion_of(body.predicted.rotation * glm::transpose(body.before.rotation));
  }
}

void JointSolver::mend_island(World& world, JointIsland& island) {
  for (const IslandBody& body : island.bodies)
    if (body.movable) mending_[std::size_t(body.number)].any = false;
  if (!island.whole) return;
  aim_at_start(island);
  displace(world, island, 1.0);
  const double left = measure_error(world, island);
  if (!(left > square(held))) return;
  island.rough |= !(left < square(nearly_held));
  for (IslandBody& body : island.bodies) body.predicted = body.pose;
  const double at_start = std::max(measure_error(world, island), square(nearly_held));
  for (const double way : ways) {
    displace(world, island, way);
    if (bring_together(world, island) <= at_start) break;
  }
  for (IslandBody& body : island.bodies) body.before = body.predicted;
  displace(world, island, 1.0);
  for (IslandBody& body : island.bodies) std::swap(body.before, body.predicted);
  note_mending(island);
}

void JointSolver::mend(World& world, vec4* rows, const Team& team) {
  const auto nothing_to_mend = [&](const JointIsland& island) {
    for (const IslandBody& body : island.bodies)
      if (body.movable) mending_[std::size_t(body.number)].any = false;
  };
  visit_trees(
      team,
      [&](JointTreeGroup& group) {
        const unsigned smooth = smooth_lanes(group);
        unsigned left = 0;
        for (std::size_t l = 0; l < group.islands().size(); ++l) {
          JointIsland& island = islands_[std::size_t(group.islands()[l])];
          if (((smooth >> l) & 1u) && group.is_held(rows, int(l))) {
            if (group.mended(int(l))) nothing_to_mend(island);
            group.note_mended(int(l), false);
            continue;
          }
          left |= 1u << l;
          group.note_mended(int(l), true);
          if (!island.rough && !island.asleep) load(world, rows, world.bodies.joint_step, island);
        }
        return left;
      },
      [&](JointIsland& island) {
        load_motion(rows, island);
        mend_island(world, island);
      });
}

}}  // namespace limber::LIMBER_PRECISION
