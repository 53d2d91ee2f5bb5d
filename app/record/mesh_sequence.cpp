#include "app/record/mesh_sequence.hpp"

#include <algorithm>
#include <span>

namespace limber {

Expected<MeshSequence> MeshSequence::create(const std::string& folder, std::string_view option) {
  Expected<SequenceFolder> opened = SequenceFolder::create(folder, option);
  if (!opened) return opened.error();
  return MeshSequence(std::move(*opened));
}

/// Takes over what does not change from frame to frame.
void MeshSequence::adopt(std::shared_ptr<const SceneModel> model) {
  model_ = std::move(model);
  const std::size_t vertices = std::size_t(model_->vertex_count);
  mesh_.positions.resize(vertices);
  mesh_.uvs.clear();
  mesh_.triangles.clear();
  groups_.clear();
  for (const ObjectModel& object : model_->objects) {
    if (!object.triangles.empty()) groups_.push_back({object.name, mesh_.triangles.size()});
    mesh_.triangles.insert(mesh_.triangles.end(), object.triangles.begin(), object.triangles.end());
    if (object.uvs.empty()) continue;
    mesh_.uvs.resize(vertices, glm::dvec2(0.0));  // for those of other objects
    for (std::size_t i = 0; i < object.uvs.size(); ++i)
      mesh_.uvs[std::size_t(object.first_vertex) + i] = glm::dvec2(object.uvs[i]);
  }
  if (mesh_.uvs.empty()) return;
  for (std::size_t k = 0, first = vertices - model_->split_from.size(); k < model_->split_from.size(); ++k)
    mesh_.uvs[first + k] = mesh_.uvs[std::size_t(model_->split_from[k])];
}

Expected<void> MeshSequence::add(const Simulation& simulation) {
  if (auto model = simulation.model(); model != model_) adopt(std::move(model));
  if (mesh_.triangles.empty())
    return Error{"the scene '" + simulation.scene().name + "' has no surface to export", folder_.path()};
  simulation.read_positions(std::span<glm::dvec3>(mesh_.positions));
  return write_obj(mesh_, groups_, folder_.next(".obj"));
}

}  // namespace limber
