#include "engine/parts/bodies/body_solver.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <limits>
#include <numeric>
#include <utility>

#include "engine/contact/coupling/coupling_row.hpp"
#include "engine/contact/round_shapes.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/parallel/visits.hpp"
#include "engine/parts/bodies/body_flight.hpp"
#include "engine/simd/rounding.hpp"
#include "engine/state/schedule.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

// The user's pull on a body: largest speed of the pulled point, share of the remaining distance that it moves
// per second, largest acceleration, and damping of the body's rotation, so that a hanging body comes to rest.
constexpr double hand_speed = 12.0, hand_rate = 15.0;   // m/s, 1/s
constexpr real hand_acceleration = 200, hand_drag = 4;  // m/s^2, 1/s

constexpr real epsilon = std::numeric_limits<real>::epsilon();
/// Number of settle sweeps while bodies that overlap at the start are being separated: four of them reduce
/// the velocity by the separation to a tenth. In a pile that falls into itself they prevent the bodies above
/// from pressing overlapping bodies together.
constexpr int parting_sweeps = 16;
/// Slots of a colour that one thread visits sooner than a barrier is passed.
constexpr std::int32_t small_color = 4 * lane_group;

/// Contacts are overdamped springs, as stiff as one sweep per substep can resolve: softer contacts sag,
/// stiffer ones make tall stacks oscillate (a stack of ten does at twice this frequency).
constexpr real turns_per_substep = real(0.125), contact_damping = 5;

/// Softness of a spring with angular frequency w and damping ratio z, integrated implicitly: in a substep it
/// removes the share h w / (2 z + h w) of the overlap, as XPBD with alpha/h^2 = 1 / (h w (2 z + h w)) of the
/// row's own inverse mass does. A contact with an immovable side is twice as stiff.
ContactSoftness<real> contact_softness(real h, bool two_sided, real most_speed) {
  const real turn = real(6.2831853071795864769) * turns_per_substep * (two_sided ? real(1) : real(2));
  const real a = 2 * contact_damping + turn, b = turn * a;
  return {b / (1 + b), turn / a, 1 / (1 + b), most_speed * h};
}

}  // namespace

void BodySolver::reserve(const World& world, int threads) {
  if (enabled(world)) joints_.reserve(world, threads);
  reserve_bodies(world);
}

void BodySolver::reserve_bodies(const World& world) {
  if (!enabled(world)) return;
  contacts_.reserve(world);
  joints_.reserve_bodies(world);
  rows_.assign(BodyContacts::rows(world), vec4(0));
  carried_shift_.assign(std::size_t(world.bodies.count()), vec4(0));
  carried_momentum_.assign(std::size_t(world.bodies.count()), vec4(0));
  frame_start_.assign(std::size_t(world.bodies.count()), vec4(0));
  fresh_shift_.assign(std::size_t(world.bodies.count()), vec4(0));
  fresh_turn_.assign(std::size_t(world.bodies.count()), vec4(0));
  left_out_.store(false, std::memory_order_relaxed);
  round_.assign(std::size_t(world.bodies.count()), -1);
  form_.assign(std::size_t(world.bodies.count()), BodyForm::any);
  const auto& shapes = world.bodies.parts->shapes;
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    const bool only = (s == 0 || shapes[s - 1].body != shapes[s].body) &&
                      (s + 1 == shapes.size() || shapes[s + 1].body != shapes[s].body);
    if (!only || !shapes[s].centered || !is_round(shapes[s].shape)) continue;
    round_[std::size_t(shapes[s].body)] = std::int32_t(s);
    form_[std::size_t(shapes[s].body)] =
        shapes[s].shape.kind == ConvexKind::sphere ? BodyForm::sphere : BodyForm::round;
  }
}

void BodySolver::begin_step(World& world, real dt, const StaticContacts& statics) {
  nonfinite_.store(false, std::memory_order_relaxed);
  if (enabled(world)) sleeping_.begin_frame(world, dt, statics);
}

