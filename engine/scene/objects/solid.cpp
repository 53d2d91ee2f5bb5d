#include "engine/scene/objects/solid.hpp"

#include <algorithm>
#include <array>
#include <glm/vec4.hpp>

#include "engine/core/settings/contact.hpp"
#include "engine/core/tunable.hpp"
#include "engine/geometry/clusters/overlapping_clusters.hpp"
#include "engine/geometry/clusters/quadratic_modes.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cluster_rows.hpp"
#include "engine/scene/objects/filled_mesh.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_geometry.hpp"
#include "engine/scene/objects/shared_rows.hpp"

namespace limber {
namespace {

constexpr std::size_t fewest_particles = 4;  // fewer particles do not determine a rotation

constexpr std::array break_rows{
    number<&ObjectDesc::solid, &SolidDesc::break_strain>(
        {"break_strain", "Break strain", "", 0, 10,
         "If two clusters place a particle farther apart than this share of the cluster size, the particle "
         "leaves one of them; clusters without common particles separate. 0: never breaks."})
        .about(Topic::tearing),
};
constexpr auto solid_table =
    joined(mesh_rows, lattice_rows, density_rows, cluster_rows, overlap_rows, soft_rows, stiffness_rows,
           linear_rows, quadratic_rows, elastic_rows, yield_rows, flow_rows, break_rows, tumble_rows);

}  // namespace

std::span<const Field> SolidDesc::fields() { return solid_table; }

/// True if a row applies: rows of soft solids need many clusters.
bool SolidDesc::uses(const ObjectDesc& object, const Field& field) {
  const SolidDesc& own = *object.solid;
  const auto in = [&](const auto& rows) {
    return std::any_of(rows.begin(), rows.end(), [&](const Field& row) { return row.name == field.name; });
  };
  if (in(overlap_rows) || in(soft_rows) || in(linear_rows) || in(quadratic_rows) || in(elastic_rows) ||
      in(yield_rows) || in(flow_rows) || in(break_rows))
    return own.soft();
  return true;
}

Expected<SolidEnd> solid_end(std::string_view word) {
  static constexpr std::array<std::string_view, 7> words{"left", "right", "bottom", "top",
                                                         "back", "front", "all"};
  for (std::size_t k = 0; k < words.size(); ++k)
    if (words[k] == word) return SolidEnd{int(k / 2) % 3, k % 2 == 0 ? -1.0 : 1.0, k == 6};
  return Error{"a solid has no vertices called '" + std::string(word) + "'", "", 0, suggest(word, words)};
}

Expected<std::vector<Index>> SolidDesc::named(const ObjectDesc&, std::string_view word) {
  if (const Expected<SolidEnd> end = solid_end(word); !end) return end.error();
  return std::vector<Index>{};
}

std::optional<long> SolidDesc::vertex_count(const ObjectDesc&) { return std::nullopt; }

Expected<void> SolidDesc::check(const ObjectDesc& object) {
  if (object.mesh.empty())
    return Error{"an object of type 'solid' needs a 'mesh'", "", 0, "name a closed OBJ file"};
  return {};
}

namespace {

/// Refuses quadratic modes if no cluster determines all six of them.
Expected<void> check_modes(const ObjectGeometry& geometry) {
  for (const std::vector<std::int32_t>& cluster : geometry.clusters) {
    std::vector<glm::dvec4> points, modes(2 * cluster.size());
    glm::dvec3 center(0.0);
    for (const std::int32_t i : cluster)
      center += geometry.positions[std::size_t(i)] / double(cluster.size());
    for (const std::int32_t i : cluster)
      points.emplace_back(geometry.positions[std::size_t(i)] - center, geometry.masses[std::size_t(i)]);
    if (quadratic_modes_of(points.data(), std::int32_t(points.size()), modes.data()) == 6) return {};
  }
  return Error{"no cluster is large enough for 'quadratic'", "", 0,
               "it needs ten particles and three layers in each direction: raise 'cluster_size' or lower "
               "solver.particle_radius"};
}

/// Boxes of particles. Neighbours on the lattice are two radii apart, diagonal neighbours 1.73 times as far.
ClusterGrid grid_of(const SceneDesc& scene, const ObjectDesc& object) {
  const double radius = scene.solver.contact->particle_radius;
  return {object.solid->cluster_size, object.solid->overlap, 2.0 * 1.75 * radius};
}

}  // namespace

Expected<void> SolidDesc::build(const SceneDesc& scene, const ObjectDesc& object, ObjectGeometry& out) {
  Expected<FilledMesh> filled = fill_mesh(scene, object, Filling::flush, fewest_particles);
  if (!filled) return filled.error();
  out.notes = std::move(filled->notes);
  const double mass = object.density * filled->volume / double(filled->particles.size());
  for (const InteriorParticle& particle : filled->particles) {
    out.positions.push_back(particle.position);
    out.masses.push_back(mass);
    out.fields.emplace_back(particle.outward, particle.distance);
  }
  out.layer = 1.5 * scene.solver.contact->particle_radius;
  for (const glm::dvec3& x : out.positions) out.center += x / double(out.positions.size());
  if (object.solid->soft()) {
    out.clusters = overlapping_clusters(out.positions, grid_of(scene, object));
    out.density = object.density;
    if (object.solid->quadratic > 0.0)
      if (const Expected<void> modes = check_modes(out); !modes) return modes.error();
    const double reach = 2.0 * scene.solver.contact->particle_radius;
    out.blends = blend_clusters(filled->mesh.positions, out.positions, out.clusters, reach);
    for (const std::int32_t i : nearest_points(filled->mesh.positions, out.positions, reach))
      out.carried.push_back({{i, i, i, i}, {1.0, 0.0, 0.0, 0.0}});
    out.bindings = bind_points(filled->mesh.positions, out.positions, reach);
    out.skin = std::make_shared<const TriMesh>(std::move(filled->mesh));
    out.facts = std::to_string(out.positions.size()) + " particles in " +
                std::to_string(out.clusters.size()) + " clusters";
    return {};
  }
  out.shape = std::make_shared<const TriMesh>(std::move(filled->mesh));
  return {};
}

}  // namespace limber
