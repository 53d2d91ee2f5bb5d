#include "engine/state/heat_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <numbers>
#include <tuple>

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/geometry/tets/tet_mesh.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/tet_slots.hpp"
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
    glm::dvec3 x[4];
    for (std::size_t k = 0; k < 4; ++k) x[k] = place_of(world.particles, std::size_t(tet[k]));
    const std::array<double, 6> links = tet_links(x);
    std::size_t k = 0;
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b, ++k) out.edges.push_back({tet[a], tet[b], links[k]});
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
      const auto& batch = std::get<type>(*topology.constraints);
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

std::array<double, 6> tet_links(const glm::dvec3 (&x)[4]) {
  const double six = glm::dot(glm::cross(x[1] - x[0], x[2] - x[0]), x[3] - x[0]);
  if (!(std::abs(six) > 0.0)) return {};
  glm::dvec3 gradient[4];
  gradient[1] = glm::cross(x[2] - x[0], x[3] - x[0]) / six;
  gradient[2] = glm::cross(x[3] - x[0], x[1] - x[0]) / six;
  gradient[3] = glm::cross(x[1] - x[0], x[2] - x[0]) / six;
  gradient[0] = -(gradient[1] + gradient[2] + gradient[3]);
  std::array<double, 6> out;
  std::size_t k = 0;
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = a + 1; b < 4; ++b)
      out[k++] = -std::abs(six) / 6.0 * glm::dot(gradient[a], gradient[b]);
  return out;
}

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

namespace {

/// Particles of fluids that wait for a melt, with their places in the scene at the start, m, by x.
struct WaitingDrop {
  glm::dvec3 place;
  std::int32_t particle;
  double inside = -1.0;  ///< smallest barycentric coordinate in `tet`
  std::int32_t tet = -1;
};

std::vector<WaitingDrop> waiting_drops(const World& world) {
  const FluidMatter& fluid = world.topology->fluid;
  std::vector<char> emitted(world.topology->objects.size(), 0);
  for (const FluidEmitter& emitter : fluid.emitters) emitted[std::size_t(emitter.object)] = 1;
  std::vector<WaitingDrop> out;
  for (const std::int32_t i : fluid.members)
    if (!world.matter.fluid.present[std::size_t(i)] &&
        !emitted[std::size_t(world.particles.object[std::size_t(i)])])
      out.push_back({glm::dvec3(world.topology->surface.rest[std::size_t(i)]), i});
  std::stable_sort(out.begin(), out.end(),
                   [](const WaitingDrop& a, const WaitingDrop& b) { return a.place.x < b.place.x; });
  return out;
}

/// Finds for each drop the tetrahedron in which it lies deepest.
void find_tets(const World& world, const std::vector<std::int32_t>& tets, std::vector<WaitingDrop>& drops) {
  for (const std::int32_t t : tets) {
    glm::dvec3 x[4];
    for (std::size_t k = 0; k < 4; ++k)
      x[k] = place_of(world.particles, std::size_t(world.topology->tets[std::size_t(t)][k]));
    const auto [low, high] = std::minmax({x[0].x, x[1].x, x[2].x, x[3].x});
    const double slack = 1e-3 * (high - low);
    const glm::dmat3 inverse = glm::inverse(glm::dmat3(x[1] - x[0], x[2] - x[0], x[3] - x[0]));
    auto drop = std::lower_bound(drops.begin(), drops.end(), low - slack,
                                 [](const WaitingDrop& d, double at) { return d.place.x < at; });
    for (; drop != drops.end() && drop->place.x <= high + slack; ++drop) {
      const glm::dvec3 b = inverse * (drop->place - x[0]);
      const double inside = std::min({b.x, b.y, b.z, 1.0 - b.x - b.y - b.z});
      if (inside > -1e-3 && inside > drop->inside) drop->inside = inside, drop->tet = t;
    }
  }
}

/// Per tetrahedron the one with drops with which it melts; -1: none. Those without drops join a neighbour.
std::vector<std::int32_t> grouped(const Topology& topology, const std::vector<std::int32_t>& tets,
                                  const std::vector<WaitingDrop>& drops) {
  std::vector<Tet> all;
  for (const auto& [a, b, c, d] : topology.tets) all.push_back({Index(a), Index(b), Index(c), Index(d)});
  std::vector<std::array<std::int32_t, 4>> beside(all.size(), {-1, -1, -1, -1});
  const std::vector<TetFace> faces = sorted_tet_faces(all);
  for (std::size_t f = 0; f + 1 < faces.size(); ++f) {
    if (faces[f].key != faces[f + 1].key) continue;
    beside[std::size_t(faces[f].tet)][std::size_t(faces[f].corner)] = std::int32_t(faces[f + 1].tet);
    beside[std::size_t(faces[f + 1].tet)][std::size_t(faces[f + 1].corner)] = std::int32_t(faces[f].tet);
  }
  std::vector<std::int32_t> group(all.size(), -1), open;
  for (const WaitingDrop& drop : drops)
    if (drop.tet >= 0) group[std::size_t(drop.tet)] = drop.tet;
  for (const std::int32_t t : tets)
    if (group[std::size_t(t)] >= 0) open.push_back(t);
  std::vector<char> melts(all.size(), 0);
  for (const std::int32_t t : tets) melts[std::size_t(t)] = 1;
  for (std::size_t k = 0; k < open.size(); ++k)
    for (const std::int32_t next : beside[std::size_t(open[k])]) {
      if (next < 0 || !melts[std::size_t(next)] || group[std::size_t(next)] >= 0) continue;
      group[std::size_t(next)] = group[std::size_t(open[k])];
      open.push_back(next);
    }
  return group;
}

/// Gives the particles of a melt equal shares of its mass.
void weigh_drops(World& world, const HeatMesh& mesh) {
  for (const HeatMesh::Melt& melt : mesh.melts) {
    double whole = 0.0;
    for (std::int32_t t = 0; t < melt.tets; ++t)
      whole += mesh.melting_tets[std::size_t(melt.first_tet + t)].mass;
    for (std::int32_t d = 0; d < melt.drops; ++d)
      world.particles.inverse_mass[std::size_t(mesh.drops[std::size_t(melt.first_drop + d)].particle)] =
          real(double(melt.drops) / whole);
  }
}

}  // namespace

