#include "engine/parts/bodies/joints/joint_solver.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <utility>

#include "engine/contact/bodies/body_contact.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/kernels/joint_limits.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

// Largest effect of joints on a body, in multiples of the bounds on a body's motion in a substep; the larger
// factor holds if something else acts against them.
constexpr double most_bounds = 8.0, most_balance = 1e5;

}  // namespace

void JointSolver::begin_frame(World& world, real h) {
  if (world.bodies.joint_step > 0.0 &&
      world.bodies.joint_step != double(h)) {  // multipliers are forces times h^2
    const double ratio = double(h) / world.bodies.joint_step;
    for (JointState& joint : world.bodies.joints) joint.push *= ratio * ratio, joint.twist *= ratio * ratio;
  }
  world.bodies.joint_step = double(h);
  for (JointTreeGroup& group : trees_) group.begin_frame(world);
  for (JointIsland& island : islands_)  // as a whole, or not
    island.asleep = std::any_of(island.bodies.begin(), island.bodies.end(), [&](const IslandBody& body) {
      return body.movable && is_asleep(world, std::size_t(body.number));
    });
  choose_nets(world, h);
}

/// Chooses the nets that sweeps solve in this frame: those awake.
void JointSolver::choose_nets(World& world, real h) {
  world.bodies.swept_joints = 0;
  if (nets_.empty()) return;
  const bool wanted = world.settings.solver.method->joints == JointSolve::automatic;
  for (const Group& group : groups_) {
    if (group.net < 0 || group.spans) continue;
    const std::span<JointIsland> islands(&islands_[std::size_t(group.first)], std::size_t(group.count));
    const bool swept = wanted && std::none_of(islands.begin(), islands.end(),
                                              [](const JointIsland& island) { return island.asleep; });
    if (!nets_.choose(group.net, swept)) continue;
    for (JointIsland& island : islands) {
      island.swept = swept, island.rough = false;
      for (const IslandBody& body : island.bodies)
        if (body.movable) mending_[std::size_t(body.number)].any = false;
    }
  }
  nets_.begin_frame(world, h);
  for (const std::int32_t g : spanning_) {
    JointIsland& tree = islands_[std::size_t(groups_[std::size_t(g)].first)];
    const bool swept = !nets_.braced(groups_[std::size_t(g)].net);
    if (std::exchange(tree.swept, swept) == swept) continue;
    tree.rough = false;
    for (const IslandBody& body : tree.bodies)
      if (body.movable) mending_[std::size_t(body.number)].any = false;
  }
  world.bodies.swept_joints = nets_.joints();
}

void JointSolver::end_frame(World& world, Team& team) {
  if (nets_.any()) nets_.end_frame(world, team);
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
          h * JointLimits::most_turn_back,
          JointLimits::followed<real>,
          scratch_[std::size_t(team.rank())].data()};
}

/// Masses too far apart for their rounding, or bodies that turn by radians in a substep, end in numbers that
/// mean nothing: the island does without its joints for this sweep, and keeps what they did before it.
void JointSolver::drop_nonsense(const World& world, const vec4* rows, JointIsland& island) {
  const double h = world.bodies.joint_step;
  const double far =
      most_bounds * h *
      (world.settings.solver.motion->max_speed + world.settings.solver.contact->depenetration_speed);
  const auto small = [](const glm::dvec3& x, double most) {
    return glm::dot(x, x) < most * most;
  };  // not NaN
  const auto sound = [&](const IslandBody& body) {
    const std::size_t i = std::size_t(body.number);
    return !body.movable ||
           (small(body.shift, far) && small(body.turn, most_bounds * most_turn) &&
            small(body.w * pushed_[i], most_balance * far) && small(turned_[i], most_balance * most_turn));
  };
  if (std::all_of(island.bodies.begin(), island.bodies.end(), sound)) return;
  island.rough = true;
  forget(island);
  for (const IslandBody& body : island.bodies) {
    if (!body.movable) continue;
    pushed_[std::size_t(body.number)] = body.pushed_before;
    turned_[std::size_t(body.number)] = body.turned_before;
  }
  load_motion(rows, island);
}

