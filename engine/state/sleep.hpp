// Sleep of rigid bodies: the step skips bodies at rest until something reaches them.
#pragma once

#include <cstdint>
#include <span>

#include "engine/state/bodies.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

struct World;

bool is_asleep(const World& world, std::size_t body);

/// Whether the body takes part in a step: it can move, and is awake.
bool takes_part(const World& world, std::size_t body);

/// Wakes the islands of `bodies`, if they sleep.
void wake(World& world, std::span<const std::int32_t> bodies);
void wake_all(World& world);

/// Puts bodies that are awake to sleep. `islands`: per body the number of its island, which is the smallest
/// number of the bodies in it.
void put_to_sleep(World& world, std::span<const std::int32_t> bodies, std::span<const std::int32_t> islands);

/// Moves the contacts of bodies that fell asleep into Sleep::contacts, and those of bodies that woke back.
/// Must be called before a frame's search for contacts; until then both lists are as the last step left them.
void sort_contacts(World& world);

}}  // namespace limber::LIMBER_PRECISION
