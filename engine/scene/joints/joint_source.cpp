#include "engine/scene/joints/joint_source.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <glm/geometric.hpp>
#include <string>

#include "engine/core/tunable.hpp"
#include "engine/scene/bodies/body_carrier.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"

namespace limber {
namespace {

/// The bodies at one end of a joint: `count` bodies from `first` on.
struct JointEnd {
  long first = -1, count = 1;
  bool movable = false;
};

std::string body_names(const SceneDesc& scene, const std::string& name) {
  std::vector<std::string_view> names;
  for (const BodyDesc& body : scene.bodies) names.push_back(body.name);
  return suggest(name, names);
}

/// Finds the bodies that "name" or "name[3]" means.
Expected<JointEnd> find_end(const SceneDesc& scene, const std::string& text) {
  if (text.empty()) return JointEnd{};
  const std::size_t bracket = text.find('[');
  const std::string name = text.substr(0, bracket);
  long copy = -1;
  if (bracket != text.npos) {
    const char *from = text.data() + bracket + 1, *last = text.data() + text.size() - 1;
    const auto [end, fault] = std::from_chars(from, last, copy);
    if (text.back() != ']' || fault != std::errc() || end != last || copy < 0)
      return Error{"'" + text + "' is no copy of a body", "", 0, "as in " + name + "[0]"};
  }
  long first = 0;
  for (const BodyDesc& body : scene.bodies) {
    const long count = long(copies_of(body));
    if (body.name != name) {
      first += count;
      continue;
    }
    if (copy >= count)
      return Error{"there is no '" + text + "': of '" + name + "' there are " + std::to_string(count), "", 0,
                   "the last one is " + name + "[" + std::to_string(count - 1) + "]"};
    return copy < 0 ? JointEnd{first, count, !body.fixed} : JointEnd{first + copy, 1, !body.fixed};
  }
  return Error{"there is no body '" + name + "'", "", 0, body_names(scene, name)};
}

Error in_joint(const JointDesc& joint, Error error) {
  error.message = "joint '" + joint.name + "': " + error.message;
  return error;
}

}  // namespace

Expected<std::vector<JointedPair>> joined_pairs(const SceneDesc& scene, const JointDesc& joint) {
  if (joint.a.empty())
    return in_joint(joint,
                    {"it needs a body 'a'", "", 0, "name a body; without 'b' it is held by the world"});
  const Expected<JointEnd> a = find_end(scene, joint.a), b = find_end(scene, joint.b);
  if (!a) return in_joint(joint, a.error());
  if (!b) return in_joint(joint, b.error());
  std::vector<JointedPair> pairs;
  if (joint.chain) {
    if (!joint.b.empty() || a->count < 2)
      return in_joint(joint,
                      {"a chain joins the copies of one body 'a'", "", 0, "give it 'copies', and no 'b'"});
    for (long i = 0; i + 1 < a->count; ++i) pairs.push_back({a->first + i, a->first + i + 1, a->first});
  } else {
    if (b->count != 1 && b->count != a->count)
      return in_joint(joint, {"'" + joint.a + "' and '" + joint.b + "' have not as many copies", "", 0,
                              "name one copy, as in " + joint.b + "[0]"});
    for (long i = 0; i < a->count; ++i)
      pairs.push_back({a->first + i, b->first < 0 ? -1 : b->first + (b->count > 1 ? i : 0), a->first});
  }
  for (const JointedPair& pair : pairs)
    if (pair.a == pair.b) return in_joint(joint, {"it joins a body to itself", "", 0, ""});
  if (!a->movable && !b->movable)
    return in_joint(joint, {"nothing that it joins can move", "", 0, "both are fixed"});
  if (pairs.size() > max_joints)
    return in_joint(joint, {"there would be " + std::to_string(pairs.size()) + " joints", "", 0,
                            "at most " + std::to_string(max_joints)});
  return pairs;
}

Expected<void> check_joint(const SceneDesc& scene, const JointDesc& joint) {
  const auto short_axis = [](const glm::dvec3& axis) { return !(glm::length(axis) > 1e-6); };
  if (joint.type != JointType::distance && joint.type != JointType::fixed && short_axis(joint.axis))
    return in_joint(joint, {"its axis has no direction", "", 0, "as in [0, 1, 0]"});
  if (joint.type == JointType::universal && short_axis(glm::cross(glm::normalize(joint.axis), joint.axis_b)))
    return in_joint(joint, {"its axes do not cross", "", 0, "'axis_b' must point elsewhere than 'axis'"});
  if (joint.limited && joint.type == JointType::hinge && joint.lower_degrees > joint.upper_degrees)
    return in_joint(joint, {"its limits are the wrong way round", "", 0, "lower_degrees <= upper_degrees"});
  if (joint.limited && joint.type == JointType::slider && joint.lower > joint.upper)
    return in_joint(joint, {"its limits are the wrong way round", "", 0, "lower <= upper"});
  const Expected<std::vector<JointedPair>> pairs = joined_pairs(scene, joint);
  return pairs ? Expected<void>() : Expected<void>(pairs.error());
}

Expected<void> check_joints(const SceneDesc& scene) {
  std::size_t count = 0;
  for (const JointDesc& joint : scene.joints) {
    if (const Expected<void> sound = check_joint(scene, joint); !sound) return sound;
    count += joined_pairs(scene, joint)->size();
    if (count > max_joints)
      return in_joint(joint, {"with it there would be " + std::to_string(count) + " joints", "", 0,
                              "at most " + std::to_string(max_joints)});
  }
  return {};
}

}  // namespace limber
