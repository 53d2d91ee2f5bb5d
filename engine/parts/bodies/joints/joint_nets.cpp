#include "engine/parts/bodies/joints/joint_nets.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <limits>
#include <utility>

#include "engine/core/first_fit.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/kernels/joint_limits.hpp"
#include "engine/parts/bodies/joints/joint_net_joint.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

using namespace joint_net;

namespace {

/// With fewer, and in nets that do more than pull, contacts do not see the last substep's impulses: a contact
/// that answers to them keeps its impulse when a strike is over and the joints push no more. A lattice of 216
/// cubes gained half of its energy so, and was torn apart by a metre.
constexpr int least_substeps_ahead = 4;
constexpr int sweeps_of_loops = 2;  // of a braced net, between two solutions of its tree
/// Solutions of the tree of a braced net after the first one: without and with joints that do not follow from
/// it
constexpr int rounds_of_fixed = 1, rounds_of_others = 4;
constexpr std::int64_t least_shared = 4096;  // joints, of which a colour is worth a barrier
constexpr std::int64_t bodies_of_share = 16;
constexpr real bounds_of_sweeps = 8;  // of a body's motion in a substep, that sweeps may leave

}  // namespace

Share JointNets::Crew::share(std::int64_t begin, std::int64_t end, std::int64_t block) const {
  if (!all) return {begin, end};
  const Share part = team.share(end - begin, block);
  return {begin + part.begin, begin + part.end};
}

bool JointNets::choose(std::int32_t net, bool swept) {
  return std::exchange(nets_[std::size_t(net)].swept, swept) != swept;
}

void JointNets::clear() {
  nets_.clear(), small_.clear(), large_.clear(), braced_.clear();
  runs_.clear(), slot_joint_.clear(), bodies_.clear();
  joints_ = 0;
}

std::int32_t JointNets::add(const World& world, std::span<const std::int32_t> joints,
                            std::span<const std::int32_t> tree) {
  std::vector<int> degree(std::size_t(world.bodies.count()), 0);
  for (const std::int32_t j : joints) {
    const Joint& joint = world.topology->joints[std::size_t(j)];
    for (const std::int32_t body : {joint.a, joint.b})
      // a joint shares a body with fewer than two times this many others
      if (moves(world, body) && ++degree[std::size_t(body)] > first_fit_colors / 2) return -1;
  }
  nets_.emplace_back();
  nets_.back().joints.assign(joints.begin(), joints.end());
  std::vector<std::int32_t> sorted(tree.begin(), tree.end());
  std::sort(sorted.begin(), sorted.end());
  for (const std::int32_t j : joints)
    nets_.back().in_tree.push_back(std::binary_search(sorted.begin(), sorted.end(), j));
  nets_.back().large = std::int64_t(joints.size()) >= least_shared;
  return std::int32_t(nets_.size()) - 1;
}

void JointNets::lay_out(const World& world) {
  std::vector<std::uint64_t> used(std::size_t(world.bodies.count()), 0);
  for (Net& net : nets_) lay_out_net(world, net, used);
  small_.reserve(nets_.size()), large_.reserve(nets_.size()), braced_.reserve(nets_.size());
  const std::size_t slots = slot_joint_.size();
  kept_.assign(bodies_.size(), {});
  data_.assign(slots * net_columns, real(0)), more_.assign(slots * net_row_columns, real(0));
  body_a_.assign(slots, 0), body_b_ = body_a_;
  const std::int32_t padding = body_rows * (world.bodies.count() + std::int32_t(world.colliders.size()));
  row_a_.assign(slots, padding), row_b_.assign(slots, padding + body_rows);
  sign_.assign(slots, 1), break_push_.assign(slots, real(0));
  for (const Run& run : runs_)
    for (std::int32_t s = run.begin; s < run.end; ++s)
      if (slot_joint_[std::size_t(s)] >= 0) place_joint(world, run, s);
}

