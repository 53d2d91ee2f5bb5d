// Pose and deformation of a cluster of a soft solid.
#pragma once

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

namespace limber {

/// An affine map from a solid at rest, m from its centre of mass, to the world.
struct ClusterPose {
  glm::mat3 turn;
  glm::vec3 shift;  ///< m
  glm::vec3 at(const glm::vec3& x) const { return turn * x + shift; }
};

}  // namespace limber
