#include "app/view/soft_skins.hpp"

namespace limber {

glm::vec3 blended(const ClusterBlend& blend, const glm::vec3& rest, const std::vector<ClusterPose>& poses) {
  glm::vec3 sum(0.0f);
  for (std::size_t k = 0; k < blend.cluster.size(); ++k)
    if (blend.weight[k] > 0.0) sum += float(blend.weight[k]) * poses[std::size_t(blend.cluster[k])].at(rest);
  return sum;
}

void SoftSkins::add(const ObjectModel& object, Index vertex, std::size_t carried) {
  corners_.push_back(
      {carried, glm::vec3(object.skin->positions[std::size_t(vertex)]), object.blends[std::size_t(vertex)]});
}

void SoftSkins::write(const Simulation& simulation, std::size_t carried, std::vector<glm::vec3>& positions) {
  if (corners_.empty()) return;
  simulation.read(reading::Clusters{poses_});
  const std::size_t first = positions.size() - carried;
  for (const Corner& corner : corners_)
    positions[first + corner.carried] = blended(corner.blend, corner.rest, poses_);
}

}  // namespace limber
