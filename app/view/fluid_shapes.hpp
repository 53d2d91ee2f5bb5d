// Ellipsoids that cover the surface of a fluid.
#pragma once

#include <cstdint>
#include <glm/mat3x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <span>
#include <vector>

#include "engine/geometry/point_moments.hpp"

namespace limber {

/// The set of centre + axes u with |u| <= 1. The axes are orthogonal.
struct Ellipsoid {
  glm::vec3 center{0.0f};  ///< m
  float joined = 0.0f;     ///< 0: a lone particle, 1: part of a fluid
  glm::mat3x4 axes{1.0f};  ///< m; w = 0
};

/// Anisotropic kernels after J. Yu and G. Turk, "Reconstructing Surfaces of Particle-Based Fluids Using
/// Anisotropic Kernels", 2013. Each particle moves towards the weighted mean of its neighbours and becomes an
/// ellipsoid with the axes of their covariance, flat in a surface and long in a jet. Here the semi-axes
/// follow from the standard deviations such that a flat surface lies 1.2 particle radii outside its outermost
/// particles. Particles in the interior, hidden by the surface, have no ellipsoid.
class FluidShapes {
 public:
  /// `particles`: centres and radii (m; 0: not in the scene) of fluid particles of one `radius` (m). Returns
  /// false and does nothing if they equal those of the last call.
  bool update(std::span<const glm::vec4> particles, float radius);

  const std::vector<Ellipsoid>& ellipsoids() const { return ellipsoids_; }
  glm::vec3 least() const { return least_; }  ///< m, low corner of a box around all ellipsoids
  glm::vec3 most() const { return most_; }

 private:
  struct Placed {
    std::uint64_t key;  ///< of the cell
    glm::ivec3 cell;
    glm::vec3 position;  ///< m
  };
  static std::uint64_t key_of(const glm::ivec3& cell);
  void sort_into_cells();
  void gather_around(const glm::ivec3& cell);
  void add_shape(const PointMoments& moments, const glm::vec3& center);

  std::vector<glm::vec4> particles_;
  std::vector<Placed> sorted_;  ///< particles in the scene, sorted by cell
  PointRows near_;              ///< all particles around the present cell
  std::vector<Ellipsoid> ellipsoids_;
  glm::vec3 least_{0.0f}, most_{0.0f};
  float radius_ = 0.0f;
};

}  // namespace limber
