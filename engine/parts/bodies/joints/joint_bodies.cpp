// Bodies of an island in a substep: poses and inertia in and out of their rows, and inertia that follows a
// turn.
#include <algorithm>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/contact/bodies/body_contact.hpp"
#include "engine/kernels/joint_limits.hpp"
#include "engine/parts/bodies/joints/joint_solver.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// The rod of a distance joint whose ends are apart: the direction of its pull at one end. Length 0: none.
struct Rod {
  glm::dvec3 n{0.0};
  double length = 0.0;  ///< m
};

/// The rod between the ends of a distance joint, in the direction of its pull at b.
Rod rod_of(const Joint& joint, const IslandBody& a, const IslandBody& b) {
  if (joint.type != JointType::distance) return {};
  const glm::dvec3 apart =
      a.pose.position + a.pose.rotation * joint.at_a - b.pose.position - b.pose.rotation * joint.at_b;
  const double length = glm::length(apart);
  return length > JointLimits::least_length ? Rod{apart / length, length} : Rod{};
}

/// A body that is pulled at r by p swings about its middle as a spring of p . r across r makes it; a rod of
/// length L that pulls it along n resists in its turn that the body's end goes across, by |p| / L, and twice
/// that if the other end may go the other way. Where that is quick for the substep, joints feel it as heavier
/// to turn by h^2 times these springs, so that no mode is faster than a step can follow however tight a light
/// chain becomes (the geometric stiffness of Andrews, Teichmann, Kry 2017). Slower modes are left unchanged,
/// and so is the pull of a contact against the joint: together the two are no spring.
void stiffen(IslandBody& body, const glm::dvec3& own, const glm::dvec3& push, const Rod& rod,
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
  const double more = stiffness - JointLimits::slow_share * across - contact * std::sqrt(square);
  if (!(more > 0.0)) return;
  body.inertia += (more / stiffness) * springs;
  body.inverse_inertia = glm::inverse(body.inertia);
}

}  // namespace

JointPose displaced(const JointPose& pose, const glm::dvec3& shift, const glm::dvec3& turn) {
  vec3 t(turn);
  if (const real length = glm::length(t); length > most_turn) t *= most_turn / length;
  return {pose.position + shift, matrix_of(glm::dvec4(turn_quaternion(t))) * pose.rotation};
}

void load_poses(const World& world, const vec4* rows, JointIsland& island) {
  for (IslandBody& body : island.bodies) {
    if (body.number == no_body) continue;
    const std::size_t i = std::size_t(body.number);
    body.pose = {glm::dvec3(world.bodies.position[i]), matrix_of(glm::dvec4(world.bodies.orientation[i]))};
    body.predicted = body.pose;
    if (!body.movable) continue;
    body.w = double(world.bodies.position[i].w);
    const vec4 &d = rows[body_rows * i + row_diagonal], &m = rows[body_rows * i + row_mixed];
    body.inverse_inertia = glm::dmat3(d.x, m.x, m.y, m.x, d.y, m.z, m.y, m.z, d.z);
    body.inertia = body.own_inertia = glm::inverse(body.inverse_inertia);
  }
}

void stiffen(const World& world, vec4* rows, JointIsland& island) {
  for (const IslandLink& link : island.links) {
    const Joint& joint = world.topology->joints[std::size_t(link.joint)];
    const glm::dvec3& push = world.bodies.joints[std::size_t(link.joint)].push;
    IslandBody &a = island.bodies[std::size_t(link.a)], &b = island.bodies[std::size_t(link.b)];
    const Rod rod = rod_of(joint, a, b);
    stiffen(a, joint.at_a, push, {-rod.n, rod.length}, rows);
    stiffen(b, joint.at_b, -push, rod, rows);
  }
  for (const IslandBody& body : island.bodies)
    if (body.movable) set_inertia(rows, body);
}

void set_inertia(vec4* rows, const IslandBody& body) {
  const glm::dmat3& inverse = body.inverse_inertia;
  vec4* const row = rows + body_rows * std::size_t(body.number);
  row[row_diagonal] = vec4(vec3(glm::dvec3(inverse[0][0], inverse[1][1], inverse[2][2])), real(0));
  row[row_mixed] = vec4(vec3(glm::dvec3(inverse[1][0], inverse[2][0], inverse[2][1])), real(0));
}

void turn_by_inertia(JointIsland& island) {
  for (IslandLink& link : island.links)
    for (int r = 0; r < link.count; ++r) {
      IslandRow& row = link.rows[r];
      row.turn_a = island.bodies[std::size_t(link.a)].inverse_inertia * row.arm_a;
      row.turn_b = island.bodies[std::size_t(link.b)].inverse_inertia * row.arm_b;
    }
}

void JointSolver::load_motion(const vec4* rows, JointIsland& island) const {
  for (IslandBody& body : island.bodies) {
    if (!body.movable) continue;
    const std::size_t i = std::size_t(body.number);
    body.shift = glm::dvec3(rows[body_rows * i + row_shift]);
    body.turn = glm::dvec3(rows[body_rows * i + row_turn]);
    body.pushed_before = pushed_[i], body.turned_before = turned_[i];
  }
}

void store_motion(vec4* rows, const JointIsland& island) {
  for (const IslandBody& body : island.bodies) {
    if (!body.movable) continue;
    const std::size_t i = std::size_t(body.number);
    vec4& shift = rows[body_rows * i + row_shift];
    shift = vec4(vec3(body.shift), shift.w);
    rows[body_rows * i + row_turn] = vec4(vec3(body.turn), real(0));
  }
}

/// Replaces a body's inertia by that of another orientation; its momentum and that of its joints stay.
void JointSolver::take_inertia_at(const World& world, vec4* rows, IslandBody& body,
                                  const glm::dmat3& rotation) {
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
bool JointSolver::follow_turns(const World& world, vec4* rows, JointIsland& island) {
  bool any = false;
  for (IslandBody& body : island.bodies) {
    if (!body.movable) continue;
    const glm::dmat3 before = matrix_of(glm::dvec4(rows[body_rows * std::size_t(body.number) + row_middle])),
                     middle = displaced(body.pose, {}, 0.5 * body.turn).rotation;
    double apart = 0.0;
    for (int k = 0; k < 3; ++k) apart = std::max(apart, glm::distance(before[k], middle[k]));
    if (!(apart * glm::length(body.turn) > JointLimits::followed<real>)) continue;
    take_inertia_at(world, rows, body, middle);
    any = true;
  }
  if (!any) return false;
  turn_by_inertia(island);
  island.factored = false;
  return true;
}

}}  // namespace limber::LIMBER_PRECISION
