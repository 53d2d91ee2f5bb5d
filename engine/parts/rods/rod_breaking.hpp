// Breaking of rods: they part where they are pulled, bent or twisted beyond what they bear.
#pragma once

#include <vector>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Looks once a frame at the pull in each segment and at what each joint is bent and twisted by, away from
/// the shape that the rod was built with. A rod parts once in a frame, where it is farthest over a limit:
/// what is left of it is relieved first. A segment that is pulled too hard parts at the end where its
/// neighbour is pulled harder, a joint at its point, that of a clamp a segment farther. Held points stay
/// whole.
class RodBreaking {
 public:
  static bool enabled(const World& world);
  void reserve(const World& world);

  /// On one thread, behind the frame. Whether anything parted.
  bool part(World& world);

 private:
  struct Site {
    double over;  ///< the load over its limit, > 1
    std::int32_t turn;
    bool at_end;  ///< of the segment with that turn
  };
  void find_pulled(const World& world);
  void find_bent(const World& world);

  std::vector<double> length_;   ///< m, of the segment per turn; 0: it has none
  std::vector<double> tension_;  ///< N, per turn; while something is over its limit
  std::vector<Site> sites_;
};

}}  // namespace limber::LIMBER_PRECISION
