#include "engine/parts/bodies/joints/joint_solver.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <limits>

#include "engine/contact/bodies/body_contact.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/motion.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr int most_active_rounds = 6;  // of the active set; remaining errors are solved in the next substep
/// Softness of motors as a share of the row's own inverse mass. Where a motor drives a motion that other
/// joints lock, the motor must not be taken for the row that holds and one of the joints' rows for the
/// dependent one (BlockCholesky::redundant).
constexpr double give_of_motors = 1e-3;
/// rad^2: errors of the orientation in the middle of a turn, times the turn, that are left.
constexpr double followed = std::max(1e-8, 2.0 * double(std::numeric_limits<real>::epsilon()));
constexpr double slow_share = 0.1;  // of an inertia: h^2 k below it is a mode of w h < 0.3
// Largest effect of joints on a body, in multiples of the bounds on a body's motion in a substep; the larger
// factor holds if something else acts against them.
constexpr double most_bounds = 8.0, most_balance = 1e5;
constexpr double most_turn_back = 10.0;  // rad/s, at which wrong turns are mended

}  // namespace

JointPose JointSolver::displaced(const JointPose& pose, const glm::dvec3& shift, const glm::dvec3& turn) {
  vec3 t(turn);
  if (const real length = glm::length(t); length > most_turn) t *= most_turn / length;
  return {pose.position + shift, matrix_of(glm::dvec4(turn_quaternion(t))) * pose.rotation};
}

void JointSolver::begin_frame(World& world, real h) {
  if (world.bodies.joint_step > 0.0 &&
      world.bodies.joint_step != double(h)) {  // multipliers are forces times h^2
    const double ratio = double(h) / world.bodies.joint_step;
    for (JointState& joint : world.bodies.joints) joint.push *= ratio * ratio, joint.twist *= ratio * ratio;
  }
  world.bodies.joint_step = double(h);
  for (JointTreeGroup& group : trees_) group.begin_frame(world);
  for (Island& island : islands_)  // as a whole, or not
    island.asleep = std::any_of(island.bodies.begin(), island.bodies.end(), [&](const Body& body) {
      return body.movable && is_asleep(world, std::size_t(body.number));
    });
}

void JointSolver::load_poses(const World& world, const vec4* rows, Island& island) const {
  for (Body& body : island.bodies) {
    if (body.number == no_body) continue;
    const std::size_t i = std::size_t(body.number);
    body.pose = {glm::dvec3(world.bodies.position[i]), matrix_of(glm::dvec4(world.bodies.orientation[i]))};
    body.moved = body.pose;
    if (!body.movable) continue;
    body.w = double(world.bodies.position[i].w);
    const vec4 &d = rows[body_rows * i + row_diagonal], &m = rows[body_rows * i + row_mixed];
    body.inverse_inertia = glm::dmat3(d.x, m.x, m.y, m.x, d.y, m.z, m.y, m.z, d.z);
    body.inertia = body.own_inertia = glm::inverse(body.inverse_inertia);
  }
}

/// A body that is pulled at r by p swings about its middle as a spring of p . r across r makes it; a rod of
/// length L that pulls it along n resists in its turn that the body's end goes across, by |p| / L, and twice
/// that if the other end may go the other way. Where that is quick for the substep, joints feel it as heavier
/// to turn by h^2 times these springs, so that no mode is faster than a step can follow however tight a light
/// chain becomes (the geometric stiffness of Andrews, Teichmann, Kry 2017). Slower modes are left unchanged,
/// and so is the pull of a contact against the joint: together the two are no spring.
void JointSolver::stiffen(Body& body, const glm::dvec3& own, const glm::dvec3& push, const Rod& rod,
                          const vec4* rows) {
  const glm::dvec3 r = body.pose.rotation * own;
  const double square = glm::dot(r, r), tension = glm::dot(push, rod.n);
  if (!body.movable || !(square > 0.0)) return;
  const glm::dmat3 around = glm::dmat3(square) - glm::outerProduct(r, r);
  glm::dmat3 springs = (std::max(glm::dot(r, push), 0.0) / square) * around;
  if (tension > 0.0 && rod.length > 0.0) {
    const glm::dvec3 along = glm::cross(r, rod.n);
    springs += (2.0 * tension / rod.length) * (around - glm::outerProduct(along, along));
  }
  const double stiffness = 0.5 * (springs[0][0] + springs[1][1] + springs[2][2]);
  if (!(stiffness > 0.0)) return;
  const glm::dmat3& inertia = body.inertia;
  const double across =
      0.5 * (inertia[0][0] + inertia[1][1] + inertia[2][2] - glm::dot(r, inertia * r) / square);
  const vec4* const row = rows + body_rows * std::size_t(body.number);
  const double contact = double(glm::length(vec3(row[row_shift]) - vec3(row[row_free]))) / body.w;
  const double more = stiffness - slow_share * across - contact * std::sqrt(square);
  if (!(more > 0.0)) return;
  body.inertia += (more / stiffness) * springs;
  body.inverse_inertia = glm::inverse(body.inertia);
}

