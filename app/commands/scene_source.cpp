#include "app/commands/scene_source.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "app/commands/progress_bar.hpp"
#include "engine/core/tunable.hpp"
#include "engine/geometry/files/obj_reader.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/bodies/body_source.hpp"
#include "engine/scene/file/mesh_path.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/scene/joints/joint_source.hpp"
#include "engine/scene/objects/object_check.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber {
namespace fs = std::filesystem;
namespace {

/// The user's folder of scenes; empty without a home folder.
std::string user_scene_folder() {
  if (const char* data = std::getenv("XDG_DATA_HOME"); data && *data)
    return (fs::path(data) / "limber/scenes").string();
  if (const char* home = std::getenv("HOME"); home && *home)
    return (fs::path(home) / ".local/share/limber/scenes").string();
  return {};
}

Error about_option(Error error, const std::string& path = "") {
  error.file = path.empty() ? "--set" : "--set " + path;
  return error;
}

/// Fails if a mesh named by settings is missing or unreadable. Checked first, because other errors would
/// otherwise be blamed on the mesh.
Expected<void> check_meshes(const SceneDesc& scene, const std::vector<std::string>& settings) {
  for (const std::string& assignment : settings) {
    const std::size_t equals = assignment.find('=');
    const std::string path = assignment.substr(0, equals);
    if (!path.ends_with(".mesh") || equals + 1 == assignment.size()) continue;
    const Expected<std::string> file = find_mesh(scene, assignment.substr(equals + 1));
    if (!file) return about_option(file.error(), path);
    if (const Expected<ObjMesh> mesh = read_obj(*file); !mesh)
      return about_option({mesh.error().text(), "", 0, ""}, path);
  }
  return {};
}

/// Checks all settings ("path=value") together after they are applied. A later setting can give meaning to an
/// earlier one (a shape to the radius before it).
Expected<void> check_together(SceneDesc& scene, const std::vector<std::string>& settings) {
  for (const std::string& assignment : settings) {
    const std::string path = assignment.substr(0, assignment.find('='));
    if (const Expected<void> used = check_setting_applies(scene, path); !used)
      return about_option(used.error(), path);
  }
  return check_meshes(scene, settings);
}

/// Checks each part of the scene. `blame(error, owner)` attributes a part's error.
template <class Blame>
Expected<void> check_parts(const SceneDesc& scene, const Blame& blame) {
  for (const ObjectDesc& object : scene.objects)
    if (const Expected<void> sound = check_object(object); !sound)
      return blame(sound.error(), "objects." + object.name);
  for (const BodyDesc& body : scene.bodies)
    if (const Expected<void> sound = check_body(body); !sound)
      return blame(sound.error(), "bodies." + body.name);
  for (const JointDesc& joint : scene.joints)
    if (const Expected<void> sound = check_joint(scene, joint); !sound)
      return blame(sound.error(), "joints." + joint.name);
  if (const Expected<void> sound = check_camera(scene.camera); !sound) return blame(sound.error(), "camera");
  return {};
}

/// Whether `original` is valid without the setting at `left_out`: then that setting causes the fault.
bool is_guilty(const SceneDesc& original, const std::vector<std::string>& settings, std::size_t left_out) {
  SceneDesc scene = original;
  for (std::size_t i = 0; i < settings.size(); ++i)
    if (i != left_out && !apply_setting(scene, settings[i])) return false;
  return bool(check_parts(scene, [](const Error& error, const std::string&) { return error; }));
}

/// Blames a part's fault on the setting without which it vanishes. Other settings of the same part are not
/// blamed.
Expected<void> check_fault(const SceneDesc& scene, const SceneDesc& original,
                           const std::vector<std::string>& settings) {
  return check_parts(scene, [&](const Error& error, const std::string& owner) {
    for (std::size_t i = settings.size(); i-- > 0;)
      if (settings[i].starts_with(owner + ".") && is_guilty(original, settings, i))
        return about_option(error, settings[i]);
    return error;
  });
}

}  // namespace

Expected<std::string> data_folder() {
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  return find_data_folder(executable.parent_path().string(), LIMBER_SOURCE_DIR);
}

Expected<SceneLibrary> shipped_scenes() {
  const Expected<std::string> data = data_folder();
  if (!data) return data.error();
  return SceneLibrary({*data + "/scenes"}, *data + "/assets");
}

Expected<SceneLibrary> all_scenes() {
  const Expected<std::string> data = data_folder();
  if (!data) return data.error();
  std::vector<std::string> folders = {*data + "/scenes"};
  if (const std::string own = user_scene_folder(); !own.empty()) folders.push_back(own);
  return SceneLibrary(std::move(folders), *data + "/assets");
}

namespace {

/// Normalises three numbers as typed, "[1, 2, 3]" or "1 2 3", to the accepted form "1,2,3".
std::string with_commas(std::string text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.back())) text.pop_back();
  text.erase(text.begin(), std::find_if_not(text.begin(), text.end(), blank));
  if (text.size() > 1 && text.front() == '[' && text.back() == ']')
    return with_commas(text.substr(1, text.size() - 2));
  if (text.find(',') != text.npos) return text;
  text.erase(std::unique(text.begin(), text.end(), [&](char a, char b) { return blank(a) && blank(b); }),
             text.end());
  std::replace_if(text.begin(), text.end(), blank, ',');
  return text;
}

}  // namespace

