#include "engine/scene/objects/solid.hpp"

#include "engine/core/tunable.hpp"
#include "engine/scene/object_desc.hpp"
#include "engine/scene/object_geometry.hpp"
#include "engine/scene/objects/filled_mesh.hpp"
#include "engine/scene/objects/shared_rows.hpp"

namespace limber {
namespace {

constexpr std::size_t fewest_particles = 4;  // fewer say nothing of a rotation

constexpr std::array stiffness_rows{
    number<&ObjectDesc::solid, &SolidDesc::stiffness>(
        {"stiffness", "Stiffness", "", 0, 1,
         "k of shape matching (Mueller et al. 2005): the share of each particle's way to its place in the "
         "shape that a substep takes. 1 is rigid."}),
};
constexpr auto solid_table = joined(mesh_rows, lattice_rows, density_rows, stiffness_rows, tumble_rows);

}  // namespace

std::span<const Field> SolidDesc::fields() { return solid_table; }

std::optional<long> SolidDesc::vertex_count(const ObjectDesc&) { return std::nullopt; }

Expected<void> SolidDesc::check(const ObjectDesc& object) {
  if (object.mesh.empty())
    return Error{"an object of type 'solid' needs a 'mesh'", "", 0, "name a closed OBJ file"};
  return {};
}

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
  for (const glm::dvec3& x : out.positions) out.center += x / double(out.positions.size());
  out.shape = std::make_shared<const TriMesh>(std::move(filled->mesh));
  return {};
}

}  // namespace limber
