#include "engine/scene/colliders/pose_source.hpp"

#include <algorithm>
#include <filesystem>

#include "engine/geometry/mesh/enclosure.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/mesh_path.hpp"

namespace limber {
namespace {

Error misfit(const std::string& file, const ObjVertices& pose, std::size_t wanted, const std::string& mesh) {
  const std::size_t count = pose.positions.size();
  const int line =
      count == 0 ? 0 : pose.lines[std::min(wanted, count - 1)];  // first surplus vertex, or last of the file
  return {"this pose has " + std::to_string(count) + " vertices, and the mesh '" +
              std::filesystem::path(mesh).filename().string() + "' " + std::to_string(wanted),
          file, line, "export all frames of one mesh, with the same vertices in the same order"};
}

}  // namespace

Expected<void> load_poses(const SceneDesc& scene, const ColliderDesc& collider, const std::string& path,
                          ObjMesh& obj, ColliderMesh& out) {
  const Expected<std::vector<std::string>> files = find_frames(scene, collider.frames);
  if (!files) return files.error();
  const Expected<ObjVertices> mesh = read_obj_vertices(path);
  if (!mesh) return mesh.error();
  if (collider.shell <= 0.0)
    if (const Expected<Enclosure> solid = enclose(obj.mesh, obj.names()); !solid) return solid.error();
  auto sequence = std::make_shared<PoseSequence>();
  sequence->triangles = obj.mesh.triangles;
  sequence->rate = collider.frame_rate;
  sequence->loop = collider.loop;
  for (const std::string& file : *files) {
    const Expected<ObjVertices> read = read_obj_vertices(file);
    if (!read) return read.error();
    if (read->positions.size() != mesh->positions.size())
      return misfit(file, *read, mesh->positions.size(), path);
    std::vector<glm::dvec3>& pose = sequence->poses.emplace_back();
    for (const Index vertex : obj.file_vertices)
      pose.push_back(out.scale * (read->positions[std::size_t(vertex)] - out.center));
  }
  out.poses = std::move(sequence);
  out.shell = collider.shell;
  return {};
}

}  // namespace limber