/// Colours the joints of each type, and of each choice of movable sides, by themselves. `used`: zero, before
/// and after.
void JointNets::lay_out_net(const World& world, Net& net, std::vector<std::uint64_t>& used) {
  struct Class {
    JointType type;
    bool plain, in_tree;
    unsigned sides;
    bool operator==(const Class&) const = default;
  };
  const auto class_of = [&](std::int32_t j, bool in_tree) {
    const Joint& joint = world.topology->joints[std::size_t(j)];
    unsigned sides = (moves(world, joint.a) ? net_side_a : 0u) | (moves(world, joint.b) ? net_side_b : 0u);
    if (joint.type == JointType::ball && sides != net_sides_both) sides = net_side_a;  // place_joint swaps
    return Class{joint.type, is_plain_ball(world, joint), in_tree, sides};
  };
  std::vector<Class> classes, of_joint;
  for (std::size_t k = 0; k < net.joints.size(); ++k) {
    of_joint.push_back(class_of(net.joints[k], net.in_tree[k] != 0));
    if (std::find(classes.begin(), classes.end(), of_joint.back()) == classes.end())
      classes.push_back(of_joint.back());
  }
  net.first_run = std::int32_t(runs_.size()), net.first_slot = std::int32_t(slot_joint_.size());
  net.first_body = std::int32_t(bodies_.size());
  const auto visit_masks = [&](std::int32_t j, const auto& act) {
    const Joint& joint = world.topology->joints[std::size_t(j)];
    for (const std::int32_t body : {joint.a, joint.b})
      if (moves(world, body)) act(used[std::size_t(body)]);
  };
  std::vector<std::int32_t> color, order, begin;
  for (const Class& kind : classes) {
    color.assign(net.joints.size(), -1);
    for (std::size_t k = 0; k < color.size(); ++k)
      if (of_joint[k] == kind)
        color[k] = take_first_free_color([&](const auto& act) { visit_masks(net.joints[k], act); });
    sort_by_color(color, order, begin);
    for (std::size_t c = 0; c + 1 < begin.size(); ++c) {
      if (begin[c] == begin[c + 1]) continue;
      const std::int32_t first = std::int32_t(slot_joint_.size());
      for (std::int32_t k = begin[c]; k < begin[c + 1]; ++k)
        slot_joint_.push_back(net.joints[std::size_t(order[std::size_t(k)])]);
      while (slot_joint_.size() % lane_group != 0) slot_joint_.push_back(-1);
      runs_.push_back({first, std::int32_t(slot_joint_.size()), kind.type, kind.sides, kind.in_tree, false});
    }
    for (const std::int32_t j : net.joints) visit_masks(j, [](std::uint64_t& mask) { mask = 0; });
  }
  for (const std::int32_t j : net.joints) {
    const Joint& joint = world.topology->joints[std::size_t(j)];
    for (const std::int32_t body : {joint.a, joint.b})
      if (moves(world, body) && std::exchange(used[std::size_t(body)], 1) == 0) bodies_.push_back(body);
  }
  std::sort(bodies_.begin() + net.first_body, bodies_.end());
  for (const std::int32_t j : net.joints) visit_masks(j, [](std::uint64_t& mask) { mask = 0; });
  net.last_run = std::int32_t(runs_.size()), net.last_slot = std::int32_t(slot_joint_.size());
  net.last_body = std::int32_t(bodies_.size());
}

/// Bodies, anchors and frames of a slot, once, and again in each frame if an end may have been moved. An end
/// that cannot move is a place in the world. Side a of a ball joint is one that moves.
void JointNets::place_joint(const World& world, const Run& run, std::int32_t slot) {
  const Joint& joint = world.topology->joints[std::size_t(slot_joint_[std::size_t(slot)])];
  const std::size_t s = std::size_t(slot);
  struct End {
    std::int32_t body;
    glm::dvec3 at;
    glm::dmat3 axes;
  };
  End a{joint.a, joint.at_a, joint.axes_a}, b{joint.b, joint.at_b, joint.axes_b};
  const bool swapped = run.type == JointType::ball && !moves(world, joint.a);
  if (swapped) std::swap(a, b);
  sign_[s] = swapped ? -1 : 1;
  const auto put = [&](End& end, std::int32_t& body, std::int32_t& row, int at, int frame) {
    if (moves(world, end.body)) {
      body = end.body, row = body_rows * end.body;
    } else if (end.body >= 0) {
      const JointPose pose = pose_of(world, end.body);
      end.at = pose.position + pose.rotation * end.at, end.axes = pose.rotation * end.axes;
    }
    const glm::dvec4 q = precise_quaternion_of(end.axes);
    for (int k = 0; k < 3; ++k) number(slot, at + k) = real(end.at[k]);
    for (int k = 0; k < 4; ++k) row_number(slot, frame + k) = real(q[k]);
  };
  put(a, body_a_[s], row_a_[s], net_at_a, net_frame_a);
  put(b, body_b_[s], row_b_[s], net_at_b, net_frame_b);
  row_number(slot, net_length) = real(joint.length);
}

