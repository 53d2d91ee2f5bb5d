// Difference of two pictures as a person sees it, in units of CIE L*a*b*.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/render/renderer.hpp"

namespace limber::test {

using Lab = std::array<double, 3>;

/// CIE L*a*b* (1976) of a colour of the sRGB display with the white D65.
inline Lab lab_of(double r, double g, double b) {
  const auto linear = [](double c) {
    c /= 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  const double x = linear(r), y = linear(g), z = linear(b);
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116.0; };
  const double fx = f((0.4124 * x + 0.3576 * y + 0.1805 * z) / 0.9505),
               fy = f(0.2126 * x + 0.7152 * y + 0.0722 * z),
               fz = f((0.0193 * x + 0.1192 * y + 0.9505 * z) / 1.089);
  return {116.0 * fy - 16.0, 500.0 * (fx - fy), 200.0 * (fy - fz)};
}

/// Distances of colours, Delta E, between the means of squares of `cell` px: a viewer sees these and neither
/// single pixels nor an edge that lies half a pixel aside. 2.3 is just noticeable (M. Mahy, 1994).
struct Difference {
  double mean = 0.0, most = 0.0;
};

inline Difference perceived(const Image& a, const Image& b, int cell = 4) {
  if (a.width != b.width || a.height != b.height) return {100.0, 100.0};
  Difference out;
  int cells = 0;
  for (int y = 0; y + cell <= a.height; y += cell)
    for (int x = 0; x + cell <= a.width; x += cell) {
      std::array<double, 6> sum{};
      for (int k = 0; k < cell * cell; ++k) {
        const std::size_t at =
            3 * (std::size_t(y + k / cell) * std::size_t(a.width) + std::size_t(x + k % cell));
        for (std::size_t c = 0; c < 3; ++c) sum[c] += a.rgb[at + c], sum[3 + c] += b.rgb[at + c];
      }
      for (double& s : sum) s /= double(cell * cell);
      const Lab p = lab_of(sum[0], sum[1], sum[2]), q = lab_of(sum[3], sum[4], sum[5]);
      const double d = std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
      out.mean += d, out.most = std::max(out.most, d), ++cells;
    }
  out.mean /= std::max(cells, 1);
  return out;
}

}  // namespace limber::test
