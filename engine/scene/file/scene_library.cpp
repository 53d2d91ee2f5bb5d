#include "engine/scene/file/scene_library.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <system_error>
#include <tuple>

#include "engine/core/tunable.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_reader.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view broken_group = "Broken";

/// Groups of the shipped scenes in the order of learning: kinds of matter, their interaction, methods. All
/// other groups follow.
constexpr std::string_view groups_to_learn[] = {"Basics", "Cloth",        "Collisions", "Tearing", "Balloons",
                                                "Solids", "Rigid bodies", "Grains",     "Rods",    "Air",
                                                "Fluids", "Heat",         "Coupling",   "Methods", "Stress"};

std::ptrdiff_t place_of_group(std::string_view group) {
  return std::find(std::begin(groups_to_learn), std::end(groups_to_learn), group) -
         std::begin(groups_to_learn);
}

std::string lower_extension(const fs::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return extension;
}

std::vector<fs::path> scene_files(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code code;
  fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, code), end;
  for (; !code && it != end; it.increment(code)) {
    std::error_code ignored;
    if (it->is_regular_file(ignored) && lower_extension(it->path()) == ".json") files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());  // the order in which a folder lists its files differs between
                                          // machines
  return files;
}

SceneEntry entry_of(const fs::path& file, const std::string& assets) {
  const Expected<SceneDesc> scene = read_scene(file.string(), assets);
  const std::string name = file.stem().string();
  if (!scene) return {name, name, std::string(broken_group), "", file.string(), scene.error()};
  return {name, scene->title, scene->group, scene->look_for, file.string(), std::nullopt};
}

/// The first name in alphabetical order that begins with `word`: "pile" -> "pile_boxes". "" for a word
/// shorter than `shortest`.
std::string first_beginning_with(std::string_view word, const std::vector<std::string_view>& names) {
  constexpr std::size_t shortest = 3;
  std::string_view first;
  for (const std::string_view name : names)
    if (word.size() >= shortest && name.starts_with(word) && (first.empty() || name < first)) first = name;
  return std::string(first);
}

/// Requires shaders/ too, because a folder "scenes" alone may belong to another program.
bool holds_data(const fs::path& folder) {
  std::error_code code;
  return fs::is_directory(folder / "scenes", code) && fs::is_directory(folder / "shaders", code);
}

}  // namespace

Expected<std::string> find_data_folder(const std::string& executable_folder,
                                       const std::string& source_folder) {
  constexpr int levels = 2;  // levels of a build tree below its source tree
  std::vector<fs::path> candidates;
  if (!executable_folder.empty()) {
    fs::path folder = fs::path(executable_folder).lexically_normal();
    candidates = {folder, folder.parent_path() / "share/limber"};
    for (int level = 0; level < levels; ++level) candidates.push_back(folder = folder.parent_path());
  }
  if (!source_folder.empty()) candidates.emplace_back(source_folder);
  for (const fs::path& candidate : candidates)
    if (holds_data(candidate)) return candidate.string();
  return Error{"the folders 'scenes' and 'shaders' were not found", executable_folder, 0,
               "keep them beside the program"};
}

SceneLibrary::SceneLibrary(std::vector<std::string> folders, std::string assets)
    : folders_(std::move(folders)), assets_(std::move(assets)) {
  rescan();
}

void SceneLibrary::rescan() {
  std::map<std::string, SceneEntry> by_name;
  for (const std::string& folder : folders_)
    for (const fs::path& file : scene_files(folder)) {
      SceneEntry entry = entry_of(file, assets_);
      if (const auto earlier = by_name.find(entry.name); earlier != by_name.end())
        entry.instead_of =
            earlier->second.file == entry.file ? earlier->second.instead_of : earlier->second.file;
      by_name.insert_or_assign(entry.name, std::move(entry));
    }
  scenes_.clear();
  for (auto& [name, entry] : by_name) scenes_.push_back(std::move(entry));
  const auto key = [](const SceneEntry& entry) {
    return std::tuple(entry.error.has_value(), place_of_group(entry.group), std::string_view(entry.group),
                      std::string_view(entry.name));
  };
  std::sort(scenes_.begin(), scenes_.end(),
            [&](const SceneEntry& a, const SceneEntry& b) { return key(a) < key(b); });
}

Expected<SceneDesc> SceneLibrary::find(const std::string& name_or_path) const {
  for (const SceneEntry& entry : scenes_)
    if (entry.name == name_or_path) return read_scene(entry.file, assets_);

  const fs::path path(name_or_path);
  const std::string extension = lower_extension(path);
  if (extension == ".obj") return scene_from_obj(name_or_path);
  std::error_code code;
  if (extension == ".json" || fs::exists(path, code)) return read_scene(name_or_path, assets_);

  std::vector<std::string_view> names;
  for (const SceneEntry& entry : scenes_) names.push_back(entry.name);
  std::string near = nearest_name(name_or_path, names);
  if (near.empty()) near = first_beginning_with(name_or_path, names);
  return Error{"there is no scene '" + name_or_path + "'", "", 0,
               near.empty() ? "'limber list' names all scenes, 'limber --help' the commands"
                            : "did you mean '" + near + "'?"};
}

}  // namespace limber
