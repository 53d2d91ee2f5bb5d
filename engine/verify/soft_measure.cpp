#include "engine/verify/soft_measure.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

ClusterPose pose_of(const World& world, std::size_t c) {
  const SoftMatter& matter = world.topology->matter.soft;
  const std::int32_t begin = matter.cluster_entry[c], end = matter.cluster_entry[c + 1];
  const auto place = [&](std::int32_t e) {
    return place_of(world.particles, std::size_t(matter.entry_particle[std::size_t(e)]));
  };
  const glm::dvec3 first = place(begin);
  glm::dvec3 sum(0.0);
  glm::dmat3 outer(0.0);
  for (std::int32_t e = begin; e < end; ++e) {
    const vec4& q = matter.entry_rest[std::size_t(e)];
    const glm::dvec3 x = double(q.w) * (place(e) - first);
    sum += x;
    for (int k = 0; k < 3; ++k) outer[k] += x * double(q[k]);
  }
  SoftCluster start;
  take_moment(&matter.entry_rest[std::size_t(begin)], end - begin, start);
  const glm::dmat3 inverse(start.inverse.matrix()), moment(start.moment.matrix());
  glm::dmat3 f = outer * inverse;
  if (start.flat != real(0)) {  // perpendicular to the flat rest shape, the cluster rotates rigidly
    const glm::dmat3 seen = moment * inverse, r(rotation_of(world.matter.soft.clusters[c].rotation));
    f = f * seen + r * (glm::dmat3(1.0) - seen);
  }
  const glm::dvec3 center = first + sum / double(matter.cluster_mass[c]);
  return {glm::mat3(f), glm::vec3(center - f * glm::dvec3(matter.cluster_rest[c]))};
}

}  // namespace

void pose_clusters(const World& world, std::vector<ClusterPose>& out) {
  out.clear();
  const std::size_t clusters = world.topology->matter.soft.clusters();
  for (std::size_t c = 0; c < clusters; ++c) out.push_back(pose_of(world, c));
}

void add_soft_solids(const World& world, Measures& m) {
  const SoftMatter& matter = world.topology->matter.soft;
  const AlignedVector<vec4>& rest = world.matter.soft.rest;
  m.clusters = std::int64_t(matter.clusters());
  for (std::size_t c = 0; c < matter.clusters() && !rest.empty(); ++c) {
    double gone = 0.0, all = 0.0;
    for (std::int32_t e = matter.cluster_entry[c]; e < matter.cluster_entry[c + 1]; ++e) {
      const glm::dvec3 q0(matter.entry_rest[std::size_t(e)]), d = glm::dvec3(rest[std::size_t(e)]) - q0;
      const double w = double(rest[std::size_t(e)].w);
      gone += w * glm::dot(d, d), all += w * glm::dot(q0, q0);
    }
    m.plastic_strain_max = std::max(m.plastic_strain_max, std::sqrt(3.0 * gone / all));
  }
}

}}  // namespace limber::LIMBER_PRECISION
