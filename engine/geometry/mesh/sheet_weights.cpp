#include "engine/geometry/mesh/sheet_weights.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <utility>

namespace limber {
namespace {

/// Stiffness of a spring at the rim over its triangle's share: see SheetWeights.
constexpr double rim_share = 1.19;
/// Smallest share of a triangle's stiffness on one edge; smaller shares would make the hinges of slivers far
/// too stiff. Right triangles of 2:1 have this share on the long leg.
constexpr double least_share = 0.1;
/// Smallest ratio of height to base: thinner triangles count as this thin. Welding leaves triangles of this
/// ratio.
constexpr double thinnest = 0.02;

/// Contribution of a triangle to the springs of its edges.
struct TriangleShare {
  std::array<double, 3> stiffness;  ///< c_i, m^2, of the edge opposite corner i
  double area;                      ///< m^2
  double strip;                     ///< m = 1/(1 - nu^2)
};

/// `l2`: squared lengths, m^2, of the edges opposite each corner.
TriangleShare share_of(const std::array<double, 3>& l2, double area) {
  const double longest = *std::max_element(l2.begin(), l2.end());
  area = std::max(area, 0.5 * thinnest * longest);
  std::array<double, 3> x;
  for (std::size_t i = 0; i < 3; ++i) x[i] = (l2[(i + 1) % 3] + l2[(i + 2) % 3] - l2[i]) / (4.0 * area);
  std::array<double, 3> c;
  double sum = 0.0, squares = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double xj = x[(i + 1) % 3], xk = x[(i + 2) % 3];
    c[i] = (1.0 + x[i] * x[i]) * (1.0 + std::clamp(xj * xk, 0.0, 1.0) * (1.0 + xj * xj + xk * xk));
    sum += c[i];
    squares += x[i] * x[i];
  }
  double bounded = 0.0;
  for (double& ci : c) bounded += ci = std::max(ci / sum, least_share);
  const double n = std::max(3.0, 1.0 + squares);
  for (double& ci : c) ci *= 2.0 * area * n / (n - 1.0) / bounded;
  return {c, area, n * n / (n * n - 1.0)};
}

}  // namespace

SheetWeights sheet_weights(std::span<const glm::dvec3> positions, std::span<const Triangle> triangles,
                           const MeshTopology& topology) {
  using Numbered = std::pair<Edge, std::size_t>;
  const std::size_t edges = topology.edges.size();
  std::vector<Numbered> numbers(edges);
  for (std::size_t e = 0; e < edges; ++e) numbers[e] = {topology.edges[e], e};
  std::sort(numbers.begin(), numbers.end());
  const auto number_of = [&](Index a, Index b) {
    const Edge edge{std::min(a, b), std::max(a, b)};
    return std::lower_bound(numbers.begin(), numbers.end(), Numbered{edge, 0})->second;
  };
  const auto place = [&](Index v) { return positions[std::size_t(v)]; };

  SheetWeights out;
  out.springs.assign(edges, 0.0);
  std::vector<double> area(edges, 0.0), strip(edges, 0.0);
  for (const Triangle& t : triangles) {
    std::array<double, 3> l2;
    for (std::size_t i = 0; i < 3; ++i) {
      const glm::dvec3 d = place(t[(i + 2) % 3]) - place(t[(i + 1) % 3]);
      l2[i] = glm::dot(d, d);
    }
    const TriangleShare share =
        share_of(l2, 0.5 * glm::length(glm::cross(place(t[1]) - place(t[0]), place(t[2]) - place(t[0]))));
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t e = number_of(t[(i + 1) % 3], t[(i + 2) % 3]);
      out.springs[e] += l2[i] > 0.0 ? share.stiffness[i] / l2[i] : 0.0;
      area[e] += share.area;
      strip[e] += share.area * share.strip;
    }
  }
  std::vector<bool> rim(edges, true);
  for (const Hinge& hinge : topology.hinges) {
    const std::size_t e = number_of(hinge[0], hinge[1]);
    rim[e] = false;
    out.hinges.push_back(out.springs[e] > 0.0 ? strip[e] / area[e] / out.springs[e] : 1.0);
  }
  for (std::size_t e = 0; e < edges; ++e) {
    if (!(out.springs[e] > 0.0)) out.springs[e] = 1.0;  // the edge has length zero
    if (rim[e]) out.springs[e] *= rim_share;
  }
  return out;
}

}  // namespace limber
