#include "engine/geometry/tets/tet_shapes.hpp"

#include <algorithm>
#include <cassert>
#include <glm/geometric.hpp>
#include <map>
#include <utility>

#include "engine/geometry/mesh/shapes.hpp"

namespace limber {
namespace {

using CellCorner = std::array<int, 3>;  ///< of a cell, 0 or 1 along each axis

/// The tetrahedra of one cell as its corners; `mirrored`: in every second cell of TetSplit::five.
std::vector<std::array<CellCorner, 4>> cell_tets(TetSplit split, bool mirrored) {
  std::vector<std::array<CellCorner, 4>> out;
  if (split == TetSplit::five) {
    const int flip = mirrored ? 1 : 0;  // mirrored along x
    const auto at = [&](int x, int y, int z) { return CellCorner{x ^ flip, y, z}; };
    const CellCorner a = at(0, 0, 0), b = at(1, 1, 0), c = at(1, 0, 1), d = at(0, 1, 1);
    out = {{a, b, c, d},
           {at(1, 0, 0), a, b, c},
           {at(0, 1, 0), a, b, d},
           {at(0, 0, 1), a, c, d},
           {at(1, 1, 1), b, c, d}};
  } else {
    std::array<std::size_t, 3> axes{0, 1, 2};
    do {  // a path from corner 000 to corner 111 along the axes in each order
      std::array<CellCorner, 4> path{};
      for (std::size_t k = 0; k < 3; ++k) path[k + 1] = path[k], path[k + 1][axes[k]] = 1;
      out.push_back(path);
    } while (std::next_permutation(axes.begin(), axes.end()));
  }
  return out;
}

/// Numbers in the lattice of one of the ball's 20 tetrahedra: steps from its centre to each corner of its
/// face; the first is the rest, to the centre.
using Steps = std::array<int, 4>;

Steps operator+(Steps a, std::size_t corner) {
  ++a[corner];
  return a;
}

/// All Steps whose sum is `sum`.
std::vector<Steps> all_steps(int sum) {
  std::vector<Steps> out;
  for (int a = 0; a <= sum; ++a)
    for (int b = 0; a + b <= sum; ++b)
      for (int c = 0; a + b + c <= sum; ++c) out.push_back({a, b, c, sum - a - b - c});
  return out;
}

class BallMaker {
 public:
  BallMaker(double radius, int layers) : radius_(radius), layers_(layers) {}

  TetMesh make() {
    for (const Triangle& face : icosahedron_.triangles) {
      face_ = face;
      for (const Steps& base : all_steps(layers_ - 1)) add({base + 0, base + 1, base + 2, base + 3});
      for (const Steps& base : all_steps(layers_ - 2)) add_octahedron(base);
      for (const Steps& base : all_steps(layers_ - 3))
        add({base + 1 + 2 + 3, base + 0 + 2 + 3, base + 0 + 1 + 3, base + 0 + 1 + 2});
    }
    turn_inverted_tets(mesh_);
    return std::move(mesh_);
  }

 private:
  /// Number of a vertex. A vertex shared by two or more of the 20 tetrahedra is named by the corners of the
  /// icosahedron alone.
  Index vertex(const Steps& steps) {
    std::map<Index, int> name;
    glm::dvec3 place(0.0);
    for (std::size_t k = 0; k < 3; ++k) {
      if (steps[k + 1] == 0) continue;
      name[face_[k]] = steps[k + 1];
      place += double(steps[k + 1]) * icosahedron_.positions[std::size_t(face_[k])];
    }
    const auto [entry, added] = numbers_.try_emplace(name, Index(mesh_.positions.size()));
    if (added) {
      const double r = radius_ * (layers_ - steps[0]) / layers_;
      mesh_.positions.push_back(name.empty() ? glm::dvec3(0.0) : r * glm::normalize(place));
    }
    return entry->second;
  }

  void add(const std::array<Steps, 4>& corners) {
    Tet tet;
    for (std::size_t k = 0; k < 4; ++k) tet[k] = vertex(corners[k]);
    mesh_.tets.push_back(tet);
  }