void JointNets::set_parameters(const World& world, const Run& run, std::int32_t slot) {
  const std::size_t j = std::size_t(slot_joint_[std::size_t(slot)]);
  const JointState& state = world.bodies.joints[j];
  const JointMaterial& material =
      world.settings.joint_materials[std::size_t(world.topology->joints[j].source)];
  const double h = world.bodies.joint_step, gamma = material.compliance * material.damping / h;
  const glm::dvec3 lambda = double(sign_[std::size_t(slot)]) * state.push;
  for (int k = 0; k < 3; ++k) number(slot, net_lambda + k) = real(lambda[k]);
  number(slot, net_softness) = real(material.compliance / (h * h) / (1.0 + gamma));
  number(slot, net_damped) = real(gamma / (1.0 + gamma));
  number(slot, net_active) = real(state.broken ? 0 : 1);
  break_push_[std::size_t(slot)] = real(material.break_force * h * h);
  if (!run.plain_ball) set_row_parameters(world, run, slot, h);
}

void JointNets::set_row_parameters(const World& world, const Run& run, std::int32_t slot, double h) {
  const std::size_t j = std::size_t(slot_joint_[std::size_t(slot)]);
  const Joint& joint = world.topology->joints[j];
  const JointMaterial& material = world.settings.joint_materials[std::size_t(joint.source)];
  const JointState& state = world.bodies.joints[j];
  for (const bool turns : {false, true}) {
    const double compliance = turns ? material.angular_compliance : material.compliance,
                 gamma = compliance * material.damping / h;
    row_number(slot, net_soft + turns) = real(compliance / (h * h) / (1.0 + gamma));
    row_number(slot, net_damping_rows + turns) = real(gamma / (1.0 + gamma));
  }
  double low = material.low, high = material.high;
  if (run.type == JointType::distance) low = material.pulls_only ? -JointMaterial::none : 0.0, high = 0.0;
  row_number(slot, net_low) = real(std::max(low, -net_no_bound));
  row_number(slot, net_high) = real(std::min(high, net_no_bound));
  row_number(slot, net_middle) = real(std::isfinite(low) ? 0.5 * (low + high) : 0.0);
  row_number(slot, net_drive) = real(material.drive * h * h);
  row_number(slot, net_aim) = real(material.speed * h);
  const EveryRow every(world, joint);
  for (int r = 0; r < every.count; ++r) {
    const JointRow& row = every.rows[r];
    row_number(slot, net_multipliers + r) =
        real(row.angular ? glm::dot(state.twist, row.arm_a)
                         : double(sign_[std::size_t(slot)]) * glm::dot(state.push, row.l));
  }
}

/// A joint that may break must bear its share of the load, of which a tree would take all; where joints give,
/// all of them together resist.
bool JointNets::can_brace(const World& world, const Net& net) {
  bool any = false;
  for (std::size_t k = 0; k < net.joints.size(); ++k) {
    const std::size_t j = std::size_t(net.joints[k]), source = std::size_t(world.topology->joints[j].source);
    const JointMaterial& material = world.settings.joint_materials[source];
    if (std::isfinite(material.break_force) || material.compliance > 0.0 || material.angular_compliance > 0.0)
      return false;
    if (net.in_tree[k] && world.bodies.joints[j].broken) return false;
    any |= net.in_tree[k] != 0;
  }
  return any;
}

