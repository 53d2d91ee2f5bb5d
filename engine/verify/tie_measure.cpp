#include "engine/verify/tie_measure.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <vector>

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

glm::dvec3 place_of(const World& world, const TieEnd& end) {
  if (end.body >= 0)
    return glm::dvec3(world.bodies.position[std::size_t(end.body)]) +
           glm::dvec3(in_world_of(world.bodies, end.body, end.own));
  if (end.collider >= 0) {
    const Collider& collider = world.colliders[std::size_t(end.collider)];
    return glm::dvec3(collider.position) + glm::dmat3(collider.rotation) * glm::dvec3(end.own);
  }
  glm::dvec3 sum(0.0);
  for (std::size_t k = 0; k < end.points.size(); ++k)
    sum += double(end.weight[k]) * glm::dvec3(world.particles.position[std::size_t(end.points[k])]);
  return sum;
}

}  // namespace

void add_ties(const World& world, Measures& m) {
  std::vector<glm::dvec3> forces(world.settings.tie_materials.size(), glm::dvec3(0.0));
  for (const PointTie& tie : world.user.point_ties) {
    m.broken_ties += tie.broken;
    if (tie.broken) continue;
    m.measured.all_ties = true;
    forces[std::size_t(tie.source)] += glm::dvec3(tie.force);
    if (world.settings.tie_materials[std::size_t(tie.source)].compliance > real(0)) continue;
    m.measured.ties = true;
    m.tie_gap_max = std::max(m.tie_gap_max, glm::distance(place_of(world, tie.a), place_of(world, tie.b)));
  }
  for (const glm::dvec3& force : forces) m.tie_force.push_back(glm::length(force));
  for (const double force : m.tie_force) m.tie_force_max = std::max(m.tie_force_max, force);
}

}}  // namespace limber::LIMBER_PRECISION
