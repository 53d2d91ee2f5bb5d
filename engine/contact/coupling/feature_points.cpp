#include "engine/contact/coupling/feature_points.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "engine/geometry/queries/closest_features.hpp"
#include "engine/geometry/queries/sweeps.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr real on_surface = real(1e-4);  // m; a start this near to the surface counts as on it
// Slope of an edge over a face (2 degrees) up to which both ends get contacts.
constexpr real flat_slope = real(0.04);
constexpr real long_flat = real(0.1);  // share of an edge; a longer flat part gets contacts at both ends
constexpr int slope_halvings = 8;      // bisections before the interpolation in the last 1/256 of the edge
constexpr int most_advances = 16;
constexpr std::int32_t rim_points = 3;

/// Share of the path at which the distance falls to `radius`, by Newton's method from outside, which for a
/// convex function never passes the zero.
real convex_entry(const ConvexShape& shape, const Placed& at, const vec3& x, const vec3& step, real radius) {
  real t = 0;
  for (int i = 0; i < 2 * most_advances; ++i) {
    const SurfaceDistance<real> here = surface_distance(shape, at, x + t * step);
    const real gap = here.d - radius, slope = glm::dot(here.n, step);
    if (!(slope < real(0))) return real(never);
    if (gap <= on_surface) return t;
    t += gap / -slope;
    if (t > real(1)) return real(never);
  }
  return t;
}

/// m, longest displacement of a feature's points in the substep.
template <int N>
real longest(const vec3 (&step)[N]) {
  real square = 0;
  for (const vec3& s : step) square = std::max(square, glm::dot(s, s));
  return std::sqrt(square);
}

/// Conservative advancement: the time in [0, 1] up to which `distance(t)` (m, changing by at most `speed`)
/// has not fallen to `radius`; 0 if it never falls that far, so that the start can be used.
template <class Distance>
real time_of_approach(real at_start, real radius, real speed, const Distance& distance) {
  if (at_start <= radius + on_surface || at_start - speed > radius) return 0;
  real t = 0, d = at_start;
  for (int i = 0; i < most_advances && d > radius + on_surface; ++i) {
    t += (d - radius) / speed;
    if (!(t < real(1))) return 0;
    d = distance(t);
  }
  return t;
}

/// The signed distance to a shape along an edge from a to b.
struct EdgeDistance {
  const ConvexShape* shape;
  const Placed* at;
  vec3 a, along;

  SurfaceDistance<real> operator()(real t) const { return surface_distance(*shape, *at, a + t * along); }
  real slope(const SurfaceDistance<real>& s) const { return glm::dot(s.n, along); }
  /// Bisects for the parameter at which the slope passes `level`, which it does between `low` and `high`, and
  /// interpolates between the last two. Bisection alone lets the contact point of an edge at rest jump from
  /// one grid value to the next.
  real crossing(real level, real low, real high) const {
    real below = slope((*this)(low)) - level, above = slope((*this)(high)) - level;
    for (int i = 0; i < slope_halvings; ++i) {
      const real middle = real(0.5) * (low + high), there = slope((*this)(middle)) - level;
      (there < real(0) ? low : high) = middle;
      (there < real(0) ? below : above) = there;
    }
    return above > below ? low + (high - low) * std::clamp(-below / (above - below), real(0), real(1))
                         : real(0.5) * (low + high);
  }
};

struct LowPart {
  real low = 0, high = 1;  ///< shares of the edge
};

/// m, lower bound of the distance: by convexity no point of the edge is nearer than the intersection of the
/// tangents at its ends.
real least_distance(const EdgeDistance& edge) {
  const SurfaceDistance<real> first = edge(0), last = edge(1);
  const real down = edge.slope(first), up = edge.slope(last);
  if (!(down < real(0) && up > real(0))) return std::min(first.d, last.d);
  return first.d + down * std::clamp((first.d - last.d + up) / (up - down), real(0), real(1));
}

/// low_part() for a sphere: at the distance u along the edge from the point nearest to the centre, which is h
/// away from it, the slope is u / sqrt(u^2 + h^2).
LowPart low_part_of_sphere(const EdgeDistance& edge) {
  const vec3 to_center = edge.at->position - edge.a;
  const real square = glm::dot(edge.along, edge.along);
  if (!(square > real(0))) return {0, 0};
  const real nearest = glm::dot(to_center, edge.along) / square;
  const vec3 across = to_center - nearest * edge.along;
  const real flat =
      flat_slope * std::sqrt(glm::dot(across, across) / (square * (1 - flat_slope * flat_slope)));
  return {std::clamp(nearest - flat, real(0), real(1)), std::clamp(nearest + flat, real(0), real(1))};
}

