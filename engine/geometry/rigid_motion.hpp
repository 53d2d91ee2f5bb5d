// A prescribed rigid motion: a pure function of time.
#pragma once

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <glm/vec3.hpp>
#include <memory>

#include "engine/core/trigonometry.hpp"

namespace limber {

/// world = position + rotation * local.
struct Placement {
  glm::dvec3 position{0.0};  ///< m
  glm::dmat3 rotation{1.0};
};

/// Constant velocity, an oscillation by `amplitude`, a rotation about an axis through the position, and an
/// oscillating rotation about an axis through `pivot`; oscillations follow s(t) = sin(2 pi (t / period +
/// phase)). The motion begins at `start` and ends after `swings` periods; before and afterwards the thing
/// keeps its place.
struct RigidMotion {
  Placement rest;                    ///< placement without the motion
  glm::dvec3 linear_velocity{0.0};   ///< m/s
  glm::dvec3 angular_velocity{0.0};  ///< turns/s, along the axis
  glm::dvec3 amplitude{0.0};         ///< m, of amplitude * s
  glm::dvec3 swing{0.0};             ///< turns, along the axis, of the rotation swing * s
  glm::dvec3 pivot{0.0};             ///< m, fixed point of the rotation `swing`
  double period = 1.0;               ///< s
  double phase = 0.0;                ///< turns
  double start = 0.0;                ///< s
  double swings = 0.0;               ///< periods that the motion lasts; 0: it does not end
  /// Carrier, whose displacement from its rest is applied last; null: none
  std::shared_ptr<const RigidMotion> parent;

  bool moves() const {
    const glm::dvec3 zero(0.0);
    return linear_velocity != zero || angular_velocity != zero || amplitude != zero || swing != zero ||
           (parent && parent->moves());
  }

  /// Time for which the motion has lasted at `time`, s.
  double elapsed(double time) const {
    const double since = time > start ? time - start : 0.0;
    return swings > 0.0 && since > swings * period ? swings * period : since;
  }
  Placement at(double time) const;
};

/// The rotation by `amount` times the length of `axis` in turns (Rodrigues): R = I + sin K + (1 - cos) K^2,
/// with K the cross product matrix of the unit axis.
inline glm::dmat3 turn_about(const glm::dvec3& axis, double amount) {
  const double turns = glm::length(axis);
  if (turns == 0.0) return glm::dmat3(1.0);
  const glm::dvec3 a = axis / turns;
  const glm::dmat3 K(0.0, a.z, -a.y, -a.z, 0.0, a.x, a.y, -a.x, 0.0);
  const double sine = sin_turns(turns * amount), cosine = sin_turns(turns * amount + 0.25);
  return glm::dmat3(1.0) + sine * K + (1.0 - cosine) * (K * K);
}

inline Placement RigidMotion::at(double time) const {
  const double moved = elapsed(time), s = sin_turns(moved / period + phase);
  const glm::dmat3 swung = turn_about(swing, s);
  Placement out;
  out.position = pivot + swung * (rest.position - pivot) + moved * linear_velocity + s * amplitude;
  out.rotation = swung * turn_about(angular_velocity, moved) * rest.rotation;
  if (!parent) return out;
  const Placement carrier = parent->at(time);
  const glm::dmat3 turn = carrier.rotation * glm::transpose(parent->rest.rotation);
  out.position = carrier.position + turn * (out.position - parent->rest.position);
  out.rotation = turn * out.rotation;
  return out;
}

}  // namespace limber
