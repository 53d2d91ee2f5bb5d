#include "engine/scene/objects/object_reader.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "engine/core/material_field.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/tunable.hpp"
#include "engine/scene/file/key_table.hpp"
#include "engine/scene/file/mesh_path.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_keys.hpp"
#include "engine/scene/objects/object_check.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"
#include "engine/scene/objects/points.hpp"

namespace limber {
namespace {

/// Range of a text: "0-95" means vertices 0 to 95, "7" the vertex 7; none if the text is a name.
std::optional<std::array<long, 2>> as_range(const std::string& text) {
  std::array<long, 2> ends{};
  const char* const last = text.data() + text.size();
  const auto first = std::from_chars(text.data(), last, ends[0]);
  if (first.ec != std::errc()) return std::nullopt;
  if (first.ptr == last) return std::array{ends[0], ends[0]};
  if (*first.ptr != '-') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, last, ends[1]);
  if (second.ec != std::errc() || second.ptr != last) return std::nullopt;
  return ends;
}

Expected<void> add_range(const std::array<long, 2>& ends, int line, std::vector<VertexName>& out) {
  if (ends[0] < 0 || ends[1] < ends[0])
    return Error{"a range of vertices must run upwards from 0 or more", "", line, "as in \"0-95\""};
  if (double(ends[1]) >= max_vertices)
    return Error{"there is no vertex " + std::to_string(ends[1]), "", line,
                 "an object has at most " + to_text(max_vertices)};
  for (long index = ends[0]; index <= ends[1]; ++index) out.emplace_back(index);
  return {};
}

}  // namespace

Expected<void> read_vertices(const JsonValue& json, std::string_view key, std::vector<VertexName>& out) {
  return read_list(json, key, [&](const JsonValue& item) -> Expected<void> {
    if (const long* index = std::get_if<long>(&item.content))
      out.emplace_back(*index);
    else if (const std::string* name = item.text()) {
      if (const auto range = as_range(*name)) return add_range(*range, item.line, out);
      out.emplace_back(*name);
    } else
      return Error{"a vertex must be a whole number, a range or a name, not " + std::string(kind_of(item)),
                   "", item.line, R"(as in 0, "0-95" or "top_left")"};
    return {};
  });
}

