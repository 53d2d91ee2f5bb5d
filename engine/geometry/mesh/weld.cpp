#include "engine/geometry/mesh/weld.hpp"

#include <bit>
#include <cassert>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace limber {
namespace {

using Cell = glm::vec<3, std::int64_t>;
std::uint64_t hash(const Cell& cell) {
  std::uint64_t h = 0;
  for (int k = 0; k < 3; ++k) {
    h = (h ^ static_cast<std::uint64_t>(cell[k])) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 32;
  }
  return h;
}

/// Hash table of the kept points by cell. Cells are twice the tolerance wide: all points near a point lie in
/// at most eight cells, and a cell holds few kept points, because these keep their distance.
class KeptPoints {
 public:
  KeptPoints(std::span<const glm::dvec3> points, double tolerance)
      : points_(points),
        tolerance_(tolerance),
        first_(std::bit_ceil(points.size() + 1), no_index),
        next_(points.size(), no_index) {}

  /// The lowest kept point within the tolerance, or none.
  Index find(const glm::dvec3& p) const {
    const Cell low = cell_of(p - tolerance_), high = cell_of(p + tolerance_);
    Index found = no_index;
    for (auto x = low.x; x <= high.x; ++x) {
      for (auto y = low.y; y <= high.y; ++y) {
        for (auto z = low.z; z <= high.z; ++z) {
          for (Index i = first_[bucket({x, y, z})]; i != no_index; i = next_[i]) {
            if ((found == no_index || i < found) && glm::distance(points_[i], p) <= tolerance_) found = i;
          }
        }
      }
    }
    return found;
  }

  void keep(Index i) {
    Index& head = first_[bucket(cell_of(points_[i]))];
    next_[i] = head;
    head = i;
  }

 private:
  std::size_t bucket(const Cell& cell) const { return hash(cell) & (first_.size() - 1); }
  Cell cell_of(const glm::dvec3& p) const { return Cell(glm::floor((p - points_[0]) / (2.0 * tolerance_))); }

  std::span<const glm::dvec3> points_;
  double tolerance_;
  std::vector<Index> first_;  // per bucket: the newest kept point
  std::vector<Index> next_;   // per kept point: the older one in its bucket
};

}  // namespace

std::vector<Index> weld(std::span<const glm::dvec3> points, double tolerance) {
  assert(tolerance > 0.0);
  std::vector<Index> becomes(points.size());
  KeptPoints kept(points, tolerance);
  for (Index i = 0; i < static_cast<Index>(points.size()); ++i) {
    const Index same = kept.find(points[i]);
    becomes[i] = same == no_index ? i : same;
    if (same == no_index) kept.keep(i);
  }
  return becomes;
}

}  // namespace limber