void JointNets::begin_frame(const World& world, real h) {
  fastest_ = h * real(world.settings.solver.contact->depenetration_speed);
  fastest_turn_ = h * real(JointLimits::most_turn_back);
  const int substeps = std::max(1, int(world.settings.solver.step->substeps));
  small_.clear(), large_.clear(), braced_.clear();
  joints_ = 0, rounds_ = 0;
  for (std::size_t n = 0; n < nets_.size(); ++n) {
    Net& net = nets_[n];
    net.braced = net.swept && can_brace(world, net);
    if (!net.swept) continue;
    if (net.braced) {
      braced_.push_back(std::int32_t(n));
      bool fixed = true;  // all that is left to the sweeps
      for (std::size_t k = 0; k < net.joints.size(); ++k)
        fixed &=
            net.in_tree[k] || world.topology->joints[std::size_t(net.joints[k])].type == JointType::fixed;
      rounds_ = std::max(rounds_, fixed ? rounds_of_fixed : rounds_of_others);
    }
    (net.large ? large_ : small_).push_back(std::int32_t(n));
    joints_ += std::int64_t(net.joints.size());
    int sweeps = 0;
    for (const std::int32_t j : net.joints)
      sweeps = std::max(sweeps, sweeps_for(world, world.topology->joints[std::size_t(j)]));
    net.sweeps = std::max(1, (sweeps + substeps / 2) / substeps);
    net.pulls_ahead = sweeps == sweeps_of_pull && substeps >= least_substeps_ahead;
    for (std::int32_t k = net.first_run; k < net.last_run; ++k) {
      Run& run = runs_[std::size_t(k)];
      const auto first = slot_joint_.begin() + run.begin, last = slot_joint_.begin() + run.end;
      run.plain_ball = std::all_of(first, last, [&](std::int32_t j) {
        return j < 0 || is_plain_ball(world, world.topology->joints[std::size_t(j)]);
      });
      for (std::int32_t s = run.begin; s < run.end; ++s)
        if (slot_joint_[std::size_t(s)] >= 0) {
          if (run.sides != net_sides_both) place_joint(world, run, s);
          set_parameters(world, run, s);
        }
    }
  }
}

/// Calls visit(net, crew): for small nets, whose barriers would cost more than other threads save, by one
/// thread; for large nets by all. `braced`: those that are, or those that are not.
template <class Visit>
void JointNets::visit_nets(Team& team, bool braced, const Visit& visit) {
  const Share mine = team.share(std::int64_t(small_.size()));
  for (std::int64_t n = mine.begin; n < mine.end; ++n)
    if (Net& net = nets_[std::size_t(small_[std::size_t(n)])]; net.braced == braced)
      visit(net, Crew{team, false});
  for (const std::int32_t n : large_)
    if (Net& net = nets_[std::size_t(n)]; net.braced == braced) visit(net, Crew{team, true});
}

/// Visits the colours of a net, and back if it is told to, with the kernels `stage` of NetKernels. A crew of
/// several threads has met at a barrier at its end.
template <class Stage>
void JointNets::sweep(const Net& net, const NetView<real>& view, const Crew& crew, bool back,
                      const Stage& stage) const {
  const auto visit = [&](const Run& run) {
    if (net.braced && run.in_tree) return;
    const Share slots = crew.share(run.begin, run.end, lane_group);
    const std::int32_t begin = std::int32_t(slots.begin), end = std::int32_t(slots.end);
    if (visit_observer != nullptr) [[unlikely]]
      for (std::int32_t s = begin; s < end; ++s)
        if (const std::int32_t joint = slot_joint_[std::size_t(s)]; joint >= 0)
          tell_visit(Visited::joints, int(run.type), run.sides, joint, joint + 1);
    if (begin < end) {
      if (run.plain_ball)
        stage(kernels_)[run.sides == net_sides_both](view, begin, end);
      else
        stage(kernels_.rows[int(run.type)])(view, begin, end, run.sides);
    }
    crew.wait();
  };
  for (std::int32_t k = net.first_run; k < net.last_run; ++k) visit(runs_[std::size_t(k)]);
  if (!back) return;
  for (std::int32_t k = net.last_run - 1; k-- > net.first_run;) visit(runs_[std::size_t(k)]);
}

/// Calls visit(k, body) for the bodies of this thread.
template <class Visit>
void JointNets::visit_bodies(const Net& net, const Crew& crew, const Visit& visit) const {
  const Share mine = crew.share(net.first_body, net.last_body, bodies_of_share);
  for (std::int64_t k = mine.begin; k < mine.end; ++k)
    visit(std::size_t(k), std::size_t(bodies_[std::size_t(k)]));
}

void JointNets::keep_rows(const Net& net, const vec4* rows, const Crew& crew) {
  visit_bodies(net, crew, [&](std::size_t k, std::size_t i) {
    kept_[k] = {rows[body_rows * i + row_shift], rows[body_rows * i + row_turn]};
  });
}

