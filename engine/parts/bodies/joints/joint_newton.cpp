// Newton steps of an island: its rows and their errors, the active set of bounds, the matrix and its
// solution.
#include <algorithm>
#include <glm/geometric.hpp>

#include "engine/core/settings/contact.hpp"
#include "engine/kernels/joint_limits.hpp"
#include "engine/parts/bodies/joints/joint_solver.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Softness of motors as a share of the row's own inverse mass. Where a motor drives a motion that other
/// joints lock, the motor must not be taken for the row that holds and one of the joints' rows for the
/// dependent one (BlockCholesky::redundant).
constexpr double give_of_motors = 1e-3;

/// Softness, bounds and motor of a row, whose gradient, value and multiplier are known.
void make_row(const World& world, const JointMaterial& material, IslandRow& row, double h) {
  const bool rope = material.pulls_only;
  const double compliance = row.bounded && !rope ? 0.0
                            : row.angular        ? material.angular_compliance
                                                 : material.compliance;
  const double gamma = compliance * material.damping / h;
  row.softness = compliance / (h * h) / (1.0 + gamma);
  row.damped = gamma / (1.0 + gamma);
  row.fastest =
      h * (row.angular ? JointLimits::most_turn_back : world.settings.solver.contact->depenetration_speed);
  if (!row.bounded) return;
  row.low = rope ? -JointMaterial::none : material.low;
  row.high = rope ? 0.0 : material.high;
  row.drive = material.drive * h * h;
  row.aim = material.speed * h;
  row.mode = RowMode::idle;
  // a bound pushes only where it is reached: the world vector has turned against the row, settings may have
  // changed
  if (row.start > row.low) row.lambda = std::min(row.lambda, row.drive);
  if (row.start < row.high) row.lambda = std::max(row.lambda, -row.drive);
}

/// Chooses the mode of a row with bounds, and its error. Beyond a bound the row is pushed back, by a motor
/// too if the motor acts the same way; a motor at its limit is left alone. A motor that would drive the row
/// beyond a bound presses it there: otherwise bound and motor took turns, and the last pass left a body at
/// its stop with the motor's speed.
void choose(IslandRow& row, double value, double motion, JointStage stage) {
  double below = value - row.low, above = value - row.high;  // beyond a bound: < 0, > 0
  if (stage == JointStage::push) {
    below -= std::min(0.0, row.start - row.low + row.fastest);
    above -= std::max(0.0, row.start - row.high - row.fastest);
  } else {
    below = motion + std::max(row.start - row.low, 0.0);
    above = motion + std::min(row.start - row.high, 0.0);
  }
  const double none = JointMaterial::none, T = row.drive;
  if (row.low == row.high) {  // locked: whatever the motor does, the bounds take
    row.mode = RowMode::at_low, row.least = -none, row.most = none;
    row.missing = below < 0.0 ? below : std::max(above, 0.0);
    return;
  }
  const bool driven = T > 0.0;
  const bool to_low = driven && row.aim < motion - below, to_high = driven && row.aim > motion - above;
  const bool low = below < 0.0 || ((row.lambda > T || to_low) && !(above > 0.0));
  if (low) {
    row.mode = RowMode::at_low, row.missing = below;
    row.least = row.aim > motion - below ? T : -T, row.most = none;
  } else if (above > 0.0 || row.lambda < -T || to_high) {
    row.mode = RowMode::at_high, row.missing = above;
    row.least = -none, row.most = row.aim < motion - above ? -T : T;
  } else {
    row.missing = motion - row.aim;
    row.least = -T, row.most = T;
    const bool spent = (row.lambda >= T && row.missing < 0.0) || (row.lambda <= -T && row.missing > 0.0);
    row.mode = T == 0.0 || spent ? RowMode::idle : RowMode::driven;
    return;
  }
  if (stage == JointStage::push)
    row.missing = (1.0 - row.damped) * row.missing + row.damped * motion + row.softness * row.lambda;
  else if (row.softness > 0.0)
    row.mode = RowMode::idle;
}

double next_lambda(const JointIsland& island, std::size_t link, int r) {
  return island.links[link].rows[r].lambda + island.solution[link * BlockCholesky::most + std::size_t(r)];
}

}  // namespace

