#include "engine/scene/file/scene_reader.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <glm/geometric.hpp>

#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/settings/wind.hpp"
#include "engine/core/tunable.hpp"
#include "engine/scene/bodies/body_carrier.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/bodies/body_reader.hpp"
#include "engine/scene/build/touch_lists.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/colliders/collider_source.hpp"
#include "engine/scene/file/json_document.hpp"
#include "engine/scene/file/key_table.hpp"
#include "engine/scene/file/mesh_path.hpp"
#include "engine/scene/file/report_numbers.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_keys.hpp"
#include "engine/scene/file/view_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/scene/joints/joint_reader.hpp"
#include "engine/scene/joints/joint_source.hpp"
#include "engine/scene/joints/tie_desc.hpp"
#include "engine/scene/joints/tie_reader.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_reader.hpp"

namespace limber {
namespace {

Expected<void> check_format(const JsonValue& json) {
  const JsonValue* format = json.find("format");
  const std::string hint = "this program reads \"format\": " + std::to_string(scene_format);
  if (!json.object()) return Error{"a scene must be an object { ... }", "", json.line, hint};
  if (json.find("inputs") && json.find("state_hash"))
    return Error{"this is a recording of what was done to a scene, not a scene", "", json.line,
                 "limber run --input replays it"};
  if (!format) return Error{"the key 'format' is missing", "", json.line, hint};
  const long* version = std::get_if<long>(&format->content);
  if (version && *version == scene_format) return {};
  return Error{"unknown scene format", "", format->line, hint};
}

Expected<void> read_seed(const JsonValue& json, std::uint64_t& seed) {
  const long* whole = std::get_if<long>(&json.content);
  if (!whole || *whole < 0) return Error{"'seed' must be a whole number from 0", "", json.line, ""};
  seed = static_cast<std::uint64_t>(*whole);
  return {};
}

/// Calls `read` for every member of the object `json`. The members' keys are names, which become parts of
/// paths.
template <class Read>
Expected<void> read_named(const JsonValue& json, std::string_view key, Read read) {
  const JsonObject* members = json.object();
  if (!members) return Error{"'" + std::string(key) + "' must be an object of names", "", json.line, ""};
  for (const JsonMember& member : *members) {
    if (!is_valid_name(member.key))
      return Error{"'" + member.key + "' is no valid name", "", member.line, "letters, digits, _ and - only"};
    if (const Expected<void> done = read(member); !done) return at_line(done.error(), member.line);
  }
  return {};
}

/// Fails on keys without meaning for the shape, which would otherwise be ignored silently.
Expected<void> check_keys_apply(const JsonObject& members, const ColliderDesc& collider) {
  const std::string shape = std::get<std::string>(get(collider_fields().front(), &collider));
  for (const JsonMember& member : members)
    for (const Field& field : collider_fields())
      if (field.name == member.key && !applies(collider, field))
        return Error{"'" + member.key + "' means nothing for the shape '" + shape + "'", "", member.line, ""};
  return {};
}

Expected<void> read_collider(const JsonMember& member, SceneDesc& scene) {
  ColliderDesc collider;
  collider.name = member.key;
  const Expected<void> done =
      KeyTable("colliders." + member.key).fields(collider_fields(), &collider).read(member.value);
  if (done && !member.value.find("shape"))
    return Error{"a collider needs a 'shape'", "", member.line,
                 suggest("", collider_fields().front().options)};
  if (done)
    if (const Expected<void> known = check_keys_apply(*member.value.object(), collider); !known) return known;
  if (done && collider.shape == ColliderShape::mesh && collider.mesh.empty())
    return Error{"a collider of shape 'mesh' needs a 'mesh'", "", member.line, "name an OBJ file"};
  if (done && !collider.mesh.empty())
    if (const Expected<void> file = check_mesh(scene, collider.mesh); !file)
      return at_line(file.error(), member.value.find("mesh")->line);
  if (done && !collider.frames.empty())
    if (const Expected<std::vector<std::string>> files = find_frames(scene, collider.frames); !files)
      return at_line(files.error(), member.value.find("frames")->line);
  scene.colliders.push_back(std::move(collider));
  if (!done) return done;
  if (const Expected<void> known = check_parents(scene); !known)
    return at_line(known.error(), member.value.find("parent")->line);
  return {};
}

Expected<void> read_camera(const JsonValue& json, CameraDesc& camera) {
  const Expected<void> done = KeyTable("camera").fields(camera_fields(), &camera).read(json);
  if (!done) return done;
  if (const Expected<void> sound = check_camera(camera); !sound) return at_line(sound.error(), json.line);
  return {};
}

Expected<void> read_picture(const JsonValue& json, PictureDesc& picture) {
  return KeyTable("picture")
      .fields(picture_fields(), &picture)
      .key("camera", [&](const JsonValue& value) { return read_camera(value, picture.camera.emplace()); })
      .read(json);
}

/// Reads a variant, which `compare` shows beside the scene: an object of paths and values. Checks the values
/// in a copy of the scene.
Expected<void> read_variant(const JsonValue& json, const SceneDesc& scene, ViewDesc& view) {
  const JsonObject* members = json.object();
  if (!members)
    return Error{"a variant must be an object of paths and values", "", json.line,
                 R"(as in { "solver.method": "newton" })"};
  SceneDesc changed = scene;
  std::vector<VariantValue>& own = view.compare.emplace_back();
  for (const JsonMember& member : *members) {
    const Expected<Value> value = to_value(member.value, member.key);
    if (!value) return value.error();
    const Expected<Setting> setting = find_setting(changed, member.key);
    if (!setting) return at_line(setting.error(), member.line);
    if (const Expected<void> done = set(*setting->field, setting->settings, *value); !done)
      return at_line(done.error(), member.line);
    own.push_back({member.key, *value});
  }
  for (const VariantValue& one : own)
    if (const Expected<void> known = check_setting_applies(changed, one.path); !known)
      return at_line(known.error(), json.line);
  return {};
}

/// Reads the view. Must run after the objects, because `compare` names their settings.
Expected<void> read_view(const JsonValue& json, SceneDesc& scene) {
  ViewDesc& view = *scene.view;
  const auto read_compare = [&](const JsonValue& list) -> Expected<void> {
    const Expected<void> done =
        read_list(list, "compare", [&](const JsonValue& item) { return read_variant(item, scene, view); });
    if (done && view.compare.size() > ViewDesc::most_variants)
      return Error{"at most " + std::to_string(ViewDesc::most_variants) + " variants stand side by side", "",
                   list.line, ""};
    return done;
  };
  return KeyTable("view").fields(view_fields(), &view).key("compare", read_compare).read(json);
}

Expected<void> read_bounds(const JsonValue& json, std::string_view key, ReportBounds& bounds) {
  if (!json.object())
    return Error{"'" + std::string(key) + "' must be an object of [min, max]", "", json.line, ""};
  for (const JsonMember& member : *json.object()) {
    const JsonArray* ends = member.value.array();
    std::vector<double> range;
    for (const JsonValue& end : ends ? *ends : JsonArray{})
      if (const Expected<Value> number = to_value(end, member.key); number) {
        if (const long* whole = std::get_if<long>(&*number)) range.push_back(static_cast<double>(*whole));
        if (const double* real = std::get_if<double>(&*number)) range.push_back(*real);
      }
    if (range.size() != 2 || ends->size() != 2)
      return Error{"the bounds of '" + member.key + "' must be two numbers [min, max]", "", member.value.line,
                   "as in [0, 0.05]"};
    if (range[0] > range[1])
      return Error{"the bounds of '" + member.key + "' are the wrong way round: " + to_text(range[0]) +
                       " is more than " + to_text(range[1]),
                   "", member.value.line, "[min, max]"};
    bounds[member.key] = {range[0], range[1]};
  }
  return {};
}

Expected<void> read_inside(const JsonValue& json, ExpectDesc& expect) {
  const Error misfit{"'inside' must be two corners [[min], [max]]", "", json.line,
                     "as in [[-1, 0, -1], [1, 2, 1]]"};
  const JsonArray* corners = json.array();
  if (!corners || corners->size() != 2) return misfit;
  const Expected<glm::dvec3> low = to_vector((*corners)[0], "inside"),
                             high = to_vector((*corners)[1], "inside");
  if (!low || !high) return misfit;
  for (int axis = 0; axis < 3; ++axis)
    if (!((*low)[axis] <= (*high)[axis])) return misfit;
  expect.inside_min = *low;
  expect.inside_max = *high;
  return {};
}

Expected<void> read_expect(const JsonValue& json, ExpectDesc& expect) {
  return KeyTable("expect")
      .fields(expect_fields(), &expect)
      .key("bounds", [&](const JsonValue& value) { return read_bounds(value, "bounds", expect.bounds); })
      .key("always", [&](const JsonValue& value) { return read_bounds(value, "always", expect.always); })
      .key("mean", [&](const JsonValue& value) { return read_bounds(value, "mean", expect.mean); })
      .key("inside", [&](const JsonValue& corners) { return read_inside(corners, expect); })
      .read(json);
}

/// Reads the paths of the settings that the inspector shows first. Must run after the objects, because the
/// paths name their settings.
Expected<void> read_tunables(const JsonValue& json, SceneDesc& scene) {
  return read_list(json, "tunables", [&](const JsonValue& item) -> Expected<void> {
    const std::string* path = item.text();
    if (!path) return Error{"a tunable must be a path in quotes", "", item.line, "as in \"solver.substeps\""};
    if (const Expected<void> known = check_setting_applies(scene, *path); !known) return known;
    scene.tunables.push_back(*path);
    return {};
  });
}

/// Checks the carriers that the objects' attachments name; errors have their lines. `json` is the scene's
/// "objects".
Expected<void> check_attachments(const JsonValue& json, const SceneDesc& scene) {
  for (const ObjectDesc& object : scene.objects)
    for (std::size_t i = 0; i < object.attachments.size(); ++i)
      if (const Expected<void> known = check_carrier(scene, object, object.attachments[i].attach_to); !known)
        return at_line(known.error(), (*json.find(object.name)->find("attachments")->array())[i].line);
  return {};
}

/// Checks the names in the lists of `collides_with`; errors have their lines. `json` is the scene.
Expected<void> check_touch_lists(const JsonValue& json, const SceneDesc& scene) {
  const Expected<void> known = check_touches(scene);
  if (known) return {};
  Error error = known.error();
  const std::size_t dot = error.file.find('.'), last = error.file.rfind('.');
  const JsonValue& thing =
      *json.find(error.file.substr(0, dot))->find(error.file.substr(dot + 1, last - dot - 1));
  if (const JsonValue* list = thing.find("collides_with")) error.file.clear(), error.line = list->line;
  return error;
}

/// Fails on a bound for a number that a report of this scene cannot have; `json` is the block of bounds.
Expected<void> check_bounds(const JsonValue& json, const ReportBounds& bounds, const SceneDesc& scene) {
  const std::vector<std::string> numbers = report_numbers(scene);
  const std::vector<std::string_view> names(numbers.begin(), numbers.end());
  for (const auto& [path, range] : bounds)
    if (std::find(names.begin(), names.end(), path) == names.end())
      return Error{"the report has no number '" + path + "'", "", json.find(path)->line,
                   suggest(path, names)};
  return {};
}

/// Whether a text of `json` refers to a thing called `name`: alone, or in a list like "floor, -ball".
bool refers_to(const JsonValue& json, std::string_view name) {
  if (const JsonArray* list = json.array())
    return std::any_of(list->begin(), list->end(), [&](const JsonValue& v) { return refers_to(v, name); });
  if (const JsonObject* object = json.object())
    return std::any_of(object->begin(), object->end(),
                       [&](const JsonMember& member) { return refers_to(member.value, name); });
  if (!json.text()) return false;
  std::string_view rest = *json.text();
  while (!rest.empty()) {
    std::string_view entry = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(entry.size() + 1, rest.size()));
    entry.remove_prefix(std::min(entry.find_first_not_of(" -"), entry.size()));
    if (entry.substr(0, entry.find_last_not_of(' ') + 1) == name) return true;
  }
  return false;
}

/// Checks that names are unambiguous. Reports and exported groups call objects and bodies by their names
/// alone, so no two of these may share one. A collider may have the name of an object or body as long as no
/// text refers to that name (`attach_to`, `collides_with`, ties).
Expected<void> check_names_differ(const JsonValue& json) {
  struct Section {
    const char *key, *article, *kind;
  };
  constexpr std::array<Section, 3> sections{
      {{"objects", "an ", "object"}, {"bodies", "a ", "body"}, {"colliders", "a ", "collider"}}};
  for (const Section& section : sections)
    if (const JsonValue* things = json.find(section.key))
      for (const JsonMember& member : *things->object())
        if (member.key == "all" || member.key == "none")
          return Error{"'" + member.key + "' cannot be the name of " + section.article + section.kind +
                           ": it has a meaning in 'collides_with'",
                       "", member.line, "call it 'the_" + member.key + "', for example"};
  const auto referred = [&](std::string_view name) {
    for (const char* const key : {"objects", "bodies", "colliders", "joints", "ties"})
      if (const JsonValue* section = json.find(key); section && refers_to(*section, name)) return true;
    return false;
  };
  for (std::size_t later = 1; later < sections.size(); ++later)
    for (std::size_t sooner = 0; sooner < later; ++sooner) {
      const JsonValue *first = json.find(sections[sooner].key), *second = json.find(sections[later].key);
      if (!first || !second) continue;
      for (const JsonMember& member : *second->object())
        if (const auto same = std::find_if(first->object()->begin(), first->object()->end(),
                                           [&](const JsonMember& m) { return m.key == member.key; });
            same != first->object()->end() && (later < 2 || referred(member.key)))
          return Error{"'" + member.key + "' is the name of " + sections[sooner].article +
                           sections[sooner].kind + " and of " + sections[later].article +
                           sections[later].kind,
                       "", member.line,
                       std::string("give one of them another name; the ") + sections[sooner].kind +
                           " stands on line " + std::to_string(same->line)};
    }
  return {};
}

/// Checks all references from one part of the scene to another. Must run after the whole scene has been read.
Expected<void> check_references(const JsonValue& json, const SceneDesc& scene) {
  if (const Expected<void> distinct = check_names_differ(json); !distinct) return distinct;
  if (const JsonValue* objects = json.find("objects"))
    if (const Expected<void> known = check_attachments(*objects, scene); !known) return known;
  if (const Expected<void> known = check_touch_lists(json, scene); !known) return known;
  for (const JointDesc& joint : scene.joints)
    if (const Expected<void> sound = check_joint(scene, joint); !sound)
      return at_line(sound.error(), json.find("joints")->find(joint.name)->line);
  for (const TieDesc& tie : scene.ties)
    if (const Expected<void> sound = check_tie(scene, tie); !sound)
      return at_line(sound.error(), json.find("ties")->find(tie.name)->line);
  const JsonValue* expect = json.find("expect");
  for (const auto& [key, bounds] : {std::pair("bounds", &scene.expect.bounds),
                                    {"always", &scene.expect.always},
                                    {"mean", &scene.expect.mean}})
    if (const JsonValue* block = expect ? expect->find(key) : nullptr)
      if (const Expected<void> known = check_bounds(*block, *bounds, scene); !known) return known;
  return {};
}

/// Reads a field of air or force; `path` is the prefix of its kind.
template <class Item>
Expected<void> read_field(const std::string& path, const JsonMember& member, std::span<const Field> rows,
                          std::vector<Item>& out) {
  Item item;
  item.name = member.key;
  const Expected<void> read = KeyTable(path + member.key).fields(rows, &item).read(member.value);
  if (!read) return read;
  if (!member.value.find("type"))
    return Error{"a field needs a 'type'", "", member.line, suggest("", rows.front().options)};
  for (const JsonMember& key : *member.value.object())
    for (const Field& field : rows)
      if (field.name == key.key && !applies(item, field))
        return Error{"'" + key.key + "' means nothing for a field of type '" +
                         std::get<std::string>(get(rows.front(), &item)) + "'",
                     "", key.line, ""};
  if (const JsonValue* direction = member.value.find("direction");
      direction && glm::length(item.direction) < 1e-6)
    return Error{"'direction' must not be zero", "", direction->line, "as in [0, 1, 0]"};
  out.push_back(std::move(item));
  return {};
}

Expected<void> read_document(const JsonValue& json, SceneDesc& scene) {
  if (const Expected<void> format = check_format(json); !format) return format;
  const auto skip = [](const JsonValue&) { return Expected<void>(); };
  KeyTable keys("the scene");
  keys.fields(scene_fields(), &scene);
  keys.key("format", skip).key("tunables", skip).key("view", skip);
  keys.key("$schema", skip);  // editors write this key
  keys.key("seed", [&](const JsonValue& value) { return read_seed(value, scene.seed); });
  keys.key("solver", [&](const JsonValue& value) {
    return KeyTable("solver").fields(solver_fields(), &scene.solver).read(value);
  });
  keys.key("wind", [&](const JsonValue& value) {
    return KeyTable("wind")
        .fields(wind_fields(), &*scene.wind)
        .key("fields",
             [&](const JsonValue& fields) {
               return read_named(fields, "wind.fields", [&](const JsonMember& member) {
                 return read_field("wind.fields.", member, air_field_fields(), scene.wind->fields);
               });
             })
        .read(value);
  });
  keys.key("heat", [&](const JsonValue& value) {
    scene.heat->enabled = true;  // naming any setting switches heat on
    return KeyTable("heat").fields(heat_fields(), &*scene.heat).read(value);
  });
  keys.key("forces", [&](const JsonValue& value) {
    return read_named(value, "forces", [&](const JsonMember& member) {
      return read_field("forces.", member, force_field_fields(), scene.wind->forces);
    });
  });
  keys.key("objects", [&](const JsonValue& value) {
    return read_named(value, "objects", [&](const JsonMember& member) { return read_object(member, scene); });
  });
  keys.key("colliders", [&](const JsonValue& value) {
    return read_named(value, "colliders",
                      [&](const JsonMember& member) { return read_collider(member, scene); });
  });
  keys.key("bodies", [&](const JsonValue& value) {
    return read_named(value, "bodies", [&](const JsonMember& member) { return read_body(member, scene); });
  });
  keys.key("joints", [&](const JsonValue& value) {
    return read_named(value, "joints", [&](const JsonMember& member) { return read_joint(member, scene); });
  });
  keys.key("ties", [&](const JsonValue& value) {
    return read_named(value, "ties", [&](const JsonMember& member) { return read_tie(member, scene); });
  });
  scene.camera_given = json.find("camera") != nullptr;
  keys.key("camera", [&](const JsonValue& value) { return read_camera(value, scene.camera); });
  keys.key("picture", [&](const JsonValue& value) { return read_picture(value, scene.picture); });
  keys.key("expect", [&](const JsonValue& value) { return read_expect(value, scene.expect); });
  if (const Expected<void> read = keys.read(json); !read) return read;
  if (scene.objects.empty() && scene.bodies.empty())
    return Error{"the scene has no objects", "", json.line, R"(add "objects": { ... } or "bodies": { ... })"};
  if (const Expected<void> known = check_references(json, scene); !known) return known;
  if (const JsonValue* view = json.find("view"))
    if (const Expected<void> read = read_view(*view, scene); !read) return read;
  const JsonValue* tunables = json.find("tunables");
  return tunables ? read_tunables(*tunables, scene) : Expected<void>();
}

Expected<SceneDesc> to_scene(const Expected<JsonValue>& json, const std::string& file,
                             const std::string& assets) {
  if (!json) return json.error();
  SceneDesc scene;
  scene.file = file;
  scene.assets = assets;
  scene.name = std::filesystem::path(file).stem().string();
  scene.title = scene.name;
  scene.group = "Other";
  scene.solver.step->automatic = true;  // true unless the file gives a number
  scene.solver.step->automatic_iterations = true;
  const Expected<void> read = read_document(*json, scene);
  if (read) return scene;
  Error error = read.error();
  error.file = file;
  return error;
}

}  // namespace

Expected<SceneDesc> read_scene(const std::string& path, const std::string& assets) {
  return to_scene(read_json(path), path, assets);
}

Expected<SceneDesc> parse_scene(std::string_view text, const std::string& name, const std::string& assets) {
  return to_scene(parse_json(text, name), name, assets);
}

}  // namespace limber