/// Visits all contacts in order, one colour after the other; contacts of which both sides can move come
/// first. Thread 0 visits small colours alone, without a barrier between them.
template <class Visit>
void BodySolver::visit_contacts(ColorTurns& turns, const Visit& visit) {
  const Team& team = turns.team();
  for (const bool both : {true, false}) {
    for (const ColorRun& color : contacts_.colors(both)) {
      const std::int32_t count = color.end - color.begin;
      const Share slots = turns.next(count, count <= small_color, lane_group);
      if (count <= small_color && team.rank() > 0) continue;
      tell_visit(Visited::body_contacts, both, 0, color.begin + slots.begin, color.begin + slots.end);
      if (slots.begin < slots.end)
        visit(kernels_, both, color.begin + std::int32_t(slots.begin), color.begin + std::int32_t(slots.end));
    }
    const ColorRun rest = contacts_.overflow(both);
    if (rest.begin == rest.end) continue;
    turns.next(true);
    if (team.rank() > 0) continue;
    tell_visit(Visited::body_contacts, both, 0, rest.begin, rest.end);
    for (std::int32_t i = rest.begin; i < rest.end; ++i) visit(one_by_one_, both, i, i + 1);
  }
}

BodyMotionView<real> BodySolver::motion_view(World& world) {
  Bodies& bodies = world.bodies;
  const auto flat = [](auto& list) { return list.empty() ? nullptr : &list.data()->x; };
  return {flat(bodies.position),
          flat(bodies.remainder),
          flat(bodies.orientation),
          flat(bodies.velocity),
          flat(bodies.angular_momentum),
          flat(bodies.inverse_inertia),
          rows(),
          flat(carried_shift_),
          flat(carried_momentum_),
          left_out_.load(std::memory_order_relaxed) ? flat(fresh_shift_) : nullptr,
          left_out_.load(std::memory_order_relaxed) ? flat(fresh_turn_) : nullptr,
          flat(frame_start_),
          form_.data(),
          joints_.pushed(),
          joints_.turned()};
}

BodyMotion<real> BodySolver::motion(const World& world, real h) const {
  const real speed = real(world.settings.solver.motion->max_speed);
  BodyMotion<real> motion{};
  motion.h = h, motion.keep = motion.keep_held = real(1), motion.held = no_body;
  motion.farthest = h * speed, motion.most_speed = speed, motion.most_turn = most_turn;
  return motion;
}

/// Calls visit(list, count) for the bodies of a list, up to body_group at a time.
template <class Visit>
void BodySolver::visit_bodies(std::span<const std::int32_t> bodies, const Visit& visit) {
  const std::size_t whole = bodies.size() / body_group * body_group, rest = bodies.size() - whole;
  for (std::size_t i = 0; i < whole; i += body_group) visit(bodies.data() + i, std::int32_t(body_group));
  if (rest == 0) return;
  std::int32_t list[body_group];
  std::copy(bodies.begin() + std::ptrdiff_t(whole), bodies.end(), list);
  std::fill(list + rest, list + body_group, bodies.back());
  visit(list, std::int32_t(rest));
}

/// Lists this thread's bodies that take part.
void BodySolver::list_moving(const World& world, const Team& team) {
  const Share mine = team.share(world.bodies.count(), body_block);
  const bool all_awake = world.bodies.sleep.count == 0;
  std::vector<std::int32_t>& list = moving_[std::size_t(team.rank())];
  list.clear();
  for (std::int64_t i = mine.begin; i < mine.end; ++i)
    if (all_awake ? world.bodies.position[std::size_t(i)].w > real(0) : takes_part(world, std::size_t(i)))
      list.push_back(std::int32_t(i));
}

