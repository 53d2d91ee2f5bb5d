#include "engine/scene/objects/cloth.hpp"

#include <algorithm>
#include <glm/geometric.hpp>

#include "engine/constraints/bending.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/tunable.hpp"
#include "engine/geometry/clusters/overlapping_clusters.hpp"
#include "engine/geometry/files/obj_reader.hpp"
#include "engine/geometry/mesh/even_masses.hpp"
#include "engine/geometry/mesh/grid.hpp"
#include "engine/geometry/mesh/sheet_weights.hpp"
#include "engine/geometry/mesh/slivers.hpp"
#include "engine/scene/file/mesh_path.hpp"
#include "engine/scene/objects/cluster_rows.hpp"
#include "engine/scene/objects/elastic.hpp"
#include "engine/scene/objects/object_check.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_geometry.hpp"
#include "engine/scene/objects/shared_rows.hpp"
#include "engine/scene/objects/solid.hpp"

namespace limber {
namespace {

constexpr std::array weld_rows{
    // rows of a cloth with a mesh
    number<&ObjectDesc::cloth, &ClothDesc::weld>(
        {"weld", "Weld slivers", "", 0, 0.2,
         "Removes slivers of the mesh. Edges shorter than five times this share of the longest edge at their "
         "ends are collapsed, and so are edges shorter than a thousandth of the median; triangles thinner "
         "than this share get their longest side flipped. 0: keeps all.",
         Effect::rebuild}),
};
constexpr std::array grid_rows{
    // rows of a cloth without a mesh
    integer<&ObjectDesc::cloth, &ClothDesc::columns>({"columns", "Columns", "vertices", 2, 1000,
                                                      "Grid vertices along u, without a mesh.",
                                                      Effect::rebuild, Scale::logarithmic}),
    integer<&ObjectDesc::cloth, &ClothDesc::rows>({"rows", "Rows", "vertices", 2, 1000,
                                                   "Grid vertices along v, without a mesh.", Effect::rebuild,
                                                   Scale::logarithmic}),
    number<&ObjectDesc::cloth, &ClothDesc::width>({"width", "Width", "m", 0.01, 100,
                                                   "Extent of the grid along u.", Effect::rebuild,
                                                   Scale::logarithmic}),
    number<&ObjectDesc::cloth, &ClothDesc::height>({"height", "Height", "m", 0.01, 100,
                                                    "Extent of the grid along v.", Effect::rebuild,
                                                    Scale::logarithmic}),
    boolean<&ObjectDesc::cloth, &ClothDesc::upright>(
        "upright", "Upright", "The grid stands in the xy plane; otherwise it lies in the xz plane.",
        Effect::rebuild),
};
constexpr auto shape_rows =
    joined(overlap_rows, soft_rows, stiffness_rows, linear_rows, elastic_rows, yield_rows, flow_rows);
constexpr auto cloth_table = joined(mesh_rows, weld_rows, grid_rows, pressure_rows, start_rows, lattice_rows,
                                    cluster_rows, shape_rows);

/// `weight`: w of SheetWeights.
HingeGeometry make_hinge(const std::vector<glm::dvec3>& x, const Hinge& hinge, double weight) {
  using L = Lanes<double, 1>;
  Vec3<L> p[4];
  for (int j = 0; j < 4; ++j) {
    const glm::dvec3& q = x[std::size_t(hinge[std::size_t(j)])];
    p[j] = {q.x, q.y, q.z};
  }
  const L flat[1] = {0.0};
  return {hinge, Bending::evaluate(p, flat).C.v, 1.0 / weight};
}

std::string number_of(int count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

/// Describes the result of remove_slivers() in a sentence; "" if nothing changed.
std::string sliver_note(const SliverReport& report, double weld) {
  std::string done;
  const auto add = [&](int count, const char* one, const char* many, const std::string& what) {
    if (count > 0) done += (done.empty() ? "" : ", ") + number_of(count, one, many) + what;
  };
  add(report.short_edges, "edge", "edges",
      " shorter than a thousandth of the median (" + to_text(report.median_edge) + " m) collapsed");
  add(report.collapsed, "edge", "edges",
      " shorter than " + to_text(shortest_around * weld) + " of the longest at their ends collapsed");
  const std::string thin = " thinner than " + to_text(weld) + " of their longest side ";
  add(report.flipped, "triangle", "triangles", thin + "flipped");
  add(report.left, "triangle", "triangles", thin + "left");
  return done.empty() ? done : done + R"(; "weld": 0 keeps all of them)";
}

/// Lists the clusters of a cloth that keeps its shape. Vertices are connected by edges, so `near` reaches
/// over the longest edge.
void add_shape(const ObjectDesc& object, const MeshTopology& topology, ObjectGeometry& out) {
  double longest = 0.0;
  for (const Edge& e : topology.edges)
    longest =
        std::max(longest, glm::distance(out.positions[std::size_t(e[0])], out.positions[std::size_t(e[1])]));
  out.clusters = overlapping_clusters(
      out.positions, {object.solid->cluster_size, object.solid->overlap, longest * (1.0 + 1e-9)});
  out.density = object.material->density / object.material->membrane_thickness;
  out.facts = number_of(int(out.positions.size()), "vertex", "vertices") + " in " +
              number_of(int(out.clusters.size()), "cluster", "clusters");
}

/// The mesh of a cloth, a grid or read from a file. `read` gets the lines and vertices of the file, for
/// errors that name them, and `file` its path.
Expected<TriMesh> cloth_mesh(const SceneDesc& scene, const ObjectDesc& object, ObjMesh& read,
                             std::string& file, std::vector<std::string>& notes) {
  const ClothDesc& cloth = *object.cloth;
  if (object.mesh.empty())
    return make_grid(cloth.columns, cloth.rows, cloth.width, cloth.height, cloth.upright);
  Expected<std::string> path = find_mesh(scene, object.mesh);
  if (!path) return path.error();
  Expected<ObjMesh> obj = read_obj(*path);
  if (!obj) return obj.error();
  read = std::move(*obj);
  TriMesh mesh = std::move(read.mesh);
  notes = std::move(read.notes);
  file = *path;
  if (object.size > 0.0) normalise(mesh.positions, object.size);
  return mesh;
}

}  // namespace

std::span<const Field> ClothDesc::fields() { return cloth_table; }

bool ClothDesc::uses(const ObjectDesc& object, const Field& field) {
  const auto in = [&](std::span<const Field> rows) {
    return std::any_of(rows.begin(), rows.end(), [&](const Field& row) { return row.name == field.name; });
  };
  if (in(shape_rows) && !object.solid->soft()) return false;
  return object.mesh.empty() ? !in(weld_rows) : !in(grid_rows);
}

std::optional<long> ClothDesc::vertex_count(const ObjectDesc& object) {
  if (!object.mesh.empty()) return std::nullopt;
  return long{object.cloth->columns} * object.cloth->rows;
}

Expected<std::vector<Index>> ClothDesc::named(const ObjectDesc& object, std::string_view word) {
  if (object.mesh.empty()) return grid_vertices(std::string(word), object.cloth->columns, object.cloth->rows);
  return no_vertex_names(word);
}

Expected<void> ClothDesc::check(const ObjectDesc& object) {
  if (object.material->sheet_model == SheetModel::springs) return {};
  const auto needs_springs = [](const std::string& what) {
    return Error{what + " needs springs along the edges", "", 0, "set material.sheet_model to springs"};
  };
  if (object.tethers) return needs_springs("'tethers'");
  return {};
}

Expected<void> ClothDesc::build(const SceneDesc& scene, const ObjectDesc& object, ObjectGeometry& out) {
  const ClothDesc& cloth = *object.cloth;
  ObjMesh read;
  std::string file;
  Expected<TriMesh> found = cloth_mesh(scene, object, read, file, out.notes);
  if (!found) return found.error();
  TriMesh mesh = std::move(*found);
  const Triangle first = mesh.triangles.front();
  if (const Expected<Enclosure> inside = enclose(mesh, read.names()))
    out.enclosure = *inside;
  else if (object.pressure > 0.0)
    return Error{inside.error().message, file, inside.error().line,
                 inside.error().hint + "; or leave 'pressure' at 0"};
  if (mesh.triangles.front() != first) out.notes.push_back("turned: its triangles faced inwards");
  const auto find_edges = [&] {
    return build_topology(mesh.triangles, Index(mesh.positions.size()), read.names());
  };
  Expected<MeshTopology> topology = find_edges();
  if (!topology) {
    Error error = topology.error();
    error.file = file;
    return error;
  }
  const bool welds = !object.mesh.empty() && cloth.weld > 0.0;
  if (welds) {
    SliverReport report = remove_slivers(mesh, read.triangle_lines, read.file_vertices, cloth.weld);
    if (std::string note = sliver_note(report, cloth.weld); !note.empty())
      out.notes.push_back(std::move(note));
    if (report.changed()) {
      topology = find_edges();  // a collapse keeps the surface manifold, so this succeeds
      out.numbers = std::move(report.becomes);
      if (out.enclosure.volume > 0.0) out.enclosure = enclosed(mesh.triangles, mesh.positions);
    }
  }
  out.masses = vertex_masses(mesh, object.material->density);
  if (welds) even_masses(out.masses, topology->edges);
  const bool elastic = object.material->sheet_model != SheetModel::springs;
  const SheetWeights weights = sheet_weights(mesh.positions, mesh.triangles, *topology);
  for (std::size_t k = 0; k < topology->edges.size() && !elastic; ++k) {
    const Edge& e = topology->edges[k];
    out.springs.push_back(
        {e, glm::distance(mesh.positions[std::size_t(e[0])], mesh.positions[std::size_t(e[1])]),
         1.0 / weights.springs[k]});
  }
  for (std::size_t k = 0; k < topology->hinges.size() && object.material->bending; ++k)
    out.hinges.push_back(make_hinge(mesh.positions, topology->hinges[k], weights.hinges[k]));
  out.positions = std::move(mesh.positions);
  out.uvs = std::move(mesh.uvs);
  out.colors = std::move(mesh.colors);
  out.triangles = std::move(mesh.triangles);
  if (elastic) add_elastic_triangles(*object.material, out);
  if (object.solid->soft()) add_shape(object, *topology, out);
  return {};
}

}  // namespace limber
