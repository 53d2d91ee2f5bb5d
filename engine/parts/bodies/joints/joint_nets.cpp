#include "engine/parts/bodies/joints/joint_nets.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <utility>

#include "engine/core/first_fit.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr int sweeps_of_frame = 32;          // over positions, there and back
constexpr std::int64_t least_shared = 4096;  // joints, of which a colour is worth a barrier
constexpr std::int64_t bodies_of_share = 16;
constexpr real bounds_of_sweeps = 8;  // of a body's motion in a substep, that sweeps may leave

bool moves(const World& world, std::int32_t body) {
  return body >= 0 && world.bodies.position[std::size_t(body)].w > real(0);
}

// Small nets are left to the first thread alone: barriers would cost more than the others save.

Share share_of(bool shared, const Team& team, std::int64_t count, std::int64_t block) {
  if (shared) return team.share(count, block);
  return {0, team.rank() == 0 ? count : 0};
}
void wait(bool shared, Team& team) {
  if (shared) team.barrier();
}

}  // namespace

bool JointNets::can_solve(const World& world, std::int32_t n) const {
  const Net& net = nets_[std::size_t(n)];
  return net.balls && std::all_of(net.sources.begin(), net.sources.end(), [&](std::int32_t source) {
           const JointMaterial& material = world.settings.joint_materials[std::size_t(source)];
           return !std::isfinite(material.low) && !std::isfinite(material.high) && material.drive == 0.0 &&
                  (material.compliance == 0.0 || material.damping == 0.0);
         });
}

bool JointNets::choose(std::int32_t net, bool swept) {
  return std::exchange(chosen_[std::size_t(net)], std::uint8_t(swept)) != std::uint8_t(swept);
}

void JointNets::clear() {
  nets_.clear(), chosen_.clear(), swept_.clear(), runs_.clear(), slot_joint_.clear(), bodies_.clear();
  joints_ = 0;
}

std::int32_t JointNets::add(const World& world, std::span<const std::int32_t> joints) {
  std::vector<int> degree(std::size_t(world.bodies.count()), 0);
  for (const std::int32_t j : joints) {
    const Joint& joint = world.topology->joints[std::size_t(j)];
    for (const std::int32_t body : {joint.a, joint.b})
      // a joint shares a body with fewer than two times this many others
      if (moves(world, body) && ++degree[std::size_t(body)] > first_fit_colors / 2) return -1;
  }
  Net net;
  net.joints.assign(joints.begin(), joints.end());
  for (const std::int32_t j : joints) {
    const Joint& joint = world.topology->joints[std::size_t(j)];
    net.balls &= joint.type == JointType::ball;
    net.sources.push_back(joint.source);
  }
  std::sort(net.sources.begin(), net.sources.end());
  net.sources.erase(std::unique(net.sources.begin(), net.sources.end()), net.sources.end());
  nets_.push_back(std::move(net));
  chosen_.push_back(0), swept_.push_back(0);
  return std::int32_t(nets_.size()) - 1;
}

