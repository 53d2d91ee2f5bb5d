#include "engine/scene/bodies/body_reader.hpp"

#include <algorithm>

#include "engine/core/tunable.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/bodies/body_source.hpp"
#include "engine/scene/file/key_table.hpp"
#include "engine/scene/file/mesh_path.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber {
namespace {

/// Fails on keys without meaning for the shape, which would otherwise be ignored silently.
Expected<void> check_keys_apply(const JsonObject& members, const BodyPartDesc& part) {
  const std::string shape = std::get<std::string>(get(body_part_fields().front(), &part));
  for (const JsonMember& member : members)
    for (const Field& field : body_part_fields())
      if (field.name == member.key && !applies(part, field))
        return Error{"'" + member.key + "' means nothing for the shape '" + shape + "'", "", member.line, ""};
  return {};
}

Expected<void> check_part(const JsonValue& json, const SceneDesc& scene, const BodyPartDesc& part) {
  if (!json.find("shape"))
    return Error{"a body needs a 'shape'", "", json.line, suggest("", body_part_fields().front().options)};
  if (const Expected<void> known = check_keys_apply(*json.object(), part); !known) return known;
  if (part.shape != BodyShape::hull) return {};
  if (part.mesh.empty())
    return Error{"a body of shape 'hull' needs a 'mesh'", "", json.line, "name an OBJ file"};
  if (const Expected<void> file = check_mesh(scene, part.mesh); !file)
    return at_line(file.error(), json.find("mesh")->line);
  return {};
}

Expected<void> read_part(const JsonValue& json, const SceneDesc& scene, BodyDesc& body) {
  BodyPartDesc part;
  const Expected<void> read = KeyTable("a part").fields(body_part_fields(), &part).read(json);
  if (!read) return read;
  if (const Expected<void> fits = check_part(json, scene, part); !fits) return fits;
  if (part.shape == BodyShape::compound)
    return Error{"a part cannot be a compound itself", "", json.line, "list its parts beside it"};
  body.parts.push_back(std::move(part));
  return {};
}

}  // namespace

Expected<void> read_body(const JsonMember& member, SceneDesc& scene) {
  BodyDesc body;
  body.name = member.key;
  KeyTable keys("bodies." + member.key);
  keys.fields(body_fields(), static_cast<BodyPartDesc*>(&body));
  keys.key("parts", [&](const JsonValue& list) {
    return read_list(list, "parts", [&](const JsonValue& item) { return read_part(item, scene, body); });
  });
  keys.key("melts", [&](const JsonValue& json) -> Expected<void> {
    return Error{"the body '" + member.key + "' cannot melt: a rigid body has one temperature and no phases",
                 "", json.line, "what melts is an object of type 'fluid' that starts below its solidus"};
  });
  if (const Expected<void> read = keys.read(member.value); !read) return read;
  if (const Expected<void> fits = check_part(member.value, scene, body); !fits) return fits;
  if (const JsonValue* parts = member.value.find("parts"); parts && body.shape != BodyShape::compound)
    return Error{"only the shape 'compound' has 'parts'", "", parts->line, ""};
  if (const Expected<void> sound = check_body(body); !sound) return at_line(sound.error(), member.line);
  scene.bodies.push_back(std::move(body));
  return {};
}

}  // namespace limber
