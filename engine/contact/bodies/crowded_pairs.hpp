// Bounds the contacts of bodies that lie deep inside many others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/contact/bodies/body_pairs.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// n bodies at one place overlap in n (n - 1) / 2 pairs, but each body needs only some of them to move apart.
/// A pair is deep if the balls inscribed in its two shapes overlap by more than a tenth of the smaller
/// radius. A body is crowded if it has more than `most_deep` deep pairs; bodies that lie on each other or
/// collide never have so many. A crowded body keeps the `most_deep` deepest of its pairs with other crowded
/// bodies. A pair of crowded bodies is left out if neither body keeps it. All other pairs stay, so scenes
/// without crowded bodies do not change. The choice is made anew in every frame: a pair that was left out
/// returns when deeper pairs have separated.
class CrowdedPairs {
 public:
  static constexpr std::int32_t most_deep = 24;  ///< per body

  void reserve(const World& world);

  /// Returns the pairs that remain, in their order. `places`: poses of the shapes; the numbers in pairs count
  /// shapes first, then colliders. Depends on its arguments only. Serial, O(n) for n pairs.
  std::span<const BoxPair> thin(const World& world, std::span<const BoxPair> pairs,
                                std::span<const Placed> places);

 private:
  struct Ball {
    vec3 center{0};  ///< m, in the shape's own frame
    real radius = 0;
  };
  struct Candidate {
    std::int32_t pair;  ///< index in the list of pairs
    std::int32_t body[2];
    real depth;
    std::uint32_t
        tie_break;  ///< orders pairs of equal depth, so that not all bodies keep the same few partners
  };

  real depth(const BoxPair& pair, std::span<const Placed> places) const;
  bool count_pairs(const World& world, std::span<const BoxPair> pairs);
  void find_candidates(const World& world, std::span<const BoxPair> pairs, std::span<const Placed> places);
  void keep_deepest();

  std::vector<Ball> balls_;  ///< per shape, the largest around the middle of its bounds
  std::vector<Candidate> candidates_;
  std::vector<std::int32_t> count_;     ///< pairs per body
  std::vector<std::int32_t> first_;     ///< per body: its first index in `of_body_`; and one more for the end
  std::vector<std::int32_t> of_body_;   ///< indices of candidates, body after body
  std::vector<std::uint8_t> left_out_;  ///< per pair
  std::vector<BoxPair> kept_;
};

}}  // namespace limber::LIMBER_PRECISION
