#include "engine/scene/file/scene_schema.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/core/material_field.hpp"
#include "engine/core/report_table.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/wind.hpp"
#include "engine/core/tunable.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/report_numbers.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_keys.hpp"
#include "engine/scene/file/view_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/scene/joints/tie_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"

namespace limber {
namespace {

using Json = nlohmann::ordered_json;  // keys stay in the order of the tables

Json to_json(const Value& value) {
  struct Writer {
    Json operator()(bool b) const { return b; }
    Json operator()(long whole) const { return whole; }
    Json operator()(double real) const { return real; }
    Json operator()(const glm::dvec3& v) const { return {v.x, v.y, v.z}; }
    Json operator()(const std::string& text) const { return text; }
  };
  return std::visit(Writer{}, value);
}

Json number_range(const char* type, const Field& field) {
  return {{"type", type}, {"minimum", field.min}, {"maximum", field.max}};
}

Json list_of(Json items, int min_items, int max_items) {
  return {{"type", "array"}, {"items", std::move(items)}, {"minItems", min_items}, {"maxItems", max_items}};
}

Json type_of(const Field& field) {
  switch (field.kind) {
    case Field::Kind::boolean:
      return {{"type", "boolean"}};
    case Field::Kind::integer:
      if (field.automatic) return {{"anyOf", {number_range("integer", field), {{"const", automatic_word}}}}};
      return number_range("integer", field);
    case Field::Kind::number:
      return number_range("number", field);
    case Field::Kind::vector:
      return list_of(number_range("number", field), 3, 3);
    case Field::Kind::text:
      if (field.lists_names)
        return {{"anyOf", {{{"type", "string"}}, {{"type", "array"}, {"items", {{"type", "string"}}}}}}};
      return {{"type", "string"}};
    case Field::Kind::choice:
      break;
  }
  Json names = Json::array();
  for (const std::string_view option : field.options) names.push_back(option);
  return {{"enum", names}};
}

Json field_schema(const Field& field, const void* defaults) {
  Json schema = type_of(field);
  const std::string unit = field.unit.empty() ? "" : " [" + std::string(field.unit) + "]";
  schema["title"] = std::string(field.label) + unit;
  schema["description"] = field.tooltip;
  schema["default"] = field.automatic ? Json(automatic_word) : to_json(get(field, defaults));
  return schema;
}

Json closed_object(Json properties, Json required = Json::array()) {
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", std::move(required)},
          {"additionalProperties", false}};
}

template <class Settings>
Json properties_of(std::span<const Field> fields, const Settings& defaults = {}) {
  Json properties = Json::object();
  for (const Field& field : fields) properties[std::string(field.name)] = field_schema(field, &defaults);
  return properties;
}

Json named(Json item) {
  return {{"type", "object"},
          {"patternProperties", {{std::string(name_pattern), std::move(item)}}},
          {"additionalProperties", false}};
}

Json array_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }

Json vertices() {
  return {{"type", "array"},
          {"items", {{"type", {"integer", "string"}}, {"minimum", 0}}},
          {"description",
           "Vertex numbers counted from 0, ranges such as 0-95, or a grid's top_left, top_right, "
           "bottom_left, bottom_right, top, bottom, left, right, all."}};
}

Json attachment() {
  Json properties = properties_of<AttachmentDesc>(attachment_fields());
  properties["vertices"] = vertices();
  return closed_object(std::move(properties), {"vertices"});
}

Json spring() {
  Json properties = properties_of<SpringLength>(spring_fields());
  properties["rest_length"].erase("default");  // absent: the distance at the start, not 0
  properties["points"] = list_of({{"type", "integer"}, {"minimum", 0}}, 2, 2);
  return closed_object(std::move(properties), {"points"});
}

Json object() {
  Json properties = properties_of<ObjectDesc>(object_fields());
  properties["material"] = closed_object(properties_of<Material>(material_fields()));
  properties["fields"] =
      named(closed_object(properties_of<FieldSource>(field_source_fields()), {"type", "quantity"}));
  properties["fields"]["description"] =
      "Factors of the material that vary over the object, by name; those of one quantity are multiplied.";
  properties["pins"] = vertices();
  properties["attachments"] = array_of(attachment());
  properties["points"] = array_of(closed_object(properties_of<PointDesc>(point_fields()), {"position"}));
  properties["springs"] = array_of(spring());
  return closed_object(std::move(properties));
}

Json tie() {
  Json properties = properties_of<TieDesc>(tie_fields());
  properties["a_points"] = properties["b_points"] = vertices();
  properties["at"] = list_of({{"type", "number"}}, 3, 3);
  properties["at"]["description"] =
      "Place in world coordinates at the start [m], in place of a_points: the point of a nearest to it is "
      "tied.";
  return closed_object(std::move(properties), {"a", "b"});
}

