// A plane that cuts surfaces open to show the inside.
#pragma once

#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <optional>
#include <string_view>

namespace limber {

/// Surfaces are not drawn where dot(normal, x) > offset. Solids of tetrahedra show their elements at the
/// plane.
struct ClipPlane {
  glm::vec3 normal{0.0f, 0.0f, 1.0f};  ///< unit
  float offset = 0.0f;                 ///< m

  float height(const glm::vec3& x) const { return glm::dot(normal, x) - offset; }
  /// Plane equation of the side that is drawn: dot(kept(), (x, 1)) > 0.
  glm::vec4 kept() const { return {-normal, offset}; }
  /// The point of the plane nearest to x.
  glm::vec3 foot(const glm::vec3& x) const { return x - height(x) * normal; }

  friend bool operator==(const ClipPlane&, const ClipPlane&) = default;
};

/// The user's choice of a plane perpendicular to an axis: "x", "-z" (the lower side is cut away), "y=0.3"
/// (m). Without a number it goes through the middle of the focus.
struct ClipChoice {
  glm::vec3 normal{0.0f, 0.0f, 1.0f};
  std::optional<float> place;  ///< m, along the axis

  ClipPlane through(const glm::vec3& middle) const;
};
std::optional<ClipChoice> clip_named(std::string_view text);

}  // namespace limber
