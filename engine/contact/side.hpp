// The sides of a contact. Each kind of object that touches has one of these types, which all have
//
// clang-format off
//   vec3 moved() const                             m, since the substep began; m/s in velocities
//   real inverse_mass_along(const vec3& n) const   1/kg
//   void push(const vec3& impulse) const           kg m, or kg m/s
// clang-format on
//
// A new kind needs a detector that makes rows, and no law of its own: law.hpp works on Sides<A, B>.
#pragma once

#include <cstdint>

#include "engine/contact/frame_rows.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// sum b_j p_j of up to three particles: a vertex, a point of an edge, a point of a triangle.
struct WeightedPoint {
  const std::int32_t (&points)[3];  ///< unused ones have no weight
  const vec3& weight;
  vec4* position;        ///< all particles: p, inverse mass
  const vec4* previous;  ///< x at the substep's start

  vec3 moved() const {
    vec3 moved(0);
    for (int j = 0; j < 3; ++j) moved += weight[j] * (vec3(position[points[j]]) - vec3(previous[points[j]]));
    return moved;
  }
  real inverse_mass_along(const vec3&) const {
    real w = 0;
    for (int j = 0; j < 3; ++j) w += weight[j] * weight[j] * position[points[j]].w;
    return w;
  }
  void push(const vec3& impulse) const {
    for (int j = 0; j < 3; ++j) {
      vec4& p = position[points[j]];
      p += vec4(p.w * weight[j] * impulse, real(0));
    }
  }
};

/// A weighted point in velocities.
struct WeightedVelocity : WeightedPoint {
  vec4* velocity;

  vec3 moved() const {
    vec3 moved(0);
    for (int j = 0; j < 3; ++j) moved += weight[j] * vec3(velocity[points[j]]);
    return moved;
  }
  void push(const vec3& impulse) const {
    for (int j = 0; j < 3; ++j)
      velocity[points[j]] += vec4(position[points[j]].w * weight[j] * impulse, real(0));
  }
};

/// The point of a body or of a rigid cluster at `arm` from its centre of mass, in positions or velocities,
/// whatever the rows hold.
struct FramePoint {
  vec4* frame;
  const vec3& arm;

  vec3 moved() const { return displacement(frame, arm); }
  real inverse_mass_along(const vec3& n) const {
    return limber::inverse_mass_along(static_cast<const vec4*>(frame), arm, n);
  }
  void push(const vec3& impulse) const { push_frame(frame, impulse, arm); }
};

/// A frame's point whose motion beside the frame's rows is `before`, m (or m/s).
struct CarriedPoint : FramePoint {
  vec3 before;

  vec3 moved() const { return before + FramePoint::moved(); }
};

/// A loose particle.
struct LoosePoint {
  vec4* position;
  const vec4* previous;

  vec3 moved() const { return vec3(*position) - vec3(*previous); }
  real inverse_mass_along(const vec3&) const { return position->w; }
  void push(const vec3& impulse) const { *position += vec4(position->w * impulse, real(0)); }
};

/// A loose particle, in velocities.
struct LooseVelocity {
  vec4* velocity;
  real w;  ///< 1/kg

  vec3 moved() const { return vec3(*velocity); }
  real inverse_mass_along(const vec3&) const { return w; }
  void push(const vec3& impulse) const { *velocity += vec4(w * impulse, real(0)); }
};

/// A on B: A gets the impulse, B its opposite.
template <class A, class B>
struct Sides {
  A a;
  B b;

  vec3 moved() const { return a.moved() - b.moved(); }
  real inverse_mass_along(const vec3& n) const { return a.inverse_mass_along(n) + b.inverse_mass_along(n); }
  void push(const vec3& impulse) const {
    a.push(impulse);
    b.push(-impulse);
  }
};
template <class A, class B>
Sides(A, B) -> Sides<A, B>;

}}  // namespace limber::LIMBER_PRECISION