/// Adds what has changed since keep_rows() to the joints' sums.
void JointNets::note_changes(const Net& net, const vec4* rows, double* pushed, double* turned, bool anew,
                             const Crew& crew) const {
  visit_bodies(net, crew, [&](std::size_t k, std::size_t i) {
    const glm::dvec4 shift(rows[body_rows * i + row_shift]), turn(rows[body_rows * i + row_turn]);
    const glm::dvec4 push = (shift - glm::dvec4(kept_[k].shift)) / shift.w,
                     twist = turn - glm::dvec4(kept_[k].turn);
    for (int n = 0; n < 3; ++n) {
      pushed[4 * i + std::size_t(n)] = push[n] + (anew ? 0.0 : pushed[4 * i + std::size_t(n)]);
      turned[4 * i + std::size_t(n)] = twist[n] + (anew ? 0.0 : turned[4 * i + std::size_t(n)]);
    }
  });
}

void JointNets::warm(World& world, vec4* rows, Team& team) {
  const NetView<real> all = view(world, rows);
  const auto warm_net = [&](Net& net, const Crew& crew) {
    keep_rows(net, rows, crew);
    if (crew.first()) net.spoiled = 0;
    crew.wait();
    sweep(net, all, crew, false, [](const auto& kernels) { return kernels.warm; });
    visit_bodies(net, crew, [&](std::size_t k, std::size_t i) {  // changes, which push() takes back
      vec4 &shift = rows[body_rows * i + row_shift], &turn = rows[body_rows * i + row_turn];
      const Kept change{shift - kept_[k].shift, turn - kept_[k].turn};
      if (!net.pulls_ahead) shift = kept_[k].shift, turn = kept_[k].turn;
      kept_[k] = net.pulls_ahead ? change : Kept{vec4(0), vec4(0)};
    });
  };
  visit_nets(team, false, warm_net), visit_nets(team, true, warm_net);
}

void JointNets::push(World& world, vec4* rows, double* pushed, double* turned, Team& team) {
  const NetView<real> all = view(world, rows);
  visit_nets(team, false, [&](Net& net, const Crew& crew) {
    visit_bodies(net, crew, [&](std::size_t k, std::size_t i) {
      vec4 &shift = rows[body_rows * i + row_shift], &turn = rows[body_rows * i + row_turn];
      shift -= kept_[k].shift, turn -= kept_[k].turn;
      kept_[k] = {shift, turn};
    });
    crew.wait();
    for (int n = 0; n < net.sweeps; ++n)
      sweep(net, all, crew, true, [](const auto& kernels) { return kernels.push; });
    drop_nonsense(world, net, rows, crew);
    note_changes(net, rows, pushed, turned, true, crew);
  });
}

/// Numbers that mean nothing, of masses too far apart for their rounding or contradictory joints, are not
/// handed on: a net does without its joints in this substep, as in JointSolver::drop_nonsense.
void JointNets::drop_nonsense(const World& world, Net& net, vec4* rows, const Crew& crew) {
  const real far =
      bounds_of_sweeps * real(world.bodies.joint_step) * real(world.settings.solver.motion->max_speed) +
      bounds_of_sweeps * fastest_;
  const auto small = [](const vec3& x, real most) { return glm::dot(x, x) < most * most; };  // not NaN
  visit_bodies(net, crew, [&](std::size_t, std::size_t i) {
    if (small(vec3(rows[body_rows * i + row_shift]), far) &&
        small(vec3(rows[body_rows * i + row_turn]), bounds_of_sweeps * most_turn))
      return;
    std::atomic_ref(net.spoiled).store(1, std::memory_order_relaxed);
  });
  crew.wait();
  if (!net.spoiled) return;
  visit_bodies(net, crew, [&](std::size_t k, std::size_t i) {
    rows[body_rows * i + row_shift] = kept_[k].shift, rows[body_rows * i + row_turn] = kept_[k].turn;
  });
  const Share mine = crew.share(net.first_slot, net.last_slot, lane_group);
  for (std::int32_t s = std::int32_t(mine.begin); s < std::int32_t(mine.end); ++s) {
    for (int k = 0; k < 3; ++k) number(s, net_lambda + k) = real(0);
    for (int k = 0; k < most_net_rows; ++k) row_number(s, net_multipliers + k) = real(0);
  }
}

void JointNets::settle(World& world, vec4* rows, double* pushed, double* turned, Team& team) {
  const NetView<real> all = view(world, rows);
  visit_nets(team, false, [&](Net& net, const Crew& crew) {
    keep_rows(net, rows, crew);
    sweep(net, all, crew, false, [](const auto& kernels) { return kernels.weigh; });
    sweep(net, all, crew, true, [](const auto& kernels) { return kernels.settle; });
    note_changes(net, rows, pushed, turned, false, crew);
    break_joints(world, net, crew);
  });
}

