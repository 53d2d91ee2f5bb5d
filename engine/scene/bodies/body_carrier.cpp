#include "engine/scene/bodies/body_carrier.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include "engine/core/tunable.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"

namespace limber {

std::size_t copies_of(const BodyDesc& body) {
  std::size_t count = 0;
  const auto whole = [](double n) { return static_cast<std::size_t>(std::max(n, 1.0)); };
  for (std::size_t y = 0; y < whole(body.copies.y); ++y) {
    const std::size_t row = whole(body.copies.x);
    const std::size_t less = body.arrangement == Arrangement::pyramid ? std::min(y, row) : 0;
    count += (row - less) * whole(body.copies.z);
  }
  return count;
}

std::optional<BodyCarrier> find_body_carrier(const SceneDesc& scene, std::string_view name) {
  for (const ColliderDesc& collider : scene.colliders)
    if (collider.name == name) return std::nullopt;
  const std::size_t bracket = name.find('[');
  BodyCarrier out;
  if (bracket != name.npos) {
    std::size_t copy = 0;
    const char* const first = name.data() + bracket + 1;
    const char* const last = name.data() + name.size();
    const auto read = std::from_chars(first, last, copy);
    if (read.ec != std::errc() || read.ptr + 1 != last || *read.ptr != ']') return std::nullopt;
    out.copy = copy;
  }
  const auto body = std::find_if(scene.bodies.begin(), scene.bodies.end(),
                                 [&](const BodyDesc& b) { return b.name == name.substr(0, bracket); });
  if (body == scene.bodies.end() || (out.copy && *out.copy >= copies_of(*body))) return std::nullopt;
  out.body = static_cast<std::size_t>(body - scene.bodies.begin());
  return out;
}

bool fixes_vertices(const SceneDesc& scene, const AttachmentDesc& attachment) {
  return !attachment.two_way || attachment.attach_to.empty() ||
         !find_body_carrier(scene, attachment.attach_to);
}

namespace {

/// Checks the numbers of copies. Without a copy number, copy i of the object is attached to body copy i mod
/// n, with n the number of body copies. Fails unless the number of object copies is a multiple of n.
Expected<void> check_counts(const SceneDesc& scene, const ObjectDesc& object, const std::string& name) {
  const std::optional<BodyCarrier> carrier = find_body_carrier(scene, name);
  if (!carrier || carrier->copy) return {};
  const double copies =
      traits_of(object).copies_are_particles ? 1.0 : object.copies.x * object.copies.y * object.copies.z;
  const std::size_t bodies = copies_of(scene.bodies[carrier->body]);
  if (std::fmod(copies, double(bodies)) == 0.0) return {};
  return Error{"of '" + object.name + "' there are " + to_text(copies) + ", of '" + name +
                   "', to which they are attached, " + std::to_string(bodies),
               "", 0, "as many of both, or name one copy, as in " + name + "[0]"};
}

}  // namespace

Expected<void> check_carrier(const SceneDesc& scene, const ObjectDesc& object, const std::string& name) {
  if (name.empty()) return {};
  if (const Expected<void> counted = check_counts(scene, object, name); !counted) return counted;
  std::vector<std::string_view> known;
  for (const ColliderDesc& collider : scene.colliders) known.push_back(collider.name);
  const auto colliders = std::ptrdiff_t(known.size());
  for (const BodyDesc& body : scene.bodies) known.push_back(body.name);
  const auto bodies = known.begin() + colliders;
  const bool collider = std::find(known.begin(), bodies, name) != bodies;
  if (collider && std::find(bodies, known.end(), name) != known.end())
    return Error{"'" + object.name + "' is attached to '" + name + "', which is a collider and a body", "", 0,
                 "give one of them another name"};
  if (collider || find_body_carrier(scene, name)) return {};
  return Error{"'" + object.name + "' is attached to '" + name + "', which is no collider and no body", "", 0,
               suggest(name, known)};
}

Expected<void> check_carriers(const SceneDesc& scene) {
  for (const ObjectDesc& object : scene.objects)
    for (const AttachmentDesc& attachment : object.attachments)
      if (const Expected<void> known = check_carrier(scene, object, attachment.attach_to); !known)
        return known;
  return {};
}

}  // namespace limber