void BodySolver::begin_frame(World& world, real dt, const StaticContacts& statics, Team& team) {
  if (team.rank() == 0) list_per_thread(moving_, team);
  contacts_.begin_frame(world, dt, statics, team);
  team.barrier();
  if (contacts_.skin().count() > 0) {
    if (team.rank() == 0) {
      const std::size_t own = BodyContacts::rows(world),
                        all = own + body_rows * std::size_t(contacts_.skin().count());
      if (rows_.size() < all) rows_.resize(all);
      contacts_.skin().begin_frame(rows_.data() + own);
    }
    team.barrier();
  }
  const real h = dt / real(world.settings.solver.step->substeps);
  const Share mine = team.share(world.bodies.count(), body_block);
  const BodyMotionView<real> bodies = motion_view(world);
  const BodyMotion<real> motion_now = motion(world, h);
  std::vector<std::int32_t>& own = moving_[std::size_t(team.rank())];
  own.resize(std::size_t(mine.end - mine.begin));
  std::iota(own.begin(), own.end(), std::int32_t(mine.begin));
  visit_bodies(own, [&](const std::int32_t* list, std::int32_t count) {
    motion_.start(bodies, list, count, motion_now);
  });
  for (std::int64_t b = mine.begin; b < mine.end; ++b) {
    const std::size_t i = std::size_t(b);
    row(i, row_moved) = world.bodies.remainder[i];
    frame_start_[i] = world.bodies.position[i];
    row(i, row_rotated) = vec4(0, 0, 0, 1);
    carried_shift_[i] = carried_momentum_[i] = vec4(0);
    row(i, row_shift) = row(i, row_turn) = vec4(0);
    if (takes_part(world, i))
      row(i, row_shift).w = world.bodies.position[i].w;
    else
      row(i, row_diagonal) = row(i, row_mixed) = vec4(0);  // nothing moves a sleeping body
  }
  if (team.rank() == 0) {
    spun_.store(false, std::memory_order_relaxed);
    pulled_ = vec3(0);
    world.bodies.parting &= contacts_.deep();
    joints_.begin_frame(world, h);
    impacts_.begin_frame(world, contacts_);
  }
  if (team.rank() == 0)
    for (std::size_t c = 0; c < world.colliders.size(); ++c) {
      const std::size_t i = std::size_t(world.bodies.count()) + c;
      row(i, row_moved) = row(i, row_shift) = row(i, row_turn) = vec4(0);
      row(i, row_rotated) = vec4(0, 0, 0, 1);
      row(i, row_diagonal) = row(i, row_mixed) = vec4(0);
    }
  team.barrier();
  // Multipliers of the last frame: their effect on the bodies is the warm start, as between substeps.
  BodyContactView<real> view = contacts_.view();
  const Share slots = team.share(contacts_.slots(), lane_group);
  kernels_.weigh(view, std::int32_t(slots.begin), std::int32_t(slots.end), rows());
  team.barrier();
  ColorTurns turns(team);
  visit_contacts(turns, [&](const auto& kernels, bool both, std::int32_t begin, std::int32_t end) {
    kernels.warm[both](view, begin, end, rows());
  });
  turns.finish();
  for (std::int64_t b = mine.begin; b < mine.end; ++b) {
    const std::size_t i = std::size_t(b);
    carried_shift_[i] = vec4(vec3(row(i, row_shift)), real(0));
    const vec3 inertia = inertia_of(world.bodies.inverse_inertia[i]);
    const vec3 angular = in_world(rotation_of(row(i, row_middle)), inertia) * vec3(row(i, row_turn)) / h;
    carried_momentum_[i] = vec4(angular, real(0));
  }
}

/// Sets a collider's motion in the substep; nothing changes it.
void BodySolver::move_collider(const World& world, const StaticContacts& statics, int substep,
                               std::size_t c) {
  const std::size_t i = std::size_t(world.bodies.count()) + c;
  statics.take_motion(world, substep, c, &row(i, row_shift));
}

/// Sets the motion of a collider from the frame's start to the substep's end.
void BodySolver::rotate_collider(const World& world, const StaticContacts& statics, int substep,
                                 std::size_t c) {
  const std::size_t i = std::size_t(world.bodies.count()) + c;
  const StaticContacts::Pose* pose = statics.pose(world, substep, c);
  if (!pose) return;
  const Collider& start = world.colliders[c];
  row(i, row_moved) = vec4(pose->position - start.position, real(0));
  row(i, row_rotated) = quaternion_of(glm::dmat3(pose->rotation * glm::transpose(start.rotation)));
}

void BodySolver::predict(World& world, real h, real keep, const vec3& gained, const StaticContacts& statics,
                         int substep, Team& team) {
  list_moving(world, team);
  const std::vector<std::int32_t>& own = moving_[std::size_t(team.rank())];
  const BodyMotionView<real> bodies = motion_view(world);
  BodyMotion<real> motion_now = motion(world, h);
  motion_now.keep = keep;
  for (int k = 0; k < 3; ++k) motion_now.gained[k] = gained[k];
  if (world.user.body_grab) motion_now.held = std::int32_t(world.user.body_grab->body);
  motion_now.keep_held = keep * std::max(1 - hand_drag * h, real(0));
  const auto visit_all = [&](const auto& act) {
    visit_bodies(own,
                 [&](const std::int32_t* list, std::int32_t count) { act(bodies, list, count, motion_now); });
  };
  const bool may_bounce = impacts_.any();
  visit_all(may_bounce ? motion_.start : motion_.start_and_fall);
  if (team.rank() == 0) {
    for (std::size_t c = 0; c < world.colliders.size(); ++c) move_collider(world, statics, substep, c);
    contacts_.skin().move(world, statics, substep, rows_.data() + BodyContacts::rows(world));
  }
  if (may_bounce) {
    team.barrier();
    impacts_.run(world, contacts_, {h, gained, rows_.data(), frame_start_.data(), round_.data()}, team);
    team.barrier();
    visit_all(motion_.add_gravity);
  }
  const bool spun = spun_.load(std::memory_order_relaxed);
  if (!spun && joints_.empty()) return;
  team.barrier();  // all threads must have predicted their bodies
  if (spun) {
    const Share slots = team.share(contacts_.slots(), lane_group);
    kernels_.weigh(contacts_.view(), std::int32_t(slots.begin), std::int32_t(slots.end), rows());
  }
  if (joints_.empty()) return;
  if (spun) team.barrier();
  joints_.warm(world, rows_.data(), h, team);
}

