#include "engine/geometry/convex/airfoil_shape.hpp"

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace limber {

glm::dvec3 extent_of(std::span<const glm::dvec3> corners) {
  if (corners.empty()) return glm::dvec3(0.0);
  glm::dvec3 low = corners.front(), high = low;
  for (const glm::dvec3& x : corners) low = glm::min(low, x), high = glm::max(high, x);
  return high - low;
}

AirfoilShape make_airfoil(std::span<const glm::dvec3> corners, int chord_axis) {
  const glm::dvec3 extent = extent_of(corners);
  const int a = (chord_axis + 1) % 3, b = (chord_axis + 2) % 3;
  const int normal = extent[a] <= extent[b] ? a : b, span = normal == a ? b : a;
  AirfoilShape out;
  out.axes = glm::dmat3(0.0);
  out.axes[0][chord_axis] = 1.0;
  out.axes[1][normal] = 1.0;
  out.axes[2] = glm::cross(out.axes[0], out.axes[1]);
  double first = corners.front()[span], height = 0.0;
  for (const glm::dvec3& x : corners) first = std::min(first, x[span]);
  for (const glm::dvec3& x : corners) height += x[normal] / double(corners.size());
  for (std::size_t s = 0; s < AirfoilShape::strip_count; ++s) {
    AirfoilStrip& strip = out.strips[s];
    strip.width = extent[span] / double(AirfoilShape::strip_count);
    const double at = first + (double(s) + 0.5) * strip.width;
    // the cross-section of a convex solid ends where lines between two of its corners cross the plane
    double low = 0.0, high = 0.0;
    bool met = false;
    for (const glm::dvec3& x : corners)
      for (const glm::dvec3& y : corners) {
        if (!(x[span] <= at && y[span] > at)) continue;
        const double share = (at - x[span]) / (y[span] - x[span]);
        const double place = x[chord_axis] + share * (y[chord_axis] - x[chord_axis]);
        low = met ? std::min(low, place) : place;
        high = met ? std::max(high, place) : place;
        met = true;
      }
    strip.chord = high - low;
    strip.middle[chord_axis] = 0.5 * (low + high);
    strip.middle[normal] = height;
    strip.middle[span] = at;
  }
  return out;
}

AirfoilShape moved(const AirfoilShape& airfoil, const Placement& place) {
  AirfoilShape out = airfoil;
  out.axes = place.rotation * airfoil.axes;
  for (AirfoilStrip& strip : out.strips) strip.middle = place.position + place.rotation * strip.middle;
  return out;
}

}  // namespace limber
