// Plates with chord and span on a rigid body that flies: cards, wings, folded planes.
#pragma once

#include <array>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <span>

#include "engine/core/real.hpp"
#include "engine/geometry/convex/airfoil_shape.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Force of the air on a strip of a plate, per metre of span: components along the chord and along the
/// normal, and the moment about the middle of the chord (positive from the chord towards the normal).
struct StripForce {
  double along = 0.0, normal = 0.0;  ///< N/m
  double moment = 0.0;               ///< N
};

/// The quasi-steady law of falling plates (Andersen, Pesavento, Wang 2005; Li, Goodwill, Wang, Ristroph
/// 2022). Flow is attached up to 5 degrees and separated from 23 degrees on, with a smooth step f between:
///
///   C_L = f 5.2 sin a + (1 - f) 0.95 sin 2a         C_D = f (0.1 + 5 sin^2 a) + (1 - f) 1.9 sin^2 a
///   centre of pressure ahead of the middle: c (f (0.3 - 3 a^2) + (1 - f) 0.3 (1 - 2a/pi))
///   rotational lift: circulation 1.1/2 c^2 w        rotational drag: 3/64 rho c^4 |w| w
///
/// Lift and rotational lift are perpendicular to the velocity, so they do no work on the strip's middle.
/// Arguments: velocity relative to the air along the chord and along the normal, m/s; `spin` in rad/s;
/// `chord` in m; `density` of the air in kg/m^3.
StripForce strip_force(double along, double normal, double spin, double chord, double density);

/// A rigid body with airfoils and the added mass of the air that moves with them: rho pi c^2/4 along the
/// normal and rho pi c^4/128 about the middle of the chord, per metre of span. Body and air have one 6 x 6
/// mass matrix in the body's frame. Momentum p and angular momentum l of body and air together rotate with
/// the body and change by the forces on the strips and by gravity (Kirchhoff). Munk's moment of the added
/// mass is not applied: the measured centre of pressure contains it.
class Flyer {
 public:
  static constexpr std::size_t most_airfoils = 16, strips = AirfoilShape::strip_count;

  Flyer(double mass, const glm::dvec3& inertia, double density);
  void add(const AirfoilShape& airfoil);  ///< keeps a reference
  std::span<const AirfoilShape* const> airfoils() const { return {airfoils_.data(), count_}; }

  /// Rotation from the world to the body's frame; velocity relative to the air and angular momentum of the
  /// body without the air, both in the world.
  struct State {
    glm::dmat3 to_body{1.0};
    glm::dvec3 velocity{0.0}, angular_momentum{0.0};
  };
  /// State after h s of air and gravity, by a fourth-order Runge-Kutta rule with as many steps as the rates
  /// need. `skin`: C_t along the span. `eddies`: per airfoil and strip, velocity of the air there minus that
  /// at the centre of mass, m/s in the body's frame; null: no difference.
  State flown(const State& from, const glm::dvec3& gravity, double skin, const glm::dvec3* eddies, double h);

 private:
  using Six = std::array<double, 6>;
  struct Motion {
    glm::dvec3 p, l;                  ///< in the body's frame
    std::array<glm::dvec3, 3> world;  ///< the world's axes in the body's frame
  };
  void prepare();
  void velocities(const Motion& m, glm::dvec3& v, glm::dvec3& w) const;
  Motion rate(const Motion& m, const glm::dvec3& gravity, double skin, const glm::dvec3* eddies) const;

  double mass_, density_;
  glm::dvec3 inertia_;
  std::array<const AirfoilShape*, most_airfoils> airfoils_{};
  std::size_t count_ = 0;
  std::array<Six, 6> inverse_{};  ///< of mass and air, rows
};

}}  // namespace limber::LIMBER_PRECISION
