// Sine from arithmetic alone, so that its bits do not depend on the machine's libm.
#pragma once

#include <cmath>

namespace limber {

/// sin(2 pi turns), error under 1e-15 + the rounding of `turns` itself. The argument is
/// folded to a quarter of a turn; the Taylor polynomial ends with x^21: the first omitted term is (pi/2)^23 /
/// 23! = 1.3e-18.
inline double sin_turns(double turns) {
  double t = turns - std::floor(turns + 0.5);  // [-1/2, 1/2)
  if (t > 0.25) t = 0.5 - t;
  if (t < -0.25) t = -0.5 - t;
  const double x = 6.283185307179586477 * t;
  double sum = 1.0;  // Horner in the form 1 - z/(2*3) (1 - z/(4*5) (1 - ...))
  for (int k = 20; k >= 2; k -= 2) sum = 1.0 - x * x / double(k * (k + 1)) * sum;
  return x * sum;
}

}  // namespace limber
