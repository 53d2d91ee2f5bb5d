// A rigid motion given in advance: a pure function of time.
#pragma once

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

#include "engine/core/trigonometry.hpp"

namespace limber {

/// world = position + rotation * local.
struct Placement {
  glm::dvec3 position{0.0};  ///< m
  glm::dmat3 rotation{1.0};
};

/// Steady translation, a sinusoidal swing, and a turn about an axis through the position.
struct RigidMotion {
  Placement rest;                    ///< at time 0
  glm::dvec3 linear_velocity{0.0};   ///< m/s
  glm::dvec3 angular_velocity{0.0};  ///< turns/s, along the axis
  glm::dvec3 amplitude{0.0};         ///< m, of amplitude * sin(2 pi t / period)
  double period = 1.0;               ///< s

  bool moves() const {
    const glm::dvec3 zero(0.0);
    return linear_velocity != zero || angular_velocity != zero || amplitude != zero;
  }

  Placement at(double time) const;

  /// The farthest that a point fixed to it, `distance` m from its position, travels in `duration` s.
  double travel(double distance, double duration) const {
    constexpr double two_pi = 6.283185307179586477;
    const double swing = two_pi / period * glm::length(amplitude),
                 spin = two_pi * glm::length(angular_velocity);
    return duration * (glm::length(linear_velocity) + swing + spin * distance);
  }
};

inline Placement RigidMotion::at(double time) const {
  Placement out = rest;
  out.position += time * linear_velocity + sin_turns(time / period) * amplitude;
  const double rate = glm::length(angular_velocity);
  if (rate == 0.0) return out;
  // Rodrigues: R = I + sin K + (1 - cos) K^2, with K the cross product matrix of the axis
  const glm::dvec3 a = angular_velocity / rate;
  const glm::dmat3 K(0.0, a.z, -a.y, -a.z, 0.0, a.x, a.y, -a.x, 0.0);
  const double sine = sin_turns(rate * time), cosine = sin_turns(rate * time + 0.25);
  out.rotation = (glm::dmat3(1.0) + sine * K + (1.0 - cosine) * (K * K)) * rest.rotation;
  return out;
}

}  // namespace limber
