// Adding and removing rigid bodies while a scene runs, between two steps.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Initial state of a body that is added.
struct NewBody {
  vec4 position{0}, orientation{0, 0, 0, 1};
  vec4 velocity{0}, angular_momentum{0}, inverse_inertia{0};  ///< as in Bodies
  std::vector<PlacedShape> shapes;                            ///< PlacedShape::body is ignored
};

/// Appends a body, whose material has the index `source`.
void append_body(const NewBody& body, std::int32_t source, Bodies& bodies, BodyParts& parts);

/// Adds a body, awake, and returns its number: the number of a removed body if there is one, otherwise a new
/// one. Numbers, contacts, multipliers and islands of all other bodies are unchanged.
std::int32_t add_body(World& world, const NewBody& body, const BodyMaterial& material);

/// Whether `body` was added after the scene was built and is still there.
bool is_added(const World& world, std::int32_t body);

/// Removes a body for which is_added() holds, and wakes the bodies that sleep with it. Until add_body() uses
/// its number again, the body has no mass and no shapes, so that nothing collides with it.
void remove_body(World& world, std::int32_t body);

}}  // namespace limber::LIMBER_PRECISION