/// Projects the user's pull as a row on three axes: u = goal at the pulled point, with bounded force.
void BodySolver::pull(const World& world, real h) {
  const std::size_t i = std::size_t(world.user.body_grab->body);
  const vec3 r = rotation_of(world.bodies.orientation[i]) * world.user.body_grab->own;
  const glm::dvec3 way = world.user.body_grab->target - glm::dvec3(vec3(world.bodies.position[i]) + r);
  const vec3 goal = shortened(vec3(way * std::min(hand_rate * double(h), 1.0)), real(hand_speed) * h);
  vec4* const body = &row(i, row_shift);
  const vec3 missing(glm::inverse(response_at(body, r)) * glm::dvec3(goal - displacement(body, r)));
  const vec3 now = shortened(pulled_ + missing, hand_acceleration * h * h / body[row_shift].w);
  const vec3 impulse = now - pulled_;
  pulled_ = now;
  push_frame(body, impulse, r);
}

void BodySolver::push(World& world, real h, Team& team) {
  const real speed = real(world.settings.solver.contact->depenetration_speed);
  const ContactSoftness<real> soft[2] = {contact_softness(h, false, speed), contact_softness(h, true, speed)};
  const BodyContactView<real> view = contacts_.view();
  ColorTurns turns(team);
  visit_contacts(turns, [&](const auto& kernels, bool both, std::int32_t begin, std::int32_t end) {
    kernels.push[both](view, begin, end, rows(), soft[both], contacts_.rolling());
  });
  if (world.user.body_grab) {
    turns.next(true);
    if (team.rank() == 0) pull(world, h);
  }
  if (joints_.empty()) return;
  turns.finish();
  joints_.push(world, rows_.data(), team);
}

void BodySolver::move(World& world, real h, const StaticContacts& statics, int substep, Team& team) {
  std::vector<std::int32_t>& own = moving_[std::size_t(team.rank())];
  if (!joints_.empty()) {
    joints_.mend(world, rows_.data(), team);
    team.barrier();
    std::erase_if(own, [&](std::int32_t i) {
      if (!joints_.mending(std::size_t(i)).any) return false;
      move_mended(world, h, std::size_t(i));
      return true;
    });
  }
  const BodyMotionView<real> bodies = motion_view(world);
  const BodyMotion<real> motion_now = motion(world, h);
  bool spun = false;
  visit_bodies(own, [&](const std::int32_t* list, std::int32_t count) {
    spun |= motion_.move(bodies, list, count, motion_now);
  });
  if (spun) spun_.store(true, std::memory_order_relaxed);
  if (team.rank() == 0) {
    for (std::size_t c = 0; c < world.colliders.size(); ++c) rotate_collider(world, statics, substep, c);
    contacts_.skin().finish(rows_.data() + BodyContacts::rows(world));
  }
}