/// The part of an edge whose slope counts as flat: it is nearest to the shape.
LowPart low_part(const EdgeDistance& edge) {
  if (edge.shape->kind == ConvexKind::sphere) return low_part_of_sphere(edge);
  const real flat = flat_slope * glm::length(edge.along);
  const real first = edge.slope(edge(0)), last = edge.slope(edge(1));
  LowPart part;
  if (first >= flat) return {0, 0};
  if (last <= -flat) return {1, 1};
  if (first < -flat) part.low = edge.crossing(-flat, 0, 1);
  if (last > flat) part.high = edge.crossing(flat, part.low, 1);
  return part;
}

void set_edge_point(const EdgeDistance& edge, real t, const SurfaceDistance<real>& s, FeaturePoint& out) {
  out.weight[0] = 1 - t, out.weight[1] = t, out.weight[2] = 0;
  out.normal = s.n;
  out.start = s.d;
  out.point = edge.a + t * edge.along - s.d * s.n;
}

/// The part of a direction in the plane of a round shape's axis and a point, where its normals lie; other
/// shapes have no such plane.
vec3 in_plane_of_axis(const EdgeDistance& edge, const vec3& point, const vec3& n) {
  if (edge.shape->kind != ConvexKind::cylinder && edge.shape->kind != ConvexKind::capsule) return n;
  const vec3 &axis = edge.at->rotation[1], r = point - edge.at->position;
  const vec3 out = r - glm::dot(r, axis) * axis;
  const real square = glm::dot(out, out);
  return glm::dot(n, axis) * axis + (square > real(0) ? glm::dot(n, out) / square : real(0)) * out;
}

/// Direction at the lowest point of an edge, interpolated between the directions on either side of that
/// point. Inside a body, where two faces meet, neither face's own normal leads out.
SurfaceDistance<real> across_edge(const EdgeDistance& edge, const LowPart& part) {
  const SurfaceDistance<real> left = edge(part.low), right = edge(part.high);
  const real t = real(0.5) * (part.low + part.high);
  const SurfaceDistance<real> middle = edge(t);
  const real down = edge.slope(left), up = edge.slope(right);
  if (!(down < real(0) && up > real(0))) return middle;
  const vec3 n =
      in_plane_of_axis(edge, edge.a + t * edge.along, (up * left.n - down * right.n) / (up - down));
  const real length = glm::length(n);
  return length > real(0.1) ? SurfaceDistance<real>{middle.d / length, n / length} : middle;
}

vec3 any_across(const vec3& axis) {
  const vec3 other = std::abs(axis.x) > real(0.6) ? vec3(0, 1, 0) : vec3(1, 0, 0);
  return glm::normalize(glm::cross(axis, other));
}

using L1 = Lanes<real, 1>;

TriangleWeights<L1> nearest_of(const vec3& y, const vec3 (&x)[3]) {
  const auto lanes = [](const vec3& v) { return Vec3<L1>{L1(v.x), L1(v.y), L1(v.z)}; };
  const Vec3<L1> triangle[3] = {lanes(x[0]), lanes(x[1]), lanes(x[2])};
  return closest_on_triangle(lanes(y), triangle);
}

vec3 spot_of(const TriangleWeights<L1>& w, const vec3 (&x)[3]) {
  return x[2] + w.b[0].v * (x[0] - x[2]) + w.b[1].v * (x[1] - x[2]);
}

}  // namespace

bool corners_suffice(const ConvexShape& shape, real longest, real thickness) {
  if (shape.kind != ConvexKind::sphere) return false;
  return longest * longest <= thickness * (2 * shape.size.x + real(5.0 / 3.0) * thickness);
}

