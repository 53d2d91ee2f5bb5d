#include "engine/scene/objects/tets.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>

#include "engine/core/settings/material.hpp"
#include "engine/core/tunable.hpp"
#include "engine/geometry/files/obj_reader.hpp"
#include "engine/geometry/files/tetgen_reader.hpp"
#include "engine/geometry/tets/tet_quality.hpp"
#include "engine/geometry/tets/tet_shapes.hpp"
#include "engine/geometry/tets/tet_solid.hpp"
#include "engine/scene/file/mesh_path.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/elastic.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/object_check.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_geometry.hpp"
#include "engine/scene/objects/shared_rows.hpp"

namespace limber {
namespace {

constexpr std::array<std::string_view, 3> tet_shape_names{"bar", "block", "ball"};
constexpr std::array<std::string_view, 2> tet_fill_names{"cut", "embedded"};
constexpr std::array<std::string_view, 5> tet_preset_names{"custom", "jelly", "flesh", "foam", "rubber"};

/// Young's modulus, Poisson ratio, density, damping time and friction. Round numbers within the ranges of
/// engineering tables and of the literature on soft tissue for small strains (gelatine desserts E = 5 to 20
/// kPa; muscle and fat at rest 10 to 60 kPa, nearly incompressible; soft polyurethane foam 50 to 150 kPa, nu
/// = 0.1 to 0.3, 30 to 100 kg/m^3; soft natural rubber 1 to 2 MPa, 0.49 and more, here the largest allowed
/// ratio). Typical values, not measurements of one specimen.
struct TetPresetRow {
  TetPreset preset;
  double youngs_modulus, poisson_ratio;  ///< Pa
  double density;                        ///< kg/m^3
  double damping_time;                   ///< s
  double friction;
};
constexpr std::array tet_presets{
    TetPresetRow{TetPreset::jelly, 1.5e4, 0.45, 1050, 0.004, 0.3},
    TetPresetRow{TetPreset::flesh, 5e4, 0.47, 1060, 0.01, 0.5},
    TetPresetRow{TetPreset::foam, 1e5, 0.2, 60, 0.01, 0.6},
    TetPresetRow{TetPreset::rubber, 1.5e6, 0.49, 1100, 0.001, 0.9},
};

constexpr Field tet_preset_row() {
  Field row = choice<&ObjectDesc::tets, &TetsDesc::preset>(
      "preset", "Preset", tet_preset_names,
      "Sets typical values of Young's modulus, Poisson ratio, density, damping and friction, not "
      "measurements of one specimen. In a scene file, keys beside it and in 'material' override these "
      "numbers.",
      Effect::rebuild);
  row.changed = [](void* settings) {
    ObjectDesc& object = *static_cast<ObjectDesc*>(settings);
    for (const TetPresetRow& row : tet_presets) {
      if (row.preset != object.tets->preset) continue;
      object.material->youngs_modulus = row.youngs_modulus;
      object.material->poisson_ratio = row.poisson_ratio;
      object.material->damping_time = row.damping_time;
      object.material->friction = row.friction;
      object.density = row.density;
    }
  };
  return row;
}

constexpr std::array own_preset{tet_preset_row()};
constexpr std::array tet_shape_rows{
    // rows of tetrahedra without a mesh
    choice<&ObjectDesc::tets, &TetsDesc::shape>(
        "shape", "Shape", tet_shape_names,
        "bar: boxes of five tetrahedra each, counted along each axis. block: the same with nearly cubic "
        "boxes. ball: layers of tetrahedra around the centre.",
        Effect::rebuild),
};
constexpr std::array tet_box_rows{
    vector<&ObjectDesc::tets, &TetsDesc::dimensions>(
        {"dimensions", "Dimensions", "m", 0.001, 100, "Sides of a bar or block.", Effect::rebuild}),
};
constexpr std::array tet_bar_rows{
    vector<&ObjectDesc::tets, &TetsDesc::cells>({"cells", "Cells", "", 1, 200,
                                                 "Number of boxes of a bar along x, y and z (whole numbers).",
                                                 Effect::rebuild}),
};
constexpr std::array tet_resolution_rows{
    integer<&ObjectDesc::tets, &TetsDesc::resolution>(
        {"resolution", "Resolution", "", 1, 60,
         "Number of boxes along the longest side of a block, or of layers of a ball; n layers have 20 n^3 "
         "tetrahedra.",
         Effect::rebuild, Scale::logarithmic}),
};
constexpr std::array tet_ball_rows{
    number<&ObjectDesc::tets, &TetsDesc::radius>(
        {"radius", "Radius", "m", 0.001, 100, "Of a ball.", Effect::rebuild, Scale::logarithmic}),
};
constexpr std::array tet_fill_rows{
    // rows of tetrahedra in the mesh of an OBJ file
    number<&ObjectDesc::tets, &TetsDesc::cell>(
        {"cell", "Cell", "m", 0, 10,
         "Side of the cubes of the lattice that fills a mesh, with twelve tetrahedra each. 0: a twelfth of "
         "the mesh's longest side.",
         Effect::rebuild}),
    choice<&ObjectDesc::tets, &TetsDesc::fill>(
        "fill", "Fill", tet_fill_names,
        "cut: tetrahedra end at the surface of the mesh; their boundary is drawn and collides. embedded: "
        "whole tetrahedra of the lattice, which extend a little beyond the mesh, collide and carry the mesh, "
        "which is drawn.",
        Effect::rebuild),
};
constexpr auto tets_table =
    joined(own_preset, mesh_rows, tet_fill_rows, tet_shape_rows, tet_box_rows, tet_bar_rows,
           tet_resolution_rows, tet_ball_rows, start_rows, lattice_rows, density_rows, tumble_rows);

bool stands_in(std::span<const Field> rows, const Field& field) {
  return std::any_of(rows.begin(), rows.end(), [&](const Field& row) { return row.name == field.name; });
}

glm::ivec3 box_cells(const TetsDesc& tets) {
  if (tets.shape == TetShape::bar) return glm::ivec3(tets.cells);
  const double longest = std::max({tets.dimensions.x, tets.dimensions.y, tets.dimensions.z});
  const glm::dvec3 cells = glm::round(tets.dimensions * (double(tets.resolution) / longest));
  return glm::max(glm::ivec3(cells), glm::ivec3(1));
}

Expected<TetSolid> read_tets(const std::string& path, const ObjectDesc& object) {
  Expected<TetGenMesh> read = read_tetgen(path);
  if (!read) return read.error();
  if (object.size > 0.0) normalise(read->mesh.positions, object.size);
  TetSolid solid = solid_with_own_skin(std::move(read->mesh));
  solid.notes.insert(solid.notes.begin(), read->notes.begin(), read->notes.end());
  return solid;
}

Expected<TetSolid> fill_mesh(const SceneDesc& scene, const std::string& path, const ObjectDesc& object) {
  Expected<ObjMesh> read = read_obj(path);
  if (!read) return in_file(path, read.error());
  if (object.size > 0.0) normalise(read->mesh.positions, object.size);
  LatticeOptions options;
  options.cell = object.tets->cell > 0.0 ? object.tets->cell : longest_extent(read->mesh.positions) / 12.0;
  options.cut = object.tets->fill == TetFill::cut;
  options.progress = [&, file = std::filesystem::path(path).filename().string()](double share) {
    return !scene.progress || scene.progress("tetrahedra in " + file, share);
  };
  const MeshNames names = read->names();
  Expected<TetSolid> solid = fill_with_tets(read->mesh, options, names);
  if (!solid) return in_file(path, solid.error());
  solid->notes.insert(solid->notes.begin(), read->notes.begin(), read->notes.end());
  return solid;
}

Expected<TetSolid> make_solid(const SceneDesc& scene, const ObjectDesc& object) {
  const TetsDesc& tets = *object.tets;
  if (object.mesh.empty())
    return solid_with_own_skin(tets.shape == TetShape::ball ? make_tet_ball(tets.radius, tets.resolution)
                                                            : make_tet_bar(box_cells(tets), tets.dimensions));
  const Expected<std::string> path = find_mesh(scene, object.mesh);
  if (!path) return path.error();
  return is_tetgen(*path) ? read_tets(*path, object) : fill_mesh(scene, *path, object);
}

}  // namespace

std::span<const Field> TetsDesc::fields() { return tets_table; }

bool TetsDesc::uses(const ObjectDesc& object, const Field& field) {
  const bool from_mesh = !object.mesh.empty();
  const TetShape shape = object.tets->shape;
  if (stands_in(tet_fill_rows, field)) return from_mesh && !is_tetgen(object.mesh);
  if (stands_in(tet_shape_rows, field)) return !from_mesh;
  if (stands_in(tet_box_rows, field)) return !from_mesh && shape != TetShape::ball;
  if (stands_in(tet_bar_rows, field)) return !from_mesh && shape == TetShape::bar;
  if (stands_in(tet_resolution_rows, field)) return !from_mesh && shape != TetShape::bar;
  if (stands_in(tet_ball_rows, field)) return !from_mesh && shape == TetShape::ball;
  return true;
}

std::optional<long> TetsDesc::vertex_count(const ObjectDesc& object) {
  if (!object.mesh.empty()) return std::nullopt;
  const TetsDesc& tets = *object.tets;
  if (tets.shape == TetShape::ball) {
    const long n = tets.resolution;  // shell k has 10 k^2 + 2 vertices
    return 1 + 10 * (n * (n + 1) * (2 * n + 1) / 6) + 2 * n;
  }
  const glm::ivec3 cells = box_cells(tets);
  return long{cells.x + 1} * (cells.y + 1) * (cells.z + 1);
}

Expected<std::vector<Index>> TetsDesc::named(const ObjectDesc& object, std::string_view word) {
  if (object.mesh.empty() && object.tets->shape != TetShape::ball)
    return bar_vertices(word, box_cells(*object.tets));
  if (const auto count = vertex_count(object); word == "all" && count) {
    std::vector<Index> all;
    for (Index v = 0; v < Index(*count); ++v) all.push_back(v);
    return all;
  }
  return no_vertex_names(word);
}

Expected<void> TetsDesc::check(const ObjectDesc& object) {
  const glm::dvec3& n = object.tets->cells;
  for (int axis = 0; axis < 3; ++axis)
    if (!(n[axis] >= 1.0) || n[axis] != std::floor(n[axis]))
      return Error{"'cells' must be three whole numbers", "", 0, "at least 1 each"};
  if (object.mesh.empty() && object.tets->shape != TetShape::ball) {
    const glm::dvec3 cells(box_cells(*object.tets));
    if (const double tets = 5.0 * cells.x * cells.y * cells.z; tets > double(most_tets))
      return Error{"the object would have " + to_text(tets) + " tetrahedra", "", 0,
                   "at most " + to_text(double(most_tets))};
  }
  if (object.material->tear_strain > 0.0)
    return Error{"a solid of tetrahedra does not tear by strain", "", 0, "give it a 'strength' in Pa"};
  const SolidModel model = object.material->model;
  if (model == SolidModel::strain || model == SolidModel::volume) {
    if (object.material->yield > 0.0 || object.material->strength > 0.0)
      return Error{"tetrahedra of this model have no stress, so they cannot yield or tear", "", 0,
                   "choose the model neo_hookean, stvk or corotated"};
  }
  if (const Expected<void> range = check_melting_range(object); !range) return range;
  const bool carries =
      !object.mesh.empty() && !is_tetgen(object.mesh) && object.tets->fill == TetFill::embedded;
  if (object.material->melts && carries)
    return Error{"a solid that carries its mesh cannot melt", "", 0, "set 'fill' to cut"};
  if (object.material->strength > 0.0 && !object.mesh.empty() && !is_tetgen(object.mesh) &&
      object.tets->fill == TetFill::embedded)
    return Error{"a solid that carries its mesh cannot tear", "", 0, "set 'fill' to cut"};
  return {};
}

Expected<void> TetsDesc::build(const SceneDesc& scene, const ObjectDesc& object, ObjectGeometry& out) {
  const bool has_melt = std::any_of(scene.objects.begin(), scene.objects.end(), [&](const ObjectDesc& other) {
    return other.type == ObjectType::fluid && other.fluid->melt_of == object.name;
  });
  if (object.material->melts && !has_melt)
    return Error{"'" + object.name + "' can melt, but no fluid takes its melt", "", 0,
                 R"(add an object of type fluid with "melt_of": ")" + object.name + "\""};
  Expected<TetSolid> solid = make_solid(scene, object);
  if (!solid) return solid.error();
  out.notes = std::move(solid->notes);
  out.facts = solid->facts.empty() ? to_text(tet_quality(solid->mesh)) : std::move(solid->facts);
  const TetSurface surface = tet_surface(solid->mesh);
  for (const Triangle& t : surface.triangles)
    out.triangles.push_back({surface.vertices[std::size_t(t[0])], surface.vertices[std::size_t(t[1])],
                             surface.vertices[std::size_t(t[2])]});
  out.masses = tet_vertex_masses(solid->mesh, object.density);
  if (object.mesh.empty() || is_tetgen(object.mesh) || object.tets->fill == TetFill::cut) {
    out.enclosure = enclosed(out.triangles, solid->mesh.positions);
  } else {
    out.skin = std::make_shared<const TriMesh>(std::move(solid->skin));
    out.carried = std::move(solid->carried);
    if (solid->enclosed > 0.0) {  // whole tetrahedra enclose more than the mesh: scale to its mass
      const double share = solid->enclosed / total_volume(solid->mesh);
      for (double& mass : out.masses) mass *= share;
    }
    out.enclosure = enclosed(out.triangles, solid->mesh.positions);
  }
  out.tets = std::move(solid->mesh.tets);
  out.positions = std::move(solid->mesh.positions);
  add_tet_constraints(*object.material, out);
  return {};
}

}  // namespace limber
