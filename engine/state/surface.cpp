#include "engine/state/surface.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <numbers>
#include <tuple>

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// An edge (number `side`) of a triangle; a < b are its vertices.
struct Side {
  std::int32_t a, b, triangle, side;
  bool same_edge(const Side& o) const { return a == o.a && b == o.b; }
};

/// Largest inner angle (rad) of the border at rest that counts as straight; a vertex of a hole with up to 180
/// edges has a larger one.
constexpr real straight = real(3.1416 + 0.035);

real angle_at(const vec3& corner, const vec3& a, const vec3& b) {
  return std::atan2(glm::length(glm::cross(a - corner, b - corner)), glm::dot(a - corner, b - corner));
}

std::vector<Side> sorted_sides(std::span<const std::array<std::int32_t, 3>> triangles) {
  std::vector<Side> sides;
  sides.reserve(3 * triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (int j = 0; j < 3; ++j) {
      const auto [a, b] = std::minmax(triangles[t][std::size_t(j)], triangles[t][std::size_t((j + 1) % 3)]);
      sides.push_back({a, b, std::int32_t(t), j});
    }
  std::sort(sides.begin(), sides.end(), [](const Side& x, const Side& y) {
    return std::tie(x.a, x.b, x.triangle) < std::tie(y.a, y.b, y.triangle);
  });
  return sides;
}

}  // namespace

Surface make_surface(std::span<const std::array<std::int32_t, 3>> triangles, std::span<const vec3> rest) {
  Surface surface;
  surface.owned.assign(triangles.size(), 0);
  surface.at_gap.assign(triangles.size(), 0);
  surface.neighbors.assign(triangles.size(), {-1, -1, -1});
  surface.rest.assign(rest.begin(), rest.end());
  surface.room.assign(rest.size(), real(0));

  std::vector<std::uint8_t> seen(rest.size(), 0);
  std::vector<std::int32_t> border(rest.size(), 0);  // edges with one triangle
  std::vector<real> angle(rest.size(), real(0));
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (int j = 0; j < 3; ++j) {
      std::uint8_t& already = seen[std::size_t(triangles[t][std::size_t(j)])];
      if (!already) surface.owned[t] |= std::uint8_t(1 << j);
      already = 1;
      const auto corner = [&](int k) { return rest[std::size_t(triangles[t][std::size_t((j + k) % 3)])]; };
      angle[std::size_t(triangles[t][std::size_t(j)])] += angle_at(corner(0), corner(1), corner(2));
    }
  std::vector<real> shortest(rest.size(), std::numeric_limits<real>::max());
  const std::vector<Side> sides = sorted_sides(triangles);
  for (std::size_t first = 0, last; first < sides.size(); first = last) {
    for (last = first + 1; last < sides.size() && sides[last].same_edge(sides[first]);) ++last;
    const Side& side = sides[first];
    surface.owned[std::size_t(side.triangle)] |= std::uint8_t(8 << side.side);
    if (last - first == 2) {
      const Side& other = sides[first + 1];
      surface.neighbors[std::size_t(side.triangle)][std::size_t(side.side)] = other.triangle;
      surface.neighbors[std::size_t(other.triangle)][std::size_t(other.side)] = side.triangle;
    }
    const real length = glm::distance(rest[std::size_t(side.a)], rest[std::size_t(side.b)]);
    for (std::int32_t end : {side.a, side.b}) {
      shortest[std::size_t(end)] = std::min(shortest[std::size_t(end)], length);
      border[std::size_t(end)] += last - first == 1;
    }
  }
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::int32_t i : triangles[t]) {
      const std::int32_t edges = border[std::size_t(i)];
      surface.at_gap[t] |= edges > 2 || (edges > 0 && angle[std::size_t(i)] > straight);
    }
  for (std::size_t i = 0; i < rest.size(); ++i)
    if (seen[i]) surface.room[i] = shortest[i] / 2;
  return surface;
}

void add_segments(Surface& surface, std::span<const RodSegment> segments, bool closed, real radius) {
  constexpr std::uint8_t first_vertex = 1, second_vertex = 2, edge = 8;
  surface.segments_at.resize(surface.rest.size(), {-1, -1});
  real length = 0;
  for (const RodSegment& segment : segments) length += segment.length;
  real along = 0;
  const auto place = [&](std::int32_t point) {
    const real angle = 2 * std::numbers::pi_v<real> * along / length;
    surface.rest[std::size_t(point)] =
        closed ? length / (2 * std::numbers::pi_v<real>)*vec3(std::cos(angle), std::sin(angle), 0)
               : vec3(along, 0, 0);
  };
  for (std::size_t k = 0; k < segments.size(); ++k) {
    const RodSegment& segment = segments[k];
    const bool last = k + 1 == segments.size();
    const std::int32_t facet = std::int32_t(surface.owned.size());
    surface.owned.push_back(std::uint8_t(first_vertex | edge | (last && !closed ? second_vertex : 0)));
    surface.at_gap.push_back(0);
    surface.neighbors.push_back({-1, -1, -1});
    place(segment.points[0]);
    along += segment.length;
    if (!(last && closed)) place(segment.points[1]);
    for (const std::int32_t point : segment.points) {
      real& room = surface.room[std::size_t(point)];
      auto& here = surface.segments_at[std::size_t(point)];
      room = here[0] < 0 ? segment.length / 2 : std::min(room, segment.length / 2);
      here[here[0] < 0 ? 0 : 1] = facet;
    }
  }
  for (const RodSegment& segment : segments)
    for (const std::int32_t point : segment.points)
      surface.room[std::size_t(point)] = std::max(surface.room[std::size_t(point)], 2 * radius);
}

}}  // namespace limber::LIMBER_PRECISION