Json body_part() {
  Json properties = properties_of<BodyPartDesc>(body_part_fields());
  Json& shapes = properties["shape"]["enum"];
  shapes.erase(std::find(shapes.begin(), shapes.end(), "compound"));  // a compound has no compound parts
  return closed_object(std::move(properties), {"shape"});
}

Json body() {
  Json properties = properties_of<BodyDesc>(body_fields());
  properties["parts"] = array_of(body_part());
  properties["parts"]["description"] = "Convex parts of a compound, placed in its frame.";
  return closed_object(std::move(properties), {"shape"});
}

Json bounds(const std::string& when) {
  const Json range = list_of({{"type", "number"}}, 2, 2);
  Json properties;
  for (const std::string& path : report_numbers()) {
    properties[path] = range;
    if (const ReportRow* row = report_row(path))
      properties[path]["description"] =
          std::string(row->meaning) + (row->unit.empty() ? "" : " Unit: " + std::string(row->unit));
  }
  Json out = closed_object(std::move(properties));
  out["description"] = "[min, max] of a value of the report, such as strain.max, " + when + ".";
  out["patternProperties"] = {
      {"^object_strain\\.[^.]+\\.(mean|max)$|^volume_ratio\\.[^.]+$|^tie_force\\.[^.]+$|"
       "^end_(force|torque)\\.[^.]+\\.(first|last)$|"
       "^places\\.[^.]+\\.(low|high|size|mean)\\.(x|y|z|length)$",
       range}};
  return out;
}

Json expectation() {
  Json properties = properties_of<ExpectDesc>(expect_fields());
  properties["bounds"] = bounds("after the last frame");
  properties["always"] = bounds("after every frame");
  properties["mean"] = bounds("on average over the last half of the frames");
  properties["inside"] = list_of(list_of({{"type", "number"}}, 3, 3), 2, 2);
  properties["inside"]["description"] = "Corners of a box that holds every particle on the last frame.";
  return closed_object(std::move(properties));
}

Json view() {
  Json properties = properties_of<ViewDesc>(view_fields());
  Json variant = {{"type", "object"}};
  variant["additionalProperties"] = {{"type", {"boolean", "number", "string", "array"}}};
  properties["compare"] = list_of(std::move(variant), 1, int(ViewDesc::most_variants));
  properties["compare"]["description"] =
      "Variants shown side by side: the settings that each variant has of its own, as paths and values, such "
      "as solver.method.";
  Json out = closed_object(std::move(properties));
  out["description"] = "What the window shows when the scene opens.";
  return out;
}

}  // namespace

std::string scene_schema() {
  Json properties = {{"$schema", {{"type", "string"}}}, {"format", {{"const", scene_format}}}};
  properties.update(properties_of<SceneDesc>(scene_fields()));
  properties["seed"] = {{"type", "integer"}, {"minimum", 0}, {"default", SceneDesc{}.seed}};
  properties["solver"] = closed_object(properties_of<SolverSettings>(solver_fields()));
  Json wind = properties_of<WindSettings>(wind_fields());
  wind["fields"] = named(closed_object(properties_of<AirField>(air_field_fields()), {"type"}));
  wind["fields"]["description"] = "Motions of the air, by name; their velocities add up.";
  properties["wind"] = closed_object(std::move(wind));
  properties["heat"] = closed_object(properties_of<HeatSettings>(heat_fields()));
  properties["heat"]["description"] = "Heat: a scene that has this block has temperatures.";
  properties["forces"] = named(closed_object(properties_of<ForceField>(force_field_fields()), {"type"}));
  properties["forces"]["description"] = "Fields that act on all matter, by name.";
  properties["objects"] = named(object());
  properties["colliders"] = named(closed_object(properties_of<ColliderDesc>(collider_fields()), {"shape"}));
  properties["bodies"] = named(body());
  properties["ties"] = named(tie());
  properties["joints"] = named(closed_object(properties_of<JointDesc>(joint_fields()), {"type", "a", "at"}));
  properties["camera"] = closed_object(properties_of<CameraDesc>(camera_fields()));
  Json picture = properties_of<PictureDesc>(picture_fields());
  picture["camera"] = properties["camera"];
  properties["picture"] = closed_object(std::move(picture));
  properties["picture"]["description"] = "Time and camera of the picture that represents the scene.";
  properties["view"] = view();
  properties["tunables"] = array_of({{"type", "string"}});
  properties["tunables"]["description"] = "Paths shown first in the inspector, such as solver.substeps.";
  properties["expect"] = expectation();

  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "Limber scene"}};
  schema.update(closed_object(std::move(properties), {"format"}));
  schema["anyOf"] = {{{"required", {"objects"}}}, {{"required", {"bodies"}}}};
  return schema.dump(2) + "\n";
}

}  // namespace limber
