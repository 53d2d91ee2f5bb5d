#include "engine/method/mesh_hierarchy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <unordered_map>
#include <utility>

#include "engine/coloring/coloring.hpp"
#include "engine/state/constraint_set.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr std::size_t fewest_particles = 24, most_levels = 8;
constexpr int least_parents = 2;
constexpr double unreached = std::numeric_limits<double>::infinity();

struct Edge {
  std::int32_t a, b;
  double length;  ///< m, rest length
};

/// Edges from each particle, sorted by the other end.
class Graph {
 public:
  Graph(std::int32_t particles, const std::vector<Edge>& edges) : first_(std::size_t(particles) + 1, 0) {
    for (const Edge& e : edges) ++first_[std::size_t(e.a) + 1], ++first_[std::size_t(e.b) + 1];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    ways_.resize(2 * edges.size());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (const Edge& e : edges) {
      ways_[next[std::size_t(e.a)]++] = {e.b, e.length};
      ways_[next[std::size_t(e.b)]++] = {e.a, e.length};
    }
  }
  struct Way {
    std::int32_t to;
    double length;
  };
  std::span<const Way> from(std::int32_t i) const {
    const std::size_t first = first_[std::size_t(i)];
    return {ways_.data() + first, first_[std::size_t(i) + 1] - first};
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<Way> ways_;
};

/// Key of the edge {a, b} in a map of lengths.
std::uint64_t key(std::int32_t a, std::int32_t b) {
  return std::uint64_t(std::uint32_t(std::min(a, b))) << 32 | std::uint32_t(std::max(a, b));
}
using Lengths = std::unordered_map<std::uint64_t, double>;

/// Calls visit(batch, slot) for the live constraints of `Type`.
template <class Type, class Visit>
void for_constraints(const ConstraintSet& constraints, const Visit& visit) {
  const auto& batch = std::get<StencilBatch<Type>>(constraints);
  for (std::size_t s = 0; s < batch.id.size(); ++s)
    if (batch.id[s] >= 0) visit(batch, s);
}

/// The constraints that limit the distance of two particles, as edges, one per pair of particles.
std::vector<Edge> edges_of(const ConstraintSet& constraints, Lengths& lengths) {
  std::vector<Edge> edges;
  const auto take = [&](const auto& batch, std::size_t s) {
    const std::int32_t a = batch.vertices[0][s], b = batch.vertices[1][s];
    const double length = double(batch.rest[0][s]);
    if (a != b && length > 0.0 && lengths.emplace(key(a, b), length).second) edges.push_back({a, b, length});
  };
  for_constraints<Distance>(constraints, take);
  for_constraints<Rope>(constraints, take);
  return edges;
}

/// Distance of the tips of two triangles with a common edge, unfolded into a plane; `a`, `b`: distances of a
/// tip from the ends of the edge.
double across_hinge(double edge, double a0, double b0, double a1, double b1) {
  const auto foot = [&](double a, double b) { return (a * a - b * b + edge * edge) / (2 * edge); };
  const double u0 = foot(a0, b0), u1 = foot(a1, b1);
  const double height =
      std::sqrt(std::max(0.0, a0 * a0 - u0 * u0)) + std::sqrt(std::max(0.0, a1 * a1 - u1 * u1));
  return std::sqrt((u0 - u1) * (u0 - u1) + height * height);
}

/// The edges, and the straight connections across hinges.
std::vector<Edge> with_ways_across(const ConstraintSet& constraints, std::vector<Edge> edges,
                                   Lengths& lengths) {
  const auto cross = [&](const auto& batch, std::size_t s) {
    const auto at = [&](int j) { return batch.vertices[std::size_t(j)][s]; };
    const auto length = [&](int j, int k) {
      const auto found = lengths.find(key(at(j), at(k)));
      return found == lengths.end() ? 0.0 : found->second;
    };
    const double edge = length(0, 1), a0 = length(2, 0), b0 = length(2, 1), a1 = length(3, 0),
                 b1 = length(3, 1);
    if (std::min({edge, a0, b0, a1, b1}) <= 0.0) return;
    const double way = across_hinge(edge, a0, b0, a1, b1);
    if (lengths.emplace(key(at(2), at(3)), way).second) edges.push_back({at(2), at(3), way});
  };
  for_constraints<Bending>(constraints, cross);
  for_constraints<IsometricBending>(constraints, cross);
  for_constraints<AcosBending>(constraints, cross);
  return edges;
}

/// Chooses the particles of `finer` that stay on the next level, as flags by particle: as few as possible
/// such that every other particle keeps enough neighbours.
std::vector<char> choose(const World& world, const Graph& graph, const std::vector<std::int32_t>& finer,
                         std::int32_t particles) {
  std::vector<char> stays(std::size_t(particles), 0);
  for (const std::int32_t i : finer) stays[std::size_t(i)] = 1;
  const auto neighbours_that_stay = [&](std::int32_t i) {
    int count = 0;
    for (const Graph::Way& way : graph.from(i)) count += stays[std::size_t(way.to)];
    return count;
  };
  for (const std::int32_t i : finer) {
    if (world.particles.position[std::size_t(i)].w == real(0) || neighbours_that_stay(i) < least_parents)
      continue;
    bool needed = false;
    for (const Graph::Way& way : graph.from(i))
      needed |= !stays[std::size_t(way.to)] && neighbours_that_stay(way.to) <= least_parents;
    stays[std::size_t(i)] = needed;
  }
  return stays;
}

/// Lists the parents of each particle that does not stay. Returns, by particle, its nearest parent (itself if
/// it stays).
std::vector<std::int32_t> list_followers(const Graph& graph, const std::vector<std::int32_t>& finer,
                                         const std::vector<char>& stays, HierarchyLevel& level) {
  std::vector<std::int32_t> nearest(stays.size(), -1);
  for (const std::int32_t i : finer) {
    nearest[std::size_t(i)] = i;
    if (stays[std::size_t(i)]) continue;
    const std::int32_t first = std::int32_t(level.parents.size());
    double sum = 0.0, shortest = unreached;
    for (const Graph::Way& way : graph.from(i)) {
      if (!stays[std::size_t(way.to)]) continue;
      sum += 1.0 / way.length;
      level.parents.push_back({way.to, real(1.0 / way.length)});
      if (way.length < shortest) shortest = way.length, nearest[std::size_t(i)] = way.to;
    }
    const std::int32_t end = std::int32_t(level.parents.size());
    for (std::int32_t k = first; k < end; ++k) level.parents[std::size_t(k)].weight *= real(1.0 / sum);
    level.followers.push_back({i, first, end});
  }
  return nearest;
}

/// The edges that remain if each particle is merged into its nearest parent, with the lengths of the paths
/// that they represent.
std::vector<Edge> merged(const std::vector<Edge>& edges, const std::vector<std::int32_t>& nearest,
                         const Graph& graph) {
  const auto to_parent = [&](std::int32_t i) {
    for (const Graph::Way& way : graph.from(i))
      if (way.to == nearest[std::size_t(i)]) return way.length;
    return 0.0;
  };
  Lengths index;
  std::vector<Edge> out;
  for (const Edge& e : edges) {
    const std::int32_t a = nearest[std::size_t(e.a)], b = nearest[std::size_t(e.b)];
    if (a == b) continue;
    const double length = to_parent(e.a) + e.length + to_parent(e.b);
    const auto [at, added] = index.emplace(key(a, b), double(out.size()));
    if (added)
      out.push_back({a, b, length});
    else if (Edge& known = out[std::size_t(at->second)]; length < known.length)
      known.length = length;
  }
  return out;
}

/// Replaces each length by that of the shortest path in `graph`, by Dijkstra's algorithm from each end that
/// several edges share.
void shorten(std::vector<Edge>& edges, const Graph& graph, std::int32_t particles) {
  std::sort(edges.begin(), edges.end(),
            [](const Edge& l, const Edge& r) { return std::pair(l.a, l.b) < std::pair(r.a, r.b); });
  using Reached = std::pair<double, std::int32_t>;
  std::vector<double> best(std::size_t(particles), unreached);
  std::vector<std::int32_t> touched;
  for (std::size_t first = 0, end = 0; first < edges.size(); first = end) {
    double farthest = 0.0;
    for (end = first; end < edges.size() && edges[end].a == edges[first].a; ++end)
      farthest = std::max(farthest, edges[end].length);
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
    const auto reach = [&](std::int32_t i, double way) {
      if (!(way < best[std::size_t(i)]) || way > farthest) return;
      if (best[std::size_t(i)] == unreached) touched.push_back(i);
      best[std::size_t(i)] = way;
      open.push({way, i});
    };
    reach(edges[first].a, 0.0);
    while (!open.empty()) {
      const auto [way, i] = open.top();
      open.pop();
      if (way > best[std::size_t(i)]) continue;
      for (const Graph::Way& next : graph.from(i)) reach(next.to, way + next.length);
    }
    for (std::size_t e = first; e < end; ++e)
      edges[e].length = std::min(edges[e].length, best[std::size_t(edges[e].b)]);
    for (const std::int32_t i : touched) best[std::size_t(i)] = unreached;
    touched.clear();
  }
}

/// Assigns coloured slots to the limits.
void lay_out_limits(const std::vector<Edge>& edges, const World& world, HierarchyLevel& level) {
  std::vector<Index> stencils;
  for (const Edge& e : edges) stencils.push_back(e.a), stencils.push_back(e.b);
  const Coloring coloring = greedy_coloring(stencils, 2, world.particles.count);
  StencilBatch<Rope>& limits = level.limits;
  const auto append = [&](std::int32_t a, std::int32_t b, double length, std::int32_t id) {
    limits.vertices[0].push_back(a), limits.vertices[1].push_back(b);
    limits.rest[0].push_back(real(length)), limits.id.push_back(id);
  };
  for (int color = 0; color < coloring.count; ++color) {
    const std::int32_t begin = limits.slots();
    for (std::size_t e = 0; e < edges.size(); ++e)
      if (coloring.color[e] == color) append(edges[e].a, edges[e].b, edges[e].length, std::int32_t(e));
    while (limits.slots() % lane_group != 0) append(world.particles.count, world.particles.count, 0.0, -1);
    level.colors.push_back({begin, limits.slots()});
  }
  limits.constraints = std::int32_t(edges.size());
  level.state.softness[0].assign(std::size_t(limits.slots()), real(1));
  level.state.lambda[0].assign(std::size_t(limits.slots()), real(0));
}

/// Adds the masses of a level's followers to those of their parents, by particle, in kg.
void gather_masses(HierarchyLevel& level, const std::vector<std::int32_t>& members,
                   std::vector<double>& mass) {
  for (const HierarchyLevel::Follower& follower : level.followers)
    for (std::int32_t k = follower.first_parent; k < follower.end_parent; ++k) {
      const HierarchyLevel::Parent& parent = level.parents[std::size_t(k)];
      mass[std::size_t(parent.particle)] += double(parent.weight) * mass[std::size_t(follower.particle)];
    }
  level.members = members;
  for (const std::int32_t i : members) level.inverse_mass.push_back(real(1.0 / mass[std::size_t(i)]));
}

}  // namespace

