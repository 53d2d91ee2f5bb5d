#include "engine/scene/colliders/collider_source.hpp"

#include <algorithm>
#include <filesystem>
#include <glm/common.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <limits>

#include "engine/core/tunable.hpp"
#include "engine/geometry/field/field_cache.hpp"
#include "engine/geometry/field/sharp_surface.hpp"
#include "engine/geometry/files/obj_reader.hpp"
#include "engine/geometry/mesh/enclosure.hpp"
#include "engine/geometry/mesh/topology.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/colliders/pose_source.hpp"
#include "engine/scene/file/mesh_path.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_place.hpp"

namespace limber {
namespace {

constexpr double smallest_mesh = 1e-3;  // m, least longest side; equals the least radius of a sphere

/// Scales the mesh so that its longest side is collider.size, and centres its bounding box; size 0 keeps the
/// file's units and origin. Fails if the mesh is then smaller than smallest_mesh.
Expected<void> fit(const ColliderDesc& collider, const std::vector<glm::dvec3>& positions,
                   ColliderMesh& out) {
  glm::dvec3 low(std::numeric_limits<double>::max()), high = -low;
  for (const glm::dvec3& x : positions) low = glm::min(low, x), high = glm::max(high, x);
  const glm::dvec3 extent = high - low;
  const double longest = std::max(extent.x, std::max(extent.y, extent.z));
  if (collider.size > 0.0) {
    out.scale = collider.size / longest;
    out.center = 0.5 * (low + high);
  }
  if (out.scale * longest >= smallest_mesh * (1.0 - 1e-9)) return {};
  return Error{"the mesh is " + to_text(out.scale * longest) + " m large, not at least 0.001 m", "", 0,
               "set 'size', its longest side in metres"};
}

/// Adds the line of the collider in the scene file to an error, or `file` if the error is about another file.
Error in_collider(const SceneDesc& scene, const ColliderDesc& collider, const std::string& file,
                  Error error) {
  if (error.file.empty()) error.file = file;
  return placed_in_part(std::move(error), scene.file, "collider", "colliders", collider.name);
}

/// Fails on surfaces without a distance field. The field would refuse them too, but without lines and numbers
/// of the file.
Expected<void> check_surface(const ColliderDesc& collider, ObjMesh& obj) {
  const Expected<MeshTopology> edges =
      build_topology(obj.mesh.triangles, Index(obj.mesh.positions.size()), obj.names(), collider.shell > 0.0);
  if (!edges) return edges.error();
  if (edges->boundary_edges == 0 || collider.shell > 0.0) return {};
  Error open = enclose(obj.mesh, obj.names()).error();
  open.hint =
      "give the collider a 'shell', the thickness of a sheet with two sides, or close the holes in a "
      "modelling program (Blender: Mesh, Clean Up, Fill Holes)";
  return open;
}

}  // namespace

glm::dmat3 rotation_matrix(const Pose& pose) {
  const glm::dvec3 angle = glm::radians(pose.rotation_degrees);
  glm::dmat4 m(1.0);
  m = glm::rotate(m, angle.z, {0.0, 0.0, 1.0});
  m = glm::rotate(m, angle.y, {0.0, 1.0, 0.0});
  m = glm::rotate(m, angle.x, {1.0, 0.0, 0.0});
  return glm::dmat3(m);
}

RigidMotion motion_of(std::span<const ColliderDesc> colliders, std::size_t c) {
  const ColliderDesc& collider = colliders[c];
  RigidMotion motion;
  motion.rest = {collider.pose.position, rotation_matrix(collider.pose)};
  motion.linear_velocity = collider.linear_velocity;
  motion.angular_velocity = collider.angular_velocity / 360.0;
  motion.amplitude = collider.amplitude;
  motion.swing = collider.swing / 360.0;
  motion.pivot = collider.pivot;
  motion.period = collider.period;
  motion.phase = collider.phase;
  motion.start = collider.start;
  motion.swings = collider.swings;
  for (std::size_t above = 0; above < c && !collider.parent.empty(); ++above)
    if (colliders[above].name == collider.parent)
      motion.parent = std::make_shared<const RigidMotion>(motion_of(colliders, above));
  return motion;
}

Expected<void> check_parents(const SceneDesc& scene) {
  std::vector<std::string_view> above;
  for (const ColliderDesc& collider : scene.colliders) {
    if (!collider.parent.empty() && std::find(above.begin(), above.end(), collider.parent) == above.end())
      return placed_in_scene(
          {"the parent '" + collider.parent + "' of '" + collider.name + "' is no collider above it", "", 0,
           suggest(collider.parent, above)},
          scene.file, {"colliders", collider.name, "parent"});
    above.push_back(collider.name);
  }
  return {};
}

Expected<ColliderMesh> load_collider_mesh(const SceneDesc& scene, const ColliderDesc& collider) {
  ColliderMesh out;
  if (collider.shape != ColliderShape::mesh) return out;
  if (collider.mesh.empty())
    return in_collider(scene, collider, "", {"the shape 'mesh' needs a 'mesh'", "", 0, "name an OBJ file"});
  const Expected<std::string> path = find_mesh(scene, collider.mesh);
  if (!path) return in_collider(scene, collider, "", path.error());
  Expected<ObjMesh> read = read_obj(*path);
  if (!read) return in_collider(scene, collider, *path, read.error());
  if (const Expected<void> sound = check_surface(collider, *read); !sound)
    return in_collider(scene, collider, *path, sound.error());
  if (collider.shell == 0.0) out.turned = orient_alike(read->mesh);  // triangles must face outwards
  if (const Expected<void> fits = fit(collider, read->mesh.positions, out); !fits)
    return in_collider(scene, collider, *path, fits.error());
  if (!collider.frames.empty()) {
    if (const Expected<void> posed = load_poses(scene, collider, *path, *read, out); !posed)
      return in_collider(scene, collider, *path, posed.error());
    read->mesh.positions = out.poses->poses.front();
    out.surface = std::make_shared<const TriMesh>(std::move(read->mesh));
    return out;
  }
  const auto progress = [&, file = std::filesystem::path(*path).filename().string()](double share) {
    return !scene.progress || scene.progress("distance field of " + file, share);
  };
  const auto field = cached_distance_field(read->mesh, collider.resolution, user_cache_folder(),
                                           collider.shell / out.scale, progress);
  if (!field) return in_collider(scene, collider, *path, field.error());
  out.field = *field;
  out.sharp = std::make_shared<const SharpSurface>(read->mesh, *out.field, collider.shell / out.scale);
  for (glm::dvec3& x : read->mesh.positions) x = out.scale * (x - out.center);
  out.surface = std::make_shared<const TriMesh>(std::move(read->mesh));
  return out;
}

}  // namespace limber
