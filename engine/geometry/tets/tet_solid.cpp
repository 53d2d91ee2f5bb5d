#include "engine/geometry/tets/tet_solid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <glm/common.hpp>
#include <limits>
#include <numeric>

#include "engine/geometry/field/field_cache.hpp"
#include "engine/geometry/mesh/enclosure.hpp"
#include "engine/geometry/tets/tet_cut.hpp"
#include "engine/geometry/tets/tet_quality.hpp"
#include "engine/geometry/tets/tet_repair.hpp"

namespace limber {
namespace {

/// Largest number of cubes of the lattice around a mesh, which bounds memory and time for thin meshes.
constexpr double most_cubes = 2e6;

/// Cells of the distance field for each cell of the lattice, and bounds for the whole field.
constexpr double field_cells = 3.0, coarsest_cut_field = 24.0, finest_cut_field = 160.0;

/// Pieces of the cut lattice with less than this share of its volume are dropped.
constexpr double smallest_piece = 0.002;

/// Distance, in cells, by which parts of a cut lattice that touch in a vertex are drawn back from it.
constexpr double touching_gap = 0.02;

struct MeshBox {
  glm::dvec3 low{std::numeric_limits<double>::max()}, high{-low};
  double longest() const { return std::max({high.x - low.x, high.y - low.y, high.z - low.z}); }
};

MeshBox mesh_box(std::span<const glm::dvec3> positions) {
  MeshBox box;
  for (const glm::dvec3& x : positions) box.low = glm::min(box.low, x), box.high = glm::max(box.high, x);
  return box;
}

std::string digits(const char* format, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

/// Rounded up to two digits, so that it is on the safe side.
std::string rounded_up(double cell) { return digits("%.2g", 1.05 * cell); }

Error too_many(double tets, double cell) {
  return Error{"cells of " + digits("%.3g", cell) + " m make about " + digits("%.2g", tets) +
                   " tetrahedra, and " + std::to_string(most_tets) + " is the most",
               {},
               0,
               "cells of " + rounded_up(cell * std::cbrt(tets / double(most_tets))) + " m fit"};
}

Expected<void> check_count(const MeshBox& box, const Enclosure& inside, double cell) {
  const double tets = 12.0 * inside.volume / (cell * cell * cell);
  if (tets > double(most_tets)) return too_many(tets, cell);
  const glm::dvec3 extent = (box.high - box.low) / cell + 3.0;
  const double cubes = extent.x * extent.y * extent.z;
  if (cubes <= most_cubes) return {};
  return Error{"cells of " + digits("%.3g", cell) + " m are " + digits("%.2g", cubes) +
                   " in the box of the mesh, and " + digits("%.0f", most_cubes) + " is the most",
               {},
               0,
               "cells of " + rounded_up(cell * std::cbrt(cubes / most_cubes)) + " m fit"};
}

/// Closed surfaces that share no vertex.
int surface_pieces(const TriMesh& mesh) {
  std::vector<Index> parent(mesh.positions.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](Index v) {
    while (parent[std::size_t(v)] != v)
      v = parent[std::size_t(v)] = parent[std::size_t(parent[std::size_t(v)])];
    return v;
  };
  for (const Triangle& t : mesh.triangles)
    for (const Index v : t) parent[std::size_t(root(v))] = root(t[0]);
  int pieces = 0;
  std::vector<char> used(parent.size(), 0);
  for (const Triangle& t : mesh.triangles) {
    char& counted = used[std::size_t(root(t[0]))];
    pieces += counted == 0;
    counted = 1;
  }
  return pieces;
}

void note_pieces(int surfaces, TetSolid& solid) {
  const int pieces = tet_pieces(solid.mesh.tets).count;
  if (pieces > surfaces)
    solid.notes.push_back("the tetrahedra fell into " + std::to_string(pieces) +
                          " pieces where the mesh is thinner than a cell");
  else if (pieces > 1)
    solid.notes.push_back("the tetrahedra are in " + std::to_string(pieces) +
                          " pieces that do not hang together");
  if (surfaces > pieces)
    solid.notes.push_back(std::to_string(surfaces) + " closed surfaces share " +
                          (pieces == 1 ? "one piece" : std::to_string(pieces) + " pieces") +
                          " of tetrahedra: what is nearer than a cell moves together");
}

void note_counts(TetSolid& solid) {
  const TetQuality quality = tet_quality(solid.mesh);
  solid.facts = to_text(quality) + "; they hold " +
                digits("%.3g %%", 100.0 * quality.volume / solid.enclosed) + " of the volume of the mesh";
}

TetSolid embedded(TriMesh mesh, const BccLattice& lattice) {
  TetSolid solid;
  LatticeEmbedding embedding = embed_in_lattice(mesh, lattice);
  solid.mesh = std::move(embedding.mesh);
  solid.carried = std::move(embedding.points);
  solid.skin = std::move(mesh);
  return solid;
}

Expected<TetSolid> cut_out(const TriMesh& mesh, const BccLattice& lattice, const Enclosure& inside,
                           const LatticeOptions& options) {
  const double cells = mesh_box(mesh.positions).longest() / options.cell;
  const int resolution =
      int(std::clamp(std::ceil(field_cells * cells), coarsest_cut_field, finest_cut_field));
  const auto field = cached_distance_field(mesh, resolution, user_cache_folder(), 0.0, options.progress);
  if (!field) return field.error();
  TetMesh cut = cut_lattice(lattice, [&](const glm::dvec3& p) { return (*field)->at(p).d; });
  const ManifoldRepair repair = make_manifold(cut);
  const int crumbs = drop_small_pieces(cut, smallest_piece);
  if (cut.tets.empty())
    return Error{"no tetrahedron is left: every part of the mesh is thinner than a cell of " +
                     digits("%.3g", options.cell) + " m",
                 {},
                 0,
                 "smaller cells, for instance " +
                     digits("%.2g", std::min(0.5 * options.cell, 2.0 * inside.volume / inside.area)) +
                     " m, or a lattice that is not cut"};
  part_touching_vertices(cut, touching_gap * options.cell);
  const double share = total_volume(cut) / inside.volume;
  TetSolid solid = solid_with_own_skin(std::move(cut));
  if (repair.dropped_tets > 0)
    solid.notes.push_back(std::to_string(repair.dropped_tets) +
                          " tetrahedra dropped that hung on an edge alone");
  if (crumbs > 0)
    solid.notes.push_back(std::to_string(crumbs) + (crumbs == 1 ? " crumb" : " crumbs") + " of less than " +
                          digits("%.2g %%", 100.0 * smallest_piece) + " of the volume dropped");
  if (share < 0.85)
    solid.notes.push_back("parts thinner than a cell are lost: smaller cells, or a lattice that is not cut");
  return solid;
}

}  // namespace

TetSolid solid_with_own_skin(TetMesh mesh) {
  TetSolid solid;
  const TetSurface surface = tet_surface(mesh);
  solid.skin = surface_mesh(mesh, surface);
  for (const Index v : surface.vertices) solid.carried.push_back({{v, v, v, v}, {1.0, 0.0, 0.0, 0.0}});
  solid.enclosed = total_volume(mesh);
  solid.mesh = std::move(mesh);
  return solid;
}

Expected<TetSolid> fill_with_tets(TriMesh mesh, const LatticeOptions& options, const MeshNames& names) {
  const Expected<Enclosure> inside = enclose(mesh, names);
  if (!inside) return inside.error();
  const MeshBox box = mesh_box(mesh.positions);
  if (const Expected<void> few = check_count(box, *inside, options.cell); !few) return few.error();
  const BccLattice lattice = lattice_around(box.low, box.high, options.cell);
  const int surfaces = surface_pieces(mesh);
  Expected<TetSolid> solid = options.cut ? cut_out(mesh, lattice, *inside, options)
                                         : Expected<TetSolid>(embedded(std::move(mesh), lattice));
  if (!solid) return solid;
  if (solid->mesh.tets.size() > most_tets) return too_many(double(solid->mesh.tets.size()), options.cell);
  solid->enclosed = inside->volume;
  note_counts(*solid);
  note_pieces(surfaces, *solid);
  return solid;
}

}  // namespace limber
