#include "engine/scene/objects/solid.hpp"

#include <algorithm>
#include <array>

#include "engine/core/settings/contact.hpp"
#include "engine/core/tunable.hpp"
#include "engine/geometry/clusters/overlapping_clusters.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/filled_mesh.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_geometry.hpp"
#include "engine/scene/objects/shared_rows.hpp"

namespace limber {
namespace {

constexpr std::size_t fewest_particles = 4;  // fewer particles do not determine a rotation

constexpr std::array stiffness_rows{
    number<&ObjectDesc::solid, &SolidDesc::stiffness>(
        {"stiffness", "Stiffness", "", 0, 1,
         "k of shape matching (Mueller et al. 2005): share of the way to its goal position that a particle "
         "moves per substep. 1 is rigid."}),
};
constexpr std::array cluster_rows{
    number<&ObjectDesc::solid, &SolidDesc::cluster_size>(
        {"cluster_size", "Cluster size", "m", 0, 100,
         "Side of overlapping boxes, each of which is a cluster that keeps its shape, so that the solid can "
         "bend. 0: one cluster for the whole solid.",
         Effect::rebuild}),
};
constexpr std::array soft_rows{
    number<&ObjectDesc::solid, &SolidDesc::overlap>(
        {"overlap", "Overlap", "", 0.2, 0.8,
         "Share of a cluster that also belongs to the next one. With little overlap the solid bends only "
         "between stiff pieces.",
         Effect::rebuild}),
    number<&ObjectDesc::solid, &SolidDesc::youngs_modulus>(
        {"youngs_modulus", "Young's modulus", "Pa", 0, 1e9,
         "Stiffness of the clusters, independent of substeps and iterations. With eight or more clusters "
         "along a bar its sag is that of tetrahedra within 20 %; parts only one or two particles thick and "
         "clusters wider than a part are stiffer. 0: 'stiffness' is used, per substep."}),
};
constexpr std::array linear_rows{
    number<&ObjectDesc::solid, &SolidDesc::linear>(
        {"linear", "Linear mode", "", 0, 1,
         "beta of Mueller et al. 2005: the goals of a cluster are transformed by (1 - beta) R + beta F, "
         "where F is its linear deformation. A larger beta lets it stretch and shear more; with 1 nothing "
         "restores its shape."}),
};
constexpr std::array elastic_rows{
    number<&ObjectDesc::solid, &SolidDesc::poisson_ratio>(
        {"poisson_ratio", "Poisson ratio", "", 0, 0.45,
         "How much a compressed solid bulges: 0.45 nearly keeps its volume and needs more substeps."}),
    number<&ObjectDesc::solid, &SolidDesc::damping_time>(
        {"damping_time", "Damping time", "s", 0, 1,
         "A strain rate e of a cluster adds the stress of the strain e times damping_time. Rigid motion is "
         "not damped."}),
};
constexpr std::array yield_rows{
    number<&ObjectDesc::solid, &SolidDesc::yield>(
        {"yield", "Yield strain", "", 0, 1,
         "Strain beyond which the deformation of a cluster becomes permanent, at constant volume (Mueller et "
         "al. 2005, section 4.5). 0: never yields."}),
};
constexpr std::array flow_rows{
    number<&ObjectDesc::solid, &SolidDesc::creep>({"creep", "Creep rate", "1/s", 0, 1e4,
                                                   "Rate at which deformation beyond the yield strain "
                                                   "becomes permanent: 63 % of it after 1/creep seconds.",
                                                   Effect::live, Scale::linear}),
    number<&ObjectDesc::solid, &SolidDesc::hardening>(
        {"hardening", "Hardening", "", 0, 100, "Increase of the yield strain per unit of plastic strain."}),
    number<&ObjectDesc::solid, &SolidDesc::max_plastic>(
        {"max_plastic", "Most plastic strain", "", 0, 10,
         "Largest plastic strain: a bound on how far a cluster's rest shape can depart from its first one."}),
};
constexpr std::array break_rows{
    number<&ObjectDesc::solid, &SolidDesc::break_strain>(
        {"break_strain", "Break strain", "", 0, 10,
         "If two clusters place a particle farther apart than this share of the cluster size, the particle "
         "leaves one of them; clusters without common particles separate. 0: never breaks."})
        .about(Topic::tearing),
};
constexpr auto solid_table =
    joined(mesh_rows, lattice_rows, density_rows, cluster_rows, soft_rows, stiffness_rows, linear_rows,
           elastic_rows, yield_rows, flow_rows, break_rows, tumble_rows);

}  // namespace

std::span<const Field> SolidDesc::fields() { return solid_table; }

/// True if a row applies: rows of soft solids need many clusters.
bool SolidDesc::uses(const ObjectDesc& object, const Field& field) {
  const SolidDesc& own = object.solid;
  const auto in = [&](const auto& rows) {
    return std::any_of(rows.begin(), rows.end(), [&](const Field& row) { return row.name == field.name; });
  };
  if (in(soft_rows) || in(linear_rows) || in(elastic_rows) || in(yield_rows) || in(flow_rows) ||
      in(break_rows))
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

/// Boxes of particles. Neighbours on the lattice are two radii apart, diagonal neighbours 1.73 times as far.
ClusterGrid grid_of(const SceneDesc& scene, const ObjectDesc& object) {
  const double radius = scene.solver.contact->particle_radius;
  return {object.solid.cluster_size, object.solid.overlap, 2.0 * 1.75 * radius};
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
  if (object.solid.soft()) {
    out.clusters = overlapping_clusters(out.positions, grid_of(scene, object));
    out.density = object.density;
    const double reach = 2.0 * scene.solver.contact->particle_radius;
    out.blends = blend_clusters(filled->mesh.positions, out.positions, out.clusters, reach);
    for (const std::int32_t i : nearest_points(filled->mesh.positions, out.positions, reach))
      out.carried.push_back({{i, i, i, i}, {1.0, 0.0, 0.0, 0.0}});
    out.skin = std::make_shared<const TriMesh>(std::move(filled->mesh));
    out.facts = std::to_string(out.positions.size()) + " particles in " +
                std::to_string(out.clusters.size()) + " clusters";
    return {};
  }
  out.shape = std::make_shared<const TriMesh>(std::move(filled->mesh));
  return {};
}

}  // namespace limber