  /// Divides the octahedron between four tetrahedra into four tetrahedra around the shortest of its
  /// diagonals.
  void add_octahedron(const Steps& base) {
    const auto at = [&](std::size_t a, std::size_t b) { return vertex(base + a + b); };
    const std::array<std::array<Index, 2>, 3> diagonals{
        {{at(0, 1), at(2, 3)}, {at(0, 2), at(1, 3)}, {at(0, 3), at(1, 2)}}};
    const auto length = [&](std::size_t d) {
      return glm::distance(mesh_.positions[std::size_t(diagonals[d][0])],
                           mesh_.positions[std::size_t(diagonals[d][1])]);
    };
    std::size_t best = 0;
    for (std::size_t d = 1; d < 3; ++d)
      if (length(d) < length(best) * (1.0 - 1e-9)) best = d;
    const auto &first = diagonals[(best + 1) % 3], &second = diagonals[(best + 2) % 3];
    const std::array<Index, 4> ring{first[0], second[0], first[1], second[1]};
    for (std::size_t k = 0; k < 4; ++k)
      mesh_.tets.push_back({diagonals[best][0], diagonals[best][1], ring[k], ring[(k + 1) % 4]});
  }

  double radius_;
  int layers_;
  TriMesh icosahedron_ = make_icosphere(0, 1.0);
  Triangle face_{};
  std::map<std::map<Index, int>, Index> numbers_;
  TetMesh mesh_;
};

}  // namespace

TetMesh make_tet_bar(const glm::ivec3& cells, const glm::dvec3& size, TetSplit split) {
  assert(cells.x >= 1 && cells.y >= 1 && cells.z >= 1);
  TetMesh mesh;
  for (int k = 0; k <= cells.z; ++k)
    for (int j = 0; j <= cells.y; ++j)
      for (int i = 0; i <= cells.x; ++i)
        mesh.positions.push_back(size * (glm::dvec3(i, j, k) / glm::dvec3(cells) - 0.5));
  const auto plain = cell_tets(split, false), mirrored = cell_tets(split, true);
  for (int k = 0; k < cells.z; ++k)
    for (int j = 0; j < cells.y; ++j)
      for (int i = 0; i < cells.x; ++i)
        for (const std::array<CellCorner, 4>& corners : (i + j + k) % 2 == 0 ? plain : mirrored) {
          Tet tet;
          for (std::size_t c = 0; c < 4; ++c)
            tet[c] = bar_vertex(cells, i + corners[c][0], j + corners[c][1], k + corners[c][2]);
          mesh.tets.push_back(tet);
        }
  turn_inverted_tets(mesh);
  return mesh;
}

Expected<std::vector<Index>> bar_vertices(std::string_view name, const glm::ivec3& cells) {
  struct Side {
    std::string_view name;
    int axis;
    bool far;
  };
  constexpr std::array sides{Side{"left", 0, false}, Side{"right", 0, true}, Side{"bottom", 1, false},
                             Side{"top", 1, true},   Side{"back", 2, false}, Side{"front", 2, true}};
  const auto side = std::find_if(sides.begin(), sides.end(), [&](const Side& s) { return s.name == name; });
  if (side == sides.end() && name != "all")
    return Error{"'" + std::string(name) + "' names no side of a bar",
                 {},
                 0,
                 "left, right, bottom, top, back, front or all"};
  std::vector<Index> out;
  for (int k = 0; k <= cells.z; ++k)
    for (int j = 0; j <= cells.y; ++j)
      for (int i = 0; i <= cells.x; ++i) {
        const std::array<int, 3> at{i, j, k};
        if (name == "all" || at[std::size_t(side->axis)] == (side->far ? cells[side->axis] : 0))
          out.push_back(bar_vertex(cells, i, j, k));
      }
  return out;
}

TetMesh make_tet_ball(double radius, int layers) {
  assert(layers >= 1);
  return BallMaker(radius, layers).make();
}

}  // namespace limber