void JointNets::push_loops(World& world, vec4* rows, double* pushed, double* turned, Team& team) {
  const NetView<real> all = view(world, rows);
  visit_nets(team, true, [&](Net& net, const Crew& crew) {
    keep_rows(net, rows, crew);
    crew.wait();
    for (int n = 0; n < sweeps_of_loops; ++n)
      sweep(net, all, crew, true, [](const auto& kernels) { return kernels.push; });
    drop_nonsense(world, net, rows, crew);
    note_changes(net, rows, pushed, turned, false, crew);
  });
}

void JointNets::settle_loops(World& world, vec4* rows, double* pushed, double* turned, bool first,
                             Team& team) {
  const NetView<real> all = view(world, rows);
  visit_nets(team, true, [&](Net& net, const Crew& crew) {
    keep_rows(net, rows, crew);
    crew.wait();
    if (first) sweep(net, all, crew, false, [](const auto& kernels) { return kernels.weigh; });
    sweep(net, all, crew, true, [](const auto& kernels) { return kernels.settle; });
    note_changes(net, rows, pushed, turned, false, crew);
  });
}

void JointNets::break_joints(World& world, const Net& net, const Crew& crew) {
  for (std::int32_t k = net.first_run; k < net.last_run; ++k) {
    const Run& run = runs_[std::size_t(k)];
    const Share mine = crew.share(run.begin, run.end, lane_group);
    for (std::int32_t s = std::int32_t(mine.begin); s < std::int32_t(mine.end); ++s) {
      const real most = break_push_[std::size_t(s)];
      const std::int32_t j = slot_joint_[std::size_t(s)];
      if (j < 0 || !(most < std::numeric_limits<real>::infinity())) continue;
      real square = 0;
      if (run.plain_ball) {
        for (int n = 0; n < 3; ++n) square += number(s, net_lambda + n) * number(s, net_lambda + n);
      } else {
        const int linear = holds_points(run.type) ? 3 : run.type == JointType::slider ? 2 : 1;
        for (int n = 0; n < linear; ++n)
          square += row_number(s, net_multipliers + n) * row_number(s, net_multipliers + n);
        if (run.type == JointType::slider)
          square += row_number(s, net_multipliers + 5) * row_number(s, net_multipliers + 5);
      }
      if (!(square > most * most)) continue;
      world.bodies.joints[std::size_t(j)] = {glm::dvec3(0.0), glm::dvec3(0.0), true};
      for (int n = 0; n < 3; ++n) number(s, net_lambda + n) = real(0);
      for (int n = 0; n < most_net_rows; ++n) row_number(s, net_multipliers + n) = real(0);
      number(s, net_active) = real(0);
    }
  }
}

void JointNets::end_frame(World& world, Team& team) {
  const auto store_net = [&](const Net& net, const Crew& crew) {
    for (std::int32_t k = net.first_run; k < net.last_run; ++k) {
      const Run& run = runs_[std::size_t(k)];
      if (net.braced && run.in_tree) continue;
      const Share mine = crew.share(run.begin, run.end, lane_group);
      for (std::int32_t s = std::int32_t(mine.begin); s < std::int32_t(mine.end); ++s) {
        const std::int32_t j = slot_joint_[std::size_t(s)];
        if (j < 0) continue;
        JointState& state = world.bodies.joints[std::size_t(j)];
        const double sign = sign_[std::size_t(s)];
        state.push = state.twist = glm::dvec3(0.0);
        if (run.plain_ball) {
          state.push =
              sign * glm::dvec3(number(s, net_lambda), number(s, net_lambda + 1), number(s, net_lambda + 2));
          continue;
        }
        const EveryRow every(world, world.topology->joints[std::size_t(j)]);
        for (int r = 0; r < every.count; ++r) {
          const JointRow& row = every.rows[r];
          const double lambda = row_number(s, net_multipliers + r);
          if (row.angular)
            state.twist += lambda * row.arm_a;
          else
            state.push += (sign * lambda) * row.l;
        }
      }
    }
  };
  visit_nets(team, false, store_net), visit_nets(team, true, store_net);
}

}}  // namespace limber::LIMBER_PRECISION
