#include "engine/scene/joints/tie_ends.hpp"

#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/core/tunable.hpp"
#include "engine/scene/bodies/body_carrier.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"

namespace limber {
namespace {

std::size_t copies_of(const ObjectDesc& object) {
  if (traits_of(object).copies_are_particles) return 1;
  return std::size_t(object.copies.x * object.copies.y * object.copies.z);
}

/// The number in the brackets of "name[3]"; none if the brackets hold anything else.
std::optional<std::size_t> copy_in(std::string_view text, std::size_t bracket) {
  std::size_t copy = 0;
  const char *from = text.data() + bracket + 1, *last = text.data() + text.size() - 1;
  if (text.back() != ']' || from == last) return std::nullopt;
  const auto [end, fault] = std::from_chars(from, last, copy);
  return fault == std::errc() && end == last ? std::optional(copy) : std::nullopt;
}

}  // namespace

Expected<TieTarget> find_tie_target(const SceneDesc& scene, const std::string& text) {
  const std::size_t bracket = text.find('[');
  const std::string name = text.substr(0, bracket);
  const std::optional<std::size_t> copy = bracket == text.npos ? 0 : copy_in(text, bracket);
  if (!copy) return Error{"'" + text + "' is no copy of anything", "", 0, "as in " + name + "[0]"};
  std::vector<std::string_view> names;
  std::optional<TieTarget> found;
  std::size_t count = 1;
  const auto look = [&](TieTarget::Kind kind, const auto& things, const auto& copies) {
    for (std::size_t k = 0; k < things.size(); ++k) {
      names.push_back(things[k].name);
      if (found || things[k].name != name) continue;
      found = TieTarget{kind, k, *copy};
      count = copies(things[k]);
    }
  };
  look(TieTarget::Kind::object, scene.objects, [](const ObjectDesc& object) { return copies_of(object); });
  look(TieTarget::Kind::body, scene.bodies, [](const BodyDesc& body) { return limber::copies_of(body); });
  look(TieTarget::Kind::collider, scene.colliders, [](const ColliderDesc&) { return std::size_t(1); });
  if (!found) return Error{"there is no '" + name + "'", "", 0, suggest(name, names)};
  if (*copy >= count)
    return Error{"there is no '" + text + "': of '" + name + "' there are " + std::to_string(count), "", 0,
                 "the last one is " + name + "[" + std::to_string(count - 1) + "]"};
  return *found;
}

}  // namespace limber
