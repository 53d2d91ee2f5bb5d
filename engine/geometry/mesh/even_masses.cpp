#include "engine/geometry/mesh/even_masses.hpp"

#include <algorithm>
#include <numeric>

namespace limber {
namespace {

constexpr int most_mass_passes = 8;
constexpr double rounding = 1e-9;

/// Per vertex a range of neighbours.
struct Neighbours {
  std::vector<std::size_t> offset;
  std::vector<Index> vertices;

  Neighbours(std::size_t count, std::span<const Edge> edges)
      : offset(count + 1, 0), vertices(2 * edges.size()) {
    for (const auto& [a, b] : edges) ++offset[std::size_t(a) + 1], ++offset[std::size_t(b) + 1];
    std::partial_sum(offset.begin(), offset.end(), offset.begin());
    std::vector<std::size_t> next(offset.begin(), offset.end() - 1);
    for (const auto& [a, b] : edges) {
      vertices[next[std::size_t(a)]++] = b;
      vertices[next[std::size_t(b)]++] = a;
    }
  }
  std::span<const Index> of(std::size_t v) const {
    return {vertices.data() + offset[v], offset[v + 1] - offset[v]};
  }
};

}  // namespace

int even_masses(std::vector<double>& masses, std::span<const Edge> edges) {
  const Neighbours neighbours(masses.size(), edges);
  std::vector<bool> took(masses.size(), false);
  for (int pass = 0; pass < most_mass_passes; ++pass) {
    bool changed = false;
    for (std::size_t v = 0; v < masses.size(); ++v) {
      const std::span<const Index> near = neighbours.of(v);
      double sum = 0.0;
      for (Index n : near) sum += masses[std::size_t(n)];
      // after the exchange: m + d = share (sum - d) / n
      const double share = least_mass_share / double(std::max<std::size_t>(near.size(), 1));
      const double missing = (share * sum - masses[v]) / (1.0 + share);
      if (!(missing > rounding * sum)) continue;
      for (Index n : near) masses[std::size_t(n)] *= 1.0 - missing / sum;
      masses[v] += missing;
      took[v] = changed = true;
    }
    if (!changed) break;
  }
  return int(std::count(took.begin(), took.end(), true));
}

}  // namespace limber