void make_rows(const World& world, JointIsland& island, double h) {
  island.factored = island.bounded = false;
  island.damping = 0.0;
  for (std::size_t k = 0; k < island.links.size(); ++k) {
    IslandLink& link = island.links[k];
    const std::size_t j = std::size_t(link.joint);
    const Joint& joint = world.topology->joints[j];
    const JointMaterial& material = world.settings.joint_materials[std::size_t(joint.source)];
    const JointState& state = world.bodies.joints[j];
    const IslandBody &a = island.bodies[std::size_t(link.a)], &b = island.bodies[std::size_t(link.b)];
    link.count = state.broken ? 0 : joint_rows(joint, material);
    island.sizes[k] = std::uint8_t(link.count);
    if (link.count == 0) continue;
    JointRow gradients[most_joint_rows];
    double values[most_joint_rows];
    joint_gradients(joint, material, a.pose, b.pose, gradients);
    joint_values(joint, material, a.pose, b.pose, values);
    for (int r = 0; r < link.count; ++r) {
      IslandRow& row = link.rows[r] = IslandRow{gradients[r]};
      row.turn_a = a.inverse_inertia * row.arm_a, row.turn_b = b.inverse_inertia * row.arm_b;
      row.start = values[r];
      row.lambda = row.angular ? glm::dot(state.twist, row.arm_a) : glm::dot(state.push, row.l);
      make_row(world, material, row, h);
      island.bounded |= row.bounded;
    }
  }
}

void JointSolver::apply(JointIsland& island, const IslandLink& link, const IslandRow& row, double lambda) {
  IslandBody &a = island.bodies[std::size_t(link.a)], &b = island.bodies[std::size_t(link.b)];
  if (a.movable) {
    a.shift += (a.w * lambda) * row.l, a.turn += lambda * row.turn_a;
    pushed_[std::size_t(a.number)] += lambda * row.l, turned_[std::size_t(a.number)] += lambda * row.turn_a;
  }
  if (b.movable) {
    b.shift -= (b.w * lambda) * row.l, b.turn -= lambda * row.turn_b;
    pushed_[std::size_t(b.number)] -= lambda * row.l, turned_[std::size_t(b.number)] -= lambda * row.turn_b;
  }
}

double motion_along(const JointIsland& island, const IslandLink& link, const IslandRow& row) {
  const IslandBody &a = island.bodies[std::size_t(link.a)], &b = island.bodies[std::size_t(link.b)];
  return glm::dot(row.l, a.shift - b.shift) + glm::dot(row.arm_a, a.turn) - glm::dot(row.arm_b, b.turn);
}

/// Computes the rows' values at the bodies' present poses, and the displacement J u so far. Once in a solve:
/// while bounds are sought, values follow J u, or else a step that no bound has cut off yet would be taken
/// for real.
void evaluate(const World& world, JointIsland& island, JointStage stage) {
  if (stage == JointStage::push)
    for (IslandBody& body : island.bodies)
      if (body.movable) body.predicted = displaced(body.pose, body.shift, body.turn);
  for (IslandLink& link : island.links) {
    if (link.count == 0) continue;
    double values[most_joint_rows];
    const Joint& joint = world.topology->joints[std::size_t(link.joint)];
    if (stage == JointStage::push)
      joint_values(joint, world.settings.joint_materials[std::size_t(joint.source)],
                   island.bodies[std::size_t(link.a)].predicted, island.bodies[std::size_t(link.b)].predicted,
                   values);
    for (int r = 0; r < link.count; ++r) {
      IslandRow& row = link.rows[r];
      row.beyond = stage == JointStage::push ? values[r] - motion_along(island, link, row) : row.start;
      row.spent = false;
    }
  }
}

bool find_missing(JointIsland& island, JointStage stage) {
  bool more = false;
  for (IslandLink& link : island.links)
    for (int r = 0; r < link.count; ++r) {
      IslandRow& row = link.rows[r];
      const double now = motion_along(island, link, row);
      if (row.spent) {
        row.mode = RowMode::idle;
      } else if (row.bounded) {
        const RowMode before = row.mode;
        choose(row, row.beyond + now, now, stage);
        if (row.mode != before) island.factored = false;
        more |= row.mode != RowMode::idle && row.mode != before;
      } else if (stage == JointStage::push) {
        const double left =
            row.softness > 0.0 ? 0.0 : row.start - std::clamp(row.start, -row.fastest, row.fastest);
        row.missing =
            (1.0 - row.damped) * (row.beyond + now - left) + row.damped * now + row.softness * row.lambda;
      } else {
        row.mode = row.softness > 0.0 ? RowMode::idle : RowMode::held;
        row.missing = now;
      }
    }
  return more;
}

