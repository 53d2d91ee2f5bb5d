// Plates with chord and span on a rigid body that flies: cards, wings, folded planes.
#pragma once

#include <array>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <span>

#include "engine/core/real.hpp"
#include "engine/geometry/convex/airfoil_shape.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Air on a strip of a plate, per metre of span, along the chord and the normal, and about the middle of the
/// chord (from the chord to the normal).
struct StripForce {
  double along = 0.0, normal = 0.0;  ///< N/m
  double moment = 0.0;               ///< N
};

/// The quasi-steady law of falling plates (Andersen, Pesavento, Wang 2005; Li, Goodwill, Wang, Ristroph
/// 2022): attached flow up to 5 degrees, separated from 23 on, between them a smooth step f;
///
///   C_L = f 5.2 sin a + (1 - f) 0.95 sin 2a         C_D = f (0.1 + 5 sin^2 a) + (1 - f) 1.9 sin^2 a
///   centre of pressure ahead of the middle: c (f (0.3 - 3 a^2) + (1 - f) 0.3 (1 - 2a/pi))
///   rotational lift: circulation 1.1/2 c^2 w        rotational drag: 3/64 rho c^4 |w| w
///
/// Lift acts across the velocity and so does rotational lift: neither does work on the strip's middle.
/// `chord` in m, `density` in kg/m^3, velocities against the air in m/s, `spin` in rad/s.
StripForce strip_force(double along, double normal, double spin, double chord, double density);

/// A rigid body with a few airfoils, and the air that it has to move along: rho pi c^2/4 along the normal and
/// rho pi c^4/128 about the middle of the chord a metre of span, so that what it weighs with the air is one
/// matrix in the body's frame. Momentum p and angular momentum l of both together turn with the body and
/// change by the forces of strips and by gravity (Kirchhoff). The moment of the air that it moves along while
/// it slips (Munk's) is in the centre of pressure, which is measured, and not counted twice.
class Flyer {
 public:
  static constexpr std::size_t most_airfoils = 16, strips = AirfoilShape::strip_count;

  Flyer(double mass, const glm::dvec3& inertia, double density);
  void add(const AirfoilShape& airfoil);  ///< which is kept
  std::span<const AirfoilShape* const> airfoils() const { return {airfoils_.data(), count_}; }

  /// World axes as rows of a matrix that takes the world to the body's frame; velocity against the air, in
  /// the world; angular momentum of the body alone, in the world.
  struct State {
    glm::dmat3 to_body{1.0};
    glm::dvec3 velocity{0.0}, angular_momentum{0.0};
  };
  /// The motion after h s of air and gravity: fourth order, in as many parts as its rates need, the turn of
  /// the body included. `skin`: C_t along the span. `eddies`: per airfoil and strip, m/s in the body's frame,
  /// how the air there differs from that at the centre of mass; null: nowhere.
  State flown(const State& from, const glm::dvec3& gravity, double skin, const glm::dvec3* eddies, double h);

 private:
  using Six = std::array<double, 6>;
  struct Motion {
    glm::dvec3 p, l;                  ///< in the body's frame
    std::array<glm::dvec3, 3> world;  ///< the world's axes there
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