namespace {

Expected<void> read_attachment(const JsonValue& json, AttachmentDesc& out) {
  KeyTable keys("an attachment");
  keys.fields(attachment_fields(), &out);
  keys.key("vertices", [&](const JsonValue& list) { return read_vertices(list, "vertices", out.vertices); });
  const Expected<void> done = keys.read(json);
  if (!done) return done;
  if (out.vertices.empty()) return Error{"an attachment needs 'vertices'", "", json.line, ""};
  if (out.attach_to.empty() && out.amplitude == glm::dvec3(0.0))
    return Error{"an attachment needs 'attach_to' or an 'amplitude'", "", json.line,
                 "to hold vertices where they are, name them in 'pins'"};
  return {};
}

Expected<void> read_point(const JsonValue& json, PointDesc& out) {
  const Expected<void> done = KeyTable("a point").fields(point_fields(), &out).read(json);
  if (done && !json.find("position")) return Error{"a point needs a 'position'", "", json.line, ""};
  return done;
}

Expected<void> read_ends(const JsonValue& json, std::array<Index, 2>& out) {
  const JsonArray* items = json.array();
  if (items && items->size() == 2) {
    const long* a = std::get_if<long>(&(*items)[0].content);
    const long* b = std::get_if<long>(&(*items)[1].content);
    const auto fits = [](const long* i) { return i && *i >= 0 && *i <= static_cast<long>(max_vertices); };
    if (fits(a) && fits(b)) {
      out = {static_cast<Index>(*a), static_cast<Index>(*b)};
      return {};
    }
  }
  return Error{"'points' of a spring must be two point numbers", "", json.line, "as in [0, 1]"};
}

Expected<void> read_spring(const JsonValue& json, SpringDesc& out) {
  SpringLength length;
  KeyTable keys("a spring");
  keys.fields(spring_fields(), &length);
  keys.key("points", [&](const JsonValue& ends) { return read_ends(ends, out.points); });
  const Expected<void> done = keys.read(json);
  if (done && !json.find("points")) return Error{"a spring needs 'points'", "", json.line, ""};
  if (json.find("rest_length")) out.rest_length = length.rest_length;
  return done;
}

/// Reads a source of a field; its name is the key.
Expected<void> read_field(const JsonMember& member, ObjectDesc& object) {
  FieldSource& source = object.fields.emplace_back();
  source.name = member.key;
  const std::span<const Field> rows = field_source_fields();
  const Expected<void> read =
      KeyTable("objects." + object.name + ".fields." + member.key).fields(rows, &source).read(member.value);
  if (!read) return read;
  for (std::size_t k = 0; k < 2; ++k)
    if (!member.value.find(rows[k].name))
      return Error{"a field needs a '" + std::string(rows[k].name) + "'", "", member.line,
                   suggest("", rows[k].options)};
  for (const JsonMember& key : *member.value.object())
    for (const Field& field : rows)
      if (field.name == key.key && !applies(source, field))
        return Error{"'" + key.key + "' means nothing for a field of type '" +
                         std::get<std::string>(get(rows.front(), &source)) + "'",
                     "", key.line, ""};
  if (const Expected<void> sound = check_field(object, source); !sound)
    return at_line(sound.error(), member.line);
  return {};
}

Expected<void> read_fields(const JsonValue& json, ObjectDesc& object) {
  const JsonObject* members = json.object();
  if (!members) return Error{"'fields' must be an object of names", "", json.line, ""};
  for (const JsonMember& member : *members) {
    if (!is_valid_name(member.key))
      return Error{"'" + member.key + "' is no valid name", "", member.line, "letters, digits, _ and - only"};
    if (const Expected<void> read = read_field(member, object); !read) return read;
  }
  return {};
}

/// True if a key of a scene file has a meaning for the object's type.
bool fits(const ObjectDesc& object, std::string_view name) {
  const std::span<const Field> rows = object_fields();
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const Field& f) { return f.name == name; });
  if (name == "fields") return true;
  return row == rows.end() ? has_list(object, name) : applies(object, *row);
}
bool fits_material(const ObjectDesc& object, std::string_view name) {
  const std::span<const Field> rows = material_fields();
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const Field& f) { return f.name == name; });
  return row == rows.end() || applies_to_material(object, *row);
}

/// The error about a key of the material that the object's type does not have.
Error misplaced_in_material(const ObjectDesc& object, const JsonMember& key) {
  std::string hint;
  if (const std::string* word = std::get_if<std::string>(&key.value.content))
    for (const Field& field : object_fields())
      if (applies(object, field) && std::ranges::find(field.options, *word) != field.options.end())
        hint = "'" + std::string(field.name) + "' beside the material takes '" + *word + "'";
  return {"'" + key.key + "' of a material means nothing for the type '" +
              std::string(traits_of(object).name) + "'",
          "", key.line, hint};
}

/// Reads the preset (first row of the table) before all other keys, wherever it stands, so that they override
/// its numbers.
Expected<void> read_material(const JsonValue& json, ObjectDesc& object) {
  Material& material = *object.material;
  const std::span<const Field> fields = material_fields();
  const Field& preset = fields.front();
  if (const JsonValue* chosen = json.find(preset.name)) {
    if (!fits_material(object, preset.name))
      return misplaced_in_material(object, {std::string(preset.name), chosen->line, *chosen});
    const Expected<Value> value = to_value(*chosen, preset.name);
    if (!value) return value.error();
    if (const Expected<void> done = set(preset, &material, *value); !done)
      return at_line(done.error(), chosen->line);
  }
  KeyTable keys("material");
  keys.key(preset.name, [](const JsonValue&) { return Expected<void>(); });
  keys.fields(fields.subspan(1), &material);
  return keys.offer([&](std::string_view name) { return fits_material(object, name); }).read(json);
}

template <class T>
ReadJson appended(std::vector<T>& out, Expected<void> (*read)(const JsonValue&, T&)) {
  return [&out, read](const JsonValue& item) { return read(item, out.emplace_back()); };
}