/// The rod between the ends of a distance joint, in the direction of its pull at b.
JointSolver::Rod JointSolver::rod_of(const Joint& joint, const Body& a, const Body& b) {
  if (joint.type != JointType::distance) return {};
  const glm::dvec3 apart =
      a.pose.position + a.pose.rotation * joint.at_a - b.pose.position - b.pose.rotation * joint.at_b;
  const double length = glm::length(apart);
  return length > 1e-9 ? Rod{apart / length, length} : Rod{};
}

void JointSolver::stiffen(const World& world, vec4* rows, Island& island) const {
  for (const Link& link : island.links) {
    const Joint& joint = world.topology->joints[std::size_t(link.joint)];
    const glm::dvec3& push = world.bodies.joints[std::size_t(link.joint)].push;
    Body &a = island.bodies[std::size_t(link.a)], &b = island.bodies[std::size_t(link.b)];
    const Rod rod = rod_of(joint, a, b);
    stiffen(a, joint.at_a, push, {-rod.n, rod.length}, rows);
    stiffen(b, joint.at_b, -push, rod, rows);
  }
  for (const Body& body : island.bodies)
    if (body.movable) set_inertia(rows, body);
}

/// Contacts and the hand must see the same body.
void JointSolver::set_inertia(vec4* rows, const Body& body) {
  const glm::dmat3& w = body.inverse_inertia;
  vec4* const row = rows + body_rows * std::size_t(body.number);
  row[row_diagonal] = vec4(vec3(glm::dvec3(w[0][0], w[1][1], w[2][2])), real(0));
  row[row_mixed] = vec4(vec3(glm::dvec3(w[1][0], w[2][0], w[2][1])), real(0));
}

void JointSolver::load_motion(const vec4* rows, Island& island) const {
  for (Body& body : island.bodies) {
    if (!body.movable) continue;
    const std::size_t i = std::size_t(body.number);
    body.shift = glm::dvec3(rows[body_rows * i + row_shift]);
    body.turn = glm::dvec3(rows[body_rows * i + row_turn]);
    body.pushed_before = pushed_[i], body.turned_before = turned_[i];
  }
}

void JointSolver::store(vec4* rows, const Island& island) {
  for (const Body& body : island.bodies) {
    if (!body.movable) continue;
    const std::size_t i = std::size_t(body.number);
    vec4& shift = rows[body_rows * i + row_shift];
    shift = vec4(vec3(body.shift), shift.w);
    rows[body_rows * i + row_turn] = vec4(vec3(body.turn), real(0));
  }
}

/// Masses too far apart for their rounding, or bodies that turn by radians in a substep, end in numbers that
/// mean nothing: the island does without its joints for this sweep, and keeps what they did before it.
void JointSolver::drop_nonsense(const World& world, const vec4* rows, Island& island) {
  const double h = world.bodies.joint_step;
  const double far =
      most_bounds * h *
      (world.settings.solver.motion->max_speed + world.settings.solver.contact->depenetration_speed);
  const auto small = [](const glm::dvec3& x, double most) {
    return glm::dot(x, x) < most * most;
  };  // not NaN
  const auto sound = [&](const Body& body) {
    const std::size_t i = std::size_t(body.number);
    return !body.movable ||
           (small(body.shift, far) && small(body.turn, most_bounds * most_turn) &&
            small(body.w * pushed_[i], most_balance * far) && small(turned_[i], most_balance * most_turn));
  };
  if (std::all_of(island.bodies.begin(), island.bodies.end(), sound)) return;
  island.rough = true;
  forget(island);
  for (const Body& body : island.bodies) {
    if (!body.movable) continue;
    pushed_[std::size_t(body.number)] = body.pushed_before;
    turned_[std::size_t(body.number)] = body.turned_before;
  }
  load_motion(rows, island);
}

