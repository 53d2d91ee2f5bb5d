#include "engine/geometry/tets/tet_cut.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <unordered_map>
#include <utility>

namespace limber {
namespace {

using Number = BccLattice::Number;

/// If a cut is nearer to a vertex than this share of its edge, the vertex moves to the cut. These are the
/// values of Labelle and Shewchuk 2007, the largest for which no stencil degenerates.
constexpr double near_on_long = 0.24999, near_on_short = 0.41189;

/// A vertex of the output: a vertex of the lattice, or (second >= 0) the cut of the edge between two of them.
struct CutPoint {
  Number first = 0, second = -1;
  bool operator==(const CutPoint&) const = default;
};
struct CutPointHash {
  std::size_t operator()(const CutPoint& p) const {
    return std::size_t(p.first) * 0x9E3779B97F4A7C15u + std::size_t(p.second);
  }
};
CutPoint edge_of(Number a, Number b) { return {std::min(a, b), std::max(a, b)}; }

class Cutter {
 public:
  Cutter(const BccLattice& lattice, const std::function<double(const glm::dvec3&)>& distance)
      : lattice_(lattice), distance_(distance) {}

  TetMesh cut() {
    places_.reserve(std::size_t(lattice_.vertex_count()));
    depths_.reserve(places_.capacity());
    for (Number v = 0; v < lattice_.vertex_count(); ++v) {
      places_.push_back(lattice_.position(v));
      depths_.push_back(-distance_(places_.back()));
    }
    find_cuts();
    move_vertices();
    for (Number tet = 0; tet < lattice_.tet_count(); ++tet)
      if (lattice_.exists(tet)) add_inner_part(lattice_.tet(tet));
    return std::move(mesh_);
  }

 private:
  /// Positive inside, 0 on the surface.
  int sign(Number v) const {
    const double depth = depths_[std::size_t(v)];
    return depth > 0.0 ? 1 : depth < 0.0 ? -1 : 0;
  }
  glm::dvec3 place(const CutPoint& p) const {
    const glm::dvec3& a = places_[std::size_t(p.first)];
    if (p.second < 0) return a;
    return a + cuts_.at(p) * (places_[std::size_t(p.second)] - a);
  }

  void find_cuts() {
    for (Number tet = 0; tet < lattice_.tet_count(); ++tet) {
      if (!lattice_.exists(tet)) continue;
      const std::array<Number, 4> v = lattice_.tet(tet);
      for (const auto& [a, b] : tet_edge_corners) {
        if (sign(v[a]) * sign(v[b]) >= 0 || cuts_.contains(edge_of(v[a], v[b]))) continue;
        const CutPoint between = edge_of(v[a], v[b]);
        cuts_.emplace(between, crossing(between));
        note_near(between);
      }
    }
  }

  /// Share of the way from the first to the second vertex, by bisection: the distance need not be smooth.
  double crossing(const CutPoint& between) const {
    const glm::dvec3 a = places_[std::size_t(between.first)], b = places_[std::size_t(between.second)];
    const bool first_inside = sign(between.first) > 0;
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 40; ++i) {
      const double middle = 0.5 * (low + high);
      const bool inside = distance_(a + middle * (b - a)) < 0.0;
      (inside == first_inside ? low : high) = middle;
    }
    return 0.5 * (low + high);
  }

  void note_near(const CutPoint& between) {
    const Number corners = lattice_.corner_count();
    const bool is_long = (between.first < corners) == (between.second < corners);
    const double bound = is_long ? near_on_long : near_on_short, t = cuts_.at(between);
    if (t < bound) near_[between.first].push_back({between.second, t / bound});
    if (1.0 - t < bound) near_[between.second].push_back({between.first, (1.0 - t) / bound});
  }

  /// Moves vertices one after another. The edges of a moved vertex have no cuts any more, because it is on
  /// the surface.
  void move_vertices() {
    for (const auto& [vertex, cuts] : near_) {
      const Near* nearest = nullptr;
      for (const Near& cut : cuts)
        if (sign(cut.other) != 0 && (!nearest || cut.share < nearest->share)) nearest = &cut;
      if (!nearest) continue;
      places_[std::size_t(vertex)] = place(edge_of(vertex, nearest->other));
      depths_[std::size_t(vertex)] = 0.0;
    }
  }

  Index vertex(const CutPoint& point) {
    const auto [entry, added] = numbers_.try_emplace(point, Index(mesh_.positions.size()));
    if (added) mesh_.positions.push_back(place(point));
    return entry->second;
  }

  void add(Index a, Index b, Index c, Index d) {
    Tet tet{a, b, c, d};
    if (tet_volume(mesh_.positions, tet) < 0.0) std::swap(tet[2], tet[3]);
    mesh_.tets.push_back(tet);
  }

  /// Whether a quad a, b, c, d gets the diagonal a-c rather than b-d: the shorter one, and of equal ones that
  /// of the lowest vertex. The tetrahedra on both sides of a face agree on its quad.
  bool takes_first(Index a, Index b, Index c, Index d) const {
    const auto length = [&](Index p, Index q) {
      return glm::distance(mesh_.positions[std::size_t(p)], mesh_.positions[std::size_t(q)]);
    };
    const double ac = length(a, c), bd = length(b, d);
    if (std::abs(ac - bd) > 1e-6 * lattice_.cell) return ac < bd;
    return std::min(a, c) < std::min(b, d);
  }