Expected<SettingValue> read_setting(SceneDesc& scene, const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) {
    return Error{"'" + assignment + "' is not path=value", "--set", 0, "for instance solver.substeps=20"};
  }
  const Expected<Setting> setting = find_setting(scene, assignment.substr(0, equals));
  if (!setting) return about_option(setting.error());
  const std::string text = assignment.substr(equals + 1);
  const bool vector = setting->field->kind == Field::Kind::vector;
  Expected<Value> value = parse(*setting->field, vector ? with_commas(text) : text);
  if (!value) return about_option(value.error(), setting->path);
  return SettingValue{*setting, std::move(*value)};
}

Expected<void> apply_setting(SceneDesc& scene, const std::string& assignment) {
  const Expected<SettingValue> said = read_setting(scene, assignment);
  if (!said) return said.error();
  const Setting& setting = said->setting;
  if (Expected<void> done = set(*setting.field, setting.settings, said->value); !done)
    return about_option(done.error(), setting.path);
  if (setting.path == "camera.position" || setting.path == "camera.target") scene.camera_given = true;
  return {};
}

Expected<SceneDesc> load_scene(const std::string& name_or_file, const std::vector<std::string>& settings) {
  const Expected<SceneLibrary> library = all_scenes();
  if (!library) return library.error();
  Expected<SceneDesc> scene = library->find(name_or_file);
  if (!scene) return scene;
  scene->progress = build_progress();
  const SceneDesc original = *scene;
  for (const std::string& assignment : settings) {
    if (Expected<void> done = apply_setting(*scene, assignment); !done) return done.error();
  }
  if (const Expected<void> sound = check_together(*scene, settings); !sound) return sound.error();
  if (const Expected<void> sound = check_fault(*scene, original, settings); !sound) return sound.error();
  return scene;
}

std::vector<std::string> settings_of(const std::string& variant) {
  std::istringstream words(variant);
  return {std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()};
}

Expected<std::vector<std::vector<SetValue>>> read_variants(const SceneDesc& scene,
                                                           const std::vector<std::string>& variants,
                                                           const std::string& option) {
  const auto blamed = [&](Error error, const std::string& variant) {
    if (error.file.starts_with("--set")) error.file = option + " \"" + variant + "\"";
    return error;
  };
  std::vector<std::vector<SetValue>> out;
  for (const std::string& variant : variants) {
    SceneDesc changed = scene;
    const std::vector<std::string> settings = settings_of(variant);
    std::vector<SetValue>& own = out.emplace_back();
    for (const std::string& assignment : settings) {
      const Expected<SettingValue> said = read_setting(changed, assignment);
      if (!said) return blamed(said.error(), variant);
      if (Expected<void> done = apply_setting(changed, assignment); !done)
        return blamed(done.error(), variant);
      own.push_back({said->setting.path, said->value});
    }
    if (const Expected<void> sound = check_together(changed, settings); !sound)
      return blamed(sound.error(), variant);
    if (const Expected<void> sound = check_fault(changed, scene, settings); !sound)
      return blamed(sound.error(), variant);
  }
  return out;
}

Error told_with_settings(Error error, const std::vector<std::string>& settings) {
  if (settings.empty()) return error;
  error.message += "; with --set";
  for (const std::string& assignment : settings) error.message += " " + assignment;
  return error;
}

namespace {

/// The recorded scene file at its old place, or beside the recording, as both may have been moved together;
/// "" if it is in neither place.
std::string find_recorded_file(const InputRecording& recording) {
  if (recording.file.empty()) return {};
  const fs::path file = recording.file, folder = fs::path(recording.source).parent_path();
  for (const fs::path& place : {file, folder / file, folder / file.filename()}) {
    std::error_code error;
    if (fs::exists(place, error)) return place.string();
  }
  return {};
}

}  // namespace

Expected<SceneDesc> load_recorded_scene(const InputRecording& recording) {
  // Our recordings name the scene by an absolute path. A recording from elsewhere may name a file beside or
  // below itself, but none outside its folder.
  if (const fs::path named = fs::path(recording.file).lexically_normal();
      named.is_relative() && !named.empty() && *named.begin() == "..")
    return Error{"its scene, " + recording.file + ", is outside of the recording's folder", recording.source,
                 0, "put that file beside the recording"};
  const std::string file = find_recorded_file(recording);
  Expected<SceneDesc> scene = load_scene(file.empty() ? recording.scene : file);
  if (!scene && file.empty() && !recording.file.empty()) {
    Error why = scene.error();
    why.hint.clear();
    return Error{"its scene, " + recording.file + ", is not there, and " + why.text(), recording.source, 0,
                 "put that file beside the recording"};
  }
  if (!scene) return scene;
  if (Expected<void> done = restore_settings(recording, *scene); !done) return done.error();
  return scene;
}

}  // namespace limber
