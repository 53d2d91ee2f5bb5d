#include "engine/state/heat_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>
#include <tuple>

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

using std::numbers::pi;

/// Links of linear triangles: half the cotangent of the angle opposite an edge times the thickness.
void add_triangles(const World& world, HeatMesh& out) {
  std::vector<char> of_tets(world.topology->objects.size(), 0);
  for (const auto& tet : world.topology->tets)
    of_tets[std::size_t(world.particles.object[std::size_t(tet[0])])] = 1;
  for (const auto& triangle : world.topology->triangles) {
    glm::dvec3 x[3];
    for (std::size_t k = 0; k < 3; ++k) x[k] = place_of(world.particles, std::size_t(triangle[k]));
    const double twice = glm::length(glm::cross(x[1] - x[0], x[2] - x[0]));
    if (!(twice > 0.0)) continue;
    const std::size_t object = std::size_t(world.particles.object[std::size_t(triangle[0])]);
    const bool skin = of_tets[object] != 0;
    for (std::size_t k = 0; k < 3; ++k) {
      HeatMesh::Part& part = out.parts[std::size_t(triangle[k])];
      part.free_area += (skin ? 1.0 : 2.0) * twice / 6.0;
      part.touching += twice / 6.0;
      if (skin) continue;
      const std::size_t a = (k + 1) % 3, b = (k + 2) % 3;
      const double cotangent = glm::dot(x[a] - x[k], x[b] - x[k]) / twice;
      out.edges.push_back(
          {triangle[a], triangle[b], 0.5 * cotangent * world.settings.materials[object].membrane_thickness});
    }
  }
}

/// Links of linear tetrahedra: -V grad phi_a . grad phi_b.
void add_tets(const World& world, HeatMesh& out) {
  for (const auto& tet : world.topology->tets) {
    glm::dvec3 x[4], gradient[4];
    for (std::size_t k = 0; k < 4; ++k) x[k] = place_of(world.particles, std::size_t(tet[k]));
    const double six = glm::dot(glm::cross(x[1] - x[0], x[2] - x[0]), x[3] - x[0]);
    if (!(std::abs(six) > 0.0)) continue;
    gradient[1] = glm::cross(x[2] - x[0], x[3] - x[0]) / six;
    gradient[2] = glm::cross(x[3] - x[0], x[1] - x[0]) / six;
    gradient[3] = glm::cross(x[1] - x[0], x[2] - x[0]) / six;
    gradient[0] = -(gradient[1] + gradient[2] + gradient[3]);
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b)
        out.edges.push_back({tet[a], tet[b], -std::abs(six) / 6.0 * glm::dot(gradient[a], gradient[b])});
  }
}

void add_rods(const World& world, HeatMesh& out) {
  for (const RodRun& run : world.topology->rods.runs)
    for (std::int32_t s = run.first; s < run.first + run.count; ++s) {
      const auto [a, b] = world.topology->rods.segments[std::size_t(s)].points;
      const double r = material_of(world, a).thickness;
      const double length =
          glm::length(place_of(world.particles, std::size_t(b)) - place_of(world.particles, std::size_t(a)));
      if (!(length > 0.0)) continue;
      out.edges.push_back({a, b, pi * r * r / length});
      for (const std::int32_t i : {a, b}) {
        out.parts[std::size_t(i)].free_area += pi * r * length;
        out.parts[std::size_t(i)].touching += r * length;
      }
    }
}

/// Particles without an element (chains, points, clouds) are balls with the material's thickness as their
/// radius. Springs between them conduct through the cross section of such a ball.
void add_lone_particles(const World& world, HeatMesh& out) {
  const Topology& topology = *world.topology;
  std::vector<char> lone(out.parts.size(), 1);
  for (const auto& triangle : topology.triangles)
    for (const std::int32_t i : triangle) lone[std::size_t(i)] = 0;
  for (const auto& tet : topology.tets)
    for (const std::int32_t i : tet) lone[std::size_t(i)] = 0;
  for (const RodSegment& segment : topology.rods.segments)
    for (const std::int32_t i : segment.points) lone[std::size_t(i)] = 0;
  for (std::size_t i = 0; i < lone.size(); ++i) {
    if (topology.fluid.takes_part(std::int32_t(i)) || topology.matter.takes_part(std::int32_t(i)) ||
        topology.internal_to_external[i] < 0)
      lone[i] = 0;
    if (!lone[i]) continue;
    const double r = material_of(world, std::int32_t(i)).thickness;
    out.parts[i].free_area = 4.0 * pi * r * r;
    out.parts[i].touching = pi * r * r;
  }
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    if constexpr (tears_as<Type>(TearTrait::on_edge)) {
      const auto& batch = std::get<type>(topology.constraints);
      for (std::size_t s = 0; s < batch.id.size(); ++s) {
        if (batch.id[s] < 0) continue;
        const std::int32_t a = batch.vertices[0][s], b = batch.vertices[1][s];
        if (!lone[std::size_t(a)] || !lone[std::size_t(b)]) continue;
        const double r = material_of(world, a).thickness;
        const double length = glm::length(place_of(world.particles, std::size_t(b)) -
                                          place_of(world.particles, std::size_t(a)));
        if (length > 0.0) out.edges.push_back({a, b, pi * r * r / length});
      }
    }
  });
}

/// Adds up the links of all elements that share an edge.
void merge(std::vector<HeatMesh::Edge>& edges) {
  using Edge = HeatMesh::Edge;
  for (Edge& edge : edges)
    if (edge.a > edge.b) std::swap(edge.a, edge.b);
  std::stable_sort(edges.begin(), edges.end(),
                   [](const Edge& a, const Edge& b) { return a.a != b.a ? a.a < b.a : a.b < b.b; });
  std::vector<Edge> merged;
  for (const Edge& edge : edges)
    if (!merged.empty() && merged.back().a == edge.a && merged.back().b == edge.b)
      merged.back().length += edge.length;
    else
      merged.push_back(edge);
  edges = std::move(merged);
}

}  // namespace

HeatMesh heat_mesh(const World& world) {
  HeatMesh out;
  out.parts.resize(std::size_t(world.particles.count));
  add_triangles(world, out);
  add_tets(world, out);
  add_rods(world, out);
  add_lone_particles(world, out);
  merge(out.edges);
  return out;
}

}}  // namespace limber::LIMBER_PRECISION
