// Distance between two simulations of one scene.
#pragma once

#include <cstddef>
#include <glm/vec3.hpp>
#include <vector>

#include "engine/simulation/simulation.hpp"

namespace limber {

/// Root mean square and maximum, m, over all vertices and body centres that both simulations have.
struct Distance {
  double rms = 0.0, max = 0.0;
  std::size_t compared = 0;  ///< number of points compared; 0: no common points
};

/// Compares two simulations vertex by vertex and body by body. With different meshes, only bodies count.
class DistanceMeter {
 public:
  Distance between(const Simulation& a, const Simulation& b);

 private:
  std::vector<glm::dvec3> a_, b_;  // members only to keep their storage
  std::vector<BodyPose> bodies_a_, bodies_b_;
};

/// Whether both models have the same original vertices; tears may differ.
bool same_vertices(const SceneModel& a, const SceneModel& b);

}  // namespace limber
