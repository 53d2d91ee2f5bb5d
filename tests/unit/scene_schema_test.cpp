// The schema of scene files accepts every scene that the reader accepts.
#include "engine/scene/file/scene_schema.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "engine/scene/file/scene_reader.hpp"
#include "tests/unit/schema_fault.hpp"

namespace limber::scene_schema_test {
namespace {

using Json = nlohmann::json;

/// The part of JSON Schema that scene_schema() uses.
class SchemaCheck {
 public:
  /// The first fault that the schema finds in `scene` (JSON with comments), as "path: keyword"; "" if none.
  std::string fault(const std::string& scene) const {
    return fault(schema_, Json::parse(scene, nullptr, false, true), "");
  }

  const Json& schema() const { return schema_; }

 private:
  static bool has_type(const std::string& type, const Json& value) {
    if (type == "integer")
      return value.is_number_integer() || (value.is_number() && value == std::floor(value.get<double>()));
    if (type == "number") return value.is_number();
    return type == value.type_name();
  }

  static std::string fault_here(const Json& schema, const Json& value) {
    if (schema.contains("type")) {
      const Json types = schema["type"].is_array() ? schema["type"] : Json::array({schema["type"]});
      if (std::none_of(types.begin(), types.end(), [&](const Json& type) { return has_type(type, value); }))
        return "type";
    }
    if (schema.contains("const") && value != schema["const"]) return "const";
    if (schema.contains("enum") &&
        std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
      return "enum";
    if (value.is_number() && schema.contains("minimum") && value < schema["minimum"]) return "minimum";
    if (value.is_number() && schema.contains("maximum") && value > schema["maximum"]) return "maximum";
    if (value.is_array() && schema.contains("minItems") && value.size() < schema["minItems"])
      return "minItems";
    if (value.is_array() && schema.contains("maxItems") && value.size() > schema["maxItems"])
      return "maxItems";
    if (value.is_object() && schema.contains("minProperties") && value.size() < schema["minProperties"])
      return "minProperties";
    if (value.is_object() && schema.contains("required"))
      for (const Json& key : schema["required"])
        if (!value.contains(key)) return "required " + key.get<std::string>();
    return "";
  }

  static const Json* member_schema(const Json& schema, const std::string& key) {
    if (schema.contains("properties") && schema["properties"].contains(key))
      return &schema["properties"][key];
    if (schema.contains("patternProperties"))
      for (const auto& [pattern, inner] : schema["patternProperties"].items())
        if (std::regex_search(key, std::regex(pattern))) return &inner;
    return schema.contains("additionalProperties") ? &schema["additionalProperties"] : nullptr;
  }

  static std::string fault(const Json& schema, const Json& value, const std::string& path) {
    if (schema.is_boolean()) return schema.get<bool>() ? "" : path + ": unknown";
    if (const std::string here = fault_here(schema, value); !here.empty()) return path + ": " + here;
    if (!value.is_object() && schema.contains("anyOf") &&
        std::all_of(schema["anyOf"].begin(), schema["anyOf"].end(),
                    [&](const Json& one) { return !fault(one, value, path).empty(); }))
      return path + ": anyOf";
    if (value.is_array() && schema.contains("items"))
      for (const Json& item : value)
        if (const std::string inner = fault(schema["items"], item, path + "[]"); !inner.empty()) return inner;
    if (value.is_object())
      for (const auto& [key, member] : value.items())
        if (const Json* inner = member_schema(schema, key))
          if (const std::string found = fault(*inner, member, path + "." + key); !found.empty()) return found;
    return "";
  }

  const Json schema_ = Json::parse(scene_schema());
};

std::vector<std::string> keys_of(const Json& object_schema) {
  std::vector<std::string> keys;
  const Json properties = object_schema.value("properties", Json::object());
  for (const auto& [key, schema] : properties.items()) keys.push_back(key);
  return keys;
}

void expect_known(const Json& scene) {
  const Expected<SceneDesc> read = parse_scene(scene.dump(), "s.json");
  const std::string error = read ? "" : read.error().text();
  EXPECT_EQ(error.find("unknown key"), std::string::npos) << error;
}

Json with(const std::string& key, const Json& value) {
  Json scene = {{"format", 1}, {"objects", {{"a", {{"type", "cloth"}}}}}};
  scene[key] = value;
  return scene;
}

/// The other half of "the schema accepts what the reader accepts": the reader knows every key of the schema.
/// A null is a wrong value for every key, so only the kind of error matters.
TEST(SceneSchema, TheReaderKnowsEveryKeyOfTheSchema) {
  const SchemaCheck check;
  const Json& top = check.schema()["properties"];
  for (const std::string& key : keys_of(check.schema())) {
    expect_known(with(key, nullptr));
    for (const std::string& inner : keys_of(top[key])) expect_known(with(key, {{inner, nullptr}}));
  }
  const Json object = top["objects"]["patternProperties"].front();
  EXPECT_GT(keys_of(object).size(), 20u);
  for (const std::string& key : keys_of(object)) {
    expect_known(with("objects", {{"a", {{key, nullptr}}}}));
    for (const std::string& inner : keys_of(object["properties"][key]))
      expect_known(with("objects", {{"a", {{key, {{inner, nullptr}}}}}}));
    const Json items = object["properties"][key].value("items", Json::object());
    for (const std::string& inner : keys_of(items)) {
      const Json item = {{inner, nullptr}};
      expect_known(with("objects", {{"a", {{key, Json::array({item})}}}}));
    }
  }
  const Json collider = top["colliders"]["patternProperties"].front();
  EXPECT_GT(keys_of(collider).size(), 5u);
  for (const std::string& key : keys_of(collider)) expect_known(with("colliders", {{"b", {{key, nullptr}}}}));
}

}  // namespace
}  // namespace limber::scene_schema_test

std::string limber::schema_fault(const std::string& scene) {
  static const scene_schema_test::SchemaCheck check;
  return check.fault(scene);
}
