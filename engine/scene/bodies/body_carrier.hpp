// The rigid body to which an attachment of a deformable refers.
#pragma once

#include <optional>
#include <string_view>

#include "engine/core/expected.hpp"

namespace limber {

struct AttachmentDesc;
struct BodyDesc;
struct ObjectDesc;
struct SceneDesc;

/// Number of copies that the scene makes of a body.
std::size_t copies_of(const BodyDesc& body);

/// A body named by an attachment. "name": its copy with the object's number, starting over if there are fewer
/// copies; "name[3]": that copy.
struct BodyCarrier {
  std::size_t body = 0;             ///< in the scene's list
  std::optional<std::size_t> copy;  ///< copy number of the body; none: by the object's copy number
};

/// The body called `name`, or none. A collider of that name has precedence.
std::optional<BodyCarrier> find_body_carrier(const SceneDesc& scene, std::string_view name);

/// True unless the attachment is a two-way one to a body: all others give their vertices inverse mass zero.
bool fixes_vertices(const SceneDesc& scene, const AttachmentDesc& attachment);

/// Checks that `name` (of an attachment of the object; "" is none) is a collider, or a body with a fitting
/// number of copies.
Expected<void> check_carrier(const SceneDesc& scene, const ObjectDesc& object, const std::string& name);

/// Applies check_carrier() to every attachment.
Expected<void> check_carriers(const SceneDesc& scene);

}  // namespace limber
