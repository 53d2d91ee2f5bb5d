#include "engine/scene/joints/joint_reader.hpp"

#include "engine/core/tunable.hpp"
#include "engine/scene/file/key_table.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"

namespace limber {

Expected<void> read_joint(const JsonMember& member, SceneDesc& scene) {
  JointDesc joint;
  joint.name = member.key;
  const Expected<void> read =
      KeyTable("joints." + member.key).fields(joint_fields(), &joint).read(member.value);
  if (!read) return read;
  const Field& type = joint_fields().front();
  if (!member.value.find("type"))
    return Error{"a joint needs a 'type'", "", member.line, suggest("", type.options)};
  const std::string name = std::get<std::string>(get(type, &joint));
  for (const JsonMember& key : *member.value.object())
    for (const Field& field : joint_fields())
      if (field.name == key.key && !applies(joint, field))
        return Error{"'" + key.key + "' means nothing for a joint of type '" + name + "'", "", key.line, ""};
  if (!member.value.find("at"))
    return Error{"a joint needs a place", "", member.line, R"("at": [x, y, z], in the world at the start)"};
  if (joint.type == JointType::distance && !member.value.find("at_b"))
    return Error{"a joint of type 'distance' needs a second place", "", member.line,
                 R"("at_b": [x, y, z], its end at b in the world at the start)"};
  scene.joints.push_back(std::move(joint));
  return {};
}

}  // namespace limber
