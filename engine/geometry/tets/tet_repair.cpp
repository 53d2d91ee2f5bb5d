#include "engine/geometry/tets/tet_repair.hpp"

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>
#include <map>
#include <numeric>
#include <set>

namespace limber {
namespace {

/// Sets of numbers that were joined.
class Sets {
 public:
  explicit Sets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t i, std::size_t j) {
    i = root(i), j = root(j);
    parent_[std::max(i, j)] = std::min(i, j);
  }

 private:
  std::vector<std::size_t> parent_;
};

std::size_t corner_of(const Tet& tet, Index vertex) {
  return std::size_t(std::find(tet.begin(), tet.end(), vertex) - tet.begin());
}

/// Gives each group of tetrahedra around a vertex that are connected by faces a vertex of its own.
int split_vertices(TetMesh& mesh) {
  Sets corners(4 * mesh.tets.size());
  const std::vector<TetFace> faces = sorted_tet_faces(mesh.tets);
  for (std::size_t f = 1; f < faces.size(); ++f) {
    if (faces[f].key != faces[f - 1].key) continue;
    const std::size_t s = std::size_t(faces[f - 1].tet), t = std::size_t(faces[f].tet);
    for (const Index v : faces[f].key)
      corners.join(4 * s + corner_of(mesh.tets[s], v), 4 * t + corner_of(mesh.tets[t], v));
  }
  int split = 0;
  std::vector<std::size_t> owner(mesh.positions.size(), 4 * mesh.tets.size());
  std::vector<Index> number(4 * mesh.tets.size(), no_index);  // of the group with this root
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (std::size_t k = 0; k < 4; ++k) {
      Index& v = mesh.tets[t][k];
      const std::size_t group = corners.root(4 * t + k);
      if (number[group] == no_index) {
        std::size_t& first = owner[std::size_t(v)];
        const bool is_first = first == 4 * mesh.tets.size();
        if (is_first) first = group;
        number[group] = is_first ? v : Index(mesh.positions.size());
        if (!is_first) {
          ++split;
          const glm::dvec3 place = mesh.positions[std::size_t(v)];
          mesh.positions.push_back(place);
        }
      }
      v = number[group];
    }
  return split;
}

/// Edges of more than two boundary triangles.
std::set<Edge> crowded_edges(const TetMesh& mesh) {
  const TetSurface surface = tet_surface(mesh);
  std::vector<Edge> sides;
  for (const Triangle& t : surface.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const Index a = surface.vertices[std::size_t(t[k])], b = surface.vertices[std::size_t(t[(k + 1) % 3])];
      sides.push_back({std::min(a, b), std::max(a, b)});
    }
  std::sort(sides.begin(), sides.end());
  std::set<Edge> crowded;
  for (std::size_t s = 2; s < sides.size(); ++s)
    if (sides[s] == sides[s - 2]) crowded.insert(sides[s]);
  return crowded;
}

/// The tetrahedra around an edge, except the largest group that is connected by faces.
std::vector<std::size_t> lesser_groups(const TetMesh& mesh, const std::vector<std::size_t>& around) {
  Sets groups(around.size());
  const auto have_common_face = [&](const Tet& s, const Tet& t) {
    return std::count_if(s.begin(), s.end(),
                         [&](Index v) { return std::find(t.begin(), t.end(), v) != t.end(); }) == 3;
  };
  for (std::size_t i = 0; i < around.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (have_common_face(mesh.tets[around[i]], mesh.tets[around[j]])) groups.join(i, j);
  std::vector<std::size_t> size(around.size(), 0);
  for (std::size_t i = 0; i < around.size(); ++i) ++size[groups.root(i)];
  const std::size_t largest = std::size_t(std::max_element(size.begin(), size.end()) - size.begin());
  std::vector<std::size_t> lesser;
  for (std::size_t i = 0; i < around.size(); ++i)
    if (groups.root(i) != largest) lesser.push_back(around[i]);
  return lesser;
}

int drop_marked(TetMesh& mesh, const std::vector<char>& marked) {
  std::size_t number = 0;
  return int(std::erase_if(mesh.tets, [&](const Tet&) { return marked[number++] != 0; }));
}

/// Drops the lesser groups at every edge with more than two boundary triangles. Returns how many tetrahedra.
int drop_at_crowded_edges(TetMesh& mesh) {
  const std::set<Edge> crowded = crowded_edges(mesh);
  if (crowded.empty()) return 0;
  std::map<Edge, std::vector<std::size_t>> around;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (const auto& [a, b] : tet_edge_corners) {
      const Index v = mesh.tets[t][a], w = mesh.tets[t][b];
      const Edge edge{std::min(v, w), std::max(v, w)};
      if (crowded.contains(edge)) around[edge].push_back(t);
    }
  std::vector<char> marked(mesh.tets.size(), 0);
  for (const auto& [edge, tets] : around)
    for (const std::size_t t : lesser_groups(mesh, tets)) marked[t] = 1;
  return drop_marked(mesh, marked);
}

}  // namespace

ManifoldRepair make_manifold(TetMesh& mesh) {
  ManifoldRepair repair;
  for (;;) {
    repair.split_vertices += split_vertices(mesh);
    const int dropped = drop_at_crowded_edges(mesh);
    if (dropped == 0) break;
    repair.dropped_tets += dropped;
  }
  drop_unused_vertices(mesh);
  return repair;
}

int part_touching_vertices(TetMesh& mesh, double gap) {
  std::map<std::array<double, 3>, std::vector<Index>> places;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const glm::dvec3& x = mesh.positions[v];
    places[{x.x, x.y, x.z}].push_back(Index(v));
  }
  std::map<Index, std::vector<std::size_t>> around;  // of vertices that share their place
  for (const auto& [place, vertices] : places)
    if (vertices.size() > 1)
      for (const Index v : vertices) around[v];
  if (around.empty()) return 0;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (const Index v : mesh.tets[t])
      if (const auto at = around.find(v); at != around.end()) at->second.push_back(t);
  constexpr int halvings = 20;
  constexpr double least_left = 0.5;  // of a volume
  int moved = 0;
  for (const auto& [v, of_v] : around) {
    const std::vector<std::size_t>& tets = of_v;  // clang before 16 captures no bindings
    glm::dvec3& x = mesh.positions[std::size_t(v)];
    const glm::dvec3 before = x;
    glm::dvec3 inward(0.0);
    std::vector<double> volumes;
    for (const std::size_t t : tets) {
      for (const Index w : mesh.tets[t]) inward += mesh.positions[std::size_t(w)] - before;
      volumes.push_back(tet_volume(mesh.positions, mesh.tets[t]));
    }
    const double length = glm::length(inward);
    if (!(length > 0.0)) continue;
    const auto keeps_volumes = [&] {
      for (std::size_t k = 0; k < tets.size(); ++k)
        if (!(tet_volume(mesh.positions, mesh.tets[tets[k]]) > least_left * volumes[k])) return false;
      return true;
    };
    double way = gap;
    for (int i = 0; i < halvings; ++i, way *= 0.5) {
      x = before + (way / length) * inward;
      if (keeps_volumes()) break;
      x = before;
    }
    moved += x != before;
  }
  return moved;
}

