#include "engine/scene/objects/solid.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <glm/common.hpp>
#include <limits>

#include "engine/geometry/field/field_cache.hpp"
#include "engine/geometry/field/interior_particles.hpp"
#include "engine/geometry/files/obj_reader.hpp"
#include "engine/geometry/mesh/mass_properties.hpp"
#include "engine/scene/mesh_path.hpp"
#include "engine/scene/object_check.hpp"
#include "engine/scene/object_geometry.hpp"
#include "engine/scene/objects/shared_rows.hpp"

namespace limber {
namespace {

constexpr int coarsest_field = 16, finest_field = 96;  // cells along the longest side
constexpr std::size_t fewest_particles = 4;            // fewer say nothing of a rotation

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
  const Expected<std::string> path = find_mesh(scene, object.mesh);
  if (!path) return path.error();
  Expected<ObjMesh> read = read_obj(*path);
  if (!read) return in_file(*path, read.error());
  TriMesh& mesh = read->mesh;
  out.notes = std::move(read->notes);
  if (object.size > 0.0) normalise(mesh.positions, object.size);
  const Expected<Enclosure> inside = enclose(mesh, read->names());
  if (!inside) return in_file(*path, inside.error());
  const double r = scene.solver.particle_radius, longest = longest_extent(mesh.positions);
  const glm::dvec3 lattice = glm::dvec3(longest / (2.0 * r));
  if (const double places = lattice.x * lattice.y * lattice.z; places > 8.0 * max_vertices)
    return Error{
        "the mesh spans " + to_text(std::round(places)) + " places of particles", *path, 0,
        "at most " + to_text(8.0 * max_vertices) + ": a smaller 'size' or a larger solver.particle_radius"};
  const auto progress = [&, file = std::filesystem::path(*path).filename().string()](double share) {
    return !scene.progress || scene.progress("distance field of " + file, share);
  };
  const int cells = int(std::clamp(std::ceil(longest / r), double(coarsest_field), double(finest_field)));
  const auto field = cached_distance_field(mesh, cells, user_cache_folder(), 0.0, progress);
  if (!field) return in_file(*path, field.error());
  const std::vector<InteriorParticle> particles = interior_particles(**field, r);
  if (particles.size() < fewest_particles)
    return Error{"only " + std::to_string(particles.size()) + " particles fit into the mesh", *path, 0,
                 "a smaller solver.particle_radius or a larger 'size'"};
  const double all = double(particles.size()) * object.copies.x * object.copies.y * object.copies.z;
  if (all > max_particles)
    return Error{"the object would have " + to_text(all) + " particles", *path, 0,
                 "at most " + to_text(max_particles) + ": fewer copies or a larger solver.particle_radius"};
  const double mass = object.density * mesh_mass_properties(mesh).volume / double(particles.size());
  for (const InteriorParticle& particle : particles) {
    out.positions.push_back(particle.position);
    out.masses.push_back(mass);
    out.fields.emplace_back(particle.outward, particle.distance);
  }
  for (const glm::dvec3& x : out.positions) out.center += x / double(out.positions.size());
  out.shape = std::make_shared<const TriMesh>(std::move(mesh));
  return {};
}

}  // namespace limber
