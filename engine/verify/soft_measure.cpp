#include "engine/verify/soft_measure.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include "engine/contact/colliders/collider_surface.hpp"
#include "engine/geometry/symmetric3.hpp"
#include "engine/state/body_shapes.hpp"
#include "engine/state/plastic_laws.hpp"
#include "engine/state/soft_material.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Linear deformation of a cluster and its centre of mass.
struct Deformation {
  glm::dmat3 f;
  glm::dvec3 center;
};

/// `rest`: rest positions of all entries; `shape`: the moments of the cluster for these positions.
Deformation deformation_of(const World& world, std::size_t c, const vec4* rest, const SoftCluster& shape) {
  const SoftMatter& matter = world.topology->matter.soft;
  const std::int32_t begin = matter.cluster_entry[c], end = matter.cluster_entry[c + 1];
  const auto place = [&](std::int32_t e) {
    return place_of(world.particles, std::size_t(matter.entry_particle[std::size_t(e)]));
  };
  const glm::dvec3 first = place(begin);
  glm::dvec3 sum(0.0);
  glm::dmat3 outer(0.0);
  for (std::int32_t e = begin; e < end; ++e) {
    const vec4& q = rest[e];
    const glm::dvec3 x = double(q.w) * (place(e) - first);
    sum += x;
    for (int k = 0; k < 3; ++k) outer[k] += x * double(q[k]);
  }
  const glm::dmat3 inverse(shape.inverse.matrix()), moment(shape.moment.matrix());
  glm::dmat3 f = outer * inverse;
  if (shape.flat != real(0)) {  // perpendicular to the flat rest shape, the cluster rotates rigidly
    const glm::dmat3 seen = moment * inverse, r(rotation_of(world.matter.soft.clusters[c].rotation));
    f = f * seen + r * (glm::dmat3(1.0) - seen);
  }
  return {f, first + sum / double(matter.cluster_mass[c])};
}

ClusterPose pose_of(const World& world, std::size_t c) {
  const SoftMatter& matter = world.topology->matter.soft;
  if (!(matter.cluster_mass[c] > real(0))) return {};
  const std::int32_t begin = matter.cluster_entry[c], end = matter.cluster_entry[c + 1];
  SoftCluster start;
  take_moment(&matter.entry_rest[std::size_t(begin)], end - begin, start);
  const Deformation now = deformation_of(world, c, matter.entry_rest.data(), start);
  return {glm::mat3(now.f), glm::vec3(now.center - now.f * glm::dvec3(matter.cluster_rest[c]))};
}

/// Energy of a cluster with Young's modulus, J: V (mu |S - 1|^2 + lambda / 2 tr(S - 1)^2), and the energy of
/// the displacements that F does not describe (SoftBodies).
double energy_of(const World& world, std::size_t c) {
  const SoftMatter& matter = world.topology->matter.soft;
  const SoftLaw law = law_of_cluster(world, c);
  if (!(law.young > real(0)) || !(matter.cluster_mass[c] > real(0))) return 0.0;
  const vec4* rest = rest_of(matter, world.matter.soft).data();
  const SoftCluster& shape = world.matter.soft.clusters[c];
  const Deformation now = deformation_of(world, c, rest, shape);
  const glm::dvec3 strain = stretches(eigen_symmetric(glm::transpose(now.f) * now.f)) - 1.0;
  const double e = double(law.young), nu = double(law.poisson), trace = strain.x + strain.y + strain.z;
  const double mu = e / (2.0 * (1.0 + nu)), lambda = e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
  const double volume = double(volume_of_cluster(world, c));
  double left = 0.0, spread = 0.0;
  for (std::int32_t k = matter.cluster_entry[c]; k < matter.cluster_entry[c + 1]; ++k) {
    const glm::dvec3 q(rest[k]);
    const glm::dvec3 d = place_of(world.particles, std::size_t(matter.entry_particle[std::size_t(k)])) -
                         now.center - now.f * q;
    left += double(rest[k].w) * glm::dot(d, d), spread += double(rest[k].w) * glm::dot(q, q);
  }
  return volume * (mu * glm::dot(strain, strain) + 0.5 * lambda * trace * trace +
                   0.5 * double(shape.bending) * 3.0 * e * left / spread);
}

/// Plastic strain of a cluster.
double plastic_of(const World& world, std::size_t c) {
  const SoftMatter& matter = world.topology->matter.soft;
  const AlignedVector<vec4>& rest = world.matter.soft.rest;
  double gone = 0.0, all = 0.0;
  for (std::int32_t e = matter.cluster_entry[c]; e < matter.cluster_entry[c + 1] && !rest.empty(); ++e) {
    const glm::dvec3 q0(matter.entry_rest[std::size_t(e)]), d = glm::dvec3(rest[std::size_t(e)]) - q0;
    const double w = double(rest[std::size_t(e)].w);
    gone += w * glm::dot(d, d), all += w * glm::dot(q0, q0);
  }
  return all > 0.0 ? std::sqrt(3.0 * gone / all) : 0.0;
}

/// Calls act(vertex, entry) for the entries of all clusters, in order of the clusters.
template <class Act>
void for_entries(const World& world, std::size_t vertices, const Act& act) {
  const SoftMatter& matter = world.topology->matter.soft;
  for (std::size_t e = 0; e < matter.entry_particle.size(); ++e) {
    const std::size_t particle = std::size_t(matter.entry_particle[e]);
    const std::size_t vertex = std::size_t(world.topology->internal_to_external[particle]);
    if (vertex < vertices && matter.entry_rest[e].w > real(0)) act(vertex, e);
  }
}