void JointNets::lay_out(const World& world) {
  runs_.clear(), slot_joint_.clear(), bodies_.clear(), net_of_body_.clear();
  std::vector<std::int32_t> joints, net_of_joint(world.topology->joints.size(), 0),
      net_of(std::size_t(world.bodies.count()), 0);
  for (std::size_t n = 0; n < nets_.size(); ++n) {
    if (!swept_[n]) continue;
    joints.insert(joints.end(), nets_[n].joints.begin(), nets_[n].joints.end());
    for (const std::int32_t j : nets_[n].joints) net_of_joint[std::size_t(j)] = std::int32_t(n);
  }
  spoiled_.assign(nets_.size(), 0);
  std::vector<std::uint64_t> used(std::size_t(world.bodies.count()), 0);
  for (const bool two_sided : {true, false}) {
    std::vector<std::int32_t> color(joints.size(), -1), order, begin;
    std::fill(used.begin(), used.end(), 0);
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const Joint& joint = world.topology->joints[std::size_t(joints[k])];
      const bool both = moves(world, joint.a) && moves(world, joint.b);
      if (both != two_sided) continue;
      color[k] = take_first_free_color([&](const auto& act) {
        for (const std::int32_t body : {joint.a, joint.b})
          if (moves(world, body)) act(used[std::size_t(body)]);
      });
    }
    sort_by_color(color, order, begin);
    for (std::size_t c = 0; c + 1 < begin.size(); ++c) {
      if (begin[c] == begin[c + 1]) continue;
      const std::int32_t first = std::int32_t(slot_joint_.size());
      for (std::int32_t k = begin[c]; k < begin[c + 1]; ++k)
        slot_joint_.push_back(joints[std::size_t(order[std::size_t(k)])]);
      while (slot_joint_.size() % lane_group != 0) slot_joint_.push_back(-1);
      runs_.push_back({first, std::int32_t(slot_joint_.size()), two_sided});
    }
  }
  std::fill(used.begin(), used.end(), 0);
  for (const std::int32_t j : joints) {
    const Joint& joint = world.topology->joints[std::size_t(j)];
    for (const std::int32_t body : {joint.a, joint.b})
      if (moves(world, body))
        used[std::size_t(body)] = 1, net_of[std::size_t(body)] = net_of_joint[std::size_t(j)];
  }
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i]) bodies_.push_back(std::int32_t(i)), net_of_body_.push_back(net_of[i]);
  kept_.assign(bodies_.size(), {});
  joints_ = std::int64_t(joints.size());
  shared_ = joints_ >= least_shared;
  data_.assign(slot_joint_.size() * net_columns, real(0));
  body_a_.assign(slot_joint_.size(), 0), body_b_ = body_a_;
  const std::int32_t padding = body_rows * (world.bodies.count() + std::int32_t(world.colliders.size()));
  row_a_.assign(slot_joint_.size(), padding), row_b_.assign(slot_joint_.size(), padding + body_rows);
  sign_.assign(slot_joint_.size(), 1), break_push_.assign(slot_joint_.size(), real(0));
  net_of_slot_.assign(slot_joint_.size(), 0);
  for (std::size_t s = 0; s < slot_joint_.size(); ++s) {
    if (slot_joint_[s] < 0) continue;
    place_joint(world, std::int32_t(s), slot_joint_[s]);
    net_of_slot_[s] = net_of_joint[std::size_t(slot_joint_[s])];
  }
}

/// Bodies and anchors of a slot. Side a is one that moves.
void JointNets::place_joint(const World& world, std::int32_t slot, std::int32_t j) {
  const Joint& joint = world.topology->joints[std::size_t(j)];
  const std::size_t s = std::size_t(slot);
  std::int32_t a = joint.a, b = joint.b;
  glm::dvec3 at_a = joint.at_a, at_b = joint.at_b;
  if (!moves(world, a)) {
    std::swap(a, b), std::swap(at_a, at_b);
    sign_[s] = -1;
  }
  body_a_[s] = a, row_a_[s] = body_rows * a;
  if (moves(world, b)) {
    body_b_[s] = b, row_b_[s] = body_rows * b;
  } else if (b >= 0) {  // a place in the world
    at_b = glm::dvec3(world.bodies.position[std::size_t(b)]) +
           matrix_of(glm::dvec4(world.bodies.orientation[std::size_t(b)])) * at_b;
  }
  for (int k = 0; k < 3; ++k)
    number(slot, net_at_a + k) = real(at_a[k]), number(slot, net_at_b + k) = real(at_b[k]);
}

void JointNets::set_parameters(const World& world, std::int32_t slot, std::int32_t j) {
  const Joint& joint = world.topology->joints[std::size_t(j)];
  const JointState& state = world.bodies.joints[std::size_t(j)];
  const JointMaterial& material = world.settings.joint_materials[std::size_t(joint.source)];
  const double h2 = world.bodies.joint_step * world.bodies.joint_step;
  const glm::dvec3 lambda = double(sign_[std::size_t(slot)]) * state.push;
  for (int k = 0; k < 3; ++k) number(slot, net_lambda + k) = real(lambda[k]);
  number(slot, net_softness) = real(material.compliance / h2);
  number(slot, net_active) = real(state.broken ? 0 : 1);
  break_push_[std::size_t(slot)] = real(material.break_force * h2);
}

