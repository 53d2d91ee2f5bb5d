#include "engine/geometry/tets/tet_embedding.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <numeric>

#include "engine/geometry/queries/triangle_tree.hpp"

namespace limber {
namespace {

using Number = BccLattice::Number;

/// Whether a triangle comes nearer to a tetrahedron than `slack` of its size: the triangle is clipped by the
/// four faces in turn.
bool touches(const std::array<glm::dvec3, 3>& triangle, const std::array<glm::dvec3, 4>& tet, double slack) {
  std::array<glm::dvec3, 8> polygon{triangle[0], triangle[1], triangle[2]}, clipped;
  std::size_t size = 3;
  for (const auto& face : tet_faces) {
    const glm::dvec3& corner = tet[face[0]];
    const glm::dvec3 n = glm::cross(tet[face[1]] - corner, tet[face[2]] - corner);
    const double bound = slack * glm::length(n);
    const auto height = [&](const glm::dvec3& p) { return glm::dot(n, p - corner) - bound; };
    std::size_t left = 0;
    for (std::size_t k = 0; k < size; ++k) {
      const glm::dvec3 &p = polygon[k], &q = polygon[(k + 1) % size];
      const double hp = height(p), hq = height(q);
      if (hp <= 0.0) clipped[left++] = p;
      if ((hp <= 0.0) != (hq <= 0.0)) clipped[left++] = p + hp / (hp - hq) * (q - p);
    }
    if (left == 0) return false;
    polygon = clipped;
    size = left;
  }
  return true;
}

class Embedder {
 public:
  Embedder(const TriMesh& surface, const BccLattice& lattice)
      : surface_(surface), lattice_(lattice), taken_(std::size_t(lattice.tet_count()), 0) {}

  LatticeEmbedding embed() {
    for (const Triangle& t : surface_.triangles) take_touched({at(t[0]), at(t[1]), at(t[2])});
    for (const glm::dvec3& x : surface_.positions) taken_[std::size_t(lattice_.tet_at(x))] = 1;
    take_inside();
    number_vertices();
    for (const glm::dvec3& x : surface_.positions) add_point(x);
    return std::move(out_);
  }

 private:
  const glm::dvec3& at(Index v) const { return surface_.positions[std::size_t(v)]; }

  std::array<glm::dvec3, 4> corners_of(Number tet) const {
    const std::array<Number, 4> v = lattice_.tet(tet);
    return {lattice_.position(v[0]), lattice_.position(v[1]), lattice_.position(v[2]),
            lattice_.position(v[3])};
  }

  /// Takes the tetrahedra that a triangle touches. Large triangles are divided into parts no larger than a
  /// cube, so that the box of a part covers few tetrahedra.
  void take_touched(const std::array<glm::dvec3, 3>& triangle) {
    const auto& [a, b, c] = triangle;
    const double longest = std::max({glm::distance(a, b), glm::distance(b, c), glm::distance(c, a)});
    if (longest > lattice_.cell) {
      const glm::dvec3 ab = 0.5 * (a + b), bc = 0.5 * (b + c), ca = 0.5 * (c + a);
      take_touched({a, ab, ca});
      take_touched({ab, b, bc});
      take_touched({ca, bc, c});
      take_touched({ab, bc, ca});
      return;
    }
    constexpr double slack = 1e-9;  // of a cube: a point on a face or a vertex counts on both sides
    const auto cube_of = [&](const glm::dvec3& p) {
      return glm::ivec3(glm::floor((p - lattice_.origin) / lattice_.cell));
    };
    // a tetrahedron belongs to the lower one of its two cubes
    const glm::ivec3 low = glm::max(cube_of(glm::min(a, glm::min(b, c))) - 1, glm::ivec3(0));
    const glm::ivec3 high = glm::min(cube_of(glm::max(a, glm::max(b, c))), lattice_.cells - 1);
    for (int z = low.z; z <= high.z; ++z)
      for (int y = low.y; y <= high.y; ++y)
        for (int x = low.x; x <= high.x; ++x) {
          const Number first = 12 * lattice_.cube({x, y, z});
          for (Number tet = first; tet < first + 12; ++tet)
            if (!taken_[std::size_t(tet)] && lattice_.exists(tet) &&
                touches(triangle, corners_of(tet), slack * lattice_.cell))
              taken_[std::size_t(tet)] = 1;
        }
  }

