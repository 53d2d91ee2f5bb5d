// The part of JSON Schema that scene_schema() uses, for tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "engine/scene/scene_schema.hpp"

namespace limber {

class SchemaCheck {
 public:
  /// What the schema refuses in `scene` (JSON with comments), as "path: keyword"; "" if it accepts it.
  std::string fault(const std::string& scene) const {
    return fault(schema_, nlohmann::json::parse(scene, nullptr, false, true), "");
  }

  const nlohmann::json& schema() const { return schema_; }

 private:
  using Json = nlohmann::json;

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

}  // namespace limber
