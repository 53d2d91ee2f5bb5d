// The rigid body to which an attachment of a deformable object refers.
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

/// The body named by an attachment. "name": copy i mod n of the body for copy i of the object, with n copies
/// of the body; "name[3]": copy 3.
struct BodyCarrier {
  std::size_t body = 0;             ///< in the scene's list
  std::optional<std::size_t> copy;  ///< copy number of the body; none: it follows from the copy number of the
                                    ///< object
};

/// The body called `name`, or none. A collider of that name has precedence.
std::optional<BodyCarrier> find_body_carrier(const SceneDesc& scene, std::string_view name);

/// False for a two-way attachment to a body. All other attachments give their vertices inverse mass zero.
bool fixes_vertices(const SceneDesc& scene, const AttachmentDesc& attachment);

/// Checks that `name` is a collider, or a body whose number of copies fits the object's. `name` is what an
/// attachment of the object is attached to; "" is nothing and passes.
Expected<void> check_carrier(const SceneDesc& scene, const ObjectDesc& object, const std::string& name);

/// Applies check_carrier() to every attachment.
Expected<void> check_carriers(const SceneDesc& scene);

}  // namespace limber