void JointNets::begin_frame(const World& world, real h) {
  if (chosen_ != swept_) {
    swept_ = chosen_;
    lay_out(world);
  }
  fastest_ = h * real(world.settings.solver.contact->depenetration_speed);
  const int substeps = std::max(1, int(world.settings.solver.step->substeps));
  sweeps_ = std::max(1, (sweeps_of_frame + substeps / 2) / substeps);
  for (std::size_t s = 0; s < slot_joint_.size(); ++s)
    if (slot_joint_[s] >= 0) set_parameters(world, std::int32_t(s), slot_joint_[s]);
}

/// Ends at a barrier if the threads share the nets.
template <class Visit>
void JointNets::visit_color(const Run& run, Team& team, const Visit& visit) const {
  const Share slots = share_of(shared_, team, run.end - run.begin, lane_group);
  if (slots.begin < slots.end)
    visit(run.two_sided, run.begin + std::int32_t(slots.begin), run.begin + std::int32_t(slots.end));
  wait(shared_, team);
}

template <class Visit>
void JointNets::visit_there_and_back(Team& team, const Visit& visit) const {
  for (std::size_t c = 0; c < runs_.size(); ++c) visit_color(runs_[c], team, visit);
  for (std::size_t c = runs_.size() - 1; c-- > 0;) visit_color(runs_[c], team, visit);
}

/// Calls visit(k, body) for the bodies of this thread.
template <class Visit>
void JointNets::visit_bodies(const Team& team, const Visit& visit) const {
  const Share mine = share_of(shared_, team, std::int64_t(bodies_.size()), bodies_of_share);
  for (std::int64_t k = mine.begin; k < mine.end; ++k)
    visit(std::size_t(k), std::size_t(bodies_[std::size_t(k)]));
}

void JointNets::keep_rows(const vec4* rows, const Team& team) {
  visit_bodies(team, [&](std::size_t k, std::size_t i) {
    kept_[k] = {rows[body_rows * i + row_shift], rows[body_rows * i + row_turn]};
  });
}

