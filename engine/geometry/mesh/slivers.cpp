#include "engine/geometry/mesh/slivers.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <optional>

#include "engine/core/measures.hpp"

namespace limber {
namespace {

constexpr int most_passes = 12;  // each pass removes slivers that the last one made; few are needed
constexpr std::size_t fewest_for_rule = 24;  // triangles; the median of fewer is not meaningful
constexpr double least_turn_cosine = 0.5;    // largest rotation of a triangle that is no sliver, as a cosine

struct Shape {
  int longest = 0, shortest = 0;  ///< sides: k runs from corner k to k + 1
  double length = 0.0, least = 0.0;
  double thinness = 0.0;  ///< height over the longest side, as a share of it
};

/// Area and volume of a mesh, whose changes are bounded.
struct Extent {
  double area = 0.0, volume = 0.0;  ///< m^2, m^3: twice the area, six times the volume

  friend Extent operator+(const Extent& a, const Extent& b) { return {a.area + b.area, a.volume + b.volume}; }
  friend Extent operator-(const Extent& a, const Extent& b) { return {a.area - b.area, a.volume - b.volume}; }
};

class SliverRemoval {
 public:
  SliverRemoval(TriMesh& mesh, double thinnest)
      : mesh_(mesh),
        thinnest_(thinnest),
        around_(mesh.positions.size()),
        alive_(mesh.triangles.size(), true) {
    becomes_.resize(mesh.positions.size());
    for (std::size_t v = 0; v < becomes_.size(); ++v) becomes_[v] = Index(v);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      for (Index v : mesh.triangles[t]) around_[std::size_t(v)].push_back(Index(t));
    reach_.assign(mesh.positions.size(), 0.0);
    measure();
  }

  SliverReport run() {
    report_.median_edge = median_edge();
    for (int pass = 0; pass < most_passes; ++pass) {
      int changes = 0;
      report_.left = 0;
      for (Index t = 0; t < Index(alive_.size()); ++t) {
        if (!alive_[std::size_t(t)]) continue;
        const Shape shape = shape_of(t);
        const bool tiny = shape.least < shortest_share * report_.median_edge;
        const bool needle = tiny || shape.least < shortest_around * thinnest_ * longest_around(t, shape);
        if (!needle && shape.thinness >= thinnest_) continue;
        const bool done = improve(t, shape, tiny, needle);
        changes += done;
        report_.left += !done && shape.thinness < thinnest_;
      }
      if (changes == 0) break;
    }
    return std::move(report_);
  }

  void compact(std::vector<int>& lines, std::vector<Index>& file_vertices);

 private:
  Triangle& triangle(Index t) { return mesh_.triangles[std::size_t(t)]; }
  const glm::dvec3& place(Index v) const { return mesh_.positions[std::size_t(v)]; }
  std::vector<Index>& around(Index v) { return around_[std::size_t(v)]; }

  /// Measures the size and extent of the mesh, and the median thinness of its triangles.
  void measure() {
    if (mesh_.triangles.empty()) return;
    glm::dvec3 low = place(mesh_.triangles[0][0]), high = low;
    std::vector<double> thinness;
    thinness.reserve(mesh_.triangles.size());
    for (const Triangle& t : mesh_.triangles) {
      for (Index v : t) low = glm::min(low, place(v)), high = glm::max(high, place(v));
      thinness.push_back(shape_of(t).thinness);
    }
    center_ = 0.5 * (low + high), size_ = glm::distance(low, high);
    for (const Triangle& t : mesh_.triangles) whole_ = whole_ + extent_of(t);
    bool border = false;
    for (Index v = 0; v < Index(around_.size()) && !border; ++v) neighbours(v, &border);
    closed_ = !border;
    if (thinness.size() < fewest_for_rule) return;
    const auto middle = thinness.begin() + std::ptrdiff_t(thinness.size() / 2);
    std::nth_element(thinness.begin(), middle, thinness.end());
    thinnest_ = std::min(thinnest_, clean_share * *middle);
  }

