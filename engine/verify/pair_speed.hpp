// Time that contact between two convex bodies takes, for `limber bench`. Independent of the precision;
// measured in float.
#pragma once

#include "engine/geometry/convex/convex_kind.hpp"

namespace limber {

struct PairSpeed {
  int pairs = 0;
  double nanoseconds = 0.0;  ///< per pair and frame
  double points = 0.0;       ///< per pair
};

/// Measures pairs of bodies about a metre large with random orientations, one above the other with a gap of
/// half a millimetre. Each pair is collided again and again with the result of the call before; the best of
/// several runs counts. `gap` > 0 replaces the half millimetre by that many metres.
PairSpeed measure_pairs(ConvexKind a, ConvexKind b, double gap);

}  // namespace limber