/// Computes gradients at the bodies' present poses, and multipliers along them from the joints' last
/// impulses.
void JointSolver::make_rows(const World& world, Island& island, double h) const {
  island.factored = island.bounded = false;
  island.damping = 0.0;
  for (std::size_t k = 0; k < island.links.size(); ++k) {
    Link& link = island.links[k];
    const std::size_t j = std::size_t(link.joint);
    const Joint& joint = world.topology->joints[j];
    const JointMaterial& material = world.settings.joint_materials[std::size_t(joint.source)];
    const JointState& state = world.bodies.joints[j];
    const Body &a = island.bodies[std::size_t(link.a)], &b = island.bodies[std::size_t(link.b)];
    link.count = state.broken ? 0 : joint_rows(joint, material);
    island.sizes[k] = std::uint8_t(link.count);
    if (link.count == 0) continue;
    JointRow gradients[most_joint_rows];
    double values[most_joint_rows];
    joint_gradients(joint, material, a.pose, b.pose, gradients);
    joint_values(joint, material, a.pose, b.pose, values);
    for (int r = 0; r < link.count; ++r) {
      Row& row = link.rows[r] = Row{gradients[r]};
      row.turn_a = a.inverse_inertia * row.arm_a, row.turn_b = b.inverse_inertia * row.arm_b;
      row.start = values[r];
      row.lambda = row.angular ? glm::dot(state.twist, row.arm_a) : glm::dot(state.push, row.l);
      make_row(world, material, row, h);
      island.bounded |= row.bounded;
    }
  }
}

void JointSolver::make_row(const World& world, const JointMaterial& material, Row& row, double h) const {
  const bool rope = material.pulls_only;
  const double compliance = row.bounded && !rope ? 0.0
                            : row.angular        ? material.angular_compliance
                                                 : material.compliance;
  const double gamma = compliance * material.damping / h;
  row.softness = compliance / (h * h) / (1.0 + gamma);
  row.damped = gamma / (1.0 + gamma);
  row.fastest = h * (row.angular ? most_turn_back : world.settings.solver.contact->depenetration_speed);
  if (!row.bounded) return;
  row.low = rope ? -JointMaterial::none : material.low;
  row.high = rope ? 0.0 : material.high;
  row.drive = material.drive * h * h;
  row.aim = material.speed * h;
  row.mode = Mode::idle;
  // a bound pushes only where it is reached: the world vector has turned against the row, settings may have
  // changed
  if (row.start > row.low) row.lambda = std::min(row.lambda, row.drive);
  if (row.start < row.high) row.lambda = std::max(row.lambda, -row.drive);
}

void JointSolver::apply(Island& island, const Link& link, const Row& row, double lambda) {
  Body &a = island.bodies[std::size_t(link.a)], &b = island.bodies[std::size_t(link.b)];
  if (a.movable) {
    a.shift += (a.w * lambda) * row.l, a.turn += lambda * row.turn_a;
    pushed_[std::size_t(a.number)] += lambda * row.l, turned_[std::size_t(a.number)] += lambda * row.turn_a;
  }
  if (b.movable) {
    b.shift -= (b.w * lambda) * row.l, b.turn -= lambda * row.turn_b;
    pushed_[std::size_t(b.number)] -= lambda * row.l, turned_[std::size_t(b.number)] -= lambda * row.turn_b;
  }
}

/// J u.
double JointSolver::moved(const Island& island, const Link& link, const Row& row) {
  const Body &a = island.bodies[std::size_t(link.a)], &b = island.bodies[std::size_t(link.b)];
  return glm::dot(row.l, a.shift - b.shift) + glm::dot(row.arm_a, a.turn) - glm::dot(row.arm_b, b.turn);
}

