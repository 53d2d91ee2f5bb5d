#include "engine/geometry/mesh/enclosure.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <string>
#include <tuple>

namespace limber {
namespace {

/// A surface with less volume than this share of area^(3/2) counts as flat: a ball has 0.094, a cube 0.068.
constexpr double least_volume = 1e-6;

/// An edge with the direction in which a triangle runs along it.
struct Side {
  Index low, high;
  bool rising;  ///< from low to high
  std::size_t triangle;
  bool same_edge(const Side& o) const { return low == o.low && high == o.high; }
};

std::vector<Side> sorted_sides(std::span<const Triangle> triangles) {
  std::vector<Side> sides;
  sides.reserve(3 * triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t j = 0; j < 3; ++j) {
      const Index a = triangles[t][j], b = triangles[t][(j + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), a < b, t});
    }
  std::sort(sides.begin(), sides.end(), [](const Side& x, const Side& y) {
    return std::tuple(x.low, x.high, x.triangle) < std::tuple(y.low, y.high, y.triangle);
  });
  return sides;
}

std::string name_of(const Side& side, const MeshNames& names) {
  return names.vertex(side.low) + "-" + names.vertex(side.high);
}

}  // namespace

Enclosure enclosed(std::span<const Triangle> triangles, std::span<const glm::dvec3> positions) {
  glm::dvec3 mean(0.0);
  for (const glm::dvec3& x : positions) mean += x / double(positions.size());
  Enclosure out;
  for (const Triangle& t : triangles) {
    const glm::dvec3 a = positions[std::size_t(t[0])] - mean, b = positions[std::size_t(t[1])] - mean,
                     c = positions[std::size_t(t[2])] - mean;
    out.volume += glm::dot(glm::cross(a, b), c) / 6.0;
    out.area += glm::length(glm::cross(b - a, c - a)) / 2.0;
  }
  return out;
}

int orient_alike(TriMesh& mesh) {
  struct Neighbour {
    std::size_t triangle;
    bool against;  ///< both triangles run along the edge in the same direction
  };
  std::vector<std::vector<Neighbour>> neighbours(mesh.triangles.size());
  const std::vector<Side> sides = sorted_sides(mesh.triangles);
  for (std::size_t first = 0, last; first < sides.size(); first = last) {
    for (last = first + 1; last < sides.size() && sides[last].same_edge(sides[first]);) ++last;
    if (last - first != 2) continue;
    const Side &a = sides[first], &b = sides[first + 1];
    neighbours[a.triangle].push_back({b.triangle, a.rising == b.rising});
    neighbours[b.triangle].push_back({a.triangle, a.rising == b.rising});
  }
  enum class Turn : std::uint8_t { unknown, none, turned };
  std::vector<Turn> turns(mesh.triangles.size(), Turn::unknown);
  int count = 0;
  for (std::size_t seed = 0; seed < turns.size(); ++seed) {
    if (turns[seed] != Turn::unknown) continue;
    turns[seed] = Turn::none;
    std::vector<std::size_t> part{seed};
    for (std::size_t k = 0; k < part.size(); ++k)
      for (const auto& [next, against] : neighbours[part[k]]) {
        if (turns[next] != Turn::unknown) continue;
        turns[next] = (turns[part[k]] == Turn::turned) != against ? Turn::turned : Turn::none;
        part.push_back(next);
      }
    const auto turned = std::size_t(
        std::count_if(part.begin(), part.end(), [&](std::size_t t) { return turns[t] == Turn::turned; }));
    const Turn fewer = 2 * turned > part.size() ? Turn::none : Turn::turned;
    for (const std::size_t t : part)
      if (turns[t] == fewer) std::swap(mesh.triangles[t][1], mesh.triangles[t][2]), ++count;
  }
  return count;
}

Expected<Enclosure> enclose(TriMesh& mesh, const MeshNames& names) {
  int border = 0;
  const Side *open = nullptr, *twisted = nullptr;
  const std::vector<Side> sides = sorted_sides(mesh.triangles);
  for (std::size_t first = 0, last; first < sides.size(); first = last) {
    for (last = first + 1; last < sides.size() && sides[last].same_edge(sides[first]);) ++last;
    if (last - first == 1) {
      ++border;
      if (!open) open = &sides[first];
    } else if (sides[first].rising == sides[last - 1].rising && !twisted) {
      twisted = &sides[first];
    }
  }
  if (open)
    return Error{"the surface is open: " + std::to_string(border) + " border edges, one of them " +
                     name_of(*open, names),
                 {},
                 names.line(open->triangle),
                 "only a closed surface has an inside: close its holes"};
  if (twisted)
    return Error{"the triangles at edge " + name_of(*twisted, names) + " are wound against each other",
                 {},
                 names.line(twisted->triangle),
                 "turn one of them, so that all run counter-clockwise seen from outside"};
  Enclosure out = enclosed(mesh.triangles, mesh.positions);
  if (!(std::abs(out.volume) > least_volume * out.area * std::sqrt(out.area)))
    return Error{"the surface encloses no volume", {}, 0, "a flat mesh has no inside"};
  if (out.volume < 0.0) {
    for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
    out.volume = -out.volume;
  }
  return out;
}

}  // namespace limber
