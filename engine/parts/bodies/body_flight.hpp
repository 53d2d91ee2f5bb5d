// The free motion of rigid bodies within a substep, without gravity, which the step adds.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/geometric.hpp>

#include "engine/contact/bodies/body_contact.hpp"
#include "engine/contact/round_shapes.hpp"
#include "engine/kernels/body_motion.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

inline vec3 shortened(const vec3& v, real most) {
  const real length = glm::length(v);
  return length > most ? v * (most / length) : v;
}

/// The rotation of a body in a substep.
struct BodyTurn {
  vec3 turn{0};         ///< rad, rotation vector of the whole substep
  vec4 middle{0};       ///< orientation in the middle of the substep
  Symmetric inverse{};  ///< 1/(kg m^2), inverse inertia at `middle`, in the world
};

/// turn_through() of kernels/body_motion.hpp for a single body.
inline BodyTurn turn_through(const vec4& q, real passed, const vec3& inverse, const vec3& L, real h) {
  using Lane = Lanes<real, 1>;
  const auto in_lane = [](const vec3& v) { return Vec3<Lane>{v.x, v.y, v.z}; };
  const FreeTurn<Lane> turn =
      limber::turn_through<Lane>({in_lane(vec3(q)), q.w}, passed, in_lane(inverse), in_lane(L), h, most_turn);
  const auto& m = turn.middle;
  const auto& w = turn.inverse;
  return {vec3(turn.turn.x.v, turn.turn.y.v, turn.turn.z.v),
          vec4(m.v.x.v, m.v.y.v, m.v.z.v, m.w.v),
          {w.xx.v, w.yy.v, w.zz.v, w.xy.v, w.xz.v, w.yz.v}};
}

/// Writes the rows of body i at a substep's start: displacement and rotation vector without gravity, and the
/// inverse inertia in the middle of the substep.
inline void start_flight(const Bodies& bodies, real h, std::size_t i, vec4* rows) {
  const BodyTurn turn = turn_through(bodies.orientation[i], real(0), vec3(bodies.inverse_inertia[i]),
                                     vec3(bodies.angular_momentum[i]), h);
  const Symmetric& w = turn.inverse;
  vec4* const row = rows + body_rows * i;
  row[row_middle] = turn.middle;
  row[row_shift] = vec4(h * vec3(bodies.velocity[i]), bodies.position[i].w);
  row[row_turn] = vec4(turn.turn, real(0));
  row[row_diagonal] = vec4(w.xx, w.yy, w.zz, real(0));
  row[row_mixed] = vec4(w.xy, w.xz, w.yz, real(0));
}

/// The part of a body's rotation vector that moves contact points. If a shape of revolution rotates about its
/// axis, its surface stays in place, and so do its contact points. `round`: index of the body's only shape if
/// that is a shape of revolution about the centre, otherwise -1.
inline vec3 surface_turn(const World& world, std::int32_t round, std::size_t body, const vec3& turn) {
  if (round < 0) return turn;
  const ConvexShape& shape = world.bodies.parts->shapes[std::size_t(round)].shape;
  return visible_turn(shape, {vec3(0), rotation_of(world.bodies.orientation[body])}, turn);
}

}}  // namespace limber::LIMBER_PRECISION