/// Like move_bodies() (kernels/body_motion.hpp), for a body that joints move together without giving it
/// velocity.
void BodySolver::move_mended(World& world, real h, std::size_t i) {
  Bodies& bodies = world.bodies;
  vec4 &shift = row(i, row_shift), &turn = row(i, row_turn);
  const JointSolver::Mending& mending = joints_.mending(i);
  turn = vec4(shortened(vec3(turn), most_turn), real(0));
  const vec3 dx = shortened(vec3(shift), h * real(world.settings.solver.motion->max_speed));
  shift = vec4(dx, shift.w);
  row(i, row_moved) += vec4(dx + vec3(mending.shift), real(0));
  set_place(bodies, i, vec3(frame_start_[i]), vec3(row(i, row_moved)));
  const vec4 q = rotated(vec4(mending.turn), turn_quaternion(vec3(turn))),
             carrying =
                 rotated(vec4(mending.turn), turn_quaternion(surface_turn(world, round_[i], i, vec3(turn)))),
             now = rotated(q, bodies.orientation[i]);
  bodies.orientation[i] = now / std::sqrt(glm::dot(now, now));
  const vec4 turned = rotated(carrying, row(i, row_rotated));
  row(i, row_rotated) = turned;
  const vec4& inverse = bodies.inverse_inertia[i];
  const bool is_even = inverse.x == inverse.y && inverse.y == inverse.z;
  if (!is_even && glm::dot(vec3(turned), vec3(turned)) > real(weighed_turn) * real(weighed_turn))
    spun_.store(true, std::memory_order_relaxed);
}

void BodySolver::update_velocities(World& world, real h, Team& team) {
  const BodyContactView<real> view = contacts_.view();
  ColorTurns turns(team);
  for (int sweep = 0; sweep < (world.bodies.parting ? parting_sweeps : 1); ++sweep)
    visit_contacts(turns, [&](const auto& kernels, bool both, std::int32_t begin, std::int32_t end) {
      kernels.settle[both](view, begin, end, rows(), contacts_.rolling());
    });
  if (world.user.body_grab) {
    turns.next(true);
    if (team.rank() == 0) pull(world, h);
  }
  turns.finish();
  if (!joints_.empty()) {
    joints_.settle(world, rows_.data(), h, team);
    team.barrier();
  }
  const BodyMotionView<real> bodies = motion_view(world);
  const BodyMotion<real> motion_now = motion(world, h);
  bool finite = true;
  if (!joints_.empty()) list_moving(world, team);  // with those that were mended
  visit_bodies(moving_[std::size_t(team.rank())], [&](const std::int32_t* list, std::int32_t count) {
    finite &= motion_.finish(bodies, list, count, motion_now);
    for (std::int32_t n = 0; bodies.fresh_shift != nullptr && n < count; ++n)
      if (const std::size_t i = std::size_t(list[n]); vec3(fresh_shift_[i]) != vec3(0))
        take_rounding(world, h, i);
  });
  if (!finite) nonfinite_.store(true, std::memory_order_relaxed);
}

/// Rows between particles and bodies compare positions, whose rounding becomes velocity, as for particles
/// (see without_rounding()). The same energy is removed from the body's rotation.
void BodySolver::take_rounding(World& world, real h, std::size_t i) {
  Bodies& bodies = world.bodies;
  const vec3 x(bodies.position[i]), L(bodies.angular_momentum[i]);
  vec3 v(bodies.velocity[i]);
  constexpr real error = real(rounding_walk) * epsilon;
  for (int k = 0; k < 3; ++k)
    v[k] = without_rounding(Lanes<real, 1>(h * v[k]), Lanes<real, 1>(x[k]), error).v / h;
  bodies.velocity[i] = vec4(v, real(0));
  const real added = error * error * glm::dot(x, x) / (h * h * bodies.position[i].w);
  const mat3 r = rotation_of(row(i, row_middle));
  const real twice_energy = glm::dot(L, in_world(r, vec3(bodies.inverse_inertia[i])) * L);
  bodies.angular_momentum[i] *= kept_of_rounding(Lanes<real, 1>(twice_energy), Lanes<real, 1>(added)).v;
}

void BodySolver::tell_touched(const World& world, TouchedParts& touched, const Team& team) {
  const BodyContactView<real> view = contacts_.view();
  const auto part_of = [&](std::int32_t row) {
    const std::int32_t body = row / body_rows;
    return body < world.bodies.count() ? touched.of_body(body) : TouchedParts::none;
  };
  const Share slots = team.share(contacts_.slots(), lane_group);
  for (std::int32_t i = std::int32_t(slots.begin); i < std::int32_t(slots.end); ++i) {
    real push = 0;
    for (int k = 0; k < contact_points; ++k) push += view.point(view.slot(i), k)[point_push * lane_group];
    if (push > real(0)) touched.join(part_of(view.a[i]), part_of(view.b[i]), team.rank());
  }
  joints_.tell_touched(touched, team);
}

void BodySolver::end_frame(World& world, Team& team) {
  joints_.end_frame(world, team);
  contacts_.end_frame(world, team);
}

}}  // namespace limber::LIMBER_PRECISION