void add_melts(World& world, HeatMesh& mesh) {
  const Topology& topology = *world.topology;
  std::vector<WaitingDrop> drops = waiting_drops(world);
  if (drops.empty()) return;
  std::vector<std::int32_t> types, slots, tets;
  find_tet_slots(topology, types, slots);
  std::vector<double> mass(topology.objects.size(), 0.0), volume(topology.objects.size(), 0.0);
  const auto object_of = [&](std::size_t t) {
    return std::size_t(world.particles.object[std::size_t(topology.tets[t][0])]);
  };
  for (std::size_t t = 0; t < topology.tets.size(); ++t) {
    volume[object_of(t)] += double(topology.tet_volumes[t]);
    if (slots[t] >= 0 && world.settings.materials[object_of(t)].melts) tets.push_back(std::int32_t(t));
  }
  for (std::size_t o = 0; o < mass.size(); ++o)
    for (std::int32_t i = topology.objects[o].first; i < topology.objects[o].end(); ++i)
      if (const double w = double(world.particles.inverse_mass[std::size_t(i)]); w > 0.0) mass[o] += 1.0 / w;
  find_tets(world, tets, drops);
  const std::vector<std::int32_t> group = grouped(topology, tets, drops);
  std::stable_sort(tets.begin(), tets.end(), [&](std::int32_t a, std::int32_t b) {
    return group[std::size_t(a)] < group[std::size_t(b)];
  });
  std::stable_sort(drops.begin(), drops.end(),
                   [](const WaitingDrop& a, const WaitingDrop& b) { return a.tet < b.tet; });
  auto drop = std::find_if(drops.begin(), drops.end(), [](const WaitingDrop& d) { return d.tet >= 0; });
  std::int32_t last = -1;  // group of the tetrahedron before
  for (const std::int32_t t : tets) {
    const std::size_t o = object_of(std::size_t(t));
    const std::int32_t own = group[std::size_t(t)];
    if (own < 0) continue;
    if (own != last)
      mesh.melts.push_back({std::int32_t(mesh.melting_tets.size()), 0, std::int32_t(mesh.drops.size()), 0});
    last = own;
    HeatMesh::Melt& melt = mesh.melts.back();
    HeatMesh::MeltingTet tet{types[std::size_t(t)],
                             slots[std::size_t(t)],
                             mass[o] / volume[o] * double(topology.tet_volumes[std::size_t(t)]),
                             {}};
    glm::dvec3 x[4];
    for_each_type([&](auto type) {
      if constexpr (std::tuple_element_t<type, ConstraintTypes>::arity == 4)
        if (std::int32_t(type) == tet.type)
          for (std::size_t k = 0; k < 4; ++k)
            x[k] = place_of(
                world.particles,
                std::size_t(std::get<type>(*topology.constraints).vertices[k][std::size_t(tet.slot)]));
    });
    tet.links = tet_links(x);
    const glm::dmat3 inverse = glm::inverse(glm::dmat3(x[1] - x[0], x[2] - x[0], x[3] - x[0]));
    const std::int32_t number = std::int32_t(mesh.melting_tets.size());
    mesh.melting_tets.push_back(tet), ++melt.tets;
    if (own != t) continue;
    for (; drop != drops.end() && drop->tet == t; ++drop, ++melt.drops) {
      const glm::dvec3 b = inverse * (drop->place - x[0]);
      mesh.drops.push_back({drop->particle, number, {1.0 - b.x - b.y - b.z, b.x, b.y, b.z}});
    }
  }
  weigh_drops(world, mesh);
}

}}  // namespace limber::LIMBER_PRECISION
