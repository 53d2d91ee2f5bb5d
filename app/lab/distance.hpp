// How far two simulations of one scene are from each other.
#pragma once

#include <cstddef>
#include <glm/vec3.hpp>
#include <vector>

#include "engine/simulation/simulation.hpp"

namespace limber {

/// m, over all vertices and centres of bodies that both have.
struct Distance {
  double rms = 0.0, max = 0.0;
  std::size_t compared = 0;  ///< of those; 0: they have nothing in common
};

/// Compares vertex by vertex, and body by body. Where the two have different meshes only bodies count.
class DistanceMeter {
 public:
  Distance between(const Simulation& a, const Simulation& b);

 private:
  std::vector<glm::dvec3> a_, b_;  // kept for their storage
  std::vector<BodyPose> bodies_a_, bodies_b_;
};

/// Whether the vertices of one are those of the other, torn or not.
bool same_vertices(const SceneModel& a, const SceneModel& b);

}  // namespace limber
