#include "engine/scene/file/scene_place.hpp"

#include <algorithm>

#include "engine/scene/file/json_document.hpp"

namespace limber {

int line_in_scene_file(const std::string& file, std::initializer_list<std::string_view> keys) {
  const Expected<JsonValue> json = read_json(file);
  if (!json) return 0;
  int line = 0;
  const JsonValue* at = &*json;
  for (const std::string_view key : keys) {
    const JsonObject* members = at->object();
    if (!members) break;
    const auto member =
        std::find_if(members->begin(), members->end(), [&](const JsonMember& m) { return m.key == key; });
    if (member == members->end()) break;
    line = member->line;
    at = &member->value;
  }
  return line;
}

Error placed_in_scene(Error error, const std::string& file, std::initializer_list<std::string_view> keys) {
  if (!error.file.empty() && error.file != file) return error;
  error.file = file;
  if (error.line == 0) error.line = line_in_scene_file(file, keys);
  return error;
}

Error placed_in_part(Error error, const std::string& scene_file, std::string_view kind,
                     std::string_view section, std::string_view name) {
  std::string whose = std::string(kind) + " '" + std::string(name) + "'";
  const bool elsewhere = !error.file.empty() && error.file != scene_file;
  if (const int line = elsewhere ? line_in_scene_file(scene_file, {section, name}) : 0; line > 0)
    whose += " (" + scene_file + ":" + std::to_string(line) + ")";
  error.message = whose + ": " + error.message;
  return placed_in_scene(std::move(error), scene_file, {section, name});
}

}  // namespace limber