/// The skin vertex at present, m. The vertex must be bound.
glm::dvec3 place_of_skin(const World& world, std::size_t vertex) {
  const SoftSkin& skin = world.topology->matter.soft.skin;
  glm::dvec3 sum(0.0);
  for (std::int32_t k = skin.vertex_entry[vertex]; k < skin.vertex_entry[vertex + 1]; ++k)
    sum += double(skin.weight[std::size_t(k)]) *
           place_of(world.particles, std::size_t(skin.particle[std::size_t(k)]));
  return sum;
}

bool is_bound(const SoftSkin& skin, std::size_t vertex) {
  return skin.vertex_entry[vertex] < skin.vertex_entry[vertex + 1];
}

/// m, depth of a place in the colliders and bodies that `particle` touches; at least 0.
double depth_of(const World& world, std::int32_t particle, const vec3& x, const std::vector<Placed>& shapes) {
  real depth = 0;
  for (std::size_t c = 0; c < world.colliders.size(); ++c)
    if (particle_touches_collider(world, particle, c))
      depth = std::max(depth, -closest(world.colliders[c], x).distance);
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    const PlacedShape& shape = world.bodies.parts->shapes[s];
    if (particle_touches_body(world, particle, shape.body))
      depth = std::max(depth, -surface_distance(shape.shape, shapes[s], x).d);
  }
  return double(depth);
}

void add_skin_depth(const World& world, Measures& m) {
  const SoftSkin& skin = world.topology->matter.soft.skin;
  m.measured.skins = !skin.empty();
  if (skin.empty()) return;
  std::vector<Placed> shapes;
  if (world.bodies.parts)
    for (const PlacedShape& shape : world.bodies.parts->shapes) shapes.push_back(placed(shape, world.bodies));
  for (std::size_t s = 0; s < skin.size.size(); ++s)
    for (std::size_t v = std::size_t(skin.solid_vertex[s]); v < std::size_t(skin.solid_vertex[s + 1]); ++v) {
      if (!is_bound(skin, v)) continue;
      const std::int32_t particle = skin.particle[std::size_t(skin.vertex_entry[v])];
      const double depth = depth_of(world, particle, vec3(place_of_skin(world, v)), shapes);
      m.skin_depth = std::max(m.skin_depth, depth / double(skin.size[s]));
    }
}

}  // namespace

void place_skins(const World& world, std::vector<glm::vec4>& out) {
  const SoftSkin& skin = world.topology->matter.soft.skin;
  out.assign(skin.vertices(), glm::vec4(0.0f));
  for (std::size_t v = 0; v < out.size(); ++v)
    if (is_bound(skin, v)) out[v] = glm::vec4(glm::vec3(place_of_skin(world, v)), 1.0f);
}

void pose_clusters(const World& world, std::vector<ClusterPose>& out) {
  out.clear();
  const std::size_t clusters = world.topology->matter.soft.clusters();
  for (std::size_t c = 0; c < clusters; ++c) out.push_back(pose_of(world, c));
}

void add_soft_solids(const World& world, Measures& m) {
  const std::size_t clusters = world.topology->matter.soft.clusters();
  m.clusters = std::int64_t(clusters);
  add_skin_depth(world, m);
  for (std::size_t c = 0; c < clusters; ++c) {
    m.plastic_strain_max = std::max(m.plastic_strain_max, plastic_of(world, c));
    const double energy = energy_of(world, c);
    m.elastic_energy += energy, m.potential_energy += energy;
  }
}

void write_cluster_numbers(const World& world, std::span<float> out) {
  constexpr double golden = 0.6180339887498949;  // multiples of it, without their whole part, lie far apart
  const SoftMatter& matter = world.topology->matter.soft;
  std::vector<double> reach(matter.clusters(), 0.0), sum(out.size(), 0.0), weight(out.size(), 0.0);
  const auto far = [&](std::size_t e) { return double(glm::length(vec3(matter.entry_rest[e]))); };
  const auto cluster = [&](std::size_t e) { return std::size_t(matter.entry_cluster[e]); };
  for_entries(world, out.size(),
              [&](std::size_t, std::size_t e) { reach[cluster(e)] = std::max(reach[cluster(e)], far(e)); });
  for_entries(world, out.size(), [&](std::size_t vertex, std::size_t e) {
    const double number = golden * double(cluster(e) + 1), inner = 1.0 - far(e) / reach[cluster(e)] + 1e-3;
    sum[vertex] += inner * inner * (number - std::floor(number)), weight[vertex] += inner * inner;
  });
  for (std::size_t v = 0; v < out.size(); ++v)
    if (weight[v] > 0.0) out[v] = float(sum[v] / weight[v]);
}

void write_cluster_plastic(const World& world, std::span<float> out) {
  std::vector<float> strain;
  for (std::size_t c = 0; c < world.topology->matter.soft.clusters(); ++c)
    strain.push_back(float(plastic_of(world, c)));
  for_entries(world, out.size(), [&](std::size_t vertex, std::size_t e) {
    const std::int32_t c = world.topology->matter.soft.entry_cluster[e];
    out[vertex] = std::max(out[vertex], strain[std::size_t(c)]);
  });
}

}}  // namespace limber::LIMBER_PRECISION
