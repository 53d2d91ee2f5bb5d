// Contact points of two solids, and the reduction of a manifold to four points.
#pragma once

#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <utility>

namespace limber {

/// A contact point. Not initialised, because buffers for many of them are made for every pair.
template <class Real>
struct ContactPointOf {
  glm::vec<3, Real> point;  ///< m, midway between the surfaces
  Real separation;          ///< m, along the normal; negative: overlap
  std::uint32_t feature;    ///< number that stays the same in the next frame for the same corners and edges
};

/// Kind of a contact point, which tells what the two names in its feature number mean: a corner over a face,
/// an edge crossing a side, an end of a side over a face, two edges.
enum class Meeting : std::uint32_t { corner, crossing, outline, edges };

/// Feature number of a contact point. Names must be below 2^13.
inline std::uint32_t feature_number(Meeting meeting, std::uint32_t a, std::uint32_t b = 0) {
  return std::uint32_t(meeting) << 28 | (a & 0x3fff) << 14 | (b & 0x3fff);
}

/// Added to the name of a side: marks an edge that a polygon got when it was cut along this side.
inline constexpr std::uint32_t along_side = 0x2000;

/// Moves the points that support best to the front, at most four of `count`, and returns their number. They
/// are the deepest point (of several within `slack` m of its depth, the first along a fixed direction), the
/// point farthest from it, and on either side of these two the point that spans the largest triangle with
/// them. Points within `slack` of a kept point are left out.
template <class Real>
int keep_four(ContactPointOf<Real>* points, int count, const glm::vec<3, Real>& normal, Real slack) {
  using Vector = glm::vec<3, Real>;
  if (count < 2) return count;
  Real deepest = points[0].separation;
  for (int i = 1; i < count; ++i)
    if (points[i].separation < deepest) deepest = points[i].separation;
  const Vector aside = glm::cross(normal, Vector(Real(0.36), Real(0.48), Real(0.8)));
  const auto bring_best = [&](int place, Real least, const auto& score) {
    int best = -1;
    for (int i = place; i < count; ++i) {
      const Real value = score(points[i]);
      if (value > least) least = value, best = i;
    }
    if (best >= 0) std::swap(points[place], points[best]);
    return best >= 0;
  };
  bring_best(0, Real(-1e30), [&](const ContactPointOf<Real>& p) {
    return p.separation <= deepest + slack ? glm::dot(p.point, aside) : Real(-2e30);
  });
  const Vector first = points[0].point;
  if (!bring_best(1, slack * slack,
                  [&](const ContactPointOf<Real>& p) { return glm::dot(p.point - first, p.point - first); }))
    return 1;
  const Vector along = points[1].point - first, across = glm::cross(normal, along);
  const Real least = slack * glm::length(along);
  int kept = 2;
  const auto beside = [&](Real side) {
    return [&, side](const ContactPointOf<Real>& p) { return side * glm::dot(p.point - first, across); };
  };
  if (bring_best(kept, least, beside(Real(1)))) ++kept;
  if (bring_best(kept, least, beside(Real(-1)))) ++kept;
  return kept;
}

}  // namespace limber