bool vertex_point(const ConvexShape& shape, const Placed& at, const vec3& x, const vec3& step,
                  const PointReach& reach, FeaturePoint& out) {
  const real length = glm::length(step), thickness = reach.thickness;
  const vec3 end = x + step;
  const auto take = [&](const vec3& place, const SurfaceDistance<real>& s, real start) {
    out.normal = s.n;
    out.point = place - s.d * s.n;
    out.start = start;
    return true;
  };
  const SurfaceDistance<real> last = surface_distance(shape, at, end);
  if (!(last.d < thickness + std::max(thickness, length) + reach.margin)) return false;
  // Above the tangent plane at the end, the start is outside any convex shape, so the path crosses nothing.
  const real over = last.d - glm::dot(last.n, step);
  if (over > std::min(real(0.5) * thickness, thickness - on_surface)) return take(end, last, over);
  const SurfaceDistance<real> first = surface_distance(shape, at, x);
  if (first.d < -on_surface) return take(end, last, first.d);
  const real radius = std::clamp(first.d, real(0), thickness);
  if (first.d < radius + on_surface && glm::dot(first.n, step) < real(0)) return take(x, first, first.d);
  const real t = convex_entry(shape, at, x, step, radius);
  if (t > real(1)) return take(end, last, first.d);
  const vec3 entry = x + t * step;
  return take(entry, surface_distance(shape, at, entry), radius);
}

real least_distance_of_edge(const ConvexShape& shape, const Placed& at, const vec3& a, const vec3& b) {
  return least_distance({&shape, &at, a, b - a});
}

int edge_points(const ConvexShape& shape, const Placed& at, const vec3 (&x)[2], const vec3 (&step)[2],
                const PointReach& reach, FeaturePoint (&out)[2]) {
  const real speed = longest(step), thickness = reach.thickness;
  const auto when = [&](real t) {
    const vec3 a = x[0] + t * step[0];
    return EdgeDistance{&shape, &at, a, x[1] + t * step[1] - a};
  };
  EdgeDistance edge = when(0);
  const real within = thickness + std::max(thickness, speed) + reach.margin;
  if (edge(real(0.5)).d - real(0.5) * glm::length(edge.along) > within || least_distance(edge) > within)
    return 0;
  LowPart part = low_part(edge);
  const auto lowest = [](const EdgeDistance& e, const LowPart& p) {
    return e(real(0.5) * (p.low + p.high)).d;
  };
  const real start = lowest(edge, part);
  if (!(start < within)) return 0;
  const real t = time_of_approach(start, std::min(start, thickness), speed, [&](real now) {
    const EdgeDistance later = when(now);
    return lowest(later, low_part(later));
  });
  if (t > real(0)) {
    edge = when(t);
    part = low_part(edge);
  }
  constexpr real inner = real(0.02);  // nearer to an end the vertex touches instead
  const bool low_inside = part.low > inner && part.low < 1 - inner;
  const bool high_inside = part.high > inner && part.high < 1 - inner;
  int count = 0;
  const auto add = [&](real s, const SurfaceDistance<real>& distance) {
    set_edge_point(edge, s, distance, out[count]);
    out[count++].start = start;
  };
  if (low_inside && high_inside && part.high - part.low <= long_flat) {
    add(real(0.5) * (part.low + part.high), across_edge(edge, part));
    return count;
  }
  // Beyond the end of a face the normal is tilted outwards: rows there would push a body that slides over a
  // seam of two bodies forwards and backwards in turn.
  const real inward = long_flat * (part.high - part.low);
  const vec3 face = edge(real(0.5) * (part.low + part.high)).n;
  const auto over_face = [&](real s) {
    const SurfaceDistance<real> there = edge(s);
    const vec3 beyond = there.n - glm::dot(there.n, face) * face;
    const real along = glm::dot(beyond, edge.along);
    return along != real(0) ? s - there.d * glm::dot(beyond, beyond) / along : s;
  };
  const real low = std::max(part.low + inward, over_face(part.low)),
             high = std::min(part.high - inward, over_face(part.high));
  if (low_inside && low < 1) add(low, edge(low));
  if (high_inside && high > 0) add(high, edge(high));
  return count;
}

std::int32_t corner_count(const ConvexShape& shape) {
  switch (shape.kind) {
    case ConvexKind::sphere:
      return 1;
    case ConvexKind::capsule:
      return 2;
    case ConvexKind::box:
      return 8;
    case ConvexKind::cylinder:
      return 2 * rim_points;
    case ConvexKind::hull:
      break;
  }
  return std::int32_t(shape.hull->vertices.size());
}

