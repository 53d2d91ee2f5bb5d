#include "engine/scene/joints/tie_reader.hpp"

#include <algorithm>

#include "engine/core/tunable.hpp"
#include "engine/scene/file/key_table.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/tie_desc.hpp"
#include "engine/scene/joints/tie_ends.hpp"
#include "engine/scene/objects/object_check.hpp"
#include "engine/scene/objects/object_reader.hpp"

namespace limber {
namespace {

constexpr std::array tie_table{
    text<&TieDesc::a>("a", "Ties", "An object, or its copy 3 as name[3]."),
    text<&TieDesc::b>("b", "To", "Another object, a body or a collider."),
    number<&TieDesc::within>({"within", "Within", "m", 0, 10,
                              "In place of a_points: every copy of a is tied to every copy of b at their two "
                              "nearest vertices, if these are no farther apart than this. 0: not used."}),
    number<&TieDesc::compliance>({"compliance", "Compliance", "m/N", 0, 10,
                                  "Compliance of each point; 0: as rigid as the solver can make it."}),
    number<&TieDesc::break_force>(
        {"break_force", "Breaks at", "N", 0, 1e9, "Force at which a point comes loose; 0: never."}),
};

Error in_tie(const TieDesc& tie, Error error) {
  error.message = "tie '" + tie.name + "': " + error.message;
  return error;
}

Expected<void> check_points(const SceneDesc& scene, const TieTarget& target,
                            const std::vector<VertexName>& points) {
  for (const VertexName& point : points)
    if (const Expected<void> known = check_vertex(scene.objects[target.number], point); !known) return known;
  return {};
}

}  // namespace

std::span<const Field> tie_fields() { return tie_table; }

Expected<void> read_tie(const JsonMember& member, SceneDesc& scene) {
  TieDesc tie;
  tie.name = member.key;
  KeyTable keys("ties." + member.key);
  keys.fields(tie_fields(), &tie);
  keys.key("a_points", [&](const JsonValue& list) { return read_vertices(list, "a_points", tie.a_points); });
  keys.key("b_points", [&](const JsonValue& list) { return read_vertices(list, "b_points", tie.b_points); });
  keys.key("at", [&](const JsonValue& json) -> Expected<void> {
    const Expected<glm::dvec3> place = to_vector(json, "at");
    if (!place) return place.error();
    tie.at = *place;
    return {};
  });
  if (const Expected<void> read = keys.read(member.value); !read) return read;
  scene.ties.push_back(std::move(tie));
  return {};
}

Expected<void> check_tie(const SceneDesc& scene, const TieDesc& tie) {
  if (tie.a.empty() || tie.b.empty())
    return in_tie(tie, {"it needs an 'a' and a 'b'", "", 0, "each the name of an object; b may be a body"});
  const Expected<TieTarget> a = find_tie_target(scene, tie.a), b = find_tie_target(scene, tie.b);
  if (!a) return in_tie(tie, a.error());
  if (!b) return in_tie(tie, b.error());
  if (a->kind != TieTarget::Kind::object)
    return in_tie(tie,
                  {"'" + tie.a + "' is no object", "", 0, "name the object in 'a' and the other in 'b'"});
  if (tie.a == tie.b && (tie.b_points.empty() || tie.within > 0.0))
    return in_tie(tie, {"it ties points of '" + tie.a + "' to where they are", "", 0,
                        "name other vertices of it in 'b_points'"});
  if (int(!tie.a_points.empty()) + int(tie.at.has_value()) + int(tie.within > 0.0) != 1)
    return in_tie(tie, {"it needs one of 'a_points', a place 'at', and a distance 'within'", "", 0,
                        R"(as in "a_points": ["top"], "at": [0, 1, 0] or "within": 0.01)"});
  if (tie.within > 0.0 && (b->kind != TieTarget::Kind::object || !tie.b_points.empty()))
    return in_tie(tie, {"'within' ties two objects, without naming points", "", 0,
                        "name points of 'a' to hold them to '" + tie.b + "'"});
  if (!tie.b_points.empty() && b->kind != TieTarget::Kind::object)
    return in_tie(tie, {"'" + tie.b + "' has no vertices to name in 'b_points'", "", 0,
                        "without them each point is held where it is"});
  if (const Expected<void> known = check_points(scene, *a, tie.a_points); !known)
    return in_tie(tie, known.error());
  if (const Expected<void> known = check_points(scene, *b, tie.b_points); !known)
    return in_tie(tie, known.error());
  return {};
}

Expected<void> check_ties(const SceneDesc& scene) {
  for (const TieDesc& tie : scene.ties)
    if (const Expected<void> sound = check_tie(scene, tie); !sound) return sound;
  return {};
}

}  // namespace limber