/// Chooses the mode of a row with bounds, and its error. Beyond a bound the row is pushed back, by a motor
/// too if the motor acts the same way; a motor at its limit is left alone. A motor that would drive the row
/// beyond a bound presses it there: otherwise bound and motor took turns, and the last round left a body at
/// its stop with the motor's speed.
void JointSolver::choose(Row& row, double value, double moved, Stage stage) {
  double below = value - row.low, above = value - row.high;  // beyond a bound: < 0, > 0
  if (stage == Stage::push) {
    below -= std::min(0.0, row.start - row.low + row.fastest);
    above -= std::max(0.0, row.start - row.high - row.fastest);
  } else {
    below = moved + std::max(row.start - row.low, 0.0);
    above = moved + std::min(row.start - row.high, 0.0);
  }
  const double none = JointMaterial::none, T = row.drive;
  if (row.low == row.high) {  // locked: whatever the motor does, the bounds take
    row.mode = Mode::at_low, row.least = -none, row.most = none;
    row.missing = below < 0.0 ? below : std::max(above, 0.0);
    return;
  }
  const bool driven = T > 0.0;
  const bool to_low = driven && row.aim < moved - below, to_high = driven && row.aim > moved - above;
  const bool low = below < 0.0 || ((row.lambda > T || to_low) && !(above > 0.0));
  if (low) {
    row.mode = Mode::at_low, row.missing = below;
    row.least = row.aim > moved - below ? T : -T, row.most = none;
  } else if (above > 0.0 || row.lambda < -T || to_high) {
    row.mode = Mode::at_high, row.missing = above;
    row.least = -none, row.most = row.aim < moved - above ? -T : T;
  } else {
    row.missing = moved - row.aim;
    row.least = -T, row.most = T;
    const bool spent = (row.lambda >= T && row.missing < 0.0) || (row.lambda <= -T && row.missing > 0.0);
    row.mode = T == 0.0 || spent ? Mode::idle : Mode::driven;
    return;
  }
  if (stage == Stage::push)
    row.missing = (1.0 - row.damped) * row.missing + row.damped * moved + row.softness * row.lambda;
  else if (row.softness > 0.0)
    row.mode = Mode::idle;
}

/// Computes the rows' values at the bodies' present poses, and the displacement J u so far. Once in a solve:
/// while bounds are sought, values follow J u, or else a step that no bound has cut off yet would be taken
/// for real.
void JointSolver::evaluate(const World& world, Island& island, Stage stage) {
  if (stage == Stage::push)
    for (Body& body : island.bodies)
      if (body.movable) body.moved = displaced(body.pose, body.shift, body.turn);
  for (Link& link : island.links) {
    if (link.count == 0) continue;
    double values[most_joint_rows];
    const Joint& joint = world.topology->joints[std::size_t(link.joint)];
    if (stage == Stage::push)
      joint_values(joint, world.settings.joint_materials[std::size_t(joint.source)],
                   island.bodies[std::size_t(link.a)].moved, island.bodies[std::size_t(link.b)].moved,
                   values);
    for (int r = 0; r < link.count; ++r) {
      Row& row = link.rows[r];
      row.beyond = stage == Stage::push ? values[r] - moved(island, link, row) : row.start;
      row.spent = false;
    }
  }
}

/// Computes every row's error. Returns true if some row now takes part that did not.
bool JointSolver::find_missing(Island& island, Stage stage) {
  bool more = false;
  for (Link& link : island.links)
    for (int r = 0; r < link.count; ++r) {
      Row& row = link.rows[r];
      const double now = moved(island, link, row);
      if (row.spent) {
        row.mode = Mode::idle;
      } else if (row.bounded) {
        const Mode before = row.mode;
        choose(row, row.beyond + now, now, stage);
        if (row.mode != before) island.factored = false;
        more |= row.mode != Mode::idle && row.mode != before;
      } else if (stage == Stage::push) {
        const double left =
            row.softness > 0.0 ? 0.0 : row.start - std::clamp(row.start, -row.fastest, row.fastest);
        row.missing =
            (1.0 - row.damped) * (row.beyond + now - left) + row.damped * now + row.softness * row.lambda;
      } else {
        row.mode = row.softness > 0.0 ? Mode::idle : Mode::held;
        row.missing = now;
      }
    }
  return more;
}