  void add_pyramid(Index apex, Index a, Index b, Index c, Index d) {
    const bool first = takes_first(a, b, c, d);
    add(apex, a, b, first ? c : d);
    add(apex, first ? a : b, c, d);
  }

  /// Adds a prism between two triangles. Its side k, from corner k to corner k + 1, has one of two diagonals:
  /// rising from low[k] to high[k + 1], or falling. If some rise and some fall, low[a] is on two of them,
  /// high[b] is on two, and the third corner c is on one at each end: three tetrahedra. Otherwise a vertex in
  /// the middle is joined to all faces. `choice`: the side whose diagonal no other tetrahedron shares, or 3.
  void add_prism(const std::array<Index, 3>& low, const std::array<Index, 3>& high, std::size_t choice) {
    std::array<bool, 3> rises{};
    for (std::size_t k = 0; k < 3; ++k)
      rises[k] = takes_first(low[k], low[(k + 1) % 3], high[(k + 1) % 3], high[k]);
    if (rises[0] == rises[1] && rises[1] == rises[2]) {
      if (choice == 3) return add_twisted_prism(low, high, rises[0]);
      rises[choice] = !rises[choice];
    }
    std::size_t a = 0, b = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      if (rises[k] && !rises[(k + 2) % 3]) a = k;
      if (!rises[k] && rises[(k + 2) % 3]) b = k;
    }
    const std::size_t c = 3 - a - b;
    add(low[a], high[0], high[1], high[2]);
    add(high[b], low[0], low[1], low[2]);
    add(low[a], high[b], low[c], high[c]);
  }

  void add_twisted_prism(const std::array<Index, 3>& low, const std::array<Index, 3>& high, bool rises) {
    glm::dvec3 middle(0.0);
    for (std::size_t k = 0; k < 3; ++k)
      middle += (mesh_.positions[std::size_t(low[k])] + mesh_.positions[std::size_t(high[k])]) / 6.0;
    const Index apex = Index(mesh_.positions.size());
    mesh_.positions.push_back(middle);
    add(apex, low[0], low[1], low[2]);
    add(apex, high[0], high[1], high[2]);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t next = (k + 1) % 3;
      add(apex, low[k], low[next], rises ? high[next] : high[k]);
      add(apex, high[k], high[next], rises ? low[k] : low[next]);
    }
  }

  /// Adds the part of a tetrahedron between its inner corners, its corners on the surface, and the cuts of
  /// its edges.
  void add_inner_part(const std::array<Number, 4>& corners) {
    std::vector<Number>& in = in_;
    std::vector<Number>& out = outside_;
    in.clear(), out.clear();
    for (const Number v : corners) {
      if (sign(v) > 0) in.push_back(v);
      if (sign(v) < 0) out.push_back(v);
    }
    if (in.empty()) return;
    const auto at = [&](Number v) { return vertex({v}); };
    const auto cut = [&](std::size_t i, std::size_t o) { return vertex(edge_of(in[i], out[o])); };
    if (in.size() == 1 || out.empty()) {  // each outer corner becomes a cut
      Tet tet;
      for (std::size_t k = 0; k < 4; ++k)
        tet[k] = sign(corners[k]) < 0 ? vertex(edge_of(in[0], corners[k])) : at(corners[k]);
      mesh_.tets.push_back(tet);
    } else if (out.size() == 1 && in.size() == 2) {
      const Number zero =
          *std::find_if(corners.begin(), corners.end(), [&](Number v) { return sign(v) == 0; });
      add_pyramid(at(zero), at(in[0]), at(in[1]), cut(1, 0), cut(0, 0));
    } else if (out.size() == 1) {
      add_prism({at(in[0]), at(in[1]), at(in[2])}, {cut(0, 0), cut(1, 0), cut(2, 0)}, 3);
    } else {
      add_prism({at(in[0]), cut(0, 0), cut(0, 1)}, {at(in[1]), cut(1, 0), cut(1, 1)}, 1);
    }
  }

  struct Near {
    Number other;
    double share;  ///< of the bound
  };

  const BccLattice& lattice_;
  const std::function<double(const glm::dvec3&)>& distance_;
  std::vector<glm::dvec3> places_;  ///< per vertex of the lattice
  std::vector<double> depths_;      ///< the same; positive inside
  std::unordered_map<CutPoint, double, CutPointHash> cuts_;
  std::map<Number, std::vector<Near>> near_;  ///< per vertex: the cuts that would move it
  std::unordered_map<CutPoint, Index, CutPointHash> numbers_;
  std::vector<Number> in_, outside_;  ///< corners of the current tetrahedron
  TetMesh mesh_;
};

}  // namespace

TetMesh cut_lattice(const BccLattice& lattice, const std::function<double(const glm::dvec3&)>& distance) {
  return Cutter(lattice, distance).cut();
}

}  // namespace limber