Corner corner_of(const ConvexShape& shape, const Placed& at, std::int32_t k, const vec3& towards) {
  const vec3& size = shape.size;
  const auto in_place = [&](const vec3& local) { return at.position + at.rotation * local; };
  switch (shape.kind) {
    case ConvexKind::sphere:
      return {at.position, size.x};
    case ConvexKind::capsule:
      return {in_place({0, k == 0 ? size.y : -size.y, 0}), size.x};
    case ConvexKind::box:
      return {in_place({k & 1 ? size.x : -size.x, k & 2 ? size.y : -size.y, k & 4 ? size.z : -size.z}), 0};
    case ConvexKind::cylinder: {
      const vec3 axis = at.rotation[1];
      const vec3 across = towards - glm::dot(towards, axis) * axis;
      const real length = glm::length(across);
      const vec3 first = length > real(1e-3) ? across / length : any_across(axis);
      const vec3 second = glm::cross(axis, first);
      constexpr real half = real(-0.5), side = real(0.86602540378443865);
      const std::int32_t third = k % rim_points;
      const vec3 out = third == 0 ? first : half * first + (third == 1 ? side : -side) * second;
      return {at.position + (k < rim_points ? size.y : -size.y) * axis + size.x * out, 0};
    }
    case ConvexKind::hull:
      break;
  }
  return {in_place(vec3(shape.hull->vertices[std::size_t(k)])), 0};
}

real distance_of_corner(const ConvexShape& shape, const Placed& at, std::int32_t k, const vec3 (&x)[3]) {
  if (shape.kind == ConvexKind::cylinder) {  // from the middle of a cap, minus its radius
    const real side = k < rim_points ? shape.size.y : -shape.size.y;
    const vec3 middle = at.position + side * at.rotation[1];
    return glm::length(spot_of(nearest_of(middle, x), x) - middle) - shape.size.x;
  }
  const Corner corner = corner_of(shape, at, k, vec3(0));
  return glm::length(spot_of(nearest_of(corner.place, x), x) - corner.place) - corner.radius;
}

bool corner_point(const ConvexShape& shape, const Placed& at, std::int32_t k, const vec3 (&x)[3],
                  const vec3 (&step)[3], const PointReach& reach, FeaturePoint& out) {
  vec3 normal = glm::cross(x[1] - x[0], x[2] - x[0]);
  const real twice_area = glm::length(normal);
  if (!(twice_area > real(1e-12))) return false;
  normal /= twice_area;
  const vec3 center =
      shape.kind == ConvexKind::hull ? at.position + at.rotation * vec3(shape.hull->center) : at.position;
  if (glm::dot(normal, x[0] - center) < real(0)) normal = -normal;  // points away from the body
  const Corner corner = corner_of(shape, at, k, normal);
  const real speed = longest(step), thickness = reach.thickness;
  const real plane = std::abs(glm::dot(normal, x[0] - corner.place)) - corner.radius;
  if (!(plane < thickness + std::max(thickness, speed) + reach.margin)) return false;

  vec3 now[3] = {x[0], x[1], x[2]};
  TriangleWeights<L1> nearest = nearest_of(corner.place, now);
  const auto distance = [&] { return glm::length(spot_of(nearest, now) - corner.place) - corner.radius; };
  const vec3 q = spot_of(nearest, now);
  const bool through = corner.radius == real(0) && surface_distance(shape, at, q).d < real(0);
  real start = distance();
  if (!through) {
    const real t = time_of_approach(start, std::min(start, thickness), speed, [&](real later) {
      for (int j = 0; j < 3; ++j) now[j] = x[j] + later * step[j];
      nearest = nearest_of(corner.place, now);
      return distance();
    });
    if (t == real(0)) {
      for (int j = 0; j < 3; ++j) now[j] = x[j];
      nearest = nearest_of(corner.place, now);
    }
  }
  if (!nearest.inside) return false;
  const vec3 away = spot_of(nearest, now) - corner.place;
  const real apart = glm::length(away);
  if (through) {  // the corner has poked through, or the whole body is on the other side
    start = glm::dot(normal, away);
    if (start > real(0)) return false;
    out.normal = normal;
  } else {
    out.normal = apart > real(1e-9) ? away / apart : normal;
  }
  for (int j = 0; j < 3; ++j) out.weight[j] = nearest.b[j].v;
  out.point = corner.place + corner.radius * out.normal;
  out.start = start;
  return true;
}

}}  // namespace limber::LIMBER_PRECISION
