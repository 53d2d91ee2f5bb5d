// State of sleeping rigid bodies; sleep.hpp has the functions.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "engine/core/members.hpp"
#include "engine/state/body_contact.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Bodies that touch or that joints connect are an island: it falls asleep and wakes as a whole. Nothing
/// moves a sleeping body. Arrays by body index, empty until bodies may sleep.
struct Sleep {
  static constexpr std::int32_t awake = -1;
  std::vector<real> calm;                 ///< s, time for which it has stayed near its anchor
  std::vector<vec4> anchor, anchor_turn;  ///< pose of the anchor: m, unit quaternion
  std::vector<std::int32_t> island;       ///< the least number of those that sleep together, or `awake`
  std::vector<vec4> load;                 ///< N, load of particles in its first frame asleep; w = 1: known
  std::vector<BodyContact> contacts;      ///< of the sleepers, as in ContactState::bodies, to wake up with
  std::int32_t count = 0;                 ///< of sleepers
  bool changed = false;                   ///< a body fell asleep or woke since sort_contacts()

  static constexpr auto all_members =
      std::tuple(&Sleep::calm, &Sleep::anchor, &Sleep::anchor_turn, &Sleep::island, &Sleep::load,
                 &Sleep::contacts, &Sleep::count, &Sleep::changed);
};

}}  // namespace limber::LIMBER_PRECISION
