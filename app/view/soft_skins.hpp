// Positions of the skins of soft solids. A skin vertex follows particles, or up to four clusters.
#pragma once

#include <cstddef>
#include <glm/vec3.hpp>
#include <vector>

#include "app/view/render_frame.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// Skin vertices are carried (CarriedVertex) by the nearest particle, from which they take heat, picking and
/// bounds. Their positions are written here as the engine binds them, which is where contacts act on them;
/// vertices of solids that are one layer thick by linear blend skinning.
class SoftSkins {
 public:
  void clear() { corners_.clear(); }
  /// Adds a vertex of the skin of `object`. `carried`: its index among the carried vertices.
  void add(const ObjectModel& object, Index vertex, std::size_t carried);
  /// Writes the skin vertices into `positions`, whose last `carried` entries are the carried vertices.
  void write(const Simulation& simulation, std::size_t carried, std::vector<glm::vec3>& positions);

 private:
  struct Corner {
    std::size_t carried, number;  ///< number: in reading::Skins
    glm::vec3 rest;               ///< m
    ClusterBlend blend;
  };
  std::vector<Corner> corners_;
  std::vector<ClusterPose> poses_;
  std::vector<glm::vec4> skins_;
};

/// Position of vertex `vertex` of the skin of a soft solid. `skins` and `poses`: reading::Skins and Clusters.
glm::vec3 place_of_skin(const ObjectModel& object, std::size_t vertex, const std::vector<glm::vec4>& skins,
                        const std::vector<ClusterPose>& poses);

/// Moves the rest position `rest` with its clusters.
glm::vec3 blended(const ClusterBlend& blend, const glm::vec3& rest, const std::vector<ClusterPose>& poses);

}  // namespace limber
