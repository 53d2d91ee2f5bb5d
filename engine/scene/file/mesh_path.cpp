#include "engine/scene/file/mesh_path.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "engine/core/tunable.hpp"
#include "engine/geometry/files/obj_reader.hpp"
#include "engine/geometry/files/tetgen_reader.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> mesh_folders(const SceneDesc& scene) {
  std::vector<fs::path> folders;
  if (!scene.file.empty()) folders.push_back(fs::path(scene.file).parent_path());
  if (!scene.assets.empty()) folders.emplace_back(scene.assets);
  if (!scene.file.empty()) folders.push_back((folders.front() / ".." / "assets").lexically_normal());
  folders.emplace_back();  // the working folder
  return folders;
}

std::vector<std::string> meshes_in(const std::vector<fs::path>& folders) {
  std::vector<std::string> names;
  for (const fs::path& folder : folders) {
    std::error_code code;
    for (fs::directory_iterator it(folder.empty() ? "." : folder, code), end; !code && it != end;
         it.increment(code))
      if (it->path().extension() == ".obj") names.push_back(it->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

Expected<std::string> find_mesh(const SceneDesc& scene, std::string_view mesh) {
  const std::vector<fs::path> folders = mesh_folders(scene);
  for (const fs::path& folder : folders) {
    const fs::path candidate = folder / mesh;  // an absolute mesh replaces the folder
    std::error_code code;
    if (fs::is_regular_file(candidate, code)) return candidate.lexically_normal().string();
  }
  for (const fs::path& folder : folders) {
    std::error_code code;
    if (fs::is_directory(folder / mesh, code))
      return Error{"'" + std::string(mesh) + "' is a folder, not an OBJ file", "", 0, ""};
  }
  const std::vector<std::string> present = meshes_in(folders);
  const std::vector<std::string_view> names(present.begin(), present.end());
  return Error{"there is no mesh '" + std::string(mesh) + "'", "", 0,
               names.empty() ? "searched beside the scene, in the assets folder and in the working folder"
                             : suggest(mesh, names)};
}

Expected<std::vector<std::string>> find_frames(const SceneDesc& scene, std::string_view pattern) {
  const std::string name = fs::path(pattern).filename().string();
  const std::size_t star = name.find('*');
  if (star == std::string::npos || name.find('*', star + 1) != std::string::npos)
    return Error{"the frames '" + std::string(pattern) + "' need one '*' for their numbers", "", 0,
                 R"(as in "walk_*.obj")"};
  const std::string before = name.substr(0, star), after = name.substr(star + 1);
  std::vector<std::string> found;
  for (const fs::path& folder : mesh_folders(scene)) {
    const fs::path place = (folder / pattern).parent_path();
    std::error_code code;
    for (fs::directory_iterator it(place.empty() ? "." : place, code), end; !code && it != end;
         it.increment(code)) {
      const std::string file = it->path().filename().string();
      if (file.size() > before.size() + after.size() && file.starts_with(before) && file.ends_with(after))
        found.push_back((place / file).lexically_normal().string());
    }
    if (!found.empty()) break;
  }
  if (found.empty())
    return Error{"there are no frames '" + std::string(pattern) + "'", "", 0,
                 "searched beside the scene, in the assets folder and in the working folder"};
  std::sort(found.begin(), found.end(), [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;  // "2" before "10"
  });
  return found;
}

std::vector<std::string> missing_files(const SceneDesc& scene) {
  std::vector<std::string> missing;
  std::error_code code;
  const fs::path own = scene.file.empty() ? fs::path() : fs::absolute(scene.file, code);
  if (!scene.file.empty() && !fs::exists(own, code)) missing.push_back(scene.file);
  const auto look = [&](const std::string& name, const auto& find) {
    if (name.empty() || name == own || find(scene, name)) return;  // an opened mesh is its own scene file
    if (std::find(missing.begin(), missing.end(), name) == missing.end()) missing.push_back(name);
  };
  for (const ObjectDesc& object : scene.objects) look(object.mesh, find_mesh);
  for (const ColliderDesc& collider : scene.colliders) {
    look(collider.mesh, find_mesh);
    look(collider.frames, find_frames);
  }
  for (const BodyDesc& body : scene.bodies) {
    look(body.mesh, find_mesh);
    for (const BodyPartDesc& part : body.parts) look(part.mesh, find_mesh);
  }
  return missing;
}

Expected<void> check_mesh(const SceneDesc& scene, std::string_view mesh) {
  const Expected<std::string> path = find_mesh(scene, mesh);
  if (!path) return path.error();
  if (is_tetgen(*path)) return {};  // the TetGen reader reports its own errors
  const Expected<void> text = check_obj_text(*path);
  if (text) return {};
  return Error{"the mesh '" + std::string(mesh) + "': " + text.error().message, "", 0, text.error().hint};
}

}  // namespace limber