std::vector<HierarchyLevel> build_hierarchy(const World& world) {
  const std::int32_t particles = world.particles.count;
  const ConstraintSet& constraints = *world.topology->constraints;
  Lengths lengths;
  std::vector<Edge> edges = edges_of(constraints, lengths);
  // Limits at rest lengths would work against a pressure that stretches the edges; the volume constraint acts
  // on no coarser level.
  std::erase_if(edges, [&](const Edge& e) { return is_under_pressure(world, e.a); });
  const Graph metric(particles, with_ways_across(constraints, edges, lengths));
  std::vector<char> joined(std::size_t(particles), 0);
  for (const Edge& e : edges) joined[std::size_t(e.a)] = joined[std::size_t(e.b)] = 1;
  std::vector<std::int32_t> finer;
  for (std::int32_t i = 0; i < particles; ++i)
    if (joined[std::size_t(i)]) finer.push_back(i);

  std::vector<double> mass(std::size_t(particles), 0.0);
  for (const std::int32_t i : finer)
    mass[std::size_t(i)] = 1.0 / double(world.particles.inverse_mass[std::size_t(i)]);

  std::vector<HierarchyLevel> levels;
  while (finer.size() > fewest_particles && levels.size() < most_levels) {
    const Graph graph(particles, edges);
    HierarchyLevel level;
    const std::vector<char> stays = choose(world, graph, finer, particles);
    const std::vector<std::int32_t> nearest = list_followers(graph, finer, stays, level);
    if (level.followers.empty()) break;
    edges = merged(edges, nearest, graph);
    shorten(edges, metric, particles);
    std::erase_if(finer, [&](std::int32_t i) { return !stays[std::size_t(i)]; });
    gather_masses(level, finer, mass);
    lay_out_limits(edges, world, level);
    levels.push_back(std::move(level));
  }
  return levels;
}

}}  // namespace limber::LIMBER_PRECISION