void JointSolver::factor(Island& island) {
  constexpr int stride = BlockCholesky::most;
  island.matrix.clear();
  for (std::size_t k = 0; k < island.links.size(); ++k) {
    const Link& link = island.links[k];
    const double w = island.bodies[std::size_t(link.a)].w + island.bodies[std::size_t(link.b)].w;
    double* const block = island.matrix.diagonal(std::int32_t(k));
    for (int r = 0; r < link.count; ++r) {
      const Row& x = link.rows[r];
      if (x.mode == Mode::idle) {
        block[r * stride + r] = 1.0;
        continue;
      }
      for (int s = 0; s <= r; ++s) {
        const Row& y = link.rows[s];
        if (y.mode == Mode::idle) continue;
        block[r * stride + s] =
            w * glm::dot(x.l, y.l) + glm::dot(x.arm_a, y.turn_a) + glm::dot(x.arm_b, y.turn_b);
      }
      block[r * stride + r] *= 1.0 + island.damping + (x.mode == Mode::driven ? give_of_motors : 0.0);
      block[r * stride + r] += x.softness;
    }
  }
  for (const Coupling& c : island.couplings) {
    const Link &i = island.links[std::size_t(c.i)], &j = island.links[std::size_t(c.j)];
    const double sign = c.a_of_i == c.a_of_j ? 1.0 : -1.0, w = island.bodies[std::size_t(c.body)].w;
    const BlockCholesky::Place place = island.matrix.off_diagonal(std::size_t(c.edge));
    for (int r = 0; r < i.count; ++r)
      for (int s = 0; s < j.count; ++s) {
        const Row &x = i.rows[r], &y = j.rows[s];
        if (x.mode == Mode::idle || y.mode == Mode::idle) continue;
        const glm::dvec3 &arm = c.a_of_i ? x.arm_a : x.arm_b, &turn = c.a_of_j ? y.turn_a : y.turn_b;
        place.numbers[place.row == c.i ? r * stride + s : s * stride + r] +=
            sign * (w * glm::dot(x.l, y.l) + glm::dot(arm, turn));
      }
  }
  island.matrix.factor(island.sizes);
  island.factored = true;
}

double JointSolver::next_lambda(const Island& island, std::size_t link, int r) {
  return island.links[link].rows[r].lambda + island.solution[link * BlockCholesky::most + std::size_t(r)];
}

/// Multipliers that the solution would take beyond a bound stop there and leave the system. The other
/// multipliers stay unchanged: their solution assumes more than the bounded ones can give.
bool JointSolver::cut_off(Island& island) {
  bool cut = false;
  for (std::size_t k = 0; k < island.links.size(); ++k)
    for (int r = 0; r < island.links[k].count; ++r) {
      Row& row = island.links[k].rows[r];
      if (!row.bounded || row.mode == Mode::idle) continue;
      const double next = next_lambda(island, k, r), within = std::clamp(next, row.least, row.most);
      if (within == next) continue;
      apply(island, island.links[k], row, within - row.lambda);
      row.lambda = within;
      row.mode = Mode::idle, row.spent = true;
      cut = true;
    }
  if (cut) island.factored = false;
  return cut;
}

/// Adds the solution to the multipliers; bounds are met in the last round too.
void JointSolver::correct(Island& island) {
  for (std::size_t k = 0; k < island.links.size(); ++k)
    for (int r = 0; r < island.links[k].count; ++r) {
      Row& row = island.links[k].rows[r];
      if (row.mode == Mode::idle) continue;
      const double next = row.bounded ? std::clamp(next_lambda(island, k, r), row.least, row.most)
                                      : next_lambda(island, k, r);
      apply(island, island.links[k], row, next - row.lambda);
      row.lambda = next;
    }
}

void JointSolver::solve(const World& world, Island& island, Stage stage, double damping) {
  evaluate(world, island, stage);
  island.factored &= damping == island.damping;
  island.damping = damping;
  bool cut = true;
  for (int round = 0; round < most_active_rounds; ++round) {
    const bool more = find_missing(island, stage);
    if (round > 0 && !cut && !more) return;
    if (!island.factored) factor(island);
    for (std::size_t k = 0; k < island.links.size(); ++k)
      for (int r = 0; r < island.links[k].count; ++r) {
        const Row& row = island.links[k].rows[r];
        island.solution[k * BlockCholesky::most + std::size_t(r)] =
            row.mode == Mode::idle ? 0.0 : -row.missing;
      }
    island.matrix.solve(island.sizes, island.solution);
    cut = island.bounded && round + 1 < most_active_rounds && cut_off(island);
    if (!cut) correct(island);
    if (!island.bounded) return;
  }
}

void JointSolver::remember(World& world, const Island& island) const {
  for (const Link& link : island.links) {
    JointState& state = world.bodies.joints[std::size_t(link.joint)];
    state.push = state.twist = glm::dvec3(0.0);
    for (int r = 0; r < link.count; ++r) {
      const Row& row = link.rows[r];
      if (row.angular)
        state.twist += row.lambda * row.arm_a;
      else
        state.push += row.lambda * row.l;
    }
  }
}

