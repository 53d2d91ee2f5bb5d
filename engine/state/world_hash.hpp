// A hash of everything that a step reads or writes, for comparing Worlds bit for bit.
#pragma once

#include <cstdint>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// FNV-1a over all members of the World but its settings, colliders and topology (of a torn one the triangles
/// count). Unlike state_hash(), which is of positions and velocities alone and which recordings keep, it sees
/// multipliers, warm starts, sleep and the user's holds. The order of particles is the internal one.
std::uint64_t world_hash(const World& world);

}}  // namespace limber::LIMBER_PRECISION
