// Breaking of rods: a rod breaks if its tension, bending or twist exceeds its limits.
#pragma once

#include <vector>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Compares, once a frame, the tension of each segment, and the bending and twist of each joint relative to
/// the shape as built, with the limits of the rod. A rod breaks at most once in a frame, at the largest
/// excess, because a break relieves the rest. An overloaded segment breaks at the end towards the neighbour
/// with the larger tension; an overloaded joint breaks at its point, the joint at a clamp one segment
/// farther. Fixed points never break.
class RodBreaking {
 public:
  static bool enabled(const World& world);
  void reserve(const World& world);

  /// Breaks rods after a frame. Returns whether any broke. Serial.
  bool part(World& world);

 private:
  struct Site {
    double over;  ///< the load over its limit, > 1
    std::int32_t turn;
    bool at_end;  ///< at the end (not the start) of the segment with that turn
  };
  void find_pulled(const World& world);
  void find_bent(const World& world);

  std::vector<double> length_;   ///< m, per turn: length of its segment; 0: it has none
  std::vector<double> tension_;  ///< N, per turn; filled only if some load is over its limit
  std::vector<Site> sites_;
};

}}  // namespace limber::LIMBER_PRECISION