/// Lanes of a group that the kernels can solve, and in which nothing was out of reach in this substep.
unsigned JointSolver::smooth_lanes(const JointTreeGroup& group) const {
  unsigned lanes = group.lanes();
  for (std::size_t l = 0; l < group.islands().size(); ++l)
    if (islands_[std::size_t(group.islands()[l])].rough) lanes &= ~(1u << l);
  return lanes;
}

TreeSweep<real> JointSolver::tree_sweep(World& world, vec4* rows, const Team& team) {
  static_assert(sizeof(JointState) % sizeof(double) == 0 && offsetof(JointState, push) == 0 &&
                offsetof(JointState, twist) == 3 * sizeof(double));
  const double h = world.bodies.joint_step;
  const double speed = world.settings.solver.contact->depenetration_speed;
  const auto flat_rows = [](const auto& list) { return list.empty() ? nullptr : &list.data()->x; };
  return {flat_rows(world.bodies.position),
          flat_rows(world.bodies.orientation),
          flat_rows(world.bodies.inverse_inertia),
          &rows->x,
          &pushed_.data()->x,
          &turned_.data()->x,
          &world.bodies.joints.data()->push.x,
          int(sizeof(JointState) / sizeof(double)),
          h,
          world.settings.solver.motion->max_speed,
          h * speed,
          h * most_turn_back,
          followed,
          scratch_[std::size_t(team.rank())].data()};
}

/// Loads the state from which the scalar stages of an island begin, in the middle of a substep.
void JointSolver::load(const World& world, const vec4* rows, double h, Island& island) const {
  load_poses(world, rows, island);
  for (Body& body : island.bodies) {
    if (!body.movable) continue;
    const std::size_t i = std::size_t(body.number);
    const glm::dmat3 middle = matrix_of(glm::dvec4(rows[body_rows * i + row_middle]));
    const glm::dvec3 inertia(inertia_of(world.bodies.inverse_inertia[i]));
    body.own_inertia =
        middle * glm::dmat3(inertia.x, 0, 0, 0, inertia.y, 0, 0, 0, inertia.z) * glm::transpose(middle);
  }
  load_motion(rows, island);
  make_rows(world, island, h);
}

void JointSolver::warm(World& world, vec4* rows, real h, const Team& team) {
  const auto forget_last = [&](Island& island) {
    island.rough = false;
    for (const Body& body : island.bodies)
      if (body.movable)
        pushed_[std::size_t(body.number)] = turned_[std::size_t(body.number)] = glm::dvec3(0.0);
  };
  const TreeSweep<real> sweep = tree_sweep(world, rows, team);
  visit_trees(
      team,
      [&](JointTreeGroup& group) {
        for (const std::int32_t i : group.islands()) islands_[std::size_t(i)].rough = false;
        const unsigned all = (1u << group.islands().size()) - 1u, lanes = group.lanes();
        return lanes == 0 ? all : (all & ~lanes) | kernels_.warm(group.view(lanes), sweep);
      },
      [&](Island& island) {
        forget_last(island);
        load_poses(world, rows, island);
        stiffen(world, rows, island);
        load_motion(rows, island);
        make_rows(world, island, double(h));
        for (Link& link : island.links)
          for (int r = 0; r < link.count; ++r) apply(island, link, link.rows[r], link.rows[r].lambda);
        drop_nonsense(world, rows, island);
        store(rows, island);
      });
}

void JointSolver::tell_touched(TouchedParts& touched, const Team& team) {
  visit(team, [&](const Island& island) {
    if (!island.rough) return;
    for (const Body& body : island.bodies) touched.bound_body(body.number);
  });
}

void JointSolver::push(World& world, vec4* rows, const Team& team) {
  const TreeSweep<real> sweep = tree_sweep(world, rows, team);
  const auto solve_here = [&](Island& island) {
    load_motion(rows, island);
    if (island.whole)
      push_within(world, rows, island);
    else
      solve(world, island, Stage::push);
    drop_nonsense(world, rows, island);
    store(rows, island);
    remember(world, island);
  };
  const auto solve_group = [&](JointTreeGroup& group) {
    const unsigned all = (1u << group.islands().size()) - 1u, lanes = smooth_lanes(group);
    const unsigned out = lanes == 0 ? 0 : kernels_.push(group.view(lanes), sweep);
    group.note_held(rows, out >> TreeKernels<real>::held_shift);
    const unsigned left = (all & ~lanes) | (out & all);
    for (std::size_t l = 0; l < group.islands().size(); ++l) {
      Island& island = islands_[std::size_t(group.islands()[l])];
      // a rough one has been loaded by warm(), and has forgotten its multipliers since
      if (((left >> l) & 1u) && !island.rough && !island.asleep)
        load(world, rows, world.bodies.joint_step, island);
    }
    return left;
  };
  visit_trees(team, solve_group, solve_here);
}

