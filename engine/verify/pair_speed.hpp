// Time of contact between two convex bodies, for `limber bench`. Precision-neutral; measured in float.
#pragma once

#include "engine/geometry/convex/convex_kind.hpp"

namespace limber {

struct PairSpeed {
  int pairs = 0;
  double nanoseconds = 0.0;  ///< per pair and frame
  double points = 0.0;       ///< per pair
};

/// Measures pairs of bodies about a metre large, one on the other with half a millimetre between them and
/// turned at random, each collided again and again with the result of the call before: best of several. A
/// `gap` > 0 puts them that many metres apart instead.
PairSpeed measure_pairs(ConvexKind a, ConvexKind b, double gap);

}  // namespace limber
