// Weights that bind a place to nearby points.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

namespace limber {

/// The points that carry a place, ascending, and their weights. Weights add up to one; without points the
/// place is not bound.
struct PointBinding {
  std::vector<std::int32_t> point;
  std::vector<double> weight;
};

/// Weights for each of `places` that reproduce linear functions of the points: sum w_i p_i is the place, also
/// beyond the outermost point. They are moving least squares weights,
///
///   w_i = k_i (1, d_i)^T M^-1 e_0,   M = sum k_i (1, d_i) (1, d_i)^T,   d_i = p_i - place
///
/// with a kernel k that falls to zero at the nearest point left out, so that they change continuously with
/// the place. The number of points grows until no weight is large. A place whose points lie in a plane or on
/// a line is not bound. `spacing`: m, distance of neighbouring points.
std::vector<PointBinding> bind_points(std::span<const glm::dvec3> places, std::span<const glm::dvec3> points,
                                      double spacing);

/// The binding of one place to some of the points: those of `candidates`.
PointBinding bind_point(const glm::dvec3& place, std::span<const glm::dvec3> points,
                        std::span<const std::int32_t> candidates);

}  // namespace limber