/// Replaces a body's inertia by that of another orientation; its momentum and that of its joints stay.
void JointSolver::take_inertia_at(const World& world, vec4* rows, Body& body, const glm::dmat3& rotation) {
  const std::size_t i = std::size_t(body.number);
  const glm::dmat3 before = matrix_of(glm::dvec4(rows[body_rows * i + row_middle])),
                   onward = rotation * glm::transpose(before);
  const glm::dvec3 inverse(vec3(world.bodies.inverse_inertia[i]));
  const auto same_momentum = [&](const glm::dvec3& turn) {
    const glm::dvec3 momentum = before * ((turn * before) / inverse);
    return rotation * (inverse * (momentum * rotation));
  };
  body.turn = same_momentum(body.turn);
  turned_[i] = same_momentum(turned_[i]);
  body.inverse_inertia = onward * body.inverse_inertia * glm::transpose(onward);
  body.inertia = glm::inverse(body.inverse_inertia);
  body.own_inertia = onward * body.own_inertia * glm::transpose(onward);
  rows[body_rows * i + row_middle] = vec4(precise_quaternion_of(rotation));
  set_inertia(rows, body);
}

/// The midpoint rule keeps the momentum of a body about its own axis if the inertia is that in the middle of
/// the turn that joints leave. start_flight() knows the turn of a free body; a rod that is held back to a
/// share e of its turn gains w_axis w e I / I_axis a second, and its spin grows with its own rate. True if
/// some body's inertia has changed.
bool JointSolver::follow_turns(const World& world, vec4* rows, Island& island) {
  bool any = false;
  for (Body& body : island.bodies) {
    if (!body.movable) continue;
    const glm::dmat3 before = matrix_of(glm::dvec4(rows[body_rows * std::size_t(body.number) + row_middle])),
                     middle = displaced(body.pose, {}, 0.5 * body.turn).rotation;
    double apart = 0.0;
    for (int k = 0; k < 3; ++k) apart = std::max(apart, glm::distance(before[k], middle[k]));
    if (!(apart * glm::length(body.turn) > followed)) continue;
    take_inertia_at(world, rows, body, middle);
    any = true;
  }
  if (!any) return false;
  for (Link& link : island.links)
    for (int r = 0; r < link.count; ++r) {
      Row& row = link.rows[r];
      row.turn_a = island.bodies[std::size_t(link.a)].inverse_inertia * row.arm_a;
      row.turn_b = island.bodies[std::size_t(link.b)].inverse_inertia * row.arm_b;
    }
  island.factored = false;
  return true;
}

void JointSolver::settle(World& world, vec4* rows, real h, const Team& team) {
  const TreeSweep<real> sweep = tree_sweep(world, rows, team);
  const auto solve_here = [&](Island& island) {
    load_poses(world, rows, island);
    load_motion(rows, island);
    make_rows(world, island, double(h));
    if (island.rough)
      settle_within(world, island, rows);
    else
      solve(world, island, Stage::settle);
    drop_nonsense(world, rows, island);
    store(rows, island);
    remember(world, island);
    for (const Link& link : island.links) {
      JointState& state = world.bodies.joints[std::size_t(link.joint)];
      const Joint& joint = world.topology->joints[std::size_t(link.joint)];
      const double most =
          world.settings.joint_materials[std::size_t(joint.source)].break_force * double(h) * double(h);
      if (glm::length(state.push) > most) state = {glm::dvec3(0.0), glm::dvec3(0.0), true};
    }
  };
  const auto solve_group = [&](const JointTreeGroup& group) {
    const unsigned all = (1u << group.islands().size()) - 1u, lanes = smooth_lanes(group);
    return lanes == 0 ? all : (all & ~lanes) | kernels_.settle(group.view(lanes), sweep);
  };
  visit_trees(team, solve_group, solve_here);
}

}}  // namespace limber::LIMBER_PRECISION
