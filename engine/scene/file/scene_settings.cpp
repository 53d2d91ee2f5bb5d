// Settings by their paths: `solver.substeps`, `objects.cloth.material.density`.
#include <algorithm>

#include "engine/core/material_field.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/wind.hpp"
#include "engine/core/tunable.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/scene/joints/tie_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber {
namespace {

void add(std::vector<Setting>& out, const std::string& prefix, std::span<const Field> fields,
         void* settings) {
  for (const Field& field : fields) out.push_back({prefix + std::string(field.name), &field, settings});
}

/// Adds the settings of an item that has a type: those that apply to its type, or all.
template <class Item>
void add_field(std::vector<Setting>& out, const std::string& prefix, std::span<const Field> fields,
               Item& item, bool of_all_types) {
  add(out, prefix, fields, &item);
  if (of_all_types) return;
  std::erase_if(out, [&](const Setting& s) { return s.settings == &item && !applies(item, *s.field); });
}

/// Adds the settings of an object: those of its type or, with `of_all_types`, those of every type, with and
/// without a mesh.
void add_object(std::vector<Setting>& out, ObjectDesc& object, bool of_all_types) {
  const std::string prefix = "objects." + object.name + ".";
  add(out, prefix, object_fields(), &object);
  if (!of_all_types)
    std::erase_if(out, [&](const Setting& s) { return s.settings == &object && !applies(object, *s.field); });
  add(out, prefix + "material.", material_fields(), &*object.material);
  std::erase_if(out, [&](const Setting& s) {
    return s.settings == &*object.material && !applies_to_material(object, *s.field);
  });
  for (FieldSource& source : object.fields)
    add_field(out, prefix + "fields." + source.name + ".", field_source_fields(), source, of_all_types);
  for (std::size_t i = 0; i < object.attachments.size(); ++i)
    add(out, prefix + "attachments." + std::to_string(i) + ".", attachment_fields(), &object.attachments[i]);
}

/// Adds the settings of a body: those of its shape or, with `of_all_shapes`, those of every shape.
void add_body(std::vector<Setting>& out, BodyDesc& body, bool of_all_shapes) {
  const std::string prefix = "bodies." + body.name + ".";
  const auto add_part = [&](const std::string& at, std::span<const Field> fields, BodyPartDesc& part) {
    add(out, at, fields, &part);
    if (of_all_shapes) return;
    std::erase_if(out, [&](const Setting& s) { return s.settings == &part && !applies(part, *s.field); });
  };
  add_part(prefix, body_fields(), body);
  for (std::size_t i = 0; i < body.parts.size(); ++i)
    add_part(prefix + "parts." + std::to_string(i) + ".", body_part_fields(), body.parts[i]);
}

/// Adds the settings of a joint: those of its type or, with `of_all_types`, those of every type.
void add_joint(std::vector<Setting>& out, JointDesc& joint, bool of_all_types) {
  add(out, "joints." + joint.name + ".", joint_fields(), &joint);
  if (of_all_types) return;
  std::erase_if(out, [&](const Setting& s) { return s.settings == &joint && !applies(joint, *s.field); });
}

std::string_view leaf(std::string_view path) { return path.substr(path.rfind('.') + 1); }

/// All settings in file order. `of_all_shapes`: also those that do not apply to their owner's type or shape.
std::vector<Setting> settings_of(SceneDesc& scene, bool of_all_shapes) {
  std::vector<Setting> out;
  add(out, "solver.", solver_fields(), &scene.solver);
  add(out, "wind.", wind_fields(), &*scene.wind);
  add(out, "heat.", heat_fields(), &*scene.heat);
  for (AirField& air : scene.wind->fields)
    add_field(out, "wind.fields." + air.name + ".", air_field_fields(), air, of_all_shapes);
  for (ForceField& force : scene.wind->forces)
    add_field(out, "forces." + force.name + ".", force_field_fields(), force, of_all_shapes);
  for (ObjectDesc& object : scene.objects) add_object(out, object, of_all_shapes);
  for (ColliderDesc& collider : scene.colliders) {
    add(out, "colliders." + collider.name + ".", collider_fields(), &collider);
    if (of_all_shapes) continue;
    std::erase_if(out,
                  [&](const Setting& s) { return s.settings == &collider && !applies(collider, *s.field); });
  }
  for (BodyDesc& body : scene.bodies) add_body(out, body, of_all_shapes);
  for (JointDesc& joint : scene.joints) add_joint(out, joint, of_all_shapes);
  for (TieDesc& tie : scene.ties) add(out, "ties." + tie.name + ".", tie_fields(), &tie);
  add(out, "camera.", camera_fields(), &scene.camera);
  return out;
}

/// "bodies.crate.friction" -> "bodies.crate.", "solver.dt" -> "solver."; "" without a dot.
std::string_view owner(std::string_view path) {
  std::size_t end = path.find('.');
  const std::string_view section = path.substr(0, end == path.npos ? 0 : end);
  if (section == "objects" || section == "colliders" || section == "bodies" || section == "joints" ||
      section == "ties" || section == "forces")
    end = path.find('.', end + 1);
  if (path.starts_with("wind.fields.")) end = path.find('.', std::string_view("wind.fields.").size());
  return end == path.npos ? std::string_view() : path.substr(0, end + 1);
}

/// The setting whose last part is nearest to the last part of `path`, or "".
std::string nearest_leaf(std::string_view path, std::span<const std::string_view> settings) {
  std::vector<std::string_view> leaves;
  for (const std::string_view setting : settings) leaves.push_back(leaf(setting));
  const std::string near = nearest_name(leaf(path), leaves);
  const auto at = std::find(leaves.begin(), leaves.end(), near) - leaves.begin();
  return near.empty() ? std::string() : std::string(settings[static_cast<std::size_t>(at)]);
}

/// The owner of settings nearest to `whose`: "objects.cloth" for "objects.clth". `owners` end with a dot.
std::string suggest_owner(std::string_view whose, std::span<const std::string_view> owners) {
  std::vector<std::string_view> names;
  for (std::string_view name : owners) {
    name.remove_suffix(1);
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  return suggest(whose.substr(0, whose.rfind('.')), names);
}

/// Suggests a setting for the unknown `path`. If the path names an owner, or nearly one: the owner's setting
/// whose last part is nearest, else all settings of the owner. If it names an unknown owner: all owners. If
/// it names no owner: the nearest of all settings, solver.substeps for `substeps`.
std::string suggest_path(std::string_view path, const std::vector<Setting>& settings) {
  std::vector<std::string_view> paths, owners, own;
  for (const Setting& setting : settings) {
    paths.push_back(setting.path);
    owners.push_back(owner(setting.path));
  }
  const std::string whose = nearest_name(owner(path), owners);
  for (const std::string_view known : paths)
    if (!whose.empty() && owner(known) == whose) own.push_back(known);
  const std::string near = nearest_leaf(path, own.empty() ? paths : own);
  if (!near.empty()) return "did you mean '" + near + "'?";
  const std::string_view named = owner(path);
  const bool known = std::find(owners.begin(), owners.end(), named) != owners.end();
  return known ? suggest("", own) : suggest_owner(named, owners);
}

}  // namespace

std::vector<Setting> list_settings(SceneDesc& scene) { return settings_of(scene, false); }

Expected<Setting> find_setting(SceneDesc& scene, std::string_view path) {
  const std::vector<Setting> settings = settings_of(scene, true);
  const auto found =
      std::find_if(settings.begin(), settings.end(), [&](const Setting& s) { return s.path == path; });
  if (found != settings.end()) return *found;
  return Error{"there is no setting '" + std::string(path) + "'", "", 0,
               suggest_path(path, list_settings(scene))};
}

Expected<void> check_setting_applies(SceneDesc& scene, std::string_view path) {
  const std::vector<Setting> settings = list_settings(scene);
  const auto named = [&](std::string_view name) {
    return std::find_if(settings.begin(), settings.end(), [&](const Setting& s) { return s.path == name; });
  };
  if (named(path) != settings.end()) return {};
  const std::string holder(path.substr(0, path.rfind('.') + 1));
  for (const ObjectDesc& object : scene.objects)
    if (holder == "objects." + object.name + "." && find_setting(scene, path))
      return Error{misplaced(object, leaf(path)), "", 0, ""};
  for (const char* const kind : {"shape", "type"})
    if (const auto its = named(holder + kind); its != settings.end())
      return Error{"'" + std::string(leaf(path)) + "' means nothing for the " + kind + " '" +
                       to_text(get(*its->field, its->settings)) + "'",
                   "", 0, ""};
  return find_setting(scene, path) ? Expected<void>() : find_setting(scene, path).error();
}

}  // namespace limber
