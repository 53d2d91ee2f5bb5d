// A hash of everything that a step reads or writes, for comparing Worlds bit for bit.
#pragma once

#include <cstdint>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// FNV-1a over all members of the World except settings, colliders, the air load and the topology (of a torn
/// topology the triangles count). Recordings keep state_hash(), which covers positions and velocities only;
/// this hash also covers multipliers, warm starts, sleep and the user's holds. Particles count in their
/// internal order.
std::uint64_t world_hash(const World& world);

}}  // namespace limber::LIMBER_PRECISION
