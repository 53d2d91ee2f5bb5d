// The skins of soft solids: each vertex goes where up to four clusters go.
#pragma once

#include <cstddef>
#include <glm/vec3.hpp>
#include <vector>

#include "app/view/render_frame.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// Their vertices are carried (CarriedVertex) by the nearest particle, so that heat, picking and bounds are
/// those of particles; where they are is written here (linear blend skinning).
class SoftSkins {
 public:
  void clear() { corners_.clear(); }
  /// The vertex of the skin of `object` that is at `carried` among those carried.
  void add(const ObjectModel& object, Index vertex, std::size_t carried);
  /// Puts them into `positions`, of which the last `carried` are those carried.
  void write(const Simulation& simulation, std::size_t carried, std::vector<glm::vec3>& positions);

 private:
  struct Corner {
    std::size_t carried;
    glm::vec3 rest;  ///< m
    ClusterBlend blend;
  };
  std::vector<Corner> corners_;
  std::vector<ClusterPose> poses_;
};

/// A place at rest where its clusters have it now.
glm::vec3 blended(const ClusterBlend& blend, const glm::vec3& rest, const std::vector<ClusterPose>& poses);

}  // namespace limber
