#include "engine/scene/build/tethers.hpp"

#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace limber {
namespace {

constexpr double unreached = std::numeric_limits<double>::infinity();

/// Springs at each vertex: those of vertex v are springs[k] for offset[v] <= k < offset[v + 1].
struct Incidence {
  std::vector<std::size_t> offset, springs;
};

Incidence springs_by_vertex(const ObjectGeometry& object) {
  Incidence at;
  at.offset.assign(object.positions.size() + 1, 0);
  for (const SpringGeometry& spring : object.springs)
    for (Index v : spring.vertices) ++at.offset[std::size_t(v) + 1];
  for (std::size_t v = 1; v < at.offset.size(); ++v) at.offset[v] += at.offset[v - 1];
  at.springs.resize(at.offset.back());
  std::vector<std::size_t> next(at.offset.begin(), at.offset.end() - 1);
  for (std::size_t s = 0; s < object.springs.size(); ++s)
    for (Index v : object.springs[s].vertices) at.springs[next[std::size_t(v)]++] = s;
  return at;
}

}  // namespace

/// Dijkstra's algorithm from all fixed vertices at once.
std::vector<SpringGeometry> make_tethers(const ObjectGeometry& object, double slack) {
  struct Way {
    double length;
    Index vertex, anchor;
    bool operator>(const Way& other) const {
      return std::pair(length, vertex) > std::pair(other.length, other.vertex);
    }
  };
  std::priority_queue<Way, std::vector<Way>, std::greater<>> open;
  std::vector<Way> best(object.positions.size(), Way{unreached, -1, -1});
  const auto reach = [&](Index vertex, double length, Index anchor) {
    if (!(length < best[std::size_t(vertex)].length)) return;
    best[std::size_t(vertex)] = {length, vertex, anchor};
    open.push({length, vertex, anchor});
  };
  for (std::size_t v = 0; v < object.masses.size(); ++v)
    if (object.masses[v] == 0.0) reach(Index(v), 0.0, Index(v));
  for (std::size_t a = 0; a < object.attached.size(); ++a)
    if (object.fixes(a))
      for (Index v : object.attached[a]) reach(v, 0.0, v);

  const Incidence at = springs_by_vertex(object);
  while (!open.empty()) {
    const Way way = open.top();
    open.pop();
    const std::size_t v = std::size_t(way.vertex);
    if (way.length > best[v].length) continue;  // a shorter path was found after this one was queued
    for (std::size_t k = at.offset[v]; k < at.offset[v + 1]; ++k) {
      const SpringGeometry& spring = object.springs[at.springs[k]];
      const Index other = spring.vertices[spring.vertices[0] == way.vertex ? 1 : 0];
      reach(other, way.length + spring.rest_length, way.anchor);
    }
  }
  std::vector<SpringGeometry> tethers;
  for (const Way& way : best)
    if (0.0 < way.length && way.length < unreached)
      tethers.push_back({{way.vertex, way.anchor}, slack * way.length});
  return tethers;
}

}  // namespace limber
