#include "app/shell/opened_scenes.hpp"

#include <algorithm>
#include <filesystem>
#include "engine/scene/file/scene_desc.hpp"

namespace limber {

const SceneEntry& list_opened(const SceneDesc& scene, std::vector<SceneEntry>& scenes) {
  namespace fs = std::filesystem;
  const auto same_file = [&](const SceneEntry& entry) {
    std::error_code error;
    return entry.file == scene.file || fs::equivalent(entry.file, scene.file, error);
  };
  if (const auto known = std::find_if(scenes.begin(), scenes.end(), same_file); known != scenes.end())
    return *known;
  SceneEntry entry{scene.name, scene.title, "Opened", scene.look_for, scene.file, std::nullopt};
  return *scenes.insert(scenes.begin(), std::move(entry));
}

}  // namespace limber