int drop_small_pieces(TetMesh& mesh, double least) {
  const TetPieces pieces = tet_pieces(mesh.tets);
  const std::vector<double> volumes = tet_volumes(mesh);
  std::vector<double> of_piece(std::size_t(pieces.count), 0.0);
  double all = 0.0;
  for (std::size_t t = 0; t < volumes.size(); ++t) {
    of_piece[std::size_t(pieces.of_tet[t])] += volumes[t];
    all += volumes[t];
  }
  const auto is_small = [&](double volume) { return volume < least * all; };
  std::vector<char> marked(mesh.tets.size());
  for (std::size_t t = 0; t < marked.size(); ++t)
    marked[t] = is_small(of_piece[std::size_t(pieces.of_tet[t])]);
  drop_marked(mesh, marked);
  drop_unused_vertices(mesh);
  return int(std::count_if(of_piece.begin(), of_piece.end(), is_small));
}

std::vector<Index> drop_unused_vertices(TetMesh& mesh) {
  std::vector<Index> number(mesh.positions.size(), no_index), before;
  for (const Tet& tet : mesh.tets)
    for (const Index v : tet) number[std::size_t(v)] = 0;
  std::vector<glm::dvec3> positions;
  for (std::size_t v = 0; v < number.size(); ++v) {
    if (number[v] == no_index) continue;
    number[v] = Index(positions.size());
    positions.push_back(mesh.positions[v]);
    before.push_back(Index(v));
  }
  for (Tet& tet : mesh.tets)
    for (Index& v : tet) v = number[std::size_t(v)];
  mesh.positions = std::move(positions);
  return before;
}

}  // namespace limber
