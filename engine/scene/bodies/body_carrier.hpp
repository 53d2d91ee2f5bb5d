// Which rigid body an attachment of a deformable means.
#pragma once

#include <optional>
#include <string_view>

#include "engine/core/expected.hpp"

namespace limber {

struct AttachmentDesc;
struct BodyDesc;
struct ObjectDesc;
struct SceneDesc;

/// Copies that the scene makes of a body.
std::size_t copies_of(const BodyDesc& body);

/// "name": the copy of the same number as the object's, counted on from the start if there are fewer;
/// "name[3]": that one.
struct BodyCarrier {
  std::size_t body = 0;             ///< in the scene's list
  std::optional<std::size_t> copy;  ///< of it
};

/// The body that `name` means, or none. A collider of that name comes first.
std::optional<BodyCarrier> find_body_carrier(const SceneDesc& scene, std::string_view name);

/// Whether the attachment fixes its vertices, as all do but a two-way one to a body.
bool fixes_vertices(const SceneDesc& scene, const AttachmentDesc& attachment);

/// `name` (of an attachment of the object; "" is none) is a collider, or a body of which there are not more
/// or fewer copies than fit.
Expected<void> check_carrier(const SceneDesc& scene, const ObjectDesc& object, const std::string& name);

/// The same of every attachment.
Expected<void> check_carriers(const SceneDesc& scene);

}  // namespace limber
