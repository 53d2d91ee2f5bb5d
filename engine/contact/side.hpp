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
#include "engine/state/particles.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// sum b_j p_j of up to three particles: a vertex, a point of an edge, a point of a triangle. Displacements
/// are the exact ones (particles.hpp): a body presses a particle by dozens of impulses in a substep, and the
/// rounding of as many sums near 1 m lets resting boxes creep by a millimetre a second.
struct WeightedPoint {
  const std::int32_t (&points)[3];  ///< particles; an unused entry has weight 0
  const vec3& weight;
  Particles& particles;

  real inverse_mass(int j) const { return particles.position[std::size_t(points[j])].w; }
  vec3 moved() const {
    vec3 moved(0);
    for (int j = 0; j < 3; ++j)
      if (weight[j] != real(0)) moved += weight[j] * way_of(particles, std::size_t(points[j]));
    return moved;
  }
  real inverse_mass_along(const vec3&) const {
    real w = 0;
    for (int j = 0; j < 3; ++j) w += weight[j] * weight[j] * inverse_mass(j);
    return w;
  }
  void push(const vec3& impulse) const {
    for (int j = 0; j < 3; ++j)
      if (const real share = inverse_mass(j) * weight[j]; share != real(0))
        move_particle(particles, std::size_t(points[j]), share * impulse);
  }
};

/// A weighted point with velocities in place of displacements.
struct WeightedVelocity : WeightedPoint {
  vec3 moved() const {
    vec3 moved(0);
    for (int j = 0; j < 3; ++j) moved += weight[j] * vec3(particles.velocity[std::size_t(points[j])]);
    return moved;
  }
  void push(const vec3& impulse) const {
    for (int j = 0; j < 3; ++j)
      particles.velocity[std::size_t(points[j])] += vec4(inverse_mass(j) * weight[j] * impulse, real(0));
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
  Particles& particles;
  std::size_t i;

  vec3 moved() const { return way_of(particles, i); }
  real inverse_mass_along(const vec3&) const { return particles.position[i].w; }
  void push(const vec3& impulse) const {
    if (const real w = particles.position[i].w; w > real(0)) move_particle(particles, i, w * impulse);
  }
};

/// A particle that moves by itself, in velocities.
struct LooseVelocity {
  vec4* velocity;
  real w;  ///< 1/kg

  vec3 moved() const { return vec3(*velocity); }
  real inverse_mass_along(const vec3&) const { return w; }
  void push(const vec3& impulse) const { *velocity += vec4(w * impulse, real(0)); }
};

/// A point whose velocity, m/s, nothing changes.
struct GivenVelocity {
  vec3 velocity;

  vec3 moved() const { return velocity; }
  real inverse_mass_along(const vec3&) const { return real(0); }
  void push(const vec3&) const {}
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
