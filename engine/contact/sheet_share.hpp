// Triangles of cloth and of surfaces of tetrahedra that act as walls of a fluid particle.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <limits>
#include <span>

#include "engine/core/real.hpp"
#include "engine/geometry/queries/closest_features.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// A triangle near a particle of a fluid.
struct SheetView {
  std::int32_t triangle;
  real distance;  ///< m, from the particle to the nearest point of the triangle
  vec3 normal;    ///< from that point to the particle, unit
  vec3 weight;    ///< barycentric coordinates of that point
  /// |cosine| between `normal` and the triangle's normal; 1 if the nearest point lies inside the triangle.
  real facing;
};

/// The triangle with corners x (m), seen from q.
inline SheetView view_of_triangle(std::int32_t triangle, const vec3& q, const vec3 (&x)[3]) {
  SheetView view{triangle, 0, vec3(0, 1, 0), nearest_weights(q, x), 1};
  const vec3 away = q - (view.weight.x * x[0] + view.weight.y * x[1] + view.weight.z * x[2]),
             across = glm::cross(x[1] - x[0], x[2] - x[0]);
  const real doubled = glm::length(across);
  view.distance = glm::length(away);
  if (view.distance > real(1e-9))
    view.normal = away / view.distance;
  else if (doubled > real(0))
    view.normal = across / doubled;
  view.facing = doubled > real(0) ? std::abs(glm::dot(view.normal, across)) / doubled : real(0);
  return view;
}

/// Chooses the walls of one particle from the triangles around it. Each wall stands for a half space. The
/// first wall is the nearest triangle. A further triangle is a wall if the particle's nearest point lies
/// inside it (in_front_of()) and its direction differs by at least 60 degrees from those of the walls before:
/// the other side of a fold or of a gap. The neighbours of the first triangle in a nearly flat sheet are not
/// counted, because their nearest points lie on their borders or their normals are nearly parallel.
class SheetWalls {
 public:
  static constexpr int most = 3;

  /// Chooses from `seen`. Of triangles at equal distance the one with the lowest number is taken, so the
  /// order does not matter.
  explicit SheetWalls(std::span<const SheetView> seen) {
    for (; count_ < most; ++count_) {
      const SheetView* best = nullptr;
      for (const SheetView& view : seen)
        if (counts(view) && (!best || view.distance < best->distance ||
                             (view.distance == best->distance && view.triangle < best->triangle)))
          best = &view;
      if (!best) return;
      walls_[std::size_t(count_)] = *best;
    }
  }
  std::span<const SheetView> all() const& { return {walls_.data(), std::size_t(count_)}; }
  std::span<const SheetView> all() && = delete;  // the span would outlive its views

  /// Whether the particle stands in front of the triangle, so that the triangle can be a second wall.
  static bool in_front_of(const SheetView& view) { return view.facing >= real(0.9); }

 private:
  static constexpr real beside = real(0.5);

  bool counts(const SheetView& view) const {
    for (int k = 0; k < count_; ++k)
      if (!in_front_of(view) || glm::dot(view.normal, walls_[std::size_t(k)].normal) > beside) return false;
    return true;
  }

  std::array<SheetView, most> walls_{};
  int count_ = 0;
};

}}  // namespace limber::LIMBER_PRECISION