  Extent extent_of(const Triangle& t) const {
    return {glm::length(normal(corners(t))),
            glm::dot(place(t[0]) - center_, glm::cross(place(t[1]) - center_, place(t[2]) - center_))};
  }
  bool allows(const Extent& change) const {
    const Extent all = changed_ + change;
    return std::abs(all.area) <= most_changed * whole_.area &&
           (!closed_ || std::abs(all.volume) <= most_changed * std::abs(whole_.volume));
  }

  double median_edge() const {
    std::vector<double> lengths;
    lengths.reserve(3 * mesh_.triangles.size());
    for (const Triangle& t : mesh_.triangles)
      for (std::size_t k = 0; k < 3; ++k)
        lengths.push_back(glm::distance(place(t[k]), place(t[(k + 1) % 3])));
    const auto middle = lengths.begin() + std::ptrdiff_t(lengths.size() / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    return *middle;
  }

  static glm::dvec3 normal(const std::array<glm::dvec3, 3>& p) {
    return glm::cross(p[1] - p[0], p[2] - p[0]);
  }
  std::array<glm::dvec3, 3> corners(const Triangle& t) const {
    return {place(t[0]), place(t[1]), place(t[2])};
  }

  Shape shape_of(const Triangle& t) const {
    Shape shape;
    double lengths[3];
    for (std::size_t k = 0; k < 3; ++k) lengths[k] = glm::distance(place(t[k]), place(t[(k + 1) % 3]));
    shape.longest = int(std::max_element(lengths, lengths + 3) - lengths);
    shape.shortest = int(std::min_element(lengths, lengths + 3) - lengths);
    shape.length = lengths[shape.longest], shape.least = lengths[shape.shortest];
    if (shape.length > 0.0) shape.thinness = glm::length(normal(corners(t))) / (shape.length * shape.length);
    return shape;
  }
  Shape shape_of(Index t) const { return shape_of(mesh_.triangles[std::size_t(t)]); }

  /// The longest edge at either end of the triangle's shortest side.
  double longest_around(Index t, const Shape& shape) {
    const Triangle corner = triangle(t);
    double longest = 0.0;
    for (Index v : {corner[std::size_t(shape.shortest)], corner[std::size_t((shape.shortest + 1) % 3)]})
      for (Index s : around(v))
        for (Index u : triangle(s)) longest = std::max(longest, glm::distance(place(u), place(v)));
    return longest;
  }

  /// Collapses the short side of a needle, or flips the long side of a cap. Returns false if neither is
  /// possible.
  bool improve(Index t, const Shape& shape, bool tiny, bool needle) {
    const Triangle corner = triangle(t);
    const auto from = [&](int side) { return corner[std::size_t(side)]; };
    const auto to = [&](int side) { return corner[std::size_t((side + 1) % 3)]; };
    const auto take_shortest = [&] {
      if (!collapse(from(shape.shortest), to(shape.shortest))) return false;
      ++(tiny ? report_.short_edges : report_.collapsed);
      return true;
    };
    if (needle && take_shortest()) return true;
    if (shape.thinness < thinnest_ && flip(t, from(shape.longest), to(shape.longest))) {
      ++report_.flipped;
      return true;
    }
    return false;
  }

  /// The triangles at the edge a-b, at most two.
  std::vector<Index> at_edge(Index a, Index b) {
    std::vector<Index> found;
    for (Index t : around(a))
      if (has(triangle(t), b)) found.push_back(t);
    return found;
  }
  static bool has(const Triangle& t, Index v) { return t[0] == v || t[1] == v || t[2] == v; }
  static Index opposite(const Triangle& t, Index a, Index b) {
    for (Index v : t)
      if (v != a && v != b) return v;
    return no_index;
  }

  /// Neighbours of v, sorted, each once. An edge to a neighbour with only one triangle is on the border.
  std::vector<Index> neighbours(Index v, bool* on_border) {
    std::vector<Index> found;
    for (Index t : around(v))
      for (Index u : triangle(t))
        if (u != v) found.push_back(u);
    std::sort(found.begin(), found.end());
    *on_border = false;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const bool twice =
          (i > 0 && found[i - 1] == found[i]) || (i + 1 < found.size() && found[i + 1] == found[i]);
      *on_border = *on_border || !twice;
    }
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  /// Removes one end of the edge a-b. Returns false if neither end can be removed.
  bool collapse(Index a, Index b) {
    bool border_a, border_b;
    const std::vector<Index> near_a = neighbours(a, &border_a), near_b = neighbours(b, &border_b);
    const std::vector<Index> shared = at_edge(a, b);
    if (border_a && border_b && shared.size() != 1) return false;
    std::vector<Index> common;
    std::set_intersection(near_a.begin(), near_a.end(), near_b.begin(), near_b.end(),
                          std::back_inserter(common));
    if (common.size() != shared.size()) return false;
    // keeps a vertex on the border, otherwise the first of the two
    const bool keep_b = border_a != border_b ? border_b : b < a;
    const Index first = keep_b ? b : a, second = keep_b ? a : b;
    if (may_move(second, first)) return move(second, first, shared);
    if (border_a == border_b && may_move(first, second)) return move(first, second, shared);
    return false;
  }

  /// Whether the triangles that stay keep their sides, and their vertices to themselves, when `v` moves to
  /// `to`.
  bool may_move(Index v, Index to) {
    if (reach_[std::size_t(v)] + glm::distance(place(v), place(to)) > farthest_share * size_) return false;
    if (!allows(change_of_move(v, to))) return false;
    int left = 0;
    for (Index t : around(v)) {
      const Triangle& before = triangle(t);
      if (has(before, to)) continue;
      ++left;
      Triangle after = before;
      std::replace(after.begin(), after.end(), v, to);
      for (Index other : around(to))
        if (has(triangle(other), after[0]) && has(triangle(other), after[1]) &&
            has(triangle(other), after[2]))
          return false;
      const Shape was = shape_of(before), becomes = shape_of(after);
      if (was.thinness < thinnest_) continue;
      const glm::dvec3 n0 = normal(corners(before)), n1 = normal(corners(after));
      if (glm::dot(n0, n1) < least_turn_cosine * glm::length(n0) * glm::length(n1)) return false;
      if (becomes.thinness < thinnest_) return false;
    }
    return left > 0;
  }

  Extent change_of_move(Index v, Index to) {
    Extent change;
    for (Index t : around(v)) {
      Triangle after = triangle(t);
      change = change - extent_of(after);
      if (has(after, to)) continue;
      std::replace(after.begin(), after.end(), v, to);
      change = change + extent_of(after);
    }
    return change;
  }

  bool move(Index v, Index to, const std::vector<Index>& shared) {
    changed_ = changed_ + change_of_move(v, to);
    double& reach = reach_[std::size_t(to)];
    reach = std::max(reach, reach_[std::size_t(v)] + glm::distance(place(v), place(to)));
    for (Index t : shared) {
      alive_[std::size_t(t)] = false;
      for (Index u : triangle(t)) std::erase(around(u), t);
    }
    for (Index t : around(v)) {
      std::replace(triangle(t).begin(), triangle(t).end(), v, to);
      around(to).push_back(t);
    }
    around(v).clear();
    becomes_[std::size_t(v)] = to;
    return true;
  }

  /// Flips the edge a-b of the cap `t` if the thinner of the two new triangles is less thin than before.
  bool flip(Index t, Index a, Index b) {
    const std::vector<Index> shared = at_edge(a, b);
    if (shared.size() != 2) return false;
    const Index other = shared[0] == t ? shared[1] : shared[0];
    const Triangle cap = triangle(t), next = triangle(other);
    const Index c = opposite(cap, a, b), d = opposite(next, a, b);
    if (c == d || !at_edge(c, d).empty()) return false;
    if (std::size_t at = std::size_t(std::find(next.begin(), next.end(), b) - next.begin());
        next[(at + 1) % 3] != a)
      return false;  // wound against each other
    const Triangle one{c, a, d}, two{c, d, b};
    const double before = std::min(shape_of(cap).thinness, shape_of(next).thinness);
    if (std::min(shape_of(one).thinness, shape_of(two).thinness) < 2.0 * before) return false;
    const glm::dvec3 n = normal(corners(next));
    if (shape_of(next).thinness >= thinnest_)
      for (const Triangle& now : {one, two}) {
        const glm::dvec3 m = normal(corners(now));
        if (glm::dot(m, n) < least_turn_cosine * glm::length(m) * glm::length(n)) return false;
      }
    const Extent change = extent_of(one) + extent_of(two) - extent_of(cap) - extent_of(next);
    if (!allows(change)) return false;
    changed_ = changed_ + change;
    triangle(t) = one, triangle(other) = two;
    std::erase(around(b), t);
    std::erase(around(a), other);
    around(d).push_back(t);
    around(c).push_back(other);
    return true;
  }

  TriMesh& mesh_;
  double thinnest_;
  std::vector<std::vector<Index>> around_;  // per vertex: its triangles
  std::vector<bool> alive_;                 // per triangle
  std::vector<Index> becomes_;              // per vertex: itself, or the vertex it was collapsed into
  std::vector<double> reach_;               // per vertex: m, the farthest vertex collapsed into it
  glm::dvec3 center_{0.0};
  double size_ = 0.0;
  bool closed_ = false;
  Extent whole_, changed_;
  SliverReport report_;

 public:
  std::vector<Index>& becomes() { return becomes_; }
};

/// Drops removed triangles and vertices; `becomes` then has the numbers of the remaining vertices.
void SliverRemoval::compact(std::vector<int>& lines, std::vector<Index>& file_vertices) {
  std::vector<Index> number(becomes_.size(), no_index);
  std::size_t kept = 0;
  for (std::size_t v = 0; v < becomes_.size(); ++v) {
    if (becomes_[v] != Index(v)) continue;
    number[v] = Index(kept);
    mesh_.positions[kept] = mesh_.positions[v];
    if (!mesh_.uvs.empty()) mesh_.uvs[kept] = mesh_.uvs[v];
    if (!mesh_.colors.empty()) mesh_.colors[kept] = mesh_.colors[v];
    if (!file_vertices.empty()) file_vertices[kept] = file_vertices[v];
    ++kept;
  }
  mesh_.positions.resize(kept);
  if (!mesh_.uvs.empty()) mesh_.uvs.resize(kept);
  if (!mesh_.colors.empty()) mesh_.colors.resize(kept);
  if (!file_vertices.empty()) file_vertices.resize(kept);
  for (Index& v : becomes_) {
    while (becomes_[std::size_t(v)] != v) v = becomes_[std::size_t(v)];
  }
  for (Index& v : becomes_) v = number[std::size_t(v)];
  std::size_t left = 0;
  for (std::size_t t = 0; t < alive_.size(); ++t) {
    if (!alive_[t]) continue;
    for (std::size_t k = 0; k < 3; ++k) mesh_.triangles[left][k] = number[std::size_t(mesh_.triangles[t][k])];
    if (!lines.empty()) lines[left] = lines[t];
    ++left;
  }
  mesh_.triangles.resize(left);
  if (!lines.empty()) lines.resize(left);
}

}  // namespace

SliverReport remove_slivers(TriMesh& mesh, std::vector<int>& triangle_lines,
                            std::vector<Index>& file_vertices, double thinnest) {
  assert(thinnest > 0.0);
  SliverRemoval removal(mesh, thinnest);
  SliverReport report = removal.run();
  if (report.changed()) removal.compact(triangle_lines, file_vertices);
  report.becomes = std::move(removal.becomes());
  return report;
}

}  // namespace limber
