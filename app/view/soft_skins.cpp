#include "app/view/soft_skins.hpp"

#include "engine/scene/build/scene_model.hpp"

namespace limber {

glm::vec3 blended(const ClusterBlend& blend, const glm::vec3& rest, const std::vector<ClusterPose>& poses) {
  glm::vec3 sum(0.0f);
  for (std::size_t k = 0; k < blend.cluster.size(); ++k)
    if (blend.weight[k] > 0.0) sum += float(blend.weight[k]) * poses[std::size_t(blend.cluster[k])].at(rest);
  return sum;
}

glm::vec3 place_of_skin(const ObjectModel& object, std::size_t vertex, const std::vector<glm::vec4>& skins,
                        const std::vector<ClusterPose>& poses) {
  const glm::vec4& bound = skins[std::size_t(object.first_skin_vertex) + vertex];
  return bound.w > 0.0f ? glm::vec3(bound)
                        : blended(object.blends[vertex], glm::vec3(object.skin->positions[vertex]), poses);
}

void SoftSkins::add(const ObjectModel& object, Index vertex, std::size_t carried) {
  corners_.push_back({carried, std::size_t(object.first_skin_vertex + vertex),
                      glm::vec3(object.skin->positions[std::size_t(vertex)]),
                      object.blends[std::size_t(vertex)]});
}

void SoftSkins::write(const Simulation& simulation, std::size_t carried, std::vector<glm::vec3>& positions) {
  if (corners_.empty()) return;
  simulation.read(reading::Clusters{poses_});
  simulation.read(reading::Skins{skins_});
  const std::size_t first = positions.size() - carried;
  for (const Corner& corner : corners_)
    positions[first + corner.carried] = skins_[corner.number].w > 0.0f
                                            ? glm::vec3(skins_[corner.number])
                                            : blended(corner.blend, corner.rest, poses_);
}

}  // namespace limber
