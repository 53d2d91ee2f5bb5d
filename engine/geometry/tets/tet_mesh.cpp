#include "engine/geometry/tets/tet_mesh.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <numeric>
#include <tuple>

namespace limber {
namespace {

/// A tetrahedron with less volume than this share of its longest edge cubed counts as flat: a regular one has
/// 0.118, a sliver of a Delaunay mesh about 1e-4.
constexpr double flattest_tet = 1e-9;

/// The representative of a set of tetrahedra; paths are halved on the way.
Index piece_root(std::vector<Index>& parent, Index i) {
  while (parent[std::size_t(i)] != i)
    i = parent[std::size_t(i)] = parent[std::size_t(parent[std::size_t(i)])];
  return i;
}

double longest_edge(std::span<const glm::dvec3> x, const Tet& tet) {
  double longest = 0.0;
  for (const auto& [a, b] : tet_edge_corners)
    longest = std::max(longest, glm::distance(x[std::size_t(tet[a])], x[std::size_t(tet[b])]));
  return longest;
}

Expected<void> check_tet(const TetMesh& mesh, std::size_t t, const TetNames& names) {
  const Tet& tet = mesh.tets[t];
  const auto refuse = [&](const std::string& what, const std::string& hint) {
    return Error{"tetrahedron " + names.tet(t) + " " + what, {}, names.line(t), hint};
  };
  for (const Index v : tet)
    if (v < 0 || std::size_t(v) >= mesh.positions.size())
      return refuse(
          "refers to vertex " + std::to_string(names.first + v) + ", which does not exist",
          std::to_string(mesh.positions.size()) + " vertices, counted from " + std::to_string(names.first));
  for (const auto& [a, b] : tet_edge_corners)
    if (tet[a] == tet[b]) return refuse("has vertex " + names.vertex(tet[a]) + " twice", "remove it");
  const double volume = tet_volume(mesh.positions, tet), edge = longest_edge(mesh.positions, tet);
  if (volume < -flattest_tet * edge * edge * edge) return refuse("is inside out", "swap two of its vertices");
  if (!(volume > flattest_tet * edge * edge * edge))
    return refuse("is flat: its four vertices lie in one plane", "remove it, or mesh the solid again");
  return {};
}

}  // namespace

std::string TetNames::vertex(Index v) const {
  return std::to_string(first + (file_vertices.empty() ? v : file_vertices[std::size_t(v)]));
}

double tet_volume(std::span<const glm::dvec3> x, const Tet& tet) {
  const glm::dvec3& origin = x[std::size_t(tet[0])];
  const glm::dvec3 a = x[std::size_t(tet[1])] - origin, b = x[std::size_t(tet[2])] - origin,
                   c = x[std::size_t(tet[3])] - origin;
  return glm::dot(glm::cross(a, b), c) / 6.0;
}

int turn_inverted_tets(TetMesh& mesh) {
  int turned = 0;
  for (Tet& tet : mesh.tets) {
    if (!(tet_volume(mesh.positions, tet) < 0.0)) continue;
    std::swap(tet[2], tet[3]);
    ++turned;
  }
  return turned;
}

std::vector<double> tet_volumes(const TetMesh& mesh) {
  std::vector<double> volumes;
  volumes.reserve(mesh.tets.size());
  for (const Tet& tet : mesh.tets) volumes.push_back(tet_volume(mesh.positions, tet));
  return volumes;
}

double total_volume(const TetMesh& mesh) {
  const std::vector<double> volumes = tet_volumes(mesh);
  return std::accumulate(volumes.begin(), volumes.end(), 0.0);
}

std::vector<double> tet_vertex_masses(const TetMesh& mesh, double density) {
  std::vector<double> masses(mesh.positions.size(), 0.0);
  for (const Tet& tet : mesh.tets) {
    const double share = density * tet_volume(mesh.positions, tet) / 4.0;
    for (const Index v : tet) masses[std::size_t(v)] += share;
  }
  return masses;
}

std::vector<Edge> tet_edges(std::span<const Tet> tets) {
  std::vector<Edge> edges;
  edges.reserve(6 * tets.size());
  for (const Tet& tet : tets)
    for (const auto& [a, b] : tet_edge_corners)
      edges.push_back({std::min(tet[a], tet[b]), std::max(tet[a], tet[b])});
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

std::vector<TetFace> sorted_tet_faces(std::span<const Tet> tets) {
  std::vector<TetFace> faces;
  faces.reserve(4 * tets.size());
  for (std::size_t t = 0; t < tets.size(); ++t)
    for (std::size_t corner = 0; corner < 4; ++corner) {
      const auto& [a, b, c] = tet_faces[corner];
      const Triangle outward{tets[t][a], tets[t][b], tets[t][c]};
      Triangle key = outward;
      bool even = true;
      for (const auto& [low, high] : {std::pair(0u, 1u), {1u, 2u}, {0u, 1u}})
        if (key[low] > key[high]) std::swap(key[low], key[high]), even = !even;
      faces.push_back({outward, Index(t), int(corner), key, even});
    }
  std::sort(faces.begin(), faces.end(), [](const TetFace& a, const TetFace& b) {
    return std::tie(a.key, a.tet, a.corner) < std::tie(b.key, b.tet, b.corner);
  });
  return faces;
}

TetSurface tet_surface(const TetMesh& mesh) {
  const std::vector<TetFace> faces = sorted_tet_faces(mesh.tets);
  std::vector<const TetFace*> outer;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const bool shared = (f > 0 && faces[f - 1].key == faces[f].key) ||
                        (f + 1 < faces.size() && faces[f + 1].key == faces[f].key);
    if (!shared) outer.push_back(&faces[f]);
  }
  std::sort(outer.begin(), outer.end(), [](const TetFace* a, const TetFace* b) {
    return std::tie(a->tet, a->corner) < std::tie(b->tet, b->corner);  // neighbours in memory stay so
  });
  std::vector<Index> number(mesh.positions.size(), no_index);
  for (const TetFace* face : outer)
    for (const Index v : face->vertices) number[std::size_t(v)] = 0;
  TetSurface surface;
  for (std::size_t v = 0; v < number.size(); ++v) {
    if (number[v] == no_index) continue;
    number[v] = Index(surface.vertices.size());
    surface.vertices.push_back(Index(v));
  }
  surface.triangles.reserve(outer.size());
  for (const TetFace* face : outer) {
    const auto& [a, b, c] = face->vertices;
    surface.triangles.push_back({number[std::size_t(a)], number[std::size_t(b)], number[std::size_t(c)]});
  }
  return surface;
}

TriMesh surface_mesh(const TetMesh& mesh, const TetSurface& surface) {
  TriMesh out;
  out.positions.reserve(surface.vertices.size());
  for (const Index v : surface.vertices) out.positions.push_back(mesh.positions[std::size_t(v)]);
  out.triangles = surface.triangles;
  return out;
}

TetPieces tet_pieces(std::span<const Tet> tets) {
  std::vector<Index> parent(tets.size());
  std::iota(parent.begin(), parent.end(), 0);
  const std::vector<TetFace> faces = sorted_tet_faces(tets);
  for (std::size_t f = 1; f < faces.size(); ++f) {
    if (faces[f].key != faces[f - 1].key) continue;
    const Index a = piece_root(parent, faces[f].tet), b = piece_root(parent, faces[f - 1].tet);
    parent[std::size_t(std::max(a, b))] = std::min(a, b);  // a root is the first tetrahedron of its piece
  }
  TetPieces pieces;
  pieces.of_tet.resize(tets.size());
  for (std::size_t t = 0; t < tets.size(); ++t) {
    const Index root = piece_root(parent, Index(t));
    pieces.of_tet[t] = root == Index(t) ? pieces.count++ : pieces.of_tet[std::size_t(root)];
  }
  return pieces;
}

Expected<void> check_tet_mesh(const TetMesh& mesh, const TetNames& names) {
  if (mesh.tets.empty()) return Error{"the mesh has no tetrahedra", {}, 0, ""};
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    if (const Expected<void> sound = check_tet(mesh, t, names); !sound) return sound;
  const std::vector<TetFace> faces = sorted_tet_faces(mesh.tets);
  for (std::size_t f = 1; f < faces.size(); ++f) {
    const TetFace &before = faces[f - 1], &here = faces[f];
    if (here.key != before.key) continue;
    const std::string both =
        "tetrahedra " + names.tet(std::size_t(before.tet)) + " and " + names.tet(std::size_t(here.tet));
    const int line = names.line(std::size_t(here.tet));
    if (here.even == before.even)
      return Error{both + " overlap: they lie on one side of their common face", {}, line, "remove one"};
    if (f > 1 && faces[f - 2].key == here.key)
      return Error{"a face is shared by more than two tetrahedra, " +
                       names.tet(std::size_t(faces[f - 2].tet)) + " and " + names.tet(std::size_t(here.tet)) +
                       " among them",
                   {},
                   line,
                   "remove all but two"};
  }
  return {};
}

}  // namespace limber
