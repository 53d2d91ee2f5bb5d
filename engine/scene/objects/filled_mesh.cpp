#include "engine/scene/objects/filled_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <glm/common.hpp>
#include <limits>

#include "engine/core/settings/contact.hpp"
#include "engine/core/tunable.hpp"
#include "engine/geometry/field/field_cache.hpp"
#include "engine/geometry/files/obj_reader.hpp"
#include "engine/geometry/mesh/mass_properties.hpp"
#include "engine/scene/file/mesh_path.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_check.hpp"
#include "engine/scene/objects/object_geometry.hpp"

namespace limber {
namespace {

constexpr int coarsest_field = 16, finest_field = 96;  // cells along the longest side of the mesh

double longest_extent(const std::vector<glm::dvec3>& positions) {
  glm::dvec3 low(std::numeric_limits<double>::max()), high = -low;
  for (const glm::dvec3& x : positions) low = glm::min(low, x), high = glm::max(high, x);
  const glm::dvec3 extent = high - low;
  return std::max({extent.x, extent.y, extent.z});
}

}  // namespace

Expected<FilledMesh> fill_mesh(const SceneDesc& scene, const ObjectDesc& object, Filling filling,
                               std::size_t fewest) {
  const Expected<std::string> path = find_mesh(scene, object.mesh);
  if (!path) return path.error();
  Expected<ObjMesh> read = read_obj(*path);
  if (!read) return in_file(*path, read.error());
  FilledMesh out;
  TriMesh& mesh = read->mesh;
  out.notes = std::move(read->notes);
  if (object.size > 0.0) normalise(mesh.positions, object.size);
  const Expected<Enclosure> inside = enclose(mesh, read->names());
  if (!inside) return in_file(*path, inside.error());
  const double r = scene.solver.contact->particle_radius, longest = longest_extent(mesh.positions);
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
  out.particles = filling == Filling::even ? lattice_inside(**field, r) : interior_particles(**field, r);
  if (out.particles.size() < fewest)
    return Error{"only " + std::to_string(out.particles.size()) + " particles fit into the mesh", *path, 0,
                 "a smaller solver.particle_radius or a larger 'size'"};
  const double all = double(out.particles.size()) * object.copies.x * object.copies.y * object.copies.z;
  if (all > max_particles)
    return Error{"the object would have " + to_text(all) + " particles", *path, 0,
                 "at most " + to_text(max_particles) + ": fewer copies or a larger solver.particle_radius"};
  out.volume = mesh_mass_properties(mesh).volume;
  out.mesh = std::move(mesh);
  return out;
}

}  // namespace limber
