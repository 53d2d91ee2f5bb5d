// A thin convex solid as a wing: strips across its span.
#pragma once

#include <array>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <span>

#include "engine/geometry/rigid_motion.hpp"

namespace limber {

struct AirfoilStrip {
  double chord = 0.0, width = 0.0;  ///< m, along the chord and along the span
  glm::dvec3 middle{0.0};           ///< m, middle of the chord
};

struct AirfoilShape {
  static constexpr std::size_t strip_count = 6;
  glm::dmat3 axes{1.0};  ///< chord, normal, span, right-handed
  std::array<AirfoilStrip, strip_count> strips;
};

/// Extent of a solid with these corners along the axes, m.
glm::dvec3 extent_of(std::span<const glm::dvec3> corners);

/// The airfoil whose chord runs along an axis. The thinnest other extent is its thickness.
AirfoilShape make_airfoil(std::span<const glm::dvec3> corners, int chord_axis);

/// The airfoil at `place`.
AirfoilShape moved(const AirfoilShape& airfoil, const Placement& place);

}  // namespace limber
