// Which rigid bodies are asleep: at rest, and left out of the step until something reaches them.
#pragma once

#include <cstdint>
#include <span>

#include "engine/state/bodies.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

struct World;

bool is_asleep(const World& world, std::size_t body);

/// Whether the step moves the body: it can move, and is awake.
bool takes_part(const World& world, std::size_t body);

/// Wakes the islands of some bodies, if they sleep.
void wake(World& world, std::span<const std::int32_t> bodies);
void wake_all(World& world);

/// Puts bodies that are awake to sleep, each with the island (the least of its bodies) that it belongs to.
void put_to_sleep(World& world, std::span<const std::int32_t> bodies, std::span<const std::int32_t> islands);

/// Puts the contacts of who fell asleep into Sleep::contacts, and of who woke back. Before a frame's contacts
/// are looked for; until then both lists are as the last step left them.
void sort_contacts(World& world);

}}  // namespace limber::LIMBER_PRECISION
