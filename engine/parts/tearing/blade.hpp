// The quad that a cut by hand sweeps.
#pragma once

#include <array>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <optional>

namespace limber {

/// A flat quad with the corners near[0], far[0], far[1], near[1]. The two near corners may coincide.
class Blade {
 public:
  Blade(const std::array<glm::dvec3, 2>& near, const std::array<glm::dvec3, 2>& far)
      : corners_{near[0], far[0], far[1], near[1]}, normal_(glm::cross(far[0] - near[0], far[1] - near[0])) {}

  /// Whether x is above the plane of the quad. A point on the plane counts as above, so that all elements
  /// agree on whether their common edge is cut.
  bool above(const glm::dvec3& x) const { return glm::dot(x - corners_[0], normal_) >= 0.0; }

  /// The parameter s in [0, 1] at which the segment from a to b crosses the blade; empty if it does not.
  std::optional<double> crosses(const glm::dvec3& a, const glm::dvec3& b) const {
    const double at_a = glm::dot(a - corners_[0], normal_), at_b = glm::dot(b - corners_[0], normal_);
    if ((at_a >= 0.0) == (at_b >= 0.0)) return std::nullopt;
    const double s = at_a / (at_a - at_b);
    return covers(a + s * (b - a)) ? std::optional(s) : std::nullopt;
  }

  /// Whether the projection of x onto the plane lies inside the quad.
  bool covers(const glm::dvec3& x) const {
    for (std::size_t k = 0; k < 4; ++k) {
      const glm::dvec3 &from = corners_[k], &to = corners_[(k + 1) % 4];
      if (glm::dot(glm::cross(normal_, to - from), x - from) < 0.0) return false;
    }
    return true;
  }

 private:
  std::array<glm::dvec3, 4> corners_;
  glm::dvec3 normal_;
};

}  // namespace limber
