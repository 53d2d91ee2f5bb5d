#include "app/lab/scene_reload.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include "engine/scene/file/scene_desc.hpp"

namespace limber {
namespace {

nlohmann::json parse_scene(std::string_view text) {
  return nlohmann::json::parse(text, nullptr, false, true);  // no exceptions, comments allowed
}

/// Converts a JSON pointer to a setting path: "/objects/cloth/material/friction" ->
/// "objects.cloth.material.friction". A component of a vector ("/solver/gravity/1") gives the path of the
/// vector.
std::string setting_path(std::string pointer) {
  std::size_t slash = pointer.rfind('/');
  if (slash != std::string::npos && slash > 0 &&
      pointer.find_first_not_of("0123456789-", slash + 1) == std::string::npos)
    pointer.resize(slash);
  std::replace(pointer.begin(), pointer.end(), '/', '.');
  return pointer.substr(std::min<std::size_t>(1, pointer.size()));
}

}  // namespace

std::optional<std::vector<std::string>> changed_settings(std::string_view before, std::string_view after) {
  const nlohmann::json from = parse_scene(before), to = parse_scene(after);
  if (from.is_discarded() || to.is_discarded()) return std::nullopt;
  std::vector<std::string> paths;
  for (const nlohmann::json& change : nlohmann::json::diff(from, to)) {
    if (change.contains("value") && change["value"].is_structured()) return std::nullopt;
    paths.push_back(setting_path(change["path"].get<std::string>()));
  }
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

std::optional<Value> value_of(const SceneDesc& scene, const std::string& path) {
  SceneDesc copy = scene;  // settings point into the scene they belong to
  const auto setting = find_setting(copy, path);
  if (!setting) return std::nullopt;
  return said(*setting->field, setting->settings);
}

std::vector<SetValue> user_changes(const SceneDesc& original, const SceneDesc& now) {
  SceneDesc before = original, after = now;
  std::vector<SetValue> changes;
  for (const Setting& setting : list_settings(after)) {
    const auto source = find_setting(before, setting.path);
    if (!source) continue;
    Value value = said(*setting.field, setting.settings);
    if (value != said(*source->field, source->settings)) changes.push_back({setting.path, std::move(value)});
  }
  return changes;
}

int apply_changes(const std::vector<SetValue>& changes, SceneDesc& scene) {
  int kept = 0;
  for (const SetValue& change : changes) {
    const auto setting = find_setting(scene, change.path);
    if (setting && set(*setting->field, setting->settings, change.value)) ++kept;
  }
  return kept;
}

}  // namespace limber
