// State of sleeping rigid bodies; sleep.hpp has the functions.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "engine/core/members.hpp"
#include "engine/state/body_contact.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Islands: bodies that touch each other or that joints connect. An island falls asleep and wakes as a whole;
/// nothing moves a sleeping body. Arrays by body index, empty until bodies may sleep.
struct Sleep {
  static constexpr std::int32_t awake = -1;
  std::vector<real> calm;                 ///< s, time for which the body has stayed near its anchor
  std::vector<vec4> anchor, anchor_turn;  ///< pose of the anchor: position in m, unit quaternion
  std::vector<std::int32_t> island;  ///< smallest number of the bodies in its sleeping island, or `awake`
  std::vector<vec4> load;            ///< N, load by particles in the first frame asleep; w = 1: known
  /// Contacts of sleeping bodies, as in ContactState::bodies, restored when they wake
  std::vector<BodyContact> contacts;
  std::int32_t count = 0;  ///< number of sleeping bodies
  bool changed = false;    ///< a body fell asleep or woke since sort_contacts()

  static constexpr auto all_members =
      std::tuple(&Sleep::calm, &Sleep::anchor, &Sleep::anchor_turn, &Sleep::island, &Sleep::load,
                 &Sleep::contacts, &Sleep::count, &Sleep::changed);
};

}}  // namespace limber::LIMBER_PRECISION
