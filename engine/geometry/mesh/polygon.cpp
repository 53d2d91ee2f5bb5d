#include "engine/geometry/mesh/polygon.hpp"

#include <glm/geometric.hpp>
#include <limits>
#include <numeric>
#include <tuple>

namespace limber {
namespace {

/// Normal of a possibly bent polygon, its length twice the area (Newell's formula about the first corner).
glm::dvec3 polygon_normal(std::span<const glm::dvec3> p) {
  glm::dvec3 normal(0.0);
  for (std::size_t i = 1; i + 1 < p.size(); ++i) normal += glm::cross(p[i] - p[0], p[i + 1] - p[0]);
  return normal;
}

/// Ear clipping: the corners that are left, and the choice of the next ear.
class EarClipper {
 public:
  EarClipper(std::span<const glm::dvec3> corners, const std::function<bool(int, int)>& allowed)
      : corners_(corners), allowed_(allowed), normal_(polygon_normal(corners)), ring_(corners.size()) {
    std::iota(ring_.begin(), ring_.end(), 0);
  }

  std::size_t size() const { return ring_.size(); }
  bool all_allowed() const { return all_allowed_; }

  /// Cuts off the best ear and returns its triangle.
  std::array<int, 3> cut() {
    const std::size_t tip = best_ear();
    const std::array<int, 3> triangle = triangle_at(tip);
    all_allowed_ = all_allowed_ && is_allowed(triangle);
    ring_.erase(ring_.begin() + static_cast<std::ptrdiff_t>(tip));
    return triangle;
  }

  std::array<int, 3> triangle_at(std::size_t tip) const {
    const std::size_t n = ring_.size();
    return {ring_[(tip + n - 1) % n], ring_[tip], ring_[(tip + 1) % n]};
  }

 private:
  double turn(int a, int b, int c) const {
    return glm::dot(glm::cross(corners_[b] - corners_[a], corners_[c] - corners_[a]), normal_);
  }

  bool is_empty(const std::array<int, 3>& ear) const {
    const auto [a, b, c] = ear;
    for (int i : ring_) {
      const glm::dvec3& p = corners_[i];
      if (p == corners_[a] || p == corners_[b] || p == corners_[c]) continue;
      if (turn(a, b, i) >= 0.0 && turn(b, c, i) >= 0.0 && turn(c, a, i) >= 0.0) return false;
    }
    return true;
  }

  bool is_allowed(const std::array<int, 3>& ear) const { return !allowed_ || allowed_(ear[0], ear[2]); }

  bool is_ear(const std::array<int, 3>& ear) const {
    return turn(ear[0], ear[1], ear[2]) > 0.0 && is_empty(ear);
  }

  /// Allowed diagonals first, then ears, then the shortest diagonal.
  std::size_t best_ear() const {
    constexpr double clearly_shorter =
        1.0 - 1e-6;  // so that rounding does not choose between equal diagonals
    double shortest = std::numeric_limits<double>::infinity();
    std::pair<bool, bool> rank{false, false};
    std::size_t best = 1;  // if there is no ear (no area, or the polygon crosses itself), a fan
    for (std::size_t k = 1; k <= ring_.size(); ++k) {
      const std::size_t tip = k % ring_.size();
      const std::array<int, 3> ear = triangle_at(tip);
      const glm::dvec3 diagonal = corners_[ear[2]] - corners_[ear[0]];
      const double length2 = glm::dot(diagonal, diagonal);
      const bool may = is_allowed(ear);
      const bool shorter = length2 < shortest * clearly_shorter;
      if (std::pair(may, true) < rank || (std::pair(may, true) == rank && !shorter)) continue;
      const std::pair now{may, is_ear(ear)};
      if (now < rank || (now == rank && !(shorter && (now.second || allowed_)))) continue;
      shortest = length2, rank = now, best = tip;
    }
    return best;
  }

  std::span<const glm::dvec3> corners_;
  const std::function<bool(int, int)>& allowed_;
  glm::dvec3 normal_;
  std::vector<int> ring_;
  bool all_allowed_ = true;
};

}  // namespace

bool triangulate_polygon(std::span<const glm::dvec3> corners, std::vector<std::array<int, 3>>& triangles,
                         const std::function<bool(int, int)>& allowed) {
  EarClipper clipper(corners, allowed);
  while (clipper.size() > 3) triangles.push_back(clipper.cut());
  triangles.push_back(clipper.triangle_at(1));
  return clipper.all_allowed();
}

}  // namespace limber
