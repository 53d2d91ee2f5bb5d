#include "engine/scene/build/touch_lists.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "engine/core/tunable.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber {
namespace {

constexpr std::string_view everything = "all", nothing = "none";
constexpr std::size_t most_kinds = 63;  // bit 0 stands for all objects that no list names

/// The list `collides_with` of one object, body or collider.
struct List {
  std::string_view section, name, text;
};

std::vector<List> lists_of(const SceneDesc& scene) {
  std::vector<List> lists;
  for (const ObjectDesc& object : scene.objects)
    lists.push_back({"objects", object.name, object.collides_with});
  for (const BodyDesc& body : scene.bodies) lists.push_back({"bodies", body.name, body.collides_with});
  for (const ColliderDesc& collider : scene.colliders)
    lists.push_back({"colliders", collider.name, collider.collides_with});
  return lists;
}

/// An entry of "floor, -ball": a name, or with a minus a name removed from the entries before it.
struct Entry {
  std::string_view name;
  bool taken_away;
};
std::vector<Entry> entries_of(std::string_view text) {
  const auto trimmed = [](std::string_view part) {
    const std::size_t first = part.find_first_not_of(' '), last = part.find_last_not_of(' ');
    return first == part.npos ? std::string_view() : part.substr(first, last - first + 1);
  };
  std::vector<Entry> entries;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view name = trimmed(text.substr(0, comma));
    const bool taken_away = name.starts_with('-');
    if (taken_away) name = trimmed(name.substr(1));
    if (!name.empty()) entries.push_back({name, taken_away});
    text = comma == text.npos ? std::string_view() : text.substr(comma + 1);
  }
  return entries;
}

/// The distinct names in all lists. Their bits in a mask start at 1.
std::vector<std::string_view> kinds_of(const std::vector<List>& lists) {
  std::vector<std::string_view> kinds;
  for (const List& list : lists)
    for (const Entry& entry : entries_of(list.text))
      if (entry.name != everything && entry.name != nothing && std::ranges::count(kinds, entry.name) == 0)
        kinds.push_back(entry.name);
  return kinds;
}

TouchMask mask_of(const List& list, const std::vector<std::string_view>& kinds) {
  const auto bit = [&](std::string_view name) {
    const auto at = std::ranges::find(kinds, name);
    return std::uint64_t(1) << (at == kinds.end() ? 0 : at - kinds.begin() + 1);
  };
  TouchMask mask{bit(list.name), 0};
  const std::vector<Entry> entries = entries_of(list.text);
  if (!entries.empty() && entries.front().taken_away) mask.with = ~std::uint64_t(0);
  for (const Entry& entry : entries) {
    const std::uint64_t named = entry.name == everything ? ~std::uint64_t(0)
                                : entry.name == nothing  ? 0
                                                         : bit(entry.name);
    mask.with = entry.taken_away ? mask.with & ~named : mask.with | named;
  }
  return mask;
}

}  // namespace

Expected<void> check_touches(const SceneDesc& scene) {
  const std::vector<List> lists = lists_of(scene);
  std::vector<std::string_view> names{everything, nothing};
  for (const List& list : lists) names.push_back(list.name);
  for (const List& list : lists) {
    const std::string path = std::string(list.section) + "." + std::string(list.name) + ".collides_with";
    for (const Entry& entry : entries_of(list.text))
      if (std::ranges::count(names, entry.name) == 0)
        return Error{"there is no object, body or collider '" + std::string(entry.name) + "' to collide with",
                     path, 0, suggest(entry.name, names)};
    if (kinds_of(lists).size() > most_kinds)
      return Error{"lists of 'collides_with' name more than " + std::to_string(most_kinds) + " things", path,
                   0, "copies share one name"};
  }
  return {};
}

Touches make_touches(const SceneDesc& scene, std::span<const std::int32_t> object_source) {
  const std::vector<List> lists = lists_of(scene);
  Touches touches;
  touches.all = std::ranges::all_of(lists, [](const List& list) { return list.text == everything; });
  if (touches.all) return touches;
  const std::vector<std::string_view> kinds = kinds_of(lists);
  const auto mask = [&](std::size_t i) { return mask_of(lists[i], kinds); };
  const std::size_t objects = scene.objects.size(), bodies = scene.bodies.size();
  for (const std::int32_t source : object_source) touches.objects.push_back(mask(std::size_t(source)));
  for (std::size_t i = 0; i < bodies; ++i) touches.bodies.push_back(mask(objects + i));
  for (std::size_t i = 0; i < scene.colliders.size(); ++i)
    touches.colliders.push_back(mask(objects + bodies + i));
  return touches;
}

}  // namespace limber
