// Which rigid bodies are asleep: at rest, and left out of the step until something reaches them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/state/bodies.hpp"

namespace limber::inline LIMBER_PRECISION {

struct World;

/// Bodies that touch or that joints connect are an island: it falls asleep and wakes as one. Asleep, a body
/// does not move for anything. Arrays by body index, empty until bodies may sleep.
struct Sleep {
  static constexpr std::int32_t awake = -1;
  std::vector<real> calm;                 ///< s, for which it has stayed near its anchor
  std::vector<vec4> anchor, anchor_turn;  ///< where that is: m, unit quaternion
  std::vector<std::int32_t> island;       ///< the least number of those that sleep together, or `awake`
  std::vector<vec4> load;                 ///< N, by particles in its first frame asleep; w = 1: known
  std::vector<BodyContact> contacts;      ///< of the sleepers, as in World::body_contacts, to wake up with
  std::int32_t count = 0;                 ///< of sleepers
  bool changed = false;                   ///< somebody fell asleep or woke since sort_contacts()
};

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

}  // namespace limber::inline LIMBER_PRECISION
