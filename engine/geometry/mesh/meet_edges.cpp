#include <algorithm>
#include <cmath>

#include "engine/geometry/convex/contact_features.hpp"

namespace limber {
namespace {

/// An edge (ends = 2), or its tip as an edge of length zero (ends = 1).
struct Span {
  glm::dvec3 start, along, flat;  ///< flat: without its part along the normal
  Span(const ContactFeature& f, int ends, const glm::dvec3& normal)
      : start(f.corners[ends == 2 ? 0 : f.tip]),
        along(ends == 2 ? f.corners[1] - f.corners[0] : glm::dvec3(0.0)) {
    flat = along - glm::dot(along, normal) * normal;
  }
};

double nearest_share(const glm::dvec3& along, const glm::dvec3& to) {
  const double square = glm::dot(along, along);
  return square > 0.0 ? std::clamp(glm::dot(along, to) / square, 0.0, 1.0) : 0.0;
}

/// Shares s and t along two spans at which they are nearest, seen along the normal; `skew` is the square of
/// the sine of the angle between them.
struct SpanMeeting {
  double s, t, skew;
};
SpanMeeting meet(const Span& u, const Span& v, const glm::dvec3& r) {
  const double uu = glm::dot(u.flat, u.flat), vv = glm::dot(v.flat, v.flat), uv = glm::dot(u.flat, v.flat);
  const double area = uu * vv - uv * uv, skew = uu * vv > 0.0 ? area / (uu * vv) : 1.0;
  double s = 0.5;
  if (uu * vv > 0.0 && skew > 1e-12)
    s = std::clamp((uv * glm::dot(v.flat, r) - vv * glm::dot(u.flat, r)) / area, 0.0, 1.0);
  const double t = nearest_share(v.flat, r + s * u.flat);
  return {nearest_share(u.flat, t * v.flat - r), t, skew};
}

}  // namespace

EdgeMeeting meet_edges(const ContactFeature& a, const ContactFeature& b, const glm::dvec3& normal,
                       double separation, ContactPointOf<double>* points) {
  const auto point = [&](const glm::dvec3& p, const glm::dvec3& q, std::uint32_t end) {
    return ContactPointOf<double>{0.5 * (p - a.radius * normal + q + b.radius * normal),
                                  glm::dot(normal, p - q) - a.radius - b.radius,
                                  feature_number(Meeting::edges, a.names[0], b.names[0] | end << 12)};
  };
  const auto flat = [&](const glm::dvec3& v) { return v - glm::dot(v, normal) * normal; };
  // an edge that slopes a little may touch with its corner only, so the deepest pair of coinciding points is
  // taken
  EdgeMeeting met{1, INFINITY, a.corners[0], b.corners[0]};
  for (int ends_a = a.count; ends_a > 0; --ends_a)
    for (int ends_b = b.count; ends_b > 0; --ends_b) {
      const Span u(a, ends_a, normal), v(b, ends_b, normal);
      const SpanMeeting at = meet(u, v, flat(u.start - v.start));
      const glm::dvec3 p = u.start + at.s * u.along, q = v.start + at.t * v.along;
      const ContactPointOf<double> candidate = point(p, q, 0);
      const double miss = glm::length(flat(p - q)) + candidate.separation - separation;
      if (!(miss < met.miss)) continue;
      met = {1, miss, p - a.radius * normal, q + b.radius * normal};
      points[0] = candidate;
    }
  if (a.count < 2 || b.count < 2) return met;
  const Span u(a, 2, normal), v(b, 2, normal);
  const glm::dvec3 r = flat(u.start - v.start);
  const SpanMeeting at = meet(u, v, r);
  if (!(at.skew < 0.01)) return met;

  // nearly parallel: the ends of the common part, and between them the nearest point if that is nearer
  const double uu = glm::dot(u.flat, u.flat), start = glm::dot(u.flat, -r) / uu;
  const double finish = start + glm::dot(u.flat, v.flat) / uu;
  const double low = std::max(0.0, std::min(start, finish)), high = std::min(1.0, std::max(start, finish));
  if (!(high - low > 1e-3)) return met;
  const bool between =
      at.skew > 1e-6 && at.s > low + 0.05 * (high - low) && at.s < high - 0.05 * (high - low);
  ContactPointOf<double> ends[2];
  for (const int end : {0, 1}) {
    const double share = end ? high : low;
    ends[end] = point(u.start + share * u.along,
                      v.start + nearest_share(v.flat, r + share * u.flat) * v.along, std::uint32_t(1 + end));
  }
  const double nearest = std::min(ends[0].separation, ends[1].separation);
  met.count = between || points[0].separation < nearest - 1e-3 * std::sqrt(uu) ? 1 : 0;
  for (const ContactPointOf<double>& end : ends) points[met.count++] = end;
  return met;
}

}  // namespace limber