  /// Takes the tetrahedra inside. The vertices of a tetrahedron that no triangle touches are on one side of
  /// the surface; for each connected set of them the side is found once.
  void take_inside() {
    std::vector<Number> parent(std::size_t(lattice_.vertex_count()));
    std::iota(parent.begin(), parent.end(), Number(0));
    const auto root = [&](Number v) {
      while (parent[std::size_t(v)] != v)
        v = parent[std::size_t(v)] = parent[std::size_t(parent[std::size_t(v)])];
      return v;
    };
    const auto each_untouched = [&](const auto& act) {
      for (Number tet = 0; tet < lattice_.tet_count(); ++tet)
        if (!taken_[std::size_t(tet)] && lattice_.exists(tet)) act(tet);
    };
    each_untouched([&](Number tet) {
      const std::array<Number, 4> v = lattice_.tet(tet);
      for (std::size_t k = 1; k < 4; ++k) {
        const Number a = root(v[0]), b = root(v[k]);
        parent[std::size_t(std::max(a, b))] = std::min(a, b);
      }
    });
    const TriangleTree tree(surface_);
    enum Side : std::uint8_t { unknown, outside, inside };
    std::vector<std::uint8_t> sides(parent.size(), unknown);
    each_untouched([&](Number tet) {
      const Number set = root(lattice_.tet(tet)[0]);
      std::uint8_t& side = sides[std::size_t(set)];
      if (side == unknown)
        side = std::abs(tree.winding_number(lattice_.position(set))) > 0.5 ? inside : outside;
      if (side == inside) taken_[std::size_t(tet)] = 1;
    });
  }

  void number_vertices() {
    numbers_.assign(std::size_t(lattice_.vertex_count()), no_index);
    for (Number tet = 0; tet < lattice_.tet_count(); ++tet) {
      if (!taken_[std::size_t(tet)]) continue;
      Tet& added = out_.mesh.tets.emplace_back();
      const std::array<Number, 4> vertices = lattice_.tet(tet);
      for (std::size_t k = 0; k < 4; ++k) {
        Index& number = numbers_[std::size_t(vertices[k])];
        if (number == no_index) {
          number = Index(out_.mesh.positions.size());
          out_.mesh.positions.push_back(lattice_.position(vertices[k]));
        }
        added[k] = number;
      }
    }
  }

  void add_point(const glm::dvec3& x) {
    const Number tet = lattice_.tet_at(x);
    EmbeddedPoint& point = out_.points.emplace_back();
    point.weights = barycentric(corners_of(tet), x);
    const std::array<Number, 4> vertices = lattice_.tet(tet);
    for (std::size_t k = 0; k < 4; ++k) point.vertices[k] = numbers_[std::size_t(vertices[k])];
  }

  const TriMesh& surface_;
  const BccLattice& lattice_;
  std::vector<std::uint8_t> taken_;  ///< per tetrahedron of the lattice
  std::vector<Index> numbers_;       ///< per vertex of the lattice
  LatticeEmbedding out_;
};

}  // namespace

std::array<double, 4> barycentric(const std::array<glm::dvec3, 4>& corners, const glm::dvec3& p) {
  const glm::dvec3 a = corners[1] - corners[0], b = corners[2] - corners[0], c = corners[3] - corners[0],
                   r = p - corners[0];
  const double volume = glm::dot(glm::cross(a, b), c);
  const double wa = glm::dot(glm::cross(r, b), c) / volume, wb = glm::dot(glm::cross(a, r), c) / volume,
               wc = glm::dot(glm::cross(a, b), r) / volume;
  return {1.0 - wa - wb - wc, wa, wb, wc};
}

LatticeEmbedding embed_in_lattice(const TriMesh& surface, const BccLattice& lattice) {
  return Embedder(surface, lattice).embed();
}

}  // namespace limber
