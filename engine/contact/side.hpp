// Types for the two sides of a contact. Each kind of object that can touch has one; all have these members:
//
// clang-format off
//   real inverse_mass_along(const vec3& n) const   1/kg
//   void push(const vec3& impulse) const           applies an impulse, kg m, or kg m/s in velocities
//   real inverse_mass_along(const vec3& n) const   1/kg
// clang-format on
//
// A new kind of object needs a detector that makes rows and one of these types; law.hpp works on Sides<A, B>.
#pragma once

#include <cstdint>

#include "engine/contact/frame_rows.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// sum b_j p_j of up to three particles: a vertex, a point of an edge, a point of a triangle.
struct WeightedPoint {
  const std::int32_t (&points)[3];  ///< particles; an unused entry has weight 0
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

/// A weighted point with velocities in place of displacements.
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

/// The point at `arm` from the centre of mass of a body or of a rigid cluster. Works on displacements or
/// velocities, depending on what the rows of `frame` hold.
struct FramePoint {
  vec4* frame;
  const vec3& arm;

  vec3 moved() const { return displacement(frame, arm); }
  real inverse_mass_along(const vec3& n) const {
    return limber::inverse_mass_along(static_cast<const vec4*>(frame), arm, n);
  }
  void push(const vec3& impulse) const { push_frame(frame, impulse, arm); }
};

/// A point of a frame that has moved by `before`, m (or m/s), in addition to the motion in the frame's rows.
struct CarriedPoint : FramePoint {
  vec3 before;

  vec3 moved() const { return before + FramePoint::moved(); }
};

/// A particle that moves by itself.
struct LoosePoint {
  vec4* position;
  const vec4* previous;

  vec3 moved() const { return vec3(*position) - vec3(*previous); }
  real inverse_mass_along(const vec3&) const { return position->w; }
  void push(const vec3& impulse) const { *position += vec4(position->w * impulse, real(0)); }
};

/// A particle that moves by itself, in velocities.
struct LooseVelocity {
  vec4* velocity;
  real w;  ///< 1/kg

  vec3 moved() const { return vec3(*velocity); }
  real inverse_mass_along(const vec3&) const { return w; }
  void push(const vec3& impulse) const { *velocity += vec4(w * impulse, real(0)); }
};

/// Side A against side B: A gets the impulse, B its opposite.
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