/// Reads the type before all other keys, wherever it stands, because it decides which keys are known.
Expected<void> read_type(const JsonValue& json, ObjectDesc& object) {
  const JsonValue* type = json.find("type");
  if (!type) return {};
  const std::span<const Field> rows = object_fields();
  const auto row = std::find_if(rows.begin(), rows.end(), [](const Field& f) { return f.name == "type"; });
  const Expected<Value> value = to_value(*type, row->name);
  const Expected<void> done = value ? set(*row, &object, *value) : Expected<void>(value.error());
  return done ? done : Expected<void>(at_line(done.error(), type->line));
}

KeyTable keys_of(ObjectDesc& object) {
  KeyTable keys("objects." + object.name);
  keys.fields(object_fields(), &object);
  keys.key("material", [&object](const JsonValue& json) { return read_material(json, object); });
  keys.key("fields", [](const JsonValue&) { return Expected<void>(); });  // after the mesh is known
  keys.key("pins", [&object](const JsonValue& json) { return read_vertices(json, "pins", object.pins); });
  keys.key("attachments", [&object](const JsonValue& json) {
    return read_list(json, "attachments", appended(object.attachments, read_attachment));
  });
  keys.key("points", [&object](const JsonValue& json) {
    return read_list(json, "points", appended(object.points->list, read_point));
  });
  keys.key("springs", [&object](const JsonValue& json) {
    return read_list(json, "springs", appended(object.points->springs, read_spring));
  });
  keys.offer([&object](std::string_view name) { return name == "material" || fits(object, name); });
  return keys;
}

/// Fails on keys without meaning for the object's type, which would otherwise be ignored silently.
Expected<void> check_keys_apply(const JsonObject& members, const ObjectDesc& object) {
  for (const JsonMember& member : members) {
    if (member.key != "material") {
      if (!fits(object, member.key)) return Error{misplaced(object, member.key), "", member.line, ""};
      continue;
    }
    for (const JsonMember& own : *member.value.object())
      if (!fits_material(object, own.key)) return misplaced_in_material(object, own);
  }
  return {};
}

/// Fails, with its line, on the first of `names` (a list that was already read) that is no vertex.
Expected<void> check_vertices(const JsonValue& names, const ObjectDesc& object) {
  std::set<std::string> known;
  return read_list(names, "vertices", [&](const JsonValue& item) {
    const std::string* name = item.text();
    if (name && !known.insert(*name).second) return Expected<void>();
    if (!name) return check_vertex(object, std::get<long>(item.content));
    const auto range = as_range(*name);
    return check_vertex(object, range ? VertexName((*range)[1]) : VertexName(*name));
  });
}

Expected<void> check_references(const JsonValue& json, const ObjectDesc& object) {
  if (const JsonValue* pins = json.find("pins"))
    if (const Expected<void> known = check_vertices(*pins, object); !known) return known;
  if (const JsonValue* attachments = json.find("attachments"))
    for (const JsonValue& attachment : *attachments->array())
      if (const Expected<void> known = check_vertices(*attachment.find("vertices"), object); !known)
        return known;
  if (const JsonValue* springs = json.find("springs"))
    for (std::size_t i = 0; i < object.points->springs.size(); ++i)
      if (const Expected<void> known = check_spring(object, object.points->springs[i]); !known)
        return at_line(known.error(), (*springs->array())[i].line);
  return {};
}

}  // namespace

Expected<void> read_object(const JsonMember& member, SceneDesc& scene) {
  ObjectDesc object;
  object.name = member.key;
  if (const Expected<void> type = read_type(member.value, object); !type) return type;
  if (const Expected<void> read = keys_of(object).read(member.value); !read) return read;
  if (const Expected<void> fit = check_keys_apply(*member.value.object(), object); !fit) return fit;
  if (const JsonValue* fields = member.value.find("fields"))
    if (const Expected<void> read = read_fields(*fields, object); !read) return read;
  if (const Expected<void> known = check_references(member.value, object); !known) return known;
  if (const JsonValue* spacing = member.value.find("spacing"))
    if (const Expected<void> apart = check_spacing(object); !apart)
      return at_line(apart.error(), spacing->line);
  if (const Expected<void> whole = check_object(object); !whole) return at_line(whole.error(), member.line);
  if (!object.mesh.empty())
    if (const Expected<void> file = check_mesh(scene, object.mesh); !file)
      return at_line(file.error(), member.value.find("mesh")->line);
  scene.objects.push_back(std::move(object));
  return {};
}

}  // namespace limber
