#include "engine/state/turns.hpp"

#include <algorithm>
#include <cmath>

#include "engine/core/trigonometry.hpp"
#include "engine/simd/turns.hpp"
#include "engine/state/bodies.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

glm::dvec4 orientation_of(const Particles& particles, std::size_t i) {
  using L = Lanes<double, 1>;
  const glm::dvec4 q(particles.origin[i]), r(particles.moved[i]);
  const Quaternion<L> now = turned(Quaternion<L>{{q.x, q.y, q.z}, q.w}, Vec3<L>{r.x, r.y, r.z});
  const glm::dvec4 out(now.v.x.v, now.v.y.v, now.v.z.v, now.w.v);
  return out / std::sqrt(glm::dot(out, out));
}

void put_turn(Particles& particles, std::size_t i, const glm::dvec4& q, real w) {
  particles.origin[i] = vec4(q);
  for (auto* rows : {&particles.position, &particles.previous, &particles.moved, &particles.predicted,
                     &particles.moved_before})
    (*rows)[i] = vec4(vec3(0), w);
}

void hold_turn(Particles& particles, std::size_t i, const RodHold& hold, const glm::dvec4& carrier,
               double time, real h) {
  constexpr double whole_turn = 6.283185307179586477;
  const double turns = hold.spin * time / whole_turn;  // revolutions; a quaternion has half of the angle
  const glm::dvec4 own(0.0, 0.0, sin_turns(0.5 * turns), sin_turns(0.5 * turns + 0.25));
  const glm::dvec4 q = rotated(rotated(carrier, hold.rest), own);
  glm::dvec3 way = double(h) * hold.spin * matrix_of(q)[2];
  if (hold.collider >= 0 || hold.body >= 0) {  // the shorter rotation, up to half a revolution
    using L = Lanes<double, 1>;
    const auto in_lane = [](const glm::dvec4& of) { return Quaternion<L>{{of.x, of.y, of.z}, of.w}; };
    L unused;
    const Vec3<L> turn =
        rotation_vector(in_lane(q) * conjugate(in_lane(orientation_of(particles, i))), unused);
    way = {turn.x.v, turn.y.v, turn.z.v};
  }
  particles.origin[i] = vec4(q);
  particles.moved[i] = particles.predicted[i] = vec4(0);
  particles.velocity[i] = vec4(vec3(way / double(h)), real(0));
  particles.moved_before[i] = vec4(vec3(-way), real(0));
}

}}  // namespace limber::LIMBER_PRECISION
