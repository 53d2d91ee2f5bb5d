// Overlapping clusters of points: the connected pieces of the boxes of a grid.
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

namespace limber {

struct ClusterGrid {
  double size = 0.0;     ///< m, side of a box
  double overlap = 0.5;  ///< 0..1, share of a box that also belongs to the next one
  double near = 0.0;     ///< m: points nearer to each other than this are connected
};

/// Returns a list of points for each cluster, ascending, in the order of the grid. Every point is in at least
/// one list, and no list is a subset of another. A list has at least four points, unless fewer points are
/// connected.
std::vector<std::vector<std::int32_t>> overlapping_clusters(std::span<const glm::dvec3> points,
                                                            const ClusterGrid& grid);

/// The clusters that a position follows, in the order of decreasing weight; the weights add up to 1.
struct ClusterBlend {
  std::array<std::int32_t, 4> cluster{0, 0, 0, 0};
  std::array<double, 4> weight{1.0, 0.0, 0.0, 0.0};
};

/// Weights for each of `places`, from the clusters of the points within `reach` of it, or of the nearest
/// point if there are none.
std::vector<ClusterBlend> blend_clusters(std::span<const glm::dvec3> places,
                                         std::span<const glm::dvec3> points,
                                         std::span<const std::vector<std::int32_t>> clusters, double reach);

/// The number of the nearest of `points` for each of `places`.
std::vector<std::int32_t> nearest_points(std::span<const glm::dvec3> places,
                                         std::span<const glm::dvec3> points, double reach);

}  // namespace limber