/// Loads the state from which the scalar stages of an island begin, in the middle of a substep.
void JointSolver::load(const World& world, const vec4* rows, double h, JointIsland& island) const {
  load_poses(world, rows, island);
  for (IslandBody& body : island.bodies) {
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

void JointSolver::warm(World& world, vec4* rows, real h, Team& team) {
  if (nets_.any()) nets_.warm(world, rows, team);
  if (nets_.any_braced()) team.barrier();
  const auto forget_last = [&](JointIsland& island) {
    island.rough = false;
    for (const IslandBody& body : island.bodies)
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
      [&](JointIsland& island) {
        forget_last(island);
        load_poses(world, rows, island);
        stiffen(world, rows, island);
        load_motion(rows, island);
        make_rows(world, island, double(h));
        for (IslandLink& link : island.links)
          for (int r = 0; r < link.count; ++r) apply(island, link, link.rows[r], link.rows[r].lambda);
        drop_nonsense(world, rows, island);
        store_motion(rows, island);
      });
}

void JointSolver::tell_touched(TouchedParts& touched, const Team& team) {
  visit(team, [&](const JointIsland& island) {
    if (!island.rough) return;
    for (const IslandBody& body : island.bodies) touched.bound_body(body.number);
  });
}

/// Solves the joints that close the loops of braced nets, by sweeps, in turn with their trees, whose factors
/// serve all rounds. In a plate of fixed joints a held tree holds them too.
void JointSolver::close_loops(World& world, vec4* rows, JointStage stage, Team& team) {
  if (!nets_.any_braced()) return;
  double *pushed = &pushed_.data()->x, *turned = &turned_.data()->x;
  for (int round = 0; round < nets_.rounds(); ++round) {
    team.barrier();
    if (stage == JointStage::push)
      nets_.push_loops(world, rows, pushed, turned, team);
    else
      nets_.settle_loops(world, rows, pushed, turned, round == 0, team);
    team.barrier();
    const Share mine = team.share(std::int64_t(spanning_.size()));
    for (std::int64_t g = mine.begin; g < mine.end; ++g)
      visit_group(groups_[std::size_t(spanning_[std::size_t(g)])], [&](JointIsland& tree) {
        load_motion(rows, tree);
        solve(world, tree, stage);
        drop_nonsense(world, rows, tree);
        store_motion(rows, tree);
        remember(world, tree);
      });
  }
}

void JointSolver::push(World& world, vec4* rows, Team& team) {
  if (nets_.any()) nets_.push(world, rows, &pushed_.data()->x, &turned_.data()->x, team);
  const TreeSweep<real> sweep = tree_sweep(world, rows, team);
  const auto solve_here = [&](JointIsland& island) {
    load_motion(rows, island);
    if (island.whole)
      push_within(world, rows, island);
    else
      solve(world, island, JointStage::push);
    drop_nonsense(world, rows, island);
    store_motion(rows, island);
    remember(world, island);
  };
  const auto solve_group = [&](JointTreeGroup& group) {
    const unsigned all = (1u << group.islands().size()) - 1u, lanes = smooth_lanes(group);
    const unsigned out = lanes == 0 ? 0 : kernels_.push(group.view(lanes), sweep);
    group.note_held(rows, out >> TreeKernels<real>::held_shift);
    const unsigned left = (all & ~lanes) | (out & all);
    for (std::size_t l = 0; l < group.islands().size(); ++l) {
      JointIsland& island = islands_[std::size_t(group.islands()[l])];
      // a rough one has been loaded by warm(), and has forgotten its multipliers since
      if (((left >> l) & 1u) && !island.rough && !island.asleep)
        load(world, rows, world.bodies.joint_step, island);
    }
    return left;
  };
  visit_trees(team, solve_group, solve_here);
  close_loops(world, rows, JointStage::push, team);
}

void JointSolver::settle(World& world, vec4* rows, real h, Team& team) {
  if (nets_.any()) nets_.settle(world, rows, &pushed_.data()->x, &turned_.data()->x, team);
  const TreeSweep<real> sweep = tree_sweep(world, rows, team);
  const auto solve_here = [&](JointIsland& island) {
    load_poses(world, rows, island);
    load_motion(rows, island);
    make_rows(world, island, double(h));
    if (island.rough)
      settle_within(world, island, rows);
    else
      solve(world, island, JointStage::settle);
    drop_nonsense(world, rows, island);
    store_motion(rows, island);
    remember(world, island);
    for (const IslandLink& link : island.links) {
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
  close_loops(world, rows, JointStage::settle, team);
}

}}  // namespace limber::LIMBER_PRECISION