/// Adds what has changed since keep_rows() to the joints' sums.
void JointNets::note_changes(const vec4* rows, double* pushed, double* turned, bool anew,
                             const Team& team) const {
  visit_bodies(team, [&](std::size_t k, std::size_t i) {
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
  if (!shared_ && team.rank() != 0) return;
  const NetView<real> net = view(world, rows);
  keep_rows(rows, team);
  if (team.rank() == 0) std::fill(spoiled_.begin(), spoiled_.end(), std::uint8_t(0));
  wait(shared_, team);
  for (const Run& run : runs_)
    visit_color(run, team, [&](bool both, std::int32_t begin, std::int32_t end) {
      kernels_.warm[both](net, begin, end);
    });
  visit_bodies(team, [&](std::size_t k, std::size_t i) {  // changes, which push() takes back
    kept_[k] = {rows[body_rows * i + row_shift] - kept_[k].shift,
                rows[body_rows * i + row_turn] - kept_[k].turn};
  });
}

void JointNets::push(World& world, vec4* rows, double* pushed, double* turned, Team& team) {
  if (!shared_ && team.rank() != 0) return;
  const NetView<real> net = view(world, rows);
  visit_bodies(team, [&](std::size_t k, std::size_t i) {
    vec4 &shift = rows[body_rows * i + row_shift], &turn = rows[body_rows * i + row_turn];
    shift -= kept_[k].shift, turn -= kept_[k].turn;
    kept_[k] = {shift, turn};
  });
  wait(shared_, team);
  for (int sweep = 0; sweep < sweeps_; ++sweep)
    visit_there_and_back(
        team, [&](bool both, std::int32_t begin, std::int32_t end) { kernels_.push[both](net, begin, end); });
  drop_nonsense(world, rows, team);
  note_changes(rows, pushed, turned, true, team);
}

/// Numbers that mean nothing, of masses too far apart for their rounding or contradictory joints, are not
/// handed on: a net does without its joints in this substep, as in JointSolver::drop_nonsense.
void JointNets::drop_nonsense(const World& world, vec4* rows, Team& team) {
  const real far =
      bounds_of_sweeps * real(world.bodies.joint_step) * real(world.settings.solver.motion->max_speed) +
      bounds_of_sweeps * fastest_;
  const auto small = [](const vec3& x, real most) { return glm::dot(x, x) < most * most; };  // not NaN
  visit_bodies(team, [&](std::size_t k, std::size_t i) {
    if (small(vec3(rows[body_rows * i + row_shift]), far) &&
        small(vec3(rows[body_rows * i + row_turn]), bounds_of_sweeps * most_turn))
      return;
    std::atomic_ref(spoiled_[std::size_t(net_of_body_[k])]).store(1, std::memory_order_relaxed);
  });
  wait(shared_, team);
  if (std::none_of(spoiled_.begin(), spoiled_.end(), [](std::uint8_t spoiled) { return spoiled != 0; }))
    return;
  visit_bodies(team, [&](std::size_t k, std::size_t i) {
    if (!spoiled_[std::size_t(net_of_body_[k])]) return;
    rows[body_rows * i + row_shift] = kept_[k].shift, rows[body_rows * i + row_turn] = kept_[k].turn;
  });
  const Share mine = share_of(shared_, team, std::int64_t(slot_joint_.size()), lane_group);
  for (std::int32_t s = std::int32_t(mine.begin); s < std::int32_t(mine.end); ++s)
    for (int k = 0; k < 3 && spoiled_[std::size_t(net_of_slot_[std::size_t(s)])]; ++k)
      number(s, net_lambda + k) = real(0);
}

void JointNets::settle(World& world, vec4* rows, double* pushed, double* turned, Team& team) {
  if (!shared_ && team.rank() != 0) return;
  const NetView<real> net = view(world, rows);
  keep_rows(rows, team);
  for (const Run& run : runs_)
    visit_color(run, team, [&](bool both, std::int32_t begin, std::int32_t end) {
      kernels_.weigh[both](net, begin, end);
    });
  visit_there_and_back(
      team, [&](bool both, std::int32_t begin, std::int32_t end) { kernels_.settle[both](net, begin, end); });
  note_changes(rows, pushed, turned, false, team);
  break_joints(world, team);
}

void JointNets::break_joints(World& world, const Team& team) {
  const Share mine = share_of(shared_, team, std::int64_t(slot_joint_.size()), lane_group);
  for (std::int32_t s = std::int32_t(mine.begin); s < std::int32_t(mine.end); ++s) {
    const real most = break_push_[std::size_t(s)], x = number(s, net_lambda), y = number(s, net_lambda + 1),
               z = number(s, net_lambda + 2);
    if (!(x * x + y * y + z * z > most * most) || slot_joint_[std::size_t(s)] < 0) continue;
    world.bodies.joints[std::size_t(slot_joint_[std::size_t(s)])] = {glm::dvec3(0.0), glm::dvec3(0.0), true};
    for (int k = 0; k < 3; ++k) number(s, net_lambda + k) = real(0);
    number(s, net_active) = real(0);
  }
}

void JointNets::end_frame(World& world, const Team& team) const {
  const Share mine = share_of(shared_, team, std::int64_t(slot_joint_.size()), lane_group);
  for (std::int32_t s = std::int32_t(mine.begin); s < std::int32_t(mine.end); ++s) {
    const std::int32_t j = slot_joint_[std::size_t(s)];
    if (j < 0) continue;
    JointState& state = world.bodies.joints[std::size_t(j)];
    state.push = double(sign_[std::size_t(s)]) *
                 glm::dvec3(number(s, net_lambda), number(s, net_lambda + 1), number(s, net_lambda + 2));
    state.twist = glm::dvec3(0.0);
  }
}

}}  // namespace limber::LIMBER_PRECISION