void factor(JointIsland& island) {
  const int stride = island.matrix.stride();
  island.matrix.clear();
  for (std::size_t k = 0; k < island.links.size(); ++k) {
    const IslandLink& link = island.links[k];
    const double w = island.bodies[std::size_t(link.a)].w + island.bodies[std::size_t(link.b)].w;
    double* const block = island.matrix.diagonal(std::int32_t(k));
    for (int r = 0; r < link.count; ++r) {
      const IslandRow& x = link.rows[r];
      if (x.mode == RowMode::idle) {
        block[r * stride + r] = 1.0;
        continue;
      }
      for (int s = 0; s <= r; ++s) {
        const IslandRow& y = link.rows[s];
        if (y.mode == RowMode::idle) continue;
        block[r * stride + s] =
            w * glm::dot(x.l, y.l) + glm::dot(x.arm_a, y.turn_a) + glm::dot(x.arm_b, y.turn_b);
      }
      block[r * stride + r] *= 1.0 + island.damping + (x.mode == RowMode::driven ? give_of_motors : 0.0);
      block[r * stride + r] += x.softness;
    }
  }
  for (const IslandCoupling& c : island.couplings) {
    const IslandLink &i = island.links[std::size_t(c.i)], &j = island.links[std::size_t(c.j)];
    const double sign = c.a_of_i == c.a_of_j ? 1.0 : -1.0, w = island.bodies[std::size_t(c.body)].w;
    const BlockCholesky::Place place = island.matrix.off_diagonal(std::size_t(c.edge));
    for (int r = 0; r < i.count; ++r)
      for (int s = 0; s < j.count; ++s) {
        const IslandRow &x = i.rows[r], &y = j.rows[s];
        if (x.mode == RowMode::idle || y.mode == RowMode::idle) continue;
        const glm::dvec3 &arm = c.a_of_i ? x.arm_a : x.arm_b, &turn = c.a_of_j ? y.turn_a : y.turn_b;
        place.numbers[place.row == c.i ? r * stride + s : s * stride + r] +=
            sign * (w * glm::dot(x.l, y.l) + glm::dot(arm, turn));
      }
  }
  island.matrix.factor(island.sizes);
  island.factored = true;
}

/// Multipliers that the solution would take beyond a bound stop there and leave the system. The other
/// multipliers stay unchanged: their solution assumes more than the bounded ones can give.
bool JointSolver::cut_off(JointIsland& island) {
  bool cut = false;
  for (std::size_t k = 0; k < island.links.size(); ++k)
    for (int r = 0; r < island.links[k].count; ++r) {
      IslandRow& row = island.links[k].rows[r];
      if (!row.bounded || row.mode == RowMode::idle) continue;
      const double next = next_lambda(island, k, r), within = std::clamp(next, row.least, row.most);
      if (within == next) continue;
      apply(island, island.links[k], row, within - row.lambda);
      row.lambda = within;
      row.mode = RowMode::idle, row.spent = true;
      cut = true;
    }
  if (cut) island.factored = false;
  return cut;
}

/// Adds the solution to the multipliers; bounds are met in the last pass too.
void JointSolver::correct(JointIsland& island) {
  for (std::size_t k = 0; k < island.links.size(); ++k)
    for (int r = 0; r < island.links[k].count; ++r) {
      IslandRow& row = island.links[k].rows[r];
      if (row.mode == RowMode::idle) continue;
      const double next = row.bounded ? std::clamp(next_lambda(island, k, r), row.least, row.most)
                                      : next_lambda(island, k, r);
      apply(island, island.links[k], row, next - row.lambda);
      row.lambda = next;
    }
}

void JointSolver::solve(const World& world, JointIsland& island, JointStage stage, double damping) {
  evaluate(world, island, stage);
  island.factored &= damping == island.damping;
  island.damping = damping;
  bool cut = true;
  for (int pass = 0; pass < JointLimits::most_active_passes; ++pass) {
    const bool more = find_missing(island, stage);
    if (pass > 0 && !cut && !more) return;
    if (!island.factored) factor(island);
    for (std::size_t k = 0; k < island.links.size(); ++k)
      for (int r = 0; r < island.links[k].count; ++r) {
        const IslandRow& row = island.links[k].rows[r];
        island.solution[k * BlockCholesky::most + std::size_t(r)] =
            row.mode == RowMode::idle ? 0.0 : -row.missing;
      }
    island.matrix.solve(island.sizes, island.solution);
    cut = island.bounded && pass + 1 < JointLimits::most_active_passes && cut_off(island);
    if (!cut) correct(island);
    if (!island.bounded) return;
  }
}

void remember(World& world, const JointIsland& island) {
  for (const IslandLink& link : island.links) {
    JointState& state = world.bodies.joints[std::size_t(link.joint)];
    state.push = state.twist = glm::dvec3(0.0);
    for (int r = 0; r < link.count; ++r) {
      const IslandRow& row = link.rows[r];
      if (row.angular)
        state.twist += row.lambda * row.arm_a;
      else
        state.push += row.lambda * row.l;
    }
  }
}

}}  // namespace limber::LIMBER_PRECISION
